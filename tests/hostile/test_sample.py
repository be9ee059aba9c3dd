# SPDX-License-Identifier: BSD-2-Clause
"""A few shapes, small, in every run of the tests; all of them, larger, are in `make check-all`."""

from dataclasses import replace

import pytest

from tests.captures import one_in
from tests.hostile.commands import ANALYZE, MB
from tests.hostile.growth import Judge
from tests.hostile.shape import Shape
from tests.hostile.shapes import SHAPES

SOME = (
    "taken_back_and_shuffled",
    "gap_blocks_by_the_thousand",
    "copies_of_one",
    "short_associations",
    "init_and_abort",
    "bomb_of_zeros",
)
SMALL = replace(ANALYZE, largest=2 * MB)


@pytest.mark.parametrize(
    "shape", one_in(2, (s for s in SHAPES if s.name in SOME)), ids=lambda s: s.name
)
def test_a_byte_costs_the_same_in_sixteen_times_as_many(judge: Judge, shape: Shape) -> None:
    growth = judge.growth(SMALL, shape)
    assert growth is not None
    assert not growth.faults(), growth.faults()
