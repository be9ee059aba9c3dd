# SPDX-License-Identifier: BSD-2-Clause
"""Runs to report on are made once, those that fail are left out, and are never those looked at."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy import random_runs
from bench.accuracy.truths import files_in
from sample_pcaps.generate.random.seeds import REPORT


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """What the generator is asked for; it makes one run, and fails."""
    made: list[list[str]] = []

    def generate(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        made.append(command)
        folder = Path(command[-1])
        folder.mkdir(parents=True)
        (folder / "one.truth.ndjson").touch()
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(random_runs, "FOLDER", tmp_path)
    monkeypatch.setattr(subprocess, "run", generate)
    return made


def test_runs_are_made_once_and_those_that_fail_are_left_out(asked: list[list[str]]) -> None:
    folder, about = random_runs.make(70)
    again = random_runs.make(70)

    assert again == (folder, about)
    assert len(asked) == len(files_in(folder)) == 1
    assert asked[0][-2:] == ["--to", str(folder)]


def test_random_runs_are_those_that_are_only_reported(asked: list[list[str]]) -> None:
    random_runs.make(70)
    command = asked[0]

    assert int(command[command.index("--seed") + 1]) in REPORT
    assert command[command.index("--random") + 1] == "70"


def test_where_no_run_can_be_made_that_is_an_error(
    asked: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random_runs, "files_in", lambda folder: [])

    with pytest.raises(subprocess.CalledProcessError):
        random_runs.make(70)
    assert not list(random_runs.FOLDER.glob("*/done"))
