# SPDX-License-Identifier: BSD-2-Clause
"""The committed samples are made again, byte for byte, and each has a story."""

import json
from pathlib import Path
from typing import Any

import pytest

from sample_pcaps.generate.catalogue import COMMITTED, SCENARIOS
from sample_pcaps.generate.make import make
from tests.captures import BUNDLED, IN_DTLS, ROOT, one_in
from tests.samples.stacks import need

#: Few retransmissions, so few twin runs.
WITH_TWINS = ("usrsctp-reorder", "pion-delay-spike")


@pytest.mark.parametrize("name", one_in(6, COMMITTED))
def test_a_committed_sample_is_made_again_byte_for_byte(name: str, tmp_path: Path) -> None:
    """Of the truth what twin runs tell is left out but for two: it takes half a minute."""
    need(SCENARIOS[name])
    make(SCENARIOS[name], tmp_path, knowable=name in WITH_TWINS)

    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    committed = {file: (BUNDLED / file).read_bytes() for file in made}
    if name not in WITH_TWINS:
        told = f"{name}.truth.ndjson"
        assert without_twins(made.pop(told)) == without_twins(committed.pop(told))
    assert [file for file in made if made[file] != committed[file]] == []
    assert len(list(tmp_path.iterdir())) == (5 if name == IN_DTLS else 4)


def without_twins(truth: bytes) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [json.loads(line) for line in truth.splitlines()]
    for record in records:
        for field in ("knowable", "knowable_outcome", "twin_runs"):
            record.pop(field, None)
    return records


@pytest.mark.parametrize("name", COMMITTED)
def test_a_committed_sample_is_small_and_has_a_story(name: str) -> None:
    files = list(BUNDLED.glob(f"{name}.*"))

    assert all(file.stat().st_size < 150_000 for file in files)
    assert f"{name}.md" in [file.name for file in files]


def test_every_story_is_in_the_table_of_the_folder() -> None:
    table = (BUNDLED / "README.md").read_text()

    assert [name for name in COMMITTED if f"]({name}.md)" not in table] == []


def test_every_scenario_is_in_the_document() -> None:
    document = (ROOT / "docs" / "samples.md").read_text()

    assert [name for name in SCENARIOS if f"generate {name}`" not in document] == []
