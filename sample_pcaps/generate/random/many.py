# SPDX-License-Identifier: BSD-2-Clause
"""Makes many random runs in several processes: a run depends on its seed and number alone."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path

from ..build import program
from ..make import make
from ..scenario import Stack
from .draw import draw, name_of, pairs_of, stacks_of

Truth = dict[str, object]


def numbers_of(seed: int, how_many: int, stacks: frozenset[Stack]) -> Iterator[int]:
    """The first so many runs of the set whose stacks are all among `stacks`.

    Raises ValueError where the set has none."""
    if not any(stacks.issuperset(pair) for pair in pairs_of(seed).weights):
        raise ValueError(
            f"no run of seed {seed} has these stacks alone; stacks without a profile come with "
            "the last hundred seeds of a thousand"
        )
    wanted = (number for number in count() if stacks.issuperset(stacks_of(seed, number)))
    return islice(wanted, how_many)


def make_many(
    seed: int, numbers: Iterable[int], folder: Path, *, knowable: float, jobs: int
) -> Iterator[tuple[str, Truth | Exception]]:
    """The name of each run with its truth, or with what went wrong, in the order of the numbers."""
    numbers = list(numbers)
    for stack in {stack for number in numbers for stack in stacks_of(seed, number)}:
        program(stack)  # built once, before there are processes
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        made = pool.map(partial(_make, seed, folder, knowable), numbers, chunksize=4)
        yield from zip((name_of(seed, number) for number in numbers), made, strict=True)


def _make(seed: int, folder: Path, knowable: float, number: int) -> Truth | Exception:
    try:
        return make(draw(seed, number), folder, knowable=knowable, counters=True)
    except Exception as failure:  # the others go on
        return RuntimeError(repr(failure))
