# SPDX-License-Identifier: BSD-2-Clause
"""Keeps the sender's books: which TSN is in flight, lost, acknowledged or given up.

It decides nothing about loss; the detectors do, and tell it. RFC 8985 section 4 point 1.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from sctp_rack.reference.chunk import (
    Abandoned,
    Chunk,
    CumAcked,
    FirstFlight,
    Flight,
    GapAcked,
    Lost,
    NrAcked,
    RepeatFlight,
    SendTime,
    State,
)
from sctp_rack.reference.events import CopyEnd, DataChunk
from sctp_rack.reference.nr_sack import Received

# TSNs that feedback may take back, for each TSN sent and each feedback so far: what was taken back
# must be sent again to be taken back again. More looks so where SACKs overtake each other. What
# more is left out stays acknowledged.
TAKEN_BACK = 16


@dataclass(frozen=True, slots=True)
class Delivered:
    """A chunk at the moment it is acknowledged for the first time.

    `rtt_ns` is its round-trip time if it was sent once only, else None (Karn). `was_marked`: it
    was marked lost and not sent again yet.
    """

    seq: int
    path: str
    sent: SendTime
    retransmitted: bool
    ack_now: bool
    rtt_ns: int | None
    was_marked: bool = False

    @property
    def was_revoked(self) -> bool:
        """Say whether it was acknowledged before, and taken back, without a resend."""
        return self.rtt_ns is None and not self.retransmitted

    @property
    def never_resent(self) -> bool:
        """Say whether it was sent once only, and not acknowledged and taken back before."""
        return self.rtt_ns is not None


@dataclass(slots=True)
class Acknowledgement:
    """What one feedback changed.

    `earliest_acked` and `cum_acked` name the paths whose earliest outstanding chunk was
    acknowledged, and those of which anything was acknowledged cumulatively. `given_up` says when
    the abandoned chunks were sent that it passes over. `express`: it went the short way of usrsctp,
    see `usrsctp.py`.
    """

    received: Received
    newly: list[Delivered] = field(default_factory=list)
    given_up: dict[int, SendTime] = field(default_factory=dict)
    cum_advanced: bool = False
    earliest_acked: set[str] = field(default_factory=set)
    cum_acked: set[str] = field(default_factory=set)
    taken_back: list[Chunk] = field(default_factory=list)
    broken_promises: list[Chunk] = field(default_factory=list)
    express: bool = False

    def newly_on(self, path: str) -> list[Delivered]:
        """Return what was newly acknowledged of that path's last transmissions."""
        return [d for d in self.newly if d.path == path]


# What decides about reneging: chunks on the board, and the feedback.
Reneging = Callable[[list[Chunk], Received], tuple[list[Chunk], list[Chunk]]]


class Scoreboard:
    """All TSNs between SND.UNA and SND.NXT, in sequence order and per path in sending order."""

    def __init__(self, first: int) -> None:
        """Start at the first sequence number that will be sent."""
        self.una = first
        self.nxt = first
        self.ends: dict[tuple[int, int], CopyEnd] = {}
        self.last_path: dict[int, str] = {}
        self._chunks: dict[int, Chunk] = {}
        self._in_flight: dict[str, dict[int, Chunk]] = {}
        self._copies: dict[int, int] = {}
        self._acked_anything = False
        self._may_be_taken_back = 0
        self._sent = 0

    def __iter__(self) -> Iterator[Chunk]:
        """Go through the chunks that are not below the cumulative ack point, in order."""
        return iter(self._chunks.values())

    def state_of(self, seq: int) -> str | None:
        """Return the state's name, None for a TSN that was never sent."""
        if seq in self._chunks:
            return str(self._chunks[seq].state.name)
        return str(CumAcked.name) if seq in self._copies else None

    def chunk(self, seq: int) -> Chunk | None:
        """Return a chunk that is still on the board."""
        return self._chunks.get(seq)

    def in_sending_order(self, path: str) -> list[Chunk]:
        """Return what is in flight on a path, oldest transmission first."""
        return list(self._in_flight.get(path, {}).values())

    def outstanding(self, path: str | None = None) -> list[Chunk]:
        """Return what is in flight or marked lost, of a path or of all, in sequence order."""
        return [c for c in self if c.outstanding and path in (None, c.path)]

    def flight_bytes(self, path: str) -> int:
        """Return the user data in flight on a path, in bytes."""
        return sum(c.size_bytes for c in self._in_flight.get(path, {}).values())

    def gap_acked(self, path: str) -> list[SendTime]:
        """Return when each chunk of a path that is acknowledged out of order was sent last."""
        return [
            c.state.sent for c in self if c.path == path and isinstance(c.state, GapAcked | NrAcked)
        ]

    def send(self, data: DataChunk, seq: int, path: str, sent: SendTime) -> bool:
        """Record a transmission; return True if the TSN is sent for the first time.

        A TSN that was acknowledged or given up before stays so: its new copy is redundant.
        """
        if seq < self.una and not self._acked_anything:
            self.una = seq
        self._copies[seq] = copy = self._copies.get(seq, 0) + 1
        chunk = self._chunks.get(seq)
        if seq < self.una or (chunk is not None and not chunk.outstanding):
            self._end(seq, copy, CopyEnd.REDUNDANT)
            return False
        self._may_be_taken_back += TAKEN_BACK
        self.last_path[seq] = path
        self._sent += 1
        if chunk is None:
            # RFC 8985 §6.1 transmit: Segment.xmit_ts = Now(), Segment.lost = FALSE.
            flight: FirstFlight | RepeatFlight = FirstFlight(sent)
            chunk = Chunk(seq, data.size_bytes, data.ack_now, path, copy, flight)
            self._chunks[seq] = chunk
            if seq < self.nxt:
                self._chunks = dict(sorted(self._chunks.items()))
            self.nxt = max(self.nxt, seq + 1)
            chunk.order = self._sent
            self._set(chunk, flight)
            return True
        lost = isinstance(chunk.state, Lost)
        if chunk.fast_retransmit_nxt is not None:
            # A fast retransmission goes before new data: what passed until now was sent before.
            chunk.fast_retransmit_nxt = self.nxt
        self._end(seq, chunk.copies, CopyEnd.MARKED_LOST if lost else CopyEnd.REPEATED)
        self._forget_flight(chunk)
        chunk.moved = chunk.path != path
        chunk.path, chunk.copies, chunk.order = path, copy, self._sent
        # RFC 8985 §6.1 retransmit: Segment.retransmitted = TRUE, xmit_ts = Now(), lost = FALSE.
        self._set(chunk, RepeatFlight(sent))
        return False

    def sent_twice(self, seq: int) -> None:
        """Record that a TSN was in the packet just recorded once more."""
        self._copies[seq] = copy = self._copies[seq] + 1
        self._end(seq, copy, CopyEnd.REDUNDANT)

    def begins_at(self, seq: int) -> None:
        """Take it from the first feedback that the capture began after this was acknowledged."""
        if not self._acked_anything:
            self.una = min(self.una, seq)

    def mark_lost(self, chunk: Chunk) -> None:
        """Move a chunk in flight to the lost ones, so that it is not marked twice."""
        flight = chunk.in_flight
        if flight is None:
            raise ValueError(f"sequence number {chunk.seq} is not in flight")
        self._set(chunk, Lost(flight))

    def count_miss(self, chunk: Chunk) -> None:
        """Add a miss indication to a chunk in flight."""
        flight = chunk.in_flight
        if flight is None:
            raise ValueError(f"sequence number {chunk.seq} is not in flight")
        self._set(chunk, type(flight)(flight.sent, flight.misses + 1))

    def forget_misses(self, chunk: Chunk) -> None:
        """Count the miss indications of a chunk in flight anew."""
        if chunk.in_flight is not None:
            self._set(chunk, type(chunk.in_flight)(chunk.in_flight.sent))

    def acknowledge(self, received: Received, now_ns: int, reneging: Reneging) -> Acknowledgement:
        """Apply feedback that is not out of date: RFC 9260 section 6.2.1."""
        ack = Acknowledgement(received)
        self._acked_anything = True
        earliest: dict[str, int] = {}
        for chunk in self.outstanding():
            earliest.setdefault(chunk.path, chunk.seq)
        taken_back, ack.broken_promises = reneging(list(self), received)
        self._may_be_taken_back += TAKEN_BACK
        ack.taken_back = taken_back[: self._may_be_taken_back]
        self._may_be_taken_back -= len(ack.taken_back)
        for chunk in list(self):
            by_cum = chunk.seq <= received.cum
            if chunk.outstanding and (by_cum or chunk.seq in received.gaps):
                ack.newly.append(self._delivered(chunk, now_ns))
                # RFC 9260 §6.3.2 R3: the earliest outstanding TSN of its address is acknowledged.
                if earliest[chunk.path] == chunk.seq:
                    ack.earliest_acked.add(chunk.path)
            if by_cum:
                if isinstance(chunk.state, Abandoned):
                    ack.given_up[chunk.seq] = chunk.state.sent
                ack.cum_acked.add(chunk.path)
                self._remove(chunk)
            else:
                self._acknowledge_out_of_order(chunk, received)
        for chunk in ack.taken_back:
            if isinstance(chunk.state, GapAcked):
                # ADAPTATION: back in flight with the time it was sent; no longer fit for an RTT.
                # RFC 9260 §6.2.1 D.iii: count one miss indication towards Fast Retransmit.
                self._set(chunk, RepeatFlight(chunk.state.sent, misses=1))
        for chunk in ack.broken_promises:
            if isinstance(chunk.state, NrAcked):
                chunk.state = NrAcked(chunk.state.sent, missing=True)
        ack.cum_advanced = received.cum >= self.una
        self.una = max(self.una, received.cum + 1)
        self.nxt = max(self.nxt, self.una)
        return ack

    def abandon(self, seqs: Iterable[int]) -> list[Chunk]:
        """Give up those of these that are outstanding, and return them."""
        given_up = [c for c in map(self._chunks.get, seqs) if c is not None and c.outstanding]
        for chunk in given_up:
            self._set(chunk, Abandoned(_flight_of(chunk).sent))
        return given_up

    def close(self) -> None:
        """End the association: what is still open ends unresolved, or lost if it was marked."""
        for chunk in self:
            end = CopyEnd.UNRESOLVED
            if isinstance(chunk.state, Lost):
                end = CopyEnd.MARKED_LOST
            elif isinstance(chunk.state, GapAcked | NrAcked):
                end = CopyEnd.ACKNOWLEDGED
            elif isinstance(chunk.state, Abandoned):
                end = CopyEnd.ABANDONED
            self._end(chunk.seq, chunk.copies, end)
        self._chunks.clear()
        self._in_flight.clear()

    def _acknowledge_out_of_order(self, chunk: Chunk, received: Received) -> None:
        state = chunk.state
        if chunk.seq not in received.gaps or isinstance(state, Abandoned | CumAcked):
            return
        if isinstance(state, NrAcked):
            return
        sent = state.flight.sent if isinstance(state, Lost) else state.sent
        if chunk.seq in received.non_renegable:
            # NR-SACK §III.B free: an nr-gap-acked TSN leaves the retransmission queue.
            self._set(chunk, NrAcked(sent))
        else:
            self._set(chunk, GapAcked(sent))

    def _delivered(self, chunk: Chunk, now_ns: int) -> Delivered:
        flight = _flight_of(chunk)
        rtt_ns = flight.rtt_ns(now_ns) if isinstance(flight, FirstFlight) else None
        return Delivered(
            chunk.seq,
            chunk.path,
            flight.sent,
            chunk.copies > 1,
            chunk.ack_now,
            rtt_ns,
            isinstance(chunk.state, Lost),
        )

    def _remove(self, chunk: Chunk) -> None:
        end = CopyEnd.ABANDONED if isinstance(chunk.state, Abandoned) else CopyEnd.ACKNOWLEDGED
        self._set(chunk, CumAcked())
        self._end(chunk.seq, chunk.copies, end)
        del self._chunks[chunk.seq]

    def _set(self, chunk: Chunk, state: State) -> None:
        keeps_place = chunk.in_flight is not None and chunk.seq in self._in_flight.get(
            chunk.path, {}
        )
        chunk.state = state
        if not isinstance(state, FirstFlight | RepeatFlight):
            self._forget_flight(chunk)
        elif not keeps_place:
            order = self._in_flight.setdefault(chunk.path, {})
            latest = next(reversed(order.items()), None)
            order[chunk.seq] = chunk
            if latest is not None and chunk.order < latest[1].order:
                self._in_flight[chunk.path] = dict(sorted(order.items(), key=_order))

    def _forget_flight(self, chunk: Chunk) -> None:
        self._in_flight.get(chunk.path, {}).pop(chunk.seq, None)

    def _end(self, seq: int, copy: int, end: CopyEnd) -> None:
        if (seq, copy) in self.ends:
            raise ValueError(f"copy {copy} of sequence number {seq} has ended already")
        self.ends[seq, copy] = end


def _flight_of(chunk: Chunk) -> Flight:
    flight = chunk.state.flight if isinstance(chunk.state, Lost) else chunk.in_flight
    if flight is None:
        raise ValueError(f"sequence number {chunk.seq} is not outstanding")
    return flight


def _order(item: tuple[int, Chunk]) -> int:
    return item[1].order
