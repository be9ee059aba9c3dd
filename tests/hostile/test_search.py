# SPDX-License-Identifier: BSD-2-Clause
"""Shapes that a seed combines in one file; SCTP_RACK_SEEDS=100-200 tries others."""

import os

import pytest

from tests.hostile.commands import ANALYZE
from tests.hostile.growth import Judge
from tests.hostile.shape import combination
from tests.hostile.shapes import FRAMES

pytestmark = pytest.mark.long


def _seeds() -> range:
    first, _, last = os.environ.get("SCTP_RACK_SEEDS", "1-12").partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.mark.parametrize("seed", _seeds())
def test_no_combination_makes_a_byte_dear(judge: Judge, seed: int) -> None:
    shape = combination(seed, FRAMES)
    growth = judge.growth(ANALYZE, shape)
    assert growth is not None
    assert not growth.faults(), (shape.says, growth.faults())
