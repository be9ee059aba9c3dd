# SPDX-License-Identifier: BSD-2-Clause
"""The associations of a summary of a time: of a session each is made when it is asked for."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import overload

from sctp_rack.recovery.window import Window
from sctp_rack.summary.associations import Associations
from sctp_rack.summary.summary import Association, Summary

#: Those that are made together.
_TOGETHER = 64

Told = Callable[[Sequence[Association]], list[Association]]


class AssociationsOfTime(Sequence[Association]):
    """Those of a summary with frames in a time, as `told` tells of each; kept by nobody.

    `behind` is the first frame behind the time, as far as that is known.
    """

    def __init__(self, summary: Summary, window: Window, behind: int, told: Told) -> None:
        self._whole = summary.associations
        self._told = told
        self._which = list(_meeting(summary, window, behind))

    def __len__(self) -> int:
        return len(self._which)

    def __iter__(self) -> Iterator[Association]:
        return (told for _, told in self._both(self._which))

    @overload
    def __getitem__(self, at: int) -> Association: ...

    @overload
    def __getitem__(self, at: slice) -> list[Association]: ...

    def __getitem__(self, at: int | slice) -> Association | list[Association]:
        if isinstance(at, slice):
            return self._told(self._some(self._which[at]))
        return self._told(self._some([self._which[at]]))[0]

    def both(self, numbers: Collection[int]) -> Iterator[tuple[Association, Association]]:
        """Of those with these numbers what is known of each in all, and what is told of it."""
        if not isinstance(self._whole, Associations):
            numbers = {place for place in self._which if self._whole[place].assoc in numbers}
        return self._both([number for number in self._which if number in numbers])

    def _both(self, which: list[int]) -> Iterator[tuple[Association, Association]]:
        for at in range(0, len(which), _TOGETHER):
            some = self._some(which[at : at + _TOGETHER])
            yield from zip(some, self._told(some), strict=True)

    def _some(self, which: list[int]) -> Sequence[Association]:
        if isinstance(self._whole, Associations):
            return self._whole.numbered(which)
        return [self._whole[place] for place in which]


def _meeting(summary: Summary, window: Window, behind: int) -> Iterator[int]:
    """Numbers of those of a session, places of others."""
    first_ns, last_ns, every = summary.first_time_ns, summary.last_time_ns, summary.associations
    if first_ns is None or last_ns is None or not window.meets(first_ns, last_ns):
        return
    if isinstance(every, Associations):
        yield from every.meeting(window)
        return
    for place, one in enumerate(every):
        if one.first_frame < behind and window.meets(first_ns, one.last_time_ns):
            yield place
