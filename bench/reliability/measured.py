# SPDX-License-Identifier: BSD-2-Clause
"""Measures every command on every shape and on combinations, on all processors at once."""

import atexit
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from tests.hostile.commands import ANALYZE, COMMANDS, Command, bench
from tests.hostile.growth import Growth, Judge
from tests.hostile.shape import Shape, combination
from tests.hostile.shapes import FRAMES, SHAPES

#: Combinations that the page tells of.
SEEDS = range(1, 41)

_JUDGES = list[Judge]()


@dataclass(frozen=True)
class Measured:
    """All that was measured; shapes of one capture come one after the other."""

    alone: list[Growth]
    combined: list[Growth]


def measure(shapes: Sequence[Shape] = tuple(SHAPES), seeds: Sequence[int] = SEEDS) -> Measured:
    """Takes minutes."""
    asked: list[tuple[Shape, tuple[Command, ...]]] = [(shape, COMMANDS) for shape in shapes]
    asked += [(combination(seed, FRAMES), (ANALYZE,)) for seed in seeds]
    with ProcessPoolExecutor(os.cpu_count(), initializer=_begin) as pool:
        found = [growth for some in pool.map(_growths, asked) for growth in some]
    return Measured(
        [growth for growth in found if not growth.shape.parts],
        [growth for growth in found if growth.shape.parts],
    )


def _begin() -> None:
    room = ExitStack()
    _JUDGES.append(Judge(room.enter_context(bench())))
    atexit.register(room.close)


def _growths(asked: tuple[Shape, tuple[Command, ...]]) -> list[Growth]:
    shape, commands = asked
    return list(_measured(shape, commands))


def _measured(shape: Shape, commands: tuple[Command, ...]) -> Iterator[Growth]:
    for command in commands:
        growth = _JUDGES[0].growth(command, shape)
        if growth is not None:
            yield growth
