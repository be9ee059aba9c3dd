# SPDX-License-Identifier: BSD-2-Clause
"""Decides which timer fires next, and what the sender does when it does.

RFC 8985 section 8: of the reordering timer, the PTO and T3-rtx only one runs at a time. A suspended
T3-rtx keeps its deadline and takes over when the other has fired.
"""

from collections.abc import Iterable
from enum import StrEnum

from sctp_rack.names import Trigger
from sctp_rack.reference import t3
from sctp_rack.reference.chunk import Abandoned, Lost
from sctp_rack.reference.crossing import REACTION_NS
from sctp_rack.reference.detection import detect_by_time, enter_recovery, highest_outstanding
from sctp_rack.reference.events import Action, Expectation, Transmission
from sctp_rack.reference.path import Path
from sctp_rack.reference.pion import PionRack
from sctp_rack.reference.recovery import Phase
from sctp_rack.reference.scoreboard import Acknowledgement
from sctp_rack.reference.sender import Sender
from sctp_rack.reference.tlp import pto_ns
from sctp_rack.reference.tsn import tsn_at
from sctp_rack.reference.usrsctp import SWS_SENDER, peers_rwnd


class Timer(StrEnum):
    """The timers of a path, in the order in which one suspends the next."""

    REO = "reordering timer"
    PTO = "PTO"
    T3 = "T3-rtx"


def advance(sender: Sender, until_ns: int, *, inclusive: bool) -> None:
    """Fire all timers that are due before a time, or at it too if `inclusive`.

    Raises ValueError if time would run backwards.
    """
    if until_ns < sender.now_ns:
        raise ValueError(f"time runs backwards: {until_ns} ns after {sender.now_ns} ns")
    while due := next_due(sender):
        due_ns, timer, path = due
        if due_ns > until_ns or (due_ns == until_ns and not inclusive):
            break
        sender.now_ns = due_ns
        if timer is Timer.REO:
            _reordering_timer_expired(sender, path)
        elif timer is Timer.PTO:
            _pto_expired(sender, path)
        else:
            _t3_expired(sender, path)
    sender.now_ns = until_ns


def expire_early(sender: Sender, packet: Transmission) -> None:
    """Let T3-rtx expire before its time if this packet shows that it has.

    ADAPTATION: a resend of what no feedback has marked, and a timeout would, is that of a timeout.
    It can be early for two reasons. A stack counts time in ticks, from the last one (usrsctp:
    sctp_os_timer_start). And where the host takes its time, the timer was started before its data
    passed the tap; and feedback seen before data may have been processed after it: then the data
    kept a timer running that feedback seems to have turned off. The second is believed only of the
    earliest chunk, when it is not sent in answer to feedback.
    """
    path, parameters = sender.path(packet.path), sender.parameters.t3
    outstanding = sender.board.outstanding(path.name)
    if path.t3_ns is None or not parameters.seen_by_resend or not outstanding:
        return
    early_ns = path.t3_ns - sender.now_ns
    resent = {sender.seq(data.tsn) for data in packet.chunks}
    probing = _without_window(sender)
    marked = [
        chunk
        for chunk in outstanding
        if chunk.seq in resent
        and chunk.in_flight
        and (probing or parameters.marks(path, chunk.in_flight.sent, sender.now_ns))
    ]
    crossed = (
        outstanding[0] in marked
        and sender.now_ns - sender.feedback_ns > REACTION_NS
        and sender.now_ns >= path.t3_armed_ns + path.rtt.rto_ns - parameters.tick_ns - REACTION_NS
    )
    if marked and (early_ns <= parameters.tick_ns or crossed):
        _t3_expired(sender, path)


def next_due(sender: Sender) -> tuple[int, Timer, Path] | None:
    """Return the timer that fires next, with its time and path; None if none runs."""
    due: list[tuple[int, Timer, Path]] = []
    for path in sender.paths.values():
        timers = [(path.reo_ns, Timer.REO), (path.pto_ns, Timer.PTO), (path.t3_ns, Timer.T3)]
        running = [(ns, timer, path) for ns, timer in timers if ns is not None]
        # RFC 8985 §8 exclusive: one of the timers runs; pion lets PTO and T3-rtx run side by side.
        due += running if sender.pion else running[:1]
    if not due:
        return None
    due_ns, timer, path = min(due, key=lambda d: d[0])
    return max(due_ns, sender.now_ns), timer, path


def data_sent(sender: Sender, packet: Transmission, new: list[bool], seqs: list[int]) -> None:
    """Arm the timers that a transmission arms. `new` has a flag for each chunk of the packet."""
    path, tlp = sender.path(packet.path), sender.tlp
    stop_idle(sender)
    outstanding = sender.board.outstanding(path.name)
    resent = [seq for seq, first in zip(seqs, new, strict=True) if not first]
    if not outstanding:
        return
    probe = tlp is not None and tlp.claims(packet, new, resent)
    if probe and tlp is not None:
        path.pto_ns = None
        tlp.sent(packet, max(seqs), sender.board.nxt, is_retrans=bool(resent))
        # RFC 8985 §7.3 re-arm: after a probe, T3-rtx to fire at now + RTO, and no PTO.
        t3.start(path, sender.now_ns)
        return
    if sender.parameters.misses and sender.parameters.misses.as_usrsctp:
        alone = all(c.seq in seqs for c in sender.board if c.in_flight)
        window = sender.a_rwnd_bytes
        path.window_probe |= alone and window is not None and window < SWS_SENDER
    window_probe = _zero_window_probe(sender, seqs, resent)
    if sender.window_probe and not window_probe:
        _probe_becomes_data(sender)
    sender.window_probe = window_probe
    if window_probe:
        # RFC 8985 §8 zwp: the zero window probe timer excludes the others.
        # RFC 9260 §6.1 zwp: it is sent again after intervals that double, not by T3-rtx.
        return
    earliest = outstanding[0]
    earliest_resent = earliest.seq in resent and sender.parameters.t3.resend_restarts(earliest)
    t3.data_sent(path, sender.now_ns, earliest_resent=earliest_resent)
    if any(new):
        # RFC 8985 §7.2 new-data: (re)start the PTO after new data that is not a probe.
        _arm_pto(sender, path)
    if sender.pion and any(new):
        _arm_pto_of_pion(sender, sender.pion, path)


def acknowledged(sender: Sender, ack: Acknowledgement) -> None:
    """Arm and stop timers after feedback, when the detectors have seen it."""
    rto = sender.parameters.rto
    for path in sender.paths.values():
        if sender.parameters.t3.stops_without_flight:
            outstanding = bool(sender.board.in_sending_order(path.name))
        else:
            outstanding = bool(sender.board.outstanding(path.name))
        if rto.backoff_ends_at_cum_advance and ack.cum_advanced:
            path.rtt.backoff = 0
        if rto.backoff_ends_at_clean_ack and any(
            not d.retransmitted for d in ack.newly_on(path.name)
        ):
            path.rtt.backoff = 0
        t3.acknowledged(sender.parameters.t3, path, ack, sender.now_ns, outstanding=outstanding)
        if not outstanding:
            continue
        if sender.pion:
            _arm_pto_of_pion(sender, sender.pion, path)
        elif ack.cum_advanced and (path.pto_ns is None or path.name in ack.cum_acked):
            # RFC 8985 §7.2 cum-ack: (re)start the PTO when new data is cumulatively acknowledged.
            # ADAPTATION: that of another path starts the PTO, but does not put it off.
            _arm_pto(sender, path)
    stop_idle(sender)
    _window_opened(sender)


def stop_idle(sender: Sender) -> None:
    """Stop all timers of paths on which nothing is outstanding: acked, given up or moved away."""
    for path in sender.paths.values():
        if not sender.board.outstanding(path.name):
            if not path.t3_kept:
                t3.stop(path, sender.now_ns)
            path.pto_ns = path.reo_ns = None


def stop_all(sender: Sender) -> None:
    """Stop the timers of all paths: nothing is outstanding, nor will be acknowledged."""
    for path in sender.paths.values():
        path.window_probe = path.t3_kept = False
    stop_idle(sender)


def _arm_pto(sender: Sender, path: Path) -> None:
    """Start the PTO unless another mechanism is at work."""
    sacked = path.rack.segs_sacked(sender.board.gap_acked(path.name))
    in_flight = sender.board.in_sending_order(path.name)
    # RFC 8985 §7.2 unless: in fast or RTO recovery, or with segments SACKed.
    # ADAPTATION: nor while the reordering timer runs, which is named there as the reason.
    if sender.tlp is None or sender.recovery.active or sacked or path.reo_ns or not in_flight:
        return
    due_ns = sender.now_ns + pto_ns(sender.tlp.parameters, path.rtt.srtt_ns, in_flight)
    # RFC 8985 §7.2 cap: if T3-rtx would fire earlier, at that time.
    # RFC 8985 §8 pto: arming the PTO suspends T3-rtx.
    path.pto_ns = due_ns if path.t3_ns is None else min(due_ns, path.t3_ns)
    path.pto_armed_ns = sender.now_ns


def _arm_pto_of_pion(sender: Sender, pion: PionRack, path: Path) -> None:
    queued = sum(1 for _ in sender.board)
    path.pto_ns = sender.now_ns + pion.pto_ns(path.rtt.srtt_ns, queued)
    path.pto_armed_ns = sender.now_ns


def _reordering_timer_expired(sender: Sender, path: Path) -> None:
    sender.happened(Timer.REO)
    # RFC 8985 §6.2 step 5 again: the same routine at an ACK and at the reordering timer.
    detect_by_time(sender, path, None, in_recovery=sender.recovery.active)


def _pto_expired(sender: Sender, path: Path) -> None:
    path.pto_ns = None
    outstanding = sender.board.outstanding(path.name)
    sender.happened(Timer.PTO)
    if sender.pion:
        # pion: the highest un-acked chunk, unless it is marked already; T3-rtx is left alone.
        if not isinstance(outstanding[-1].state, Lost):
            _expect(sender, Action.PROBE, path, outstanding[-1].seq, path.pto_armed_ns)
        return
    if sender.tlp and sender.tlp.may_probe():
        # RFC 8985 §7.3 new-or-highest: unsent data, else the highest-sequence segment.
        # ADAPTATION: the highest one outstanding; SCTP never needs a gap-acked TSN again.
        highest = outstanding[-1].seq
        sender.tlp.expect(_expect(sender, Action.PROBE, path, highest, path.pto_armed_ns))
    # RFC 8985 §7.3 re-arm: whether or not a probe was sent, re-arm T3-rtx, not the PTO.
    # RFC 8985 §7.3 skip: without both conditions, skip the probe and re-arm it.
    t3.start(path, sender.now_ns)


def _t3_expired(sender: Sender, path: Path) -> None:
    path.t3_ns = None
    outstanding = sender.board.outstanding(path.name)
    sender.happened(Timer.T3)
    if not outstanding:
        # usrsctp: a window probe kept it running.
        path.rtt.back_off()
        return
    parameters, exit_seq = sender.parameters.t3, highest_outstanding(sender)
    misses = sender.parameters.misses
    as_usrsctp = misses is not None and misses.as_usrsctp
    probing = as_usrsctp and _without_window(sender)
    for chunk in outstanding:
        flight = chunk.in_flight
        # RFC 8985 §6.3 first: the first outstanding segment is lost.
        # RFC 9260 §6.3.3 E3: the earliest outstanding chunks go out again.
        sure = probing or (parameters.always_earliest and chunk is outstanding[0])
        if flight is not None and (sure or parameters.marks(path, flight.sent, sender.now_ns)):
            window_ns = path.rack.reo_wnd_ns if sender.parameters.rack else None
            sender.mark(chunk, Trigger.RTO, None, window_ns)
            if as_usrsctp:
                # sctp_mark_all_for_resend: the count of fast retransmissions begins anew.
                chunk.fast_retransmit_nxt = None
    if isinstance(outstanding[0].state, Lost):
        _expect(sender, Action.T3, path, outstanding[0].seq, path.t3_armed_ns)
    path.rtt.back_off()
    if misses and misses.as_pion:
        sender.recovery.leave()
    elif not (parameters.keeps_fast_recovery and sender.recovery.phase is Phase.FAST):
        enter_recovery(sender, Phase.RTO, exit_seq)
    if parameters.restarts_itself or sender.board.in_sending_order(path.name):
        # RFC 8985 §3.5 re-arm: what is not marked waits for another RTO interval.
        t3.start(path, sender.now_ns)


def _expect(sender: Sender, action: Action, path: Path, seq: int, armed_ns: int) -> Expectation:
    expectation = Expectation(action, path.name, sender.now_ns, tsn_at(seq), armed_ns)
    sender.expectations.append(expectation)
    return expectation


def _without_window(sender: Sender) -> bool:
    """Say whether T3-rtx of usrsctp is for a window probe: win_probe of sctp_t3rxt_timer."""
    flight_bytes = sum(sender.board.flight_bytes(name) for name in sender.paths)
    window = peers_rwnd(sender.board, sender.a_rwnd_bytes)
    return window == 0 and flight_bytes < sender.largest_packet_bytes


def _zero_window_probe(sender: Sender, seqs: list[int], resent: list[int]) -> tuple[int, ...]:
    """Return the sequence numbers of this packet if it is a zero window probe, else none."""
    if sender.parameters.t3.repeats_window_probes or not _window_is_closed(sender, seqs):
        return ()
    # RFC 9260 §6.1 zwp: only when all outstanding chunks have been cumulatively acknowledged.
    settled = all(c.seq in seqs for c in sender.board if not isinstance(c.state, Abandoned))
    again = set(sender.window_probe).issuperset(resent)
    return tuple(seqs) if settled and again else ()


def _window_is_closed(sender: Sender, seqs: Iterable[int]) -> bool:
    chunk = next((c for c in map(sender.board.chunk, seqs) if c is not None), None)
    window = sender.a_rwnd_bytes
    return chunk is not None and window is not None and window < chunk.size_bytes


def _window_opened(sender: Sender) -> None:
    """End the zero window probe when the window has opened."""
    if sender.window_probe and not _window_is_closed(sender, sender.window_probe):
        _probe_becomes_data(sender)


def _probe_becomes_data(sender: Sender) -> None:
    """Let T3-rtx take over from the zero window probe."""
    sender.window_probe = ()
    for path in sender.paths.values():
        if path.t3_ns is None and sender.board.in_sending_order(path.name):
            # ADAPTATION: what was sent as a probe waits for an acknowledgement like any data.
            t3.start(path, sender.now_ns)
