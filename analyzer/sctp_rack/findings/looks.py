# SPDX-License-Identifier: BSD-2-Clause
"""How all findings are found in one pass: each association is shown to every look, and let go.

A look is a generator that is sent one association after the other, then None, and returns what it
found: it keeps sums, and no association. Those of a crowd (`crowd.py`) are not shown: who tells of
them begins with what they come to.
"""

from collections.abc import Callable, Generator, Iterable, Sequence

from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.summary.associations import Associations
from sctp_rack.summary.crowd import Crowd
from sctp_rack.summary.summary import Association, Unanswered

Look = Generator[None, Association | None, list[CaptureFinding]]


def crowd_of(associations: Sequence[Association]) -> Crowd:
    """What those come to that nobody looks at; a list has none."""
    return associations.crowd if isinstance(associations, Associations) else Crowd()


def others_of(associations: Iterable[Association]) -> Iterable[Association]:
    """Those that have to be looked at."""
    return associations.others if isinstance(associations, Associations) else associations


def some_of(associations: Sequence[Association], numbers: Sequence[int]) -> list[Association]:
    """Those of the crowd with these numbers."""
    return associations.numbered(numbers) if isinstance(associations, Associations) else []


def unanswered_of(associations: Sequence[Association]) -> Iterable[Unanswered]:
    """Of those that nobody looks at, whose INIT was never answered."""
    return associations.unanswered() if isinstance(associations, Associations) else ()


def found(associations: Iterable[Association], look: Look) -> list[CaptureFinding]:
    """What a look finds in them."""
    next(look)
    for one in others_of(associations):
        look.send(one)
    return _end(look)


def together(*looks: Look) -> Look:
    """What all of them find, those of the first look first."""
    for look in looks:
        next(look)
    while (one := (yield)) is not None:
        for look in looks:
            look.send(one)
    return [finding for look in looks for finding in _end(look)]


def each(found_of: Callable[[Association], Iterable[CaptureFinding]]) -> Look:
    """What is said of each association on its own."""
    findings: list[CaptureFinding] = []
    while (one := (yield)) is not None:
        findings += found_of(one)
    return findings


def _end(look: Look) -> list[CaptureFinding]:
    try:
        look.send(None)
    except StopIteration as end:
        findings: list[CaptureFinding] = end.value
        return findings
    raise RuntimeError("a look goes on behind the last association")


class FirstFrames:
    """The lowest frames, where to look first."""

    def __init__(self, frames: Iterable[int] = ()) -> None:
        self._frames = list(frames)

    def add(self, frame: int) -> None:
        """One more."""
        self._frames.append(frame)
        if len(self._frames) > 8 * MOST_FRAMES:
            self._frames = self.lowest

    @property
    def lowest(self) -> list[int]:
        """As many as a finding names."""
        return sorted(self._frames)[:MOST_FRAMES]
