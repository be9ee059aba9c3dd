# SPDX-License-Identifier: BSD-2-Clause
"""Between what the queue would be with NR-SACKs if the send buffer was full when it held most.

Until a full buffer first keeps new data back, with NR-SACKs the same packets leave at the same
times. From then on two things differ. With the same losses the queue holds what is outstanding in
the capture at least, as the windows are no smaller for it; at most the whole buffer, while it was
full and until a round trip later, when a SACK is back for what left then. On one path no longer:
the hole that blocks the sender keeps its congestion window from growing (RFC 9260 section 7.2.4).
On several at once the windows of the others do grow meanwhile, so that there the buffer is the
most from then on. And packets leave at other times: losses and timers meet others, which is
chance.

Which messages a sender has at hand depends on its buffer as well: of ordered data over several
streams other messages wait behind the same loss from the first moment on in which NR-SACKs free
anything.
"""

from array import array
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import numpy.typing as npt

from sctp_rack.what_if.chance import Chance, chance
from sctp_rack.what_if.queue import Step

_Array = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]
_Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bounds:
    """Of the queue with NR-SACKs; 95 of 100 runs that had them are to lie between. User data."""

    #: From when on other packets may leave than in the capture.
    since_ns: int
    #: Begun by recoveries, or by the time that is told of: how far they are apart is the chance.
    cycles: int
    #: What a buffer that is full no longer may add to the average, with the same losses.
    filled_bytes: float
    #: What chance may add to the average, or take from it; null where too few cycles tell.
    chance_bytes: float | None
    least_average_bytes: float
    most_average_bytes: float
    #: RtxQ_Util; null where the queue held nothing.
    least_rtxq_util: float | None
    most_rtxq_util: float | None


#: Of a step in the log.
_COLUMNS = 8


class QueueLog:
    """Steps of a queue in order, and which part of each is told of."""

    def __init__(
        self, *, message: int, round_trip_ns: int, paths: int, streams: int, waits: bool
    ) -> None:
        """The largest message, for which there has to be room; in how many paths and ordered
        streams new data was sent, and whether what arrives may have to wait to be delivered."""
        self._message, self._round_trip_ns, self._waits = message, round_trip_ns, waits
        self._several_paths, self._several_streams = paths > 1, streams > 1
        self._rows = array("q")

    def add(self, step: Step, told_begin_ns: int, told_ns: int) -> None:
        """The next one; what is not told of still tells when the buffer was full."""
        self._rows.extend(
            (
                *(step.begin_ns, step.end_ns, told_begin_ns, told_ns),
                *(step.kept, step.outstanding, step.with_nr_sacks_of_delivered, step.recovery),
            )
        )

    def of_all(self) -> Bounds | None:
        """With NR-SACKs of all that arrived; None where no full buffer changes anything."""
        steps = self._steps()
        if steps is None or (found := steps.bounds(steps.outstanding, steps.full)) is None:
            return None
        # Nothing but what is outstanding is kept, whatever else happens.
        return replace(found, least_rtxq_util=found.most_rtxq_util)

    def of_delivered(self) -> Bounds | None:
        """Likewise, of what could be delivered."""
        if not self._waits:
            return self.of_all()
        steps = self._steps()
        if steps is None:
            return None
        others = steps.full | (steps.delivered < steps.kept if self._several_streams else False)
        return steps.bounds(steps.delivered, others)

    def _steps(self) -> "_Steps | None":
        rows = np.array(self._rows, np.int64).reshape(-1, _COLUMNS)
        if not rows[:, 3].any():
            return None
        return _Steps(rows, self._message, self._round_trip_ns, self._several_paths)


class _Steps:
    def __init__(self, rows: _Array, message: int, round_trip_ns: int, several_paths: bool) -> None:
        self.begin, end, self._told_begin, self._told, *sizes, recovery = rows.T
        self.kept, self.outstanding, self.delivered = sizes
        self._largest = int(self.kept.max())
        no_room = self.kept + message > self._largest
        self.full: _Flags = no_room & (self.outstanding < self.kept)
        self._begins = np.diff(recovery, prepend=0) > 0
        self._filled = self._filled_ns(end, round_trip_ns, several_paths)

    def _filled_ns(self, end: _Array, round_trip_ns: int, several_paths: bool) -> _Array:
        """How much of each the sender could have filled the buffer instead."""
        if not self.full.any():
            return np.zeros_like(end)
        if several_paths:
            return np.where(self.begin >= self.begin[self.full][0], self._told, 0)
        until = np.maximum.accumulate(np.where(self.full, end + round_trip_ns, 0))
        filled: _Array = np.clip(until - self._told_begin, 0, self._told)
        return filled

    def bounds(self, kept: _Array, others: _Flags) -> Bounds | None:
        """Of a queue that keeps so much; `others`: other packets may leave from then on."""
        if not others.any():
            return None
        since_ns = int(self.begin[others][0])
        told, whole = self._told, self._told.sum()
        part = self._told[self.begin >= since_ns].sum() / whole
        if not part:
            return None
        by_chance = self._chance(kept.astype(float), told, part)
        average = float((kept * told).sum() / whole)
        filled = float(((self._largest - kept) * self._filled).sum() / whole)
        apart = inf if by_chance.apart is None else by_chance.apart
        least_util, most_util = self._utilisation(kept, part)
        return Bounds(
            since_ns=since_ns,
            cycles=by_chance.cycles,
            filled_bytes=filled,
            chance_bytes=by_chance.apart,
            least_average_bytes=max(0.0, average - apart),
            most_average_bytes=min(float(self._largest), average + filled + apart),
            least_rtxq_util=least_util,
            most_rtxq_util=most_util,
        )

    def _chance(self, values: _Values, weights: _Array, part: float) -> Chance:
        """Of a part of the time alone: as much less as its root."""
        found = chance(values, weights.astype(float), self._begins)
        apart = None if found.apart is None else float(found.apart * part**0.5)
        return Chance(found.cycles, apart)

    def _utilisation(self, kept: _Array, part: float) -> tuple[float | None, float | None]:
        """As much is outstanding at least; a buffer that is filled may hold more beside it, which
        waits to be delivered."""
        busy = np.where(kept > 0, self._told, 0)
        if not busy.any():
            return None, None
        used = self.outstanding / np.maximum(kept, 1)
        average = float((used * busy).sum() / busy.sum())
        filled = np.where(kept > 0, self._filled, 0)
        less = float(((used - self.outstanding / self._largest) * filled).sum() / busy.sum())
        apart = self._chance(used, busy, part).apart
        if apart is None:
            return 0.0, 1.0
        return float(max(0.0, average - less - apart)), float(min(1.0, average + apart))
