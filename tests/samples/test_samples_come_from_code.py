# SPDX-License-Identifier: BSD-2-Clause
"""Scenarios make the same bytes as ever: those that are committed."""

from pathlib import Path

import pytest

from sample_pcaps.generate.build import MissingError, program
from sample_pcaps.generate.catalogue import COMMITTED, SCENARIOS
from sample_pcaps.generate.make import make
from tests.captures import BUNDLED, ROOT


@pytest.mark.parametrize("name", COMMITTED)
def test_a_committed_sample_is_made_again_byte_for_byte(name: str, tmp_path: Path) -> None:
    try:
        program(SCENARIOS[name].stack)
    except MissingError as missing:
        pytest.skip(str(missing))
    make(SCENARIOS[name], tmp_path)

    made = sorted(tmp_path.iterdir())
    assert [
        file.name for file in made if file.read_bytes() != (BUNDLED / file.name).read_bytes()
    ] == []
    assert len(made) == 4


@pytest.mark.parametrize("name", COMMITTED)
def test_a_committed_sample_is_small_and_has_a_story(name: str) -> None:
    files = list(BUNDLED.glob(f"{name}.*"))

    assert all(file.stat().st_size < 150_000 for file in files)
    assert f"{name}.md" in [file.name for file in files]


def test_every_scenario_is_in_the_document() -> None:
    document = (ROOT / "docs" / "samples.md").read_text()

    assert [name for name in SCENARIOS if f"generate {name}`" not in document] == []
