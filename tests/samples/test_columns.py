# SPDX-License-Identifier: BSD-2-Clause
"""The judge says of each sample, at each tap and in each table, what it said when that was read."""

import json
from pathlib import Path

import pytest

from tests.captures import bundled, name_of
from tests.samples.columns import FILE, said_of

EXPECTED = json.loads(FILE.read_text())
AGAIN = "If that is right: make samples-expected"


@pytest.mark.parametrize("path", bundled(), ids=name_of)
def test_every_column_says_what_it_said(path: Path) -> None:
    said, expected = said_of(path), EXPECTED[name_of(path)]

    assert said.keys() == expected.keys(), AGAIN
    changed = [
        f"{table}.{name}: {value}, was {expected[table].get(name)}"
        for table, columns in said.items()
        for name, value in columns.items()
        if value != expected[table].get(name)
    ]
    assert not changed, f"{AGAIN}\n" + "\n".join(changed)
