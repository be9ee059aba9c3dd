# SPDX-License-Identifier: BSD-2-Clause
"""What `test_commands.py` asks is asked of the commands that tell of single TSNs: of one with every
second shape, of the other with those between. `make reliability` asks all of both."""

import pytest

from tests.hostile.commands import EXPLAIN, REPORT, Command
from tests.hostile.growth import Judge
from tests.hostile.shape import Shape
from tests.hostile.shapes import SHAPES

pytestmark = pytest.mark.long

_EACH = [
    pytest.param(command, shape, id=f"{shape.name}-{command.name}")
    for at, shape in enumerate(SHAPES)
    for command in [(EXPLAIN, REPORT)[at % 2]]
]


@pytest.mark.parametrize(("command", "shape"), _EACH)
def test_a_byte_costs_the_same_however_large_the_capture(
    judge: Judge, command: Command, shape: Shape
) -> None:
    growth = judge.growth(command, shape)
    assert growth is None or not growth.faults(), growth.faults()
