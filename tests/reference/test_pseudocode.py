# SPDX-License-Identifier: BSD-2-Clause
"""RACK against the pseudo-code of RFC 8985 section 6, transcribed without any thought of speed.

Setup: one path, one chunk a packet, no reneging, TLP off. Trigger: any history. Expectation: the
same marks as a scan of all segments by RACK_detect_loss gives at each ACK and timer.
"""

from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from sctp_rack.reference.events import Feedback, Transmission
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import rfc8985

from tests.reference.histories import Command, Does, commands, played

FIRST = 100


@dataclass
class Segment:
    """RFC 8985 section 5.2; `key` is the transmission time, ties broken by frame."""

    seq: int
    key: tuple[int, int]
    lost: bool = False
    retransmitted: bool = False
    acked: bool = False


@dataclass
class Pseudocode:
    """RFC 8985 section 5.3, with what the model measured for SRTT and min_RTT."""

    segments: dict[int, Segment] = field(default_factory=dict)
    una: int = FIRST
    key: tuple[int, int] = (-1, -1)
    rtt: int = 0
    fack: int = -1
    reordering_seen: bool = False
    dsack_round: int | None = None
    mult: int = 1
    persist: int = 16
    recovery_until: int | None = None
    reo_wnd: int = 0

    def transmit(self, seq: int, key: tuple[int, int]) -> None:
        """RACK_transmit_new_data and RACK_retransmit_data."""
        if seq not in self.segments:
            self.segments[seq] = Segment(seq, key)
        elif not self.segments[seq].acked:
            self.segments[seq] = Segment(seq, key, retransmitted=True)

    def ack(self, now: int, cum: int, sacked: set[int], min_rtt: int | None) -> bool:
        """RACK_update, RACK_detect_reordering; return whether recovery ends here."""
        newly = [
            s for s in self.segments.values() if not s.acked and (s.seq <= cum or s.seq in sacked)
        ]
        for segment in sorted(newly, key=lambda s: s.key):
            rtt = now - segment.key[0]
            segment.acked = True
            if segment.retransmitted and min_rtt is not None and rtt < min_rtt:
                continue
            self.rtt = rtt
            self.key = max(self.key, segment.key)
        for segment in sorted(newly, key=lambda s: s.seq):
            if segment.seq > self.fack:
                self.fack = segment.seq
            elif segment.seq < self.fack and not segment.retransmitted:
                self.reordering_seen = True
        self.una = max(self.una, cum + 1)
        exiting = self.recovery_until is not None and cum >= self.recovery_until
        if exiting:
            self.recovery_until = None
        return exiting

    def update_reo_wnd(self, *, dsack: bool, exiting: bool) -> None:
        """The adapting half of RACK_update_reo_wnd."""
        if self.dsack_round is not None and self.una >= self.dsack_round:
            self.dsack_round = None
        if self.dsack_round is None and dsack:
            self.dsack_round = max(self.segments, default=FIRST - 1) + 1
            self.mult += 1
            self.persist = 16
        elif exiting:
            self.persist -= 1
            if self.persist <= 0:
                self.mult = 1

    def window(self, min_rtt: int | None, srtt: int | None) -> int:
        """The returning half of RACK_update_reo_wnd."""
        sacked = sum(1 for s in self.segments.values() if s.acked and s.seq >= self.una)
        if not self.reordering_seen and (self.recovery_until is not None or sacked >= 3):
            return 0
        return 0 if min_rtt is None or srtt is None else min(self.mult * min_rtt // 4, srtt)

    def detect_loss(self, now: int, reo_wnd: int) -> set[int]:
        """RACK_detect_loss."""
        lost = set()
        for segment in self.segments.values():
            if segment.acked or segment.lost or not self.key > segment.key:
                continue
            if segment.key[0] + self.rtt + reo_wnd - now <= 0:
                segment.lost = True
                lost.add(segment.seq)
        if lost and self.recovery_until is None:
            outstanding = [s.seq for s in self.segments.values() if not s.acked]
            self.recovery_until = max(outstanding)
        return lost

    def mark_losses_on_rto(self, now: int, reo_wnd: int) -> set[int]:
        """RACK_mark_losses_on_RTO, and the start of RTO recovery."""
        lost = set()
        outstanding = [s for s in self.segments.values() if not s.acked]
        first = min(outstanding, key=lambda s: s.seq)
        for segment in outstanding:
            due = segment.key[0] + self.rtt + reo_wnd - now <= 0
            if not segment.lost and (segment is first or due):
                segment.lost = True
                lost.add(segment.seq)
        self.recovery_until = max(s.seq for s in outstanding)
        return lost


@settings(max_examples=400, deadline=None, database=None)
@given(
    commands(("p",), (Does.SEND, Does.SEND, Does.ARRIVE, Does.ARRIVE, Does.SACK, Does.AGAIN)),
)
def test_the_marks_are_those_of_the_pseudo_code(history: list[Command]) -> None:
    # One chunk a packet: a multiple of three makes `send` take one TSN.
    single = [replace(c, pick=3 * c.pick) if c.does is Does.SEND else c for c in history]
    model, pseudo = RecoveryModel(replace(rfc8985(), tlp=None)), Pseudocode()
    for event in played(single, FIRST):
        if isinstance(event, Transmission):
            _let_timers_fire(pseudo, model, event.time_ns)
            model.data_sent(event)
            pseudo.transmit(event.chunks[0].tsn.value, (event.time_ns, event.frame))
        elif isinstance(event, Feedback):
            _let_timers_fire(pseudo, model, event.time_ns - 1)
            model.feedback_arrived(event)
            snapshot = model.snapshot("p")
            cum, gaps = event.cum_tsn.value, {first.value for first, _ in event.gaps}
            exiting = pseudo.ack(event.time_ns, cum, gaps, snapshot.min_rtt_ns)
            pseudo.update_reo_wnd(dsack=bool(event.dups), exiting=exiting)
            pseudo.reo_wnd = pseudo.window(snapshot.min_rtt_ns, snapshot.srtt_ns)

            assert pseudo.detect_loss(event.time_ns, pseudo.reo_wnd) == _marked(model)
            assert (pseudo.mult, pseudo.reordering_seen, pseudo.reo_wnd) == (
                snapshot.reo_wnd_mult,
                snapshot.reordering_seen,
                snapshot.reo_wnd_ns,
            )


def _let_timers_fire(pseudo: Pseudocode, model: RecoveryModel, until_ns: int) -> None:
    while (due_ns := model.next_timer_ns()) is not None and due_ns <= until_ns:
        reordering_timer = model.snapshot("p").reo_ns is not None
        model.time_passed(due_ns)
        if reordering_timer:
            snapshot = model.snapshot("p")
            pseudo.reo_wnd = pseudo.window(snapshot.min_rtt_ns, snapshot.srtt_ns)
            lost = pseudo.detect_loss(due_ns, pseudo.reo_wnd)
        else:
            lost = pseudo.mark_losses_on_rto(due_ns, pseudo.reo_wnd)

        assert lost == _marked(model)


def _marked(model: RecoveryModel) -> set[int]:
    return {mark.tsn.value for mark in model.take_marks()}
