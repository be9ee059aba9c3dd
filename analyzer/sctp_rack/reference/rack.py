# SPDX-License-Identifier: BSD-2-Clause
"""Decides by time which transmissions of a path are lost: RFC 8985 section 6.

ADAPTATION: everything here is per path. A SACK for what went over a faster path says nothing of a
chunk on a slow one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sctp_rack.reference.chunk import Chunk, SendTime
from sctp_rack.reference.reo_wnd import ReoWnd, ReoWndParameters
from sctp_rack.reference.scoreboard import Delivered


def strict(min_rtt_ns: int | None, _path_min_rtt_ns: int | None) -> int | None:
    """Compare with RACK.min_RTT as the sender has it: RFC 8985 to the letter."""
    return min_rtt_ns


def robust(min_rtt_ns: int | None, path_min_rtt_ns: int | None) -> int | None:
    """Compare with the path's undelayed minimum, which delayed SACKs do not inflate."""
    return min_rtt_ns if path_min_rtt_ns is None else path_min_rtt_ns


SpuriousFloor = Callable[[int | None, int | None], int | None]


@dataclass(frozen=True, slots=True)
class RackParameters:
    """What can be varied in RACK; the defaults are those of RFC 8985.

    `sacked_in_packets` counts RACK.segs_sacked in distinct packets; False counts chunks.
    """

    reo_wnd: ReoWndParameters = field(default_factory=ReoWndParameters)
    spurious_floor: SpuriousFloor = strict
    sacked_in_packets: bool = True


@dataclass(frozen=True, slots=True)
class LostNow:
    """The predicate's answer: the segment is lost."""


@dataclass(frozen=True, slots=True)
class NotBefore:
    """The predicate's answer: not lost before this time, unless it is acknowledged."""

    time_ns: int


class Rack:
    """RACK's variables of one path (RFC 8985 section 5.3) and the steps of section 6."""

    def __init__(self, parameters: RackParameters) -> None:
        """Start with nothing delivered."""
        self.parameters = parameters
        self.reo_wnd = ReoWnd(parameters.reo_wnd)
        self.segment: SendTime | None = None
        self.segment_seq: int | None = None
        self.rtt_ns = 0
        self.fack: int | None = None
        self.reo_wnd_ns = 0

    def update(self, newly: Iterable[Delivered], now_ns: int, floor_ns: int | None) -> None:
        """Step 2: learn from what was newly delivered. `floor_ns` is the minimum RTT to go by."""
        # RFC 8985 §6.2 step 2 order: in ascending order of Segment.xmit_ts.
        for delivered in sorted(newly, key=lambda d: (d.sent, d.seq)):
            rtt_ns = now_ns - delivered.sent.time_ns
            # RFC 8985 §6.2 step 2 spurious: last retransmitted less than min_RTT ago: ignore.
            if delivered.retransmitted and floor_ns is not None and rtt_ns < floor_ns:
                continue
            if not (delivered.never_resent or delivered.retransmitted):
                continue  # reneged upon and back without a resend: its time says nothing
            self.rtt_ns = rtt_ns
            # RFC 8985 §6.2 step 2 advance: RACK.segment is the one sent last (RACK_sent_after).
            if self.segment is None or delivered.sent >= self.segment:
                self.segment, self.segment_seq = delivered.sent, delivered.seq

    def detect_reordering(self, newly: Iterable[Delivered]) -> None:
        """Step 3: an original delivered below RACK.fack was reordered."""
        # RFC 8985 §6.2 step 3 fack: in ascending order of sequence, against the highest delivered.
        for delivered in sorted(newly, key=lambda d: d.seq):
            if self.fack is None or delivered.seq > self.fack:
                self.fack = delivered.seq
            elif delivered.seq < self.fack and delivered.never_resent:
                self.reo_wnd.reordering_seen = True

    def segs_sacked(self, gap_acked: list[SendTime]) -> int:
        """Return RACK.segs_sacked: what is selectively acknowledged on the scoreboard."""
        if not self.parameters.sacked_in_packets:
            return len(gap_acked)
        # ADAPTATION: RFC 8985 counts segments; SCTP bundles chunks, and a packet is the segment.
        return len({sent.frame for sent in gap_acked})

    def check(self, sent: SendTime, now_ns: int) -> LostNow | NotBefore | None:
        """Step 5 for one segment: lost, not before some time, or None: nothing later delivered."""
        # RFC 8985 §6.2 step 5 sent-after: only if RACK.segment was sent after it.
        if self.segment is None or not sent < self.segment:
            return None
        # RFC 8985 §6.2 step 5 lost: xmit_ts + RACK.rtt + RACK.reo_wnd - now <= 0.
        lost_at_ns = sent.time_ns + self.rtt_ns + self.reo_wnd_ns
        return LostNow() if lost_at_ns <= now_ns else NotBefore(lost_at_ns)

    def detect(self, in_flight: list[Chunk], now_ns: int) -> tuple[list[Chunk], int | None]:
        """Step 5: return what is lost now, and when to look again (None: only at feedback)."""
        lost: list[Chunk] = []
        timer_ns: int | None = None
        for chunk in in_flight:
            answer = self.check(chunk.in_flight.sent, now_ns) if chunk.in_flight else None
            if answer is None:
                break  # in sending order, the rest was sent later still
            if isinstance(answer, LostNow):
                lost.append(chunk)
            else:
                # RFC 8985 §6.2 step 5 timer: wait for the longest that remains.
                timer_ns = max(answer.time_ns, timer_ns or 0)
        return lost, timer_ns

    def lost_at_rto(self, sent: SendTime, now_ns: int) -> bool:
        """Section 6.3: whether a segment that is not the first one is lost at a timeout too."""
        # RFC 8985 §6.3 others: only if xmit_ts + RACK.rtt + RACK.reo_wnd - now <= 0.
        return sent.time_ns + self.rtt_ns + self.reo_wnd_ns <= now_ns
