# SPDX-License-Identifier: BSD-2-Clause
"""Decides in which order the detectors look at feedback, and what a mark does to recovery.

The steps are those of RFC 8985 section 6.2, with the counting of RFC 9260 section 7.2.4 for the
profiles that count.
"""

from sctp_rack.names import Answer, ProbeOutcome, SackKind, Trigger
from sctp_rack.reference import pion_misses, t3, usrsctp
from sctp_rack.reference.chunk import Chunk, ChunkState, Lost
from sctp_rack.reference.events import Feedback
from sctp_rack.reference.fast_retransmit import MissParameters, count_misses
from sctp_rack.reference.path import Path
from sctp_rack.reference.recovery import Phase
from sctp_rack.reference.rtt_samples import tag_of
from sctp_rack.reference.scoreboard import Acknowledgement
from sctp_rack.reference.sender import Sender


def measure(sender: Sender, ack: Acknowledgement, *, duplicates: bool) -> None:
    """Take the round-trip samples that feedback gives, at most one for each path."""
    tag = tag_of(ack, duplicates=duplicates)
    for path in sender.paths.values():
        delivered = sender.parameters.sample(path.timing, ack, path.name, sender.board.nxt)
        if delivered is not None and delivered.rtt_ns is not None:
            path.rtt.measured(delivered.rtt_ns)
            # RFC 8985 §6.2 step 1: use the RTT measurements to update RACK.min_RTT.
            path.min_rtt.measured(sender.now_ns, delivered.rtt_ns, tag)
            if sender.tlp:
                sender.tlp.rtt_since_probe = True


def learn(sender: Sender, ack: Acknowledgement) -> None:
    """Let RACK of each path learn what was delivered: steps 2 and 3 of RFC 8985 section 6.2."""
    if sender.parameters.rack is None:
        return
    for path in sender.paths.values():
        newly = ack.newly_on(path.name)
        floor_ns = path.rack.parameters.spurious_floor(
            path.min_rtt.model_ns(sender.now_ns), path.min_rtt.path_ns(sender.now_ns)
        )
        path.rack.update(newly, sender.now_ns, floor_ns)
        path.rack.detect_reordering(newly)


def detect(sender: Sender, feedback: Feedback, ack: Acknowledgement, dups: set[int]) -> None:
    """Mark what this feedback shows to be lost, by counting and by time."""
    parameters, board, cum = sender.parameters, sender.board, ack.received.cum
    if parameters.misses and parameters.misses.as_pion:
        _detect_as_pion(sender, parameters.misses, feedback, ack)
        return
    if parameters.misses and parameters.misses.as_usrsctp:
        _detect_as_usrsctp(sender, parameters.misses, feedback, ack)
        return
    third = []
    exiting = False
    if parameters.misses:
        exiting = parameters.misses.exits_first and sender.recovery.exits_at(cum)
        third = count_misses(parameters.misses, board, ack, sender.recovery.phase)
    exiting = sender.recovery.exits_at(cum) or exiting
    if third:
        _mark_missed(sender, third, feedback.frame)
    _process_probe(sender, feedback, ack, dups)
    if parameters.rack:
        in_recovery = sender.recovery.active
        for path in sender.paths.values():
            path.rack.reo_wnd.adapt(
                una=board.una,
                nxt=board.nxt,
                duplicates=any(board.last_path.get(s, path.name) == path.name for s in dups),
                exiting_recovery=exiting,
            )
        for path in sender.paths.values():
            detect_by_time(sender, path, feedback.frame, in_recovery=in_recovery)


def detect_by_time(sender: Sender, path: Path, by_frame: int | None, *, in_recovery: bool) -> None:
    """Step 5 of RFC 8985 section 6.2 on one path: mark, and arm the reordering timer.

    The same at feedback and when that timer expires (`by_frame` None).
    """
    rack = path.rack
    # RFC 8985 §6.2 step 4 call: the window is computed anew at each detection.
    rack.reo_wnd_ns = rack.reo_wnd.window_ns(
        min_rtt_ns=path.min_rtt.model_ns(sender.now_ns),
        srtt_ns=path.rtt.srtt_ns,
        in_recovery=in_recovery,
        segs_sacked=rack.segs_sacked(sender.board.gap_acked(path.name)),
    )
    suspended = path.reo_ns is not None
    lost, path.reo_ns = rack.detect(sender.board.in_sending_order(path.name), sender.now_ns)
    t3_passed = path.t3_ns is not None and path.t3_ns <= sender.now_ns
    if suspended and path.reo_ns is None and t3_passed:
        # ADAPTATION: T3-rtx became due while it was suspended. It is not to fire now as well: what
        # ends the suspension also says what is lost, and its resend restarts T3-rtx.
        t3.start(path, sender.now_ns)
    if path.reo_ns is not None:
        # RFC 8985 §8 reo: arming the reordering timer cancels the PTO; T3-rtx is suspended.
        path.pto_ns = None
    exit_seq = highest_outstanding(sender)
    for chunk in lost:
        trigger = Trigger.TIMER if by_frame is None else Trigger.ACK
        sender.mark(chunk, trigger, by_frame, rack.reo_wnd_ns)
    if lost and not sender.recovery.active:
        enter_recovery(sender, Phase.FAST, exit_seq)


def enter_recovery(sender: Sender, phase: Phase, exit_seq: int) -> None:
    """Enter recovery: the probe in flight, if any, has said what it could."""
    sender.recovery.enter(phase, exit_seq)
    if sender.tlp is None:
        return
    probe_seq = sender.tlp.probe_seq
    acked = probe_seq is not None and sender.board.state_of(probe_seq) in (
        ChunkState.GAP_ACKED,
        ChunkState.NR_ACKED,
        ChunkState.CUM_ACKED,
    )
    if acked:
        # RFC 8985 §7.4.1 general: the ack of the probe let RACK find the losses before it.
        sender.tlp.reset(ProbeOutcome.TAIL_LOSS_REVEALED)
    else:
        probe = None if probe_seq is None else sender.board.chunk(probe_seq)
        # A timeout says that the probe is lost only if it marks it: not one of another path.
        gone = phase is Phase.RTO and probe is not None and isinstance(probe.state, Lost)
        sender.tlp.reset(ProbeOutcome.PROBE_LOST if gone else ProbeOutcome.UNRESOLVED)
    for path in sender.paths.values():
        path.pto_ns = None


def highest_outstanding(sender: Sender) -> int:
    """Return the highest sequence number that is not acknowledged."""
    return max((c.seq for c in sender.board.outstanding()), default=sender.board.una)


def _mark_missed(sender: Sender, third: list[Chunk], by_frame: int) -> None:
    exit_seq = highest_outstanding(sender)
    for chunk in third:
        sender.mark(chunk, Trigger.MISS3, by_frame)
    # RFC 9260 §7.2.4 rule 6 once: a later Fast Retransmit does not move the exit point.
    if sender.recovery.phase is not Phase.FAST:
        enter_recovery(sender, Phase.FAST, exit_seq)


def _process_probe(
    sender: Sender, feedback: Feedback, ack: Acknowledgement, dups: set[int]
) -> None:
    if sender.tlp is None:
        return
    reports = sender.parameters.receiver.reports_duplicates
    nothing_new = not ack.newly and not ack.cum_advanced
    sender.tlp.acknowledged(
        sender.board.una,
        dups,
        duplicate_ack=(
            nothing_new
            and not (feedback.gaps or feedback.nr_gaps or feedback.dups)
            and feedback.kind is not SackKind.SHUTDOWN
            and feedback.a_rwnd_bytes == sender.a_rwnd_bytes
        ),
        reports_duplicates=Answer.YES if dups else reports,
    )


def _detect_as_usrsctp(
    sender: Sender, misses: MissParameters, feedback: Feedback, ack: Acknowledgement
) -> None:
    # pr_sctp_cnt: a capture shows only that the sender has given something up.
    given_up = sender.reliability.advanced_peer_ack_point is not None
    ack.express = sender.sacks.is_express(feedback, partial_reliability=given_up)
    struck = []
    if feedback.gaps or feedback.nr_gaps:
        struck = usrsctp.strike(misses, sender.board, ack, sender.recovery, feedback.packets)
    for chunk in struck:
        sender.mark(chunk, Trigger.MISS3, feedback.frame)
    cmt, advanced = misses.split_paths, ack.cum_advanced and not ack.express
    # will_exit_fast_recovery is asked before that is entered.
    exits = advanced and sender.recovery.active and ack.received.cum >= sender.recovery.exit_seq
    if struck and (cmt or sender.recovery.phase is not Phase.FAST):
        # sctp_cwnd_update_after_fr: up to the last TSN sent, and T3-rtx starts anew. With CMT each
        # moves its end.
        sender.recovery.enter(Phase.FAST, sender.board.nxt - 1)
        for name in {chunk.path for chunk in struck}:
            t3.start(sender.paths[name], sender.now_ns)
        exits = exits and cmt
    if exits:
        sender.recovery.leave()


def _detect_as_pion(
    sender: Sender, misses: MissParameters, feedback: Feedback, ack: Acknowledgement
) -> None:
    # processSelectiveAck ends fast recovery before processFastRetransmission counts.
    sender.recovery.exits_at(ack.received.cum)
    thirds, frame = sender.third_reports, feedback.frame
    fast = pion_misses.count(misses, sender.board, ack, sender.recovery, thirds, frame)
    _detect_by_pions_rack(sender, feedback, ack)
    # What RACK has marked at this SACK goes out before (gatherOutbound), as a retransmission.
    if fast:
        for chunk in pion_misses.due(misses, sender.board, sender.largest_packet_bytes):
            sender.mark(chunk, Trigger.MISS3, frame, due_frame=thirds.frame_of(chunk.seq))


def _detect_by_pions_rack(sender: Sender, feedback: Feedback, ack: Acknowledgement) -> None:
    # pion knows no paths: the estimates of the only one are those of the association.
    only = next(iter(sender.paths.values()), None)
    if sender.pion is None or only is None:
        return
    sender.pion.acknowledged(
        ack,
        # pion looks at the number of duplicate TSNs only, whatever they are.
        duplicates=bool(feedback.dups),
        min_rtt_ns=only.min_rtt.model_ns(sender.now_ns),
        srtt_ns=only.rtt.srtt_ns,
        in_fast_recovery=sender.recovery.phase is Phase.FAST,
        t3_running=any(True for _ in sender.board),
    )
    for path in sender.paths.values():
        for chunk in sender.pion.lost(sender.board.in_sending_order(path.name)):
            sender.mark(chunk, Trigger.ACK, feedback.frame, sender.pion.reo_wnd_ns)
