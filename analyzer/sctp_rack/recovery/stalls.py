# SPDX-License-Identifier: BSD-2-Clause
"""When data was outstanding and nothing more of it could be delivered, and what it waited for.

The cumulative TSN is what all deliveries wait for in the end, and what frees the sender's buffer
(RFC 9260 section 6.2.1). It stands still from when it was reached, or from when what lies behind it
was sent, until the lowest TSN not acknowledged is. While nothing is outstanding, nothing stalls.
"""

from dataclasses import dataclass
from heapq import nlargest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sctp_rack._core import lib
from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.names import Cause, StallCause, Verdict
from sctp_rack.recovery.by_number import grown
from sctp_rack.recovery.fragments import NEVER, SENDER, Numbers, Unwrapped, highest_so_far, is_first
from sctp_rack.recovery.retransmission import Resent

#: What a receiver may hold back, and round trips that a repair takes: core/findings/cuts.h.
HEALTHY_NS: int = lib.SR_HEALTHY_NS
ROUNDS: int = lib.SR_REPAIR_ROUNDS

#: Of a direction of which none was seen.
_NO_TSN = np.iinfo(np.int64).min

#: Stalls of a direction that are told one by one: the longest.
MOST: int = lib.SR_MOST_STALLS

_TIMERS = {Cause.T3, Cause.T3_GBN, Cause.FAILOVER, Cause.HANDSHAKE}


@dataclass(slots=True)
class Stall:
    """One, by the TSN that everything waited for."""

    tsn: int
    #: Of its first copy.
    frame: int
    begin_ns: int
    #: When it was acknowledged; None: not in this capture.
    end_ns: int | None
    #: Times that it was sent again, of them by a timer; and those of both that were needed.
    resent: int = 0
    timeouts: int = 0
    needed: int = 0
    needed_timeouts: int = 0
    window_probes: int = 0
    #: Of the needed by a timer those that another finding tells of.
    has_finding: int = 0

    def add(self, row: Resent, has_finding: bool) -> None:
        """A retransmission of the TSN."""
        by_timer = row.cause in _TIMERS
        needed = row.verdict != Verdict.SPURIOUS
        self.resent += 1
        self.timeouts += by_timer
        self.needed += needed
        self.needed_timeouts += by_timer and needed
        self.window_probes += row.cause == Cause.ZERO_WINDOW_PROBE
        self.has_finding += has_finding

    @property
    def cause(self) -> StallCause:
        """By what was sent again."""
        if self.end_ns is None:
            return StallCause.NO_ANSWER
        if self.window_probes:
            return StallCause.CLOSED_WINDOW
        if self.needed_timeouts:
            return StallCause.TIMEOUTS
        return StallCause.LOSS if self.needed else StallCause.LATE_ANSWER

    @property
    def length_ns(self) -> int:
        """The longest where it never ended."""
        return NEVER if self.end_ns is None else self.end_ns - self.begin_ns


class Stalls:
    """Those of a direction: room does not go with their number."""

    __slots__ = ("_by_tsn", "count")

    def __init__(self) -> None:
        self.count = 0
        self._by_tsn: dict[int, Stall] = {}

    def begin(self, stall: Stall) -> None:
        """One more."""
        self.count += 1
        self._by_tsn[stall.tsn] = stall
        if len(self._by_tsn) > 2 * MOST:
            self._by_tsn = {one.tsn: one for one in self.longest}

    def add(self, tsn: int, row: Resent, has_finding: bool) -> None:
        """A retransmission; `has_finding` where another finding speaks of it."""
        if stall := self._by_tsn.get(tsn):
            stall.add(row, has_finding)

    @property
    def longest(self) -> list[Stall]:
        """In the order of their beginnings."""
        longest = nlargest(MOST, self._by_tsn.values(), key=lambda stall: stall.length_ns)
        return sorted(longest, key=lambda stall: stall.begin_ns)


class Found(NamedTuple):
    """What may be a stall: the direction decides by its round trip."""

    assoc: int
    sender: int
    stall: Stall


class StandingStill:
    """Looks at `transmissions`, batch by batch in their order."""

    def __init__(self) -> None:
        self._unwrapped = Unwrapped()
        #: Of each direction up to which TSN all were seen, and when all up to it were acknowledged.
        self._tsns = np.zeros(0, np.int64)
        self._reached_ns = np.zeros(0, np.int64)
        #: Those above a TSN that was not seen yet: it may come in the next batch.
        self._above = np.zeros((5, 0), np.int64)

    def waiting(self) -> set[tuple[int, int]]:
        """Sides and TSNs of those that may be found to have stood still later."""
        sides, tsns = self._above[:2]
        return set(zip(sides.tolist(), (tsns & 0xFFFFFFFF).tolist(), strict=True))

    def end(self) -> list[Found]:
        """No more rows come: what is missing below a TSN was never seen."""
        return self._stood(np.zeros((5, 0), np.int64)) if self._above.shape[1] else []

    def add(self, rows: Rows) -> list[Found]:
        """What stood still for longer than `HEALTHY_NS`."""
        which = is_first(rows) & (rows["time_ns"] != NO_TIME)
        if not which.any():
            return []
        sides = rows["assoc"].astype(np.int64) * SENDER + rows["from"]
        acked = np.where(rows["acked_frame"] != 0, rows["acked_time_ns"], NEVER)
        new = np.stack([sides, rows["tsn"], rows["time_ns"], acked, rows["frame"]])
        new = new if which.all() else new[:, which]
        new[1] = self._unwrapped.of(new[0], new[1].astype(np.uint32))
        return self._stood(new)

    def _stood(self, new: Numbers) -> list[Found]:
        """Of sides, TSNs, times and frames of first copies."""
        there = np.unique(np.concatenate([new[0], self._above[0]]))
        self._tsns = grown(self._tsns, int(there.max()), _NO_TSN)
        self._reached_ns = grown(self._reached_ns, int(there.max()))
        known = there[self._tsns[there] != _NO_TSN]
        state = np.zeros((5, len(known)), np.int64)
        state[0], state[1] = known, self._tsns[known]
        state[2], state[3] = NEVER, self._reached_ns[known]
        old = len(known) + self._above.shape[1]
        chunks = np.concatenate([state, self._above, new], axis=1)
        waited = np.arange(chunks.shape[1]) < old
        order = np.lexsort((chunks[1], chunks[0]))
        chunks, waited, real = chunks[:, order], waited[order], order >= len(known)
        sides, tsns, sent, acked, frames = chunks
        apart = np.append(True, sides[1:] != sides[:-1])
        settled = waited | ~_above_a_hole(apart, tsns)
        earlier = np.append(NO_TIME, highest_so_far(apart, acked)[:-1])
        earlier[apart] = NO_TIME
        ends = np.append(apart[1:], True)
        first_sent = -highest_so_far(ends[::-1], -sent[::-1])[::-1]
        begin = np.maximum(earlier, first_sent)
        still = settled & real & (acked != NO_TIME) & (begin < acked.clip(0) - HEALTHY_NS)
        starts = np.flatnonzero(apart)
        highest = np.maximum.reduceat(np.where(settled, tsns, _NO_TSN), starts)
        reached = np.maximum.reduceat(np.where(settled, acked, NO_TIME), starts)
        known = highest != _NO_TSN
        self._tsns[there[known]], self._reached_ns[there[known]] = highest[known], reached[known]
        self._above = chunks[:, ~settled]
        return [
            Found(
                side // SENDER,
                side % SENDER,
                Stall(tsn & 0xFFFFFFFF, frame, at, None if end == NEVER else end),
            )
            for side, tsn, frame, at, end in np.stack(
                [sides[still], tsns[still], frames[still], begin[still], acked[still]], axis=1
            ).tolist()
        ]


def _above_a_hole(apart: npt.NDArray[np.bool_], tsns: Numbers) -> npt.NDArray[np.bool_]:
    """Whether a TSN below it was not seen, of those that are between it and the first."""
    jumps = np.append(False, tsns[1:] - tsns[:-1] > 1) & ~apart
    holes = np.cumsum(jumps)
    starts = np.flatnonzero(apart)
    counts = np.diff(np.append(starts, len(apart)))
    above: npt.NDArray[np.bool_] = holes > np.repeat(holes[starts], counts)
    return above
