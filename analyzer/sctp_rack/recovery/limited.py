# SPDX-License-Identifier: BSD-2-Clause
"""Directions that one limit held back for most of a notable transfer, out of rows of `limits`.

The rows of a direction come one behind the other, so room goes with those that are found.
"""

from dataclasses import dataclass

import numpy as np

from sctp_rack._core import lib
from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.findings.finding import MOST_FRAMES
from sctp_rack.names import Limit

#: From where on a limit is told of: core/findings/cuts.h.
PART: int = lib.SR_LIMITED_PART
NOTABLE_BYTES: int = lib.SR_NOTABLE_BYTES
NOTABLE_NS: int = lib.SR_LONG_NS
SURE: int = lib.SR_LIMITED_CLASS

_LIMITS = words_of("limit")

#: Of these nothing is told: the first is nobody's limit, of the other nothing is known.
_UNTOLD = [_LIMITS.index(limit) for limit in (Limit.APPLICATION, Limit.UNKNOWN)]

_CLASSES = 6


@dataclass(frozen=True, slots=True)
class Limited:
    """A direction, and what limited it."""

    limit: str
    time_ns: int
    #: From its first data to the last acknowledgement.
    whole_ns: int
    #: Most of that time has this confidence, or a higher one.
    limit_class: int
    #: The most that was outstanding meanwhile, and the largest window; None where none was told.
    outstanding_bytes: int
    a_rwnd: int | None
    #: What the longest of its intervals begin with.
    frames: list[int]


class LimitedDirections:
    """Takes rows of `limits` in their order."""

    def __init__(self) -> None:
        self.found: dict[int, Limited] = {}
        self._place: int | None = None
        self._sums = _Sums()

    def add(self, rows: Rows) -> None:
        """Rows of associations that are followed; the last direction may go on."""
        if not len(rows):
            return
        places = rows["assoc"].astype(np.int64) << 1 | rows["from"]
        starts = np.flatnonzero(np.append(True, places[1:] != places[:-1]))
        ends = np.append(starts[1:], len(rows))
        # Of those that begin and end in here most moved too little, and are many.
        matters = np.add.reduceat(rows["bytes"], starts) >= NOTABLE_BYTES
        matters[[0, -1]] = True
        for at in np.flatnonzero(matters).tolist():
            place = int(places[starts[at]])
            if place != self._place:
                self.end()
                self._place = place
            self._sums.add(rows[starts[at] : ends[at]])

    def end(self) -> None:
        """The direction that was open has no more rows."""
        if self._place is not None and (limited := self._sums.limited()):
            self.found[self._place] = limited
        self._place, self._sums = None, _Sums()


class _Sums:
    """Of the rows of one direction so far, by limit."""

    def __init__(self) -> None:
        self._bytes = 0
        self._by_class = np.zeros((len(_LIMITS), _CLASSES), np.int64)
        self._outstanding = np.zeros(len(_LIMITS), np.uint64)
        self._a_rwnd = np.full(len(_LIMITS), NO_TIME)
        self._longest: dict[int, list[tuple[int, int]]] = {}

    def add(self, rows: Rows) -> None:
        """More of them."""
        limit, took = rows["limit"], rows["end_ns"] - rows["begin_ns"]
        self._bytes += int(rows["bytes"].sum())
        np.add.at(self._by_class, (limit, rows["limit_class"]), took)
        np.maximum.at(self._outstanding, limit, rows["outstanding_bytes"])
        np.maximum.at(self._a_rwnd, limit, rows["a_rwnd"])
        for one in np.unique(limit).tolist():
            mine = np.flatnonzero(limit == one)
            mine = mine[np.argsort(-took[mine], kind="stable")[:MOST_FRAMES]]
            new = zip((-took[mine]).tolist(), rows["begin_frame"][mine].tolist(), strict=True)
            both = [*self._longest.get(one, ()), *new]
            self._longest[one] = sorted(both)[:MOST_FRAMES]

    def limited(self) -> Limited | None:
        """What limited it; None where nothing is to be told."""
        by_limit = self._by_class.sum(axis=1)
        most = int(by_limit.argmax())
        time_ns, whole_ns = int(by_limit[most]), int(by_limit.sum())
        notable = self._bytes >= NOTABLE_BYTES and time_ns >= NOTABLE_NS
        if not notable or most in _UNTOLD or PART * time_ns < whole_ns:
            return None
        # The highest class that half of its time has, or a higher one.
        at_least = self._by_class[most][::-1].cumsum()[::-1]
        limit_class = int(np.flatnonzero(2 * at_least >= time_ns)[-1])
        if limit_class < SURE:
            return None
        window = int(self._a_rwnd[most])
        return Limited(
            limit=_LIMITS[most],
            time_ns=time_ns,
            whole_ns=whole_ns,
            limit_class=limit_class,
            outstanding_bytes=int(self._outstanding[most]),
            a_rwnd=None if window == NO_TIME else window,
            frames=sorted(frame for _, frame in self._longest[most]),
        )
