# SPDX-License-Identifier: BSD-2-Clause
"""Decides in which order an event reaches the model's parts, and which feedback is passed over.

Its main verbs: data sent, feedback arrived, time passed, marks taken. One model replays one
direction of an association as one profile's sender would have seen it.
"""

from sctp_rack.names import ProbeOutcome, RttTag
from sctp_rack.reference import detection, timers
from sctp_rack.reference.chunk import ChunkState, SendTime
from sctp_rack.reference.events import (
    Expectation,
    Feedback,
    ForwardTsn,
    Happening,
    Mark,
    ProbeReport,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.nr_sack import Received, received
from sctp_rack.reference.pion_misses import COMMON_HEADER_BYTES, chunk_bytes
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.reneging import reneged
from sctp_rack.reference.retransmission_queue import RetransmissionQueue
from sctp_rack.reference.scoreboard import Acknowledgement
from sctp_rack.reference.sender import Sender
from sctp_rack.reference.snapshot import PathSnapshot, WarmStart
from sctp_rack.reference.tsn import MODULUS, Tsn, tsn_at


class RecoveryModel:
    """Loss detection of one direction of an association, as one profile's sender would do it.

    Events must come in order of time; ValueError is raised where time runs backwards.
    """

    def __init__(self, parameters: Parameters) -> None:
        """Start before the first TSN is sent."""
        self.queue = RetransmissionQueue()
        self.reneged: list[tuple[int, Tsn]] = []
        self.broken_promises: list[tuple[int, Tsn]] = []
        # Marks, by TSN and copy, of which it showed later that the sender did not make them.
        self.withdrawn: list[tuple[Tsn, int]] = []
        self._sender = Sender(parameters)

    def warm(self, start: WarmStart) -> None:
        """Give a path the measurements it is taken to have before the first event."""
        path = self._sender.path(start.path)
        path.rtt.warm(start.srtt_ns, start.rttvar_ns)
        path.min_rtt.measured(0, start.min_rtt_ns, RttTag.DELAYED)
        path.min_rtt.warm_path(0, start.path_min_rtt_ns)
        path.rack.rtt_ns = start.srtt_ns
        path.rack.reo_wnd.reordering_seen = start.reordering_seen
        path.rack.reo_wnd.mult = start.reo_wnd_mult
        if self._sender.tlp:
            self._sender.tlp.rtt_since_probe = True

    def data_sent(self, packet: Transmission) -> None:
        """Take a packet with DATA that the sender sent. Timers due by then fire first."""
        sender = self._sender
        timers.advance(sender, packet.time_ns, inclusive=True)
        timers.expire_early(sender, packet)
        path = sender.path(packet.path)
        sent = SendTime(packet.time_ns, packet.frame)
        # ADAPTATION: a TSN that is twice in one packet was transmitted once.
        chunks = {sender.seq(data.tsn): data for data in packet.chunks}
        seqs = list(chunks)
        # RFC 8985 §7.3 transmit: a probe is recorded like any other transmission.
        new = [sender.board.send(data, seq, path.name, sent) for seq, data in chunks.items()]
        copies = [sender.seq(data.tsn) for data in packet.chunks]
        for seq in seqs:
            for _ in range(copies.count(seq) - 1):
                sender.board.sent_twice(seq)
        for seq, first in zip(seqs, new, strict=True):
            if first:
                path.timing.sent_first(seq)
            else:
                sender.fence.retransmitted(seq, packet.time_ns)
                for each in sender.paths.values():
                    only = sender.parameters.times_through_resends
                    each.timing.retransmitted(seq, itself_only=only)
        sender.largest_packet_bytes = max(sender.largest_packet_bytes, _packet_bytes(packet))
        tsns = " ".join(str(data.tsn) for data in packet.chunks)
        sender.happened(f"{'send' if all(new) else 'send again'} {tsns}")
        timers.data_sent(sender, packet, new, seqs)
        self.queue.observe(sender.board, packet.time_ns)

    def feedback_arrived(self, feedback: Feedback) -> None:
        """Take a SACK, NR-SACK or SHUTDOWN at the time the sender has it.

        Timers due before then fire first; one due at the same moment fires after it.
        """
        sender = self._sender
        timers.advance(sender, feedback.time_ns, inclusive=False)
        line, cum = sender.line(feedback.cum_tsn), sender.seq(feedback.cum_tsn)
        sender.board.begins_at(cum + 1)
        sender.feedback_ns = feedback.time_ns
        # RFC 9260 §6.2.1 D.i: a cumulative TSN below the point: an out-of-order SACK: drop it.
        if cum < sender.board.una - 1:
            sender.happened(f"{_words(feedback)}, out of date")
            return
        sender.happened(_words(feedback))
        # NR-SACK §III.B sack-rules: from here on an NR-SACK is processed as a SACK.
        reported = received(feedback, line, sender.board.nxt)
        cap = sender.parameters.receiver.gap_block_cap
        ack = sender.board.acknowledge(
            reported,
            feedback.time_ns,
            lambda chunks, r: reneged(chunks, r, cap, sender.parameters.reach),
        )
        line.move_reference(cum)
        self.reneged += [(feedback.time_ns, tsn_at(c.seq)) for c in ack.taken_back]
        self.broken_promises += [(feedback.time_ns, tsn_at(c.seq)) for c in ack.broken_promises]
        dups = self._duplicates(feedback, ack)
        detection.measure(sender, ack, duplicates=bool(feedback.dups))
        detection.learn(sender, ack)
        detection.detect(sender, feedback, ack, dups)
        if feedback.a_rwnd_bytes is not None:
            sender.a_rwnd_bytes = feedback.a_rwnd_bytes
        timers.acknowledged(sender, ack)
        self.queue.observe(sender.board, feedback.time_ns)

    def time_passed(self, now_ns: int) -> None:
        """Let all timers fire that are due by this time."""
        timers.advance(self._sender, now_ns, inclusive=True)

    def next_timer_ns(self) -> int | None:
        """Return when the next timer is due, None if none runs."""
        due = timers.next_due(self._sender)
        return due[0] if due else None

    def take_marks(self) -> list[Mark]:
        """Return the marks made since they were taken last."""
        marks, self._sender.marks = self._sender.marks, []
        return marks

    def forward_tsn_sent(self, forward: ForwardTsn) -> None:
        """Take a FORWARD-TSN that the sender sent: it has given up what is not acknowledged."""
        sender = self._sender
        timers.advance(sender, forward.time_ns, inclusive=True)
        new_cum = sender.seq(forward.new_cum_tsn)
        if sender.parameters.limit_before_mark:
            unmarked = sender.reliability.unmarked(sender.board, new_cum)
            self.withdrawn += [(tsn_at(chunk.seq), chunk.copies) for chunk in unmarked]
        given_up = sender.reliability.forward(sender.board, new_cum)
        sender.happened(f"forward-tsn {forward.new_cum_tsn}, gives up {len(given_up)}")
        for path in sender.paths.values():
            for chunk in given_up:
                path.timing.given_up(chunk.seq)
        timers.stop_idle(sender)
        self.queue.observe(sender.board, forward.time_ns)

    def rtt_measured(self, measurement: RttMeasurement) -> None:
        """Take a round-trip sample of a handshake or HEARTBEAT."""
        timers.advance(self._sender, measurement.time_ns, inclusive=True)
        path = self._sender.path(measurement.path)
        if measurement.tag is RttTag.HANDSHAKE and not self._sender.parameters.times_handshake:
            path.min_rtt.warm_path(measurement.time_ns, measurement.rtt_ns)
            return
        # RFC 9260 §6.3.3 collapse: a HEARTBEAT gives a new measurement too.
        path.rtt.measured(measurement.rtt_ns)
        path.min_rtt.measured(measurement.time_ns, measurement.rtt_ns, measurement.tag)
        if self._sender.tlp:
            self._sender.tlp.rtt_since_probe = True
        self._sender.happened(f"{measurement.tag} round trip")

    def tsn_reset(self, reset: TsnReset) -> None:
        """Take an SSN/TSN reset: the old range is as if acknowledged, a new one begins.

        Source: RFC 6525 section 5.2.4, rules G3 and G4.
        """
        sender = self._sender
        timers.advance(sender, reset.time_ns, inclusive=True)
        nxt = sender.board.nxt
        nothing = frozenset[int]()
        everything = Received(
            nxt - 1, nothing, nothing, nxt - 1, 0, tells_gaps=False, overtaken=False
        )
        sender.board.acknowledge(everything, reset.time_ns, lambda *_: ([], []))
        sender.board.una = sender.board.nxt = nxt + (reset.next_tsn.value - nxt) % MODULUS
        sender.line(reset.next_tsn).move_reference(sender.board.nxt)
        sender.recovery.leave()
        if sender.tlp:
            sender.tlp.reset(ProbeOutcome.UNRESOLVED)
        sender.window_probe = ()
        for path in sender.paths.values():
            path.rack.fack = path.rack.reo_wnd.dsack_round = path.timing.timed_seq = None
        timers.stop_all(sender)
        sender.happened(f"TSN reset, next {reset.next_tsn}")
        self.queue.observe(sender.board, reset.time_ns)

    def finish(self) -> None:
        """End the association: every transmission that is still open is closed."""
        if self._sender.tlp:
            self._sender.tlp.reset(ProbeOutcome.UNRESOLVED)
        self._sender.board.close()
        timers.stop_all(self._sender)

    @property
    def sender(self) -> Sender:
        """Return the state, to read."""
        return self._sender

    @property
    def expectations(self) -> list[Expectation]:
        """Return what the profile's sender did by itself, in order."""
        return self._sender.expectations

    @property
    def probes(self) -> list[ProbeReport]:
        """Return the tail loss probes that were seen, in order."""
        return self._sender.tlp.reports if self._sender.tlp else []

    @property
    def happenings(self) -> list[Happening]:
        """Return the diary: every event and timer, with the marks that it made."""
        return self._sender.happenings

    def state_of(self, tsn: Tsn) -> str | None:
        """Return the state of a TSN, None if it was never sent."""
        return self._sender.board.state_of(self._sender.seq(tsn))

    def misses(self, tsn: Tsn) -> int | None:
        """Return the missing reports of a TSN in flight, None for any other."""
        chunk = self._sender.board.chunk(self._sender.seq(tsn))
        if chunk is None or chunk.in_flight is None:
            return None
        misses = self._sender.parameters.misses
        return chunk.miss_indicator if misses and misses.as_pion else chunk.in_flight.misses

    def snapshot(self, name: str) -> PathSnapshot:
        """Return what is known of a path now."""
        sender, path = self._sender, self._sender.path(name)
        rack, seq, pion = path.rack, path.rack.segment_seq, self._sender.pion
        return PathSnapshot(
            srtt_ns=path.rtt.srtt_ns,
            rttvar_ns=path.rtt.rttvar_ns,
            rto_ns=path.rtt.rto_ns,
            min_rtt_ns=path.min_rtt.model_ns(sender.now_ns),
            rack_rtt_ns=rack.rtt_ns,
            rack_xmit_ns=rack.segment.time_ns if rack.segment else None,
            rack_tsn=None if seq is None else tsn_at(seq),
            reo_wnd_ns=pion.reo_wnd_ns if pion else rack.reo_wnd_ns,
            reo_wnd_mult=rack.reo_wnd.mult,
            reordering_seen=pion.reordering_seen if pion else rack.reo_wnd.reordering_seen,
            in_recovery=sender.recovery.active,
            flight_bytes=sender.board.flight_bytes(name),
            t3_ns=path.t3_ns,
            pto_ns=path.pto_ns,
            reo_ns=path.reo_ns,
        )

    def _duplicates(self, feedback: Feedback, ack: Acknowledgement) -> set[int]:
        """Return the duplicates reported that can speak of a spurious retransmission.

        ADAPTATION: a TSN that is not acknowledged, here or before, cannot have arrived twice, and
        one below a FORWARD-TSN is a late original (RFC 3758 section 3.6).
        """
        acked = (ChunkState.GAP_ACKED, ChunkState.NR_ACKED, ChunkState.CUM_ACKED)
        seqs = {self._sender.seq(tsn) for tsn in feedback.dups}
        return {
            seq
            for seq in seqs
            if (
                seq <= ack.received.cum
                or seq in ack.received.gaps
                or self._sender.board.state_of(seq) in acked
            )
            and not self._sender.reliability.covers(seq)
        }


def _packet_bytes(packet: Transmission) -> int:
    return COMMON_HEADER_BYTES + sum(chunk_bytes(data.size_bytes) for data in packet.chunks)


def _words(feedback: Feedback) -> str:
    words = f"{feedback.kind.value} {feedback.cum_tsn}"
    for name, blocks in (("gap", feedback.gaps), ("nr-gap", feedback.nr_gaps)):
        for first, last in blocks:
            words += f" {name} {first}" if first == last else f" {name} {first}-{last}"
    if feedback.dups:
        words += " dup " + " ".join(str(tsn) for tsn in feedback.dups)
    return words
