# SPDX-License-Identifier: BSD-2-Clause
"""Which captures are counted together."""

from collections.abc import Callable, Iterator

from bench.accuracy.measure import Measured
from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS

Of = Callable[[Measured], str]
#: Which of the tallies of a capture.
Chosen = Callable[[Measured], Tally | None]


def grouped(measured: list[Measured], by: Of) -> Iterator[tuple[str, list[Measured]]]:
    """By a word, in its order."""
    for word in sorted({by(one) for one in measured}):
        yield word, [one for one in measured if by(one) == word]


def by_tap(measured: list[Measured]) -> Iterator[tuple[str, list[Measured]]]:
    """From the sender on."""
    for tap in TAPS:
        chosen = [one for one in measured if one.tap == tap]
        if chosen:
            yield tap, chosen


def added(measured: list[Measured], chosen: Chosen = lambda one: one.package) -> Tally:
    """The tallies that there are, together."""
    return total([tally for one in measured if (tally := chosen(one)) is not None])
