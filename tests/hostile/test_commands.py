# SPDX-License-Identifier: BSD-2-Clause
"""No shape makes a byte dear, or takes more memory than is promised, or is not read to its end.

Of `export`, whose engine is that of `analyze`, every second shape; `make reliability` asks all.
"""

import pytest

from tests.hostile.commands import ANALYZE, EXPORT, Command
from tests.hostile.growth import Judge
from tests.hostile.shape import Shape
from tests.hostile.shapes import SHAPES

pytestmark = pytest.mark.long

#: A shape's captures serve both; the other commands are in files of their own, to run beside this.
_EACH = [
    pytest.param(command, shape, id=f"{shape.name}-{command.name}")
    for at, shape in enumerate(SHAPES)
    for command in (ANALYZE, EXPORT)[: 1 + at % 2]
]


@pytest.mark.parametrize(("command", "shape"), _EACH)
def test_a_byte_costs_the_same_however_large_the_capture(
    judge: Judge, command: Command, shape: Shape
) -> None:
    growth = judge.growth(command, shape)
    assert growth is None or not growth.faults(), growth.faults()
