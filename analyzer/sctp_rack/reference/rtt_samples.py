# SPDX-License-Identifier: BSD-2-Clause
"""Decides which newly acknowledged chunk gives a round-trip sample: one rule per stack.

Each rule sees the same acknowledgement and returns at most one sample per feedback. None can reach
the time of a retransmitted chunk: `Delivered.rtt_ns` is None for those (Karn).
"""

from bisect import bisect_left
from collections.abc import Callable

from sctp_rack.names import RttTag
from sctp_rack.reference.scoreboard import Acknowledgement, Delivered


class KarnFence:
    """Remembers which TSNs were retransmitted when, to answer the second half of Karn's rule.

    Kept as a list that rises in both: a later retransmission of a lower TSN makes earlier ones of
    higher TSNs irrelevant.
    """

    def __init__(self) -> None:
        """Start without retransmissions."""
        self._times: list[int] = []
        self._seqs: list[int] = []

    def retransmitted(self, seq: int, now_ns: int) -> None:
        """Record a retransmission."""
        while self._seqs and self._seqs[-1] >= seq:
            self._seqs.pop()
            self._times.pop()
        self._seqs.append(seq)
        self._times.append(now_ns)

    def clean(self, delivered: Delivered) -> bool:
        """Say whether no TSN up to this one was retransmitted since this one was sent first."""
        # RFC 9260 §6.3.1 C5b: sample TSN r only if no TSN <= r was retransmitted since r was sent.
        later = bisect_left(self._times, delivered.sent.time_ns)
        return later == len(self._seqs) or self._seqs[later] > delivered.seq


class Timing:
    """What a path remembers between feedbacks to choose samples."""

    def __init__(self, fence: KarnFence) -> None:
        """Start with nothing timed. The fence is the association's: a TSN may change paths."""
        self.fence = fence
        self.timed_seq: int | None = None
        self.next_seq: int | None = None

    def sent_first(self, seq: int) -> None:
        """Time a new chunk if none is being timed."""
        if self.timed_seq is None:
            self.timed_seq = seq

    def retransmitted(self, seq: int, *, itself_only: bool = False) -> None:
        """Stop timing a chunk at or above a retransmitted one, or that one only."""
        timed = self.timed_seq
        if timed is not None and (seq == timed or (seq < timed and not itself_only)):
            self.timed_seq = None

    def given_up(self, seq: int) -> None:
        """Stop timing a chunk that no acknowledgement is waited for any more."""
        # RFC 9260 §6.3.1 C4: a measurement each round trip, so another one is timed next.
        if self.timed_seq == seq:
            self.timed_seq = None


SampleRule = Callable[[Timing, Acknowledgement, str, int], Delivered | None]


def newest(timing: Timing, ack: Acknowledgement, path: str, _nxt: int) -> Delivered | None:
    """Sample the newest clean chunk of every feedback, as TCP does with SACK (RFC 8985)."""
    fit = [d for d in ack.newly_on(path) if d.never_resent and timing.fence.clean(d)]
    return max(fit, key=lambda d: d.sent, default=None)


def one_timed_chunk(timing: Timing, ack: Acknowledgement, path: str, _nxt: int) -> Delivered | None:
    """Time one chunk at a time: RFC 9260, usrsctp, Linux."""
    # RFC 9260 §6.3.1 C4: a measurement each round trip, and no more than one.
    for delivered in ack.newly_on(path):
        if delivered.seq == timing.timed_seq:
            timing.timed_seq = None
            return delivered if delivered.never_resent else None
    return None


def cumulative_without_gaps(
    _timing: Timing, ack: Acknowledgement, path: str, _nxt: int
) -> Delivered | None:
    """Sample the chunk that is the cumulative TSN, if there are no gaps: dcSCTP."""
    if ack.received.gaps:
        return None
    fit = [d for d in ack.newly_on(path) if d.seq == ack.received.cum and d.never_resent]
    return fit[0] if fit else None


def first_of_flight(timing: Timing, ack: Acknowledgement, path: str, nxt: int) -> Delivered | None:
    """Sample the first chunk, in TSN order, that was not sent when the last sample was: pion."""
    for delivered in ack.newly_on(path):
        if delivered.never_resent and (timing.next_seq is None or delivered.seq >= timing.next_seq):
            timing.next_seq = nxt
            return delivered
    return None


def tag_of(ack: Acknowledgement, *, duplicates: bool) -> RttTag:
    """Say why the receiver sent this SACK: at once for a reason, or perhaps delayed.

    Source: RFC 9260 section 6.2, the rules for sending a SACK without delay.
    """
    if ack.received.gaps:
        return RttTag.GAP
    if duplicates:
        return RttTag.DUPLICATE
    if any(d.ack_now for d in ack.newly):
        return RttTag.I_BIT
    if len({d.sent.frame for d in ack.newly}) > 1:
        return RttTag.SECOND_PACKET
    return RttTag.DELAYED
