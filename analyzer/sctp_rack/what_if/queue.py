# SPDX-License-Identifier: BSD-2-Clause
"""What the retransmission queue of a direction holds over time, by what is acknowledged how.

The queue is that of the NR-SACK paper, section II.A: what was sent and the sender may not forget.
What it holds, and what of it is outstanding, are columns of `sacks` after each feedback; between
two what is sent comes in. Beside that: what the receiver has above the cumulative TSN, which SACKs
keep in the queue and NR-SACKs of all free, and how much of it the receiver could have delivered.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.columns.table import Table
from sctp_rack.names import SackKind
from sctp_rack.what_if.deliverable import Receiver
from sctp_rack.what_if.first_copies import Chunk, TsnLine, first_copies, of_the_sender

#: Columns of `sacks` that the walk looks at.
_OF_SACKS = (
    *("frame", "time_ns", "kind", "cum_tsn", "gaps", "nr_gaps", "malformed", "repeats", "reneged"),
    *("rtxq_bytes", "rtxq_necessary_bytes"),
)


_SackRow = tuple[Any, ...]

_REPEATS = _OF_SACKS.index("repeats")


@dataclass(frozen=True, slots=True)
class Step:
    """Between two events the queue stays as it is. Bytes of user data."""

    begin_ns: int
    end_ns: int
    #: As the feedback in the capture frees it.
    kept: int
    #: Sent, and not known to have arrived.
    outstanding: int
    #: What SACKs would have kept: what only the cumulative TSN frees.
    with_sacks: int
    #: Of that what arrived and could have been delivered.
    deliverable: int
    #: By the rule of the paper, section IV.C: from a gap block to feedback without any that moves
    #: the cumulative TSN.
    gaps: bool
    #: By the model of RFC 8985, after the feedback before: `in_recovery` of `rack_state`.
    recovery: bool
    #: The path of the latest copy of the lowest TSN that is missing; None where it was not seen.
    hole_path: str | None

    @property
    def with_nr_sacks_of_delivered(self) -> int:
        """What it would hold if NR-SACKs told of all that could be delivered."""
        return self.with_sacks - self.deliverable

    @property
    def with_nr_sacks_of_all(self) -> int:
        """What it would hold if NR-SACKs told of all that arrived."""
        return self.outstanding


@dataclass(slots=True)
class _Above:
    """Chunks above the cumulative TSN, by place, and their bytes."""

    sizes: dict[int, int] = field(default_factory=dict)
    lowest: list[int] = field(default_factory=list)
    bytes: int = 0

    def add(self, chunk: Chunk, cum: int) -> None:
        if chunk.place > cum and chunk.place not in self.sizes:
            self.sizes[chunk.place] = chunk.bytes
            heapq.heappush(self.lowest, chunk.place)
            self.bytes += chunk.bytes

    def drop(self, place: int) -> None:
        self.bytes -= self.sizes.pop(place, 0)

    def pass_by(self, cum: int) -> None:
        while self.lowest and self.lowest[0] <= cum:
            self.drop(heapq.heappop(self.lowest))


class QueueWalk:
    """One direction, event by event."""

    def __init__(self, direction: Direction) -> None:
        transmissions, sacks = of_the_sender(direction.transmissions), direction.sacks
        first = int(transmissions["tsn"][0]) if len(transmissions) else 0
        chunks = first_copies(transmissions, TsnLine(first))
        self._line = TsnLine(first)
        self._receiver = Receiver(chunks)
        self._first = {(chunk.frame, chunk.place): chunk for chunk in chunks}
        covered = (chunk for chunk in chunks if chunk.acked_frame is not None)
        self._to_come = sorted(covered, key=lambda chunk: chunk.acked_frame or 0, reverse=True)
        self._copies = _rows(transmissions, ("frame", "time_ns", "tsn", "path"))
        self._sacks = _rows(sacks, _OF_SACKS)
        state = direction.rack_tlp["in_recovery"]
        self._states: list[bool] = np.ma.filled(state, False).tolist()
        self._arrived, self._deliverable = _Above(), _Above()
        self._cum = first - 1
        self._paths: dict[int, str] = {}
        self._kept = self._outstanding = 0
        self._gaps = self._recovery = self._promised = False

    @property
    def largest_message(self) -> int:
        """Bytes of it."""
        return self._receiver.largest_message

    def steps(self) -> Iterator[Step]:
        """From its first data to its last feedback."""
        now_ns: int | None = None
        copies = ((*row, None) for row in self._copies)
        sacks = (
            (row[0], row[1], None, None, (recovers, row))
            for recovers, row in zip(self._states, self._sacks, strict=True)
            if row[_REPEATS] is None
        )
        for frame, time_ns, tsn, path, sack in heapq.merge(copies, sacks, key=lambda one: one[0]):
            if now_ns is not None and time_ns is not None and time_ns > now_ns:
                yield self._step(now_ns, time_ns)
            if time_ns is not None and (sack is None or now_ns is not None):
                now_ns = max(time_ns, now_ns or time_ns)
            if sack is None:
                self._sent(frame, tsn, path)
            else:
                self._acknowledged(*sack)

    def _step(self, begin_ns: int, end_ns: int) -> Step:
        with_sacks = self._kept
        if self._promised:  # then the queue no longer has all that arrived
            with_sacks = max(with_sacks, self._outstanding + self._arrived.bytes)
        return Step(
            begin_ns=begin_ns,
            end_ns=end_ns,
            kept=self._kept,
            outstanding=self._outstanding,
            with_sacks=with_sacks,
            deliverable=min(self._deliverable.bytes, with_sacks - self._outstanding),
            gaps=self._gaps,
            recovery=self._recovery,
            hole_path=self._paths.get(self._cum + 1),
        )

    def _sent(self, frame: int, tsn: int, path: str) -> None:
        place = self._line.place(tsn)
        self._paths[place] = path
        chunk = self._first.pop((frame, place), None)
        if chunk and (chunk.acked_frame is None or chunk.acked_frame > frame):
            self._kept += chunk.bytes
            self._outstanding += chunk.bytes

    def _acknowledged(self, recovers: bool, row: _SackRow) -> None:
        frame, _, kind, cum_tsn, gaps, nr_gaps, malformed, _, reneged, *sizes = row
        self._kept, self._outstanding = sizes
        self._recovery = recovers
        while self._to_come and (self._to_come[-1].acked_frame or 0) <= frame:
            chunk = self._to_come.pop()
            self._arrived.add(chunk, self._cum)
            self._deliver(self._receiver.gets(chunk))
        moved = False
        if not len(malformed):
            cum = self._line.place(cum_tsn)
            moved, self._cum = cum > self._cum, max(cum, self._cum)
        if moved:
            self._arrived.pass_by(self._cum)
            self._deliver(self._receiver.passes(self._cum))
            self._deliverable.pass_by(self._cum)
        for tsn in reneged.tolist():
            place = self._line.place(tsn)
            self._arrived.drop(place)
            self._deliverable.drop(place)
        self._promised |= len(nr_gaps) > 0 or (len(gaps) > 0 and kind == SackKind.NR_SACK)
        if len(gaps) or len(nr_gaps):
            self._gaps = True
        elif moved:
            self._gaps = False

    def _deliver(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            if chunk.place in self._arrived.sizes:
                self._deliverable.add(chunk, self._cum)


def _rows(table: Table, names: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[name].tolist() for name in names), strict=True)
