# SPDX-License-Identifier: BSD-2-Clause
"""The benchmark set is whole, the same each time, and scores as we do with nothing but Python."""

import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy.measure import measure
from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS
from bench.benchmark_set.baselines import answers
from bench.benchmark_set.pack import archive, files_of
from bench.benchmark_set.score import answers_of, figures
from tests.captures import BUNDLED

RUNS = ("usrsctp-hosts-and-taps", "pion-tail-loss-no-rack")
NAME = "benchmark-set-1"

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny set."""
    some = tmp_path_factory.mktemp("runs")
    for run in RUNS:
        for path in BUNDLED.glob(f"{run}.*"):
            if "expected" not in path.name and path.suffix != ".md":
                shutil.copy(path, some)
    return some


@pytest.fixture(scope="module")
def files(folder: Path) -> Files:
    return files_of(folder, "1", "TShark 1")


@pytest.fixture(scope="module")
def unpacked(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    empty = tmp_path_factory.mktemp("empty")
    with tarfile.open(fileobj=io.BytesIO(archive(files, NAME))) as packed:
        packed.extractall(empty, filter="data")
    return empty / NAME


def scored(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """By Python alone: without site-packages, in which our package is."""
    command = [sys.executable, "-S", "-E", "score.py", *arguments]
    return subprocess.run(command, cwd=unpacked, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def ours(folder: Path) -> dict[str, Tally]:
    measured = measure(folder, unknown=False)
    wireshark = [one.wireshark for one in measured if one.wireshark]
    assert len(wireshark) == len(RUNS) * len(TAPS)
    return {
        "sctp-rack": total([one.package for one in measured]),
        "wireshark": total(wireshark),
    }


@pytest.mark.parametrize("tool", ["sctp-rack", "wireshark"])
def test_the_scorer_gives_the_figures_of_the_accuracy_page(
    tool: str, unpacked: Path, ours: dict[str, Tally]
) -> None:
    done = scored(unpacked, f"baselines/{tool}.ndjson", "--json")
    found = json.loads(done.stdout)
    expected = json.loads(json.dumps(figures(ours[tool])))

    assert done.returncode == 0, done.stderr
    assert found == json.loads((unpacked / f"baselines/{tool}.results.json").read_text())
    for name, value in found["all, all"].items():
        if isinstance(value, dict):  # marks and the place of the tap are not part of the set
            assert value == {key: expected[name][key] for key in value}
            assert set(expected[name]) - set(value) <= {"marks", "vantage", "profile"}
        else:
            assert value == expected[name]
    assert found["all, all"]["questions"]["retransmission"]["right"] > 20


def test_a_table_with_a_head_counts_as_lines_of_objects_do(unpacked: Path, tmp_path: Path) -> None:
    lines = (unpacked / "baselines/sctp-rack.ndjson").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    columns = sorted({name for record in records for name in record})
    path = tmp_path / "answers.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(records)

    assert (
        scored(unpacked, str(path), "--json").stdout
        == scored(unpacked, "baselines/sctp-rack.ndjson", "--json").stdout
    )


def test_every_file_has_its_sum_and_no_other(unpacked: Path, files: Files) -> None:
    lines = (unpacked / "SHA256SUMS").read_text().splitlines()
    sums = {path: expected for expected, path in (line.split("  ") for line in lines)}

    assert set(sums) == set(files) - {"SHA256SUMS"}
    for path, expected in sums.items():
        assert hashlib.sha256((unpacked / path).read_bytes()).hexdigest() == expected


def test_the_same_files_give_the_same_bytes(files: Files) -> None:
    assert archive(files, NAME) == archive(dict(reversed(files.items())), NAME)


def test_the_card_has_the_runs_and_both_baselines(unpacked: Path) -> None:
    text = (unpacked / "README.md").read_text()

    assert "2 runs, 6 captures:" in text
    assert "| sender | sctp-rack |" in text
    assert "| sender | wireshark |" in text
    assert "{" not in text


def test_captures_without_answers_are_missed_unless_only_some_are_measured(
    unpacked: Path, tmp_path: Path
) -> None:
    one = f"{RUNS[1]}.sender.pcap"
    lines = (unpacked / "baselines/sctp-rack.ndjson").read_text().splitlines(keepends=True)
    path = tmp_path / "some.ndjson"
    path.write_text("".join(line for line in lines if json.loads(line)["capture"] == one))
    every, some = (
        json.loads(scored(unpacked, str(path), "--json", *more).stdout)["all, all"]
        for more in ((), ("--partial",))
    )

    assert every["missing"] > 0 == some["missing"]
    assert every["rows"] > some["rows"]


def test_the_first_chunk_of_a_frame_with_the_same_tsn_counts() -> None:
    same: dict[str, Any] = {"capture": "a", "frame": 3, "tsn": 7}
    rows = answers_of([{**same, "chunk": 1, "kind": "original"}, {**same, "chunk": 0}])["a"]

    assert [row["chunk"] for row in rows] == [0, 1]
    assert [json.loads(one)["chunk"] for one in answers("a", [*rows, {**rows[0], "frame": 4}])] == [
        *(0, 1),
        0,
    ]


@pytest.mark.parametrize(
    "line", ['{"capture": "a"}', "[]", "{", '{"capture":"a","frame":1,"tsn":"x"}']
)
def test_what_is_no_answer_is_said_and_nothing_is_scored(
    line: str, unpacked: Path, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.ndjson"
    path.write_text(line)
    done = scored(unpacked, str(path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
