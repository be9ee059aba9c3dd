# SPDX-License-Identifier: BSD-2-Clause
"""Decides when T3-rtx runs, and what its expiry marks: RFC 9260 sections 6.1, 6.3.2 and 6.3.3.

Expiry marks the earliest outstanding chunk of the path. Which others it marks, and what restarts
the timer, differs between stacks.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sctp_rack.reference.chunk import Chunk, SendTime
from sctp_rack.reference.crossing import REACTION_NS
from sctp_rack.reference.path import Path
from sctp_rack.reference.scoreboard import Acknowledgement


def every_chunk(_path: Path, _sent: SendTime, _now_ns: int) -> bool:
    """Mark all that was sent to the address: RFC 9260."""
    # RFC 9260 §6.3.3 mark-rest: chunks that did not fit the packet are marked too.
    return True


def older_than_rack_rtt(path: Path, sent: SendTime, now_ns: int) -> bool:
    """Mark what is older than RACK's round trip and reordering window: RFC 8985 section 6.3."""
    return path.rack.lost_at_rto(sent, now_ns)


def older_than_unclamped_rto(path: Path, sent: SendTime, now_ns: int) -> bool:
    """Mark what is older than SRTT + 4 RTTVAR, without the minimum of RTO: usrsctp."""
    srtt_ns, rttvar_ns = path.rtt.srtt_ns, path.rtt.rttvar_ns
    if srtt_ns is None or rttvar_ns is None:
        return True
    return now_ns - sent.time_ns > srtt_ns + 4 * rttvar_ns


def earliest_acked(ack: Acknowledgement, path: str) -> bool:
    """Restart when the earliest outstanding TSN of the address is acknowledged: RFC 9260."""
    # RFC 9260 §6.3.2 R3: restart with the current RTO.
    # RFC 9260 §7.2.4 rule 4: restart only if the lowest outstanding TSN was acknowledged.
    return path in ack.earliest_acked


def cum_advanced(ack: Acknowledgement, _path: str) -> bool:
    """Restart those of all addresses when the cumulative TSN advances: usrsctp, dcSCTP.

    So does sctp_handle_sack; sctp_express_handle_sack lets the timers run on.
    """
    return ack.cum_advanced and not ack.express


def pseudo_cum_acked(ack: Acknowledgement, path: str) -> bool:
    """Restart that of an address when its earliest is acknowledged: usrsctp with CMT.

    It is new_pseudo_cumack there.
    """
    return path in ack.earliest_acked and not ack.express


def any_resend(_chunk: Chunk) -> bool:
    """Restart whenever the earliest outstanding chunk is sent again: RFC 9260."""
    return True


def fast_retransmission(chunk: Chunk) -> bool:
    """Restart when it was fast-retransmitted: sctp_chunk_retransmission of usrsctp."""
    return chunk.fast_retransmit_nxt is not None


def no_resend(_chunk: Chunk) -> bool:
    """Never restart it: sctp_transport_reset_t3_rtx of Linux starts it only where it is off.

    So does rtxTimer.start of pion.
    """
    return False


@dataclass(frozen=True, slots=True)
class T3Parameters:
    """The differing rules of T3-rtx; the defaults are those of RFC 9260.

    `always_earliest`: the earliest outstanding chunk is marked whatever its age; usrsctp's filter
    has no such exception, so its timer can fire and mark nothing. `restarts_itself`: the timer goes
    on after expiry without waiting for a transmission (pion). `resend_restarts` says for which of
    the earliest chunk's resends it does.
    `keeps_fast_recovery`: expiry in fast recovery does not end it (dcSCTP). `stops_without_flight`:
    feedback turns it off when all that is outstanding is marked, until that is sent (flight_size of
    usrsctp). `seen_by_resend`: it can expire before its time, see `timers.expire_early`, by
    `tick_ns` where the stack counts time in ticks. `repeats_window_probes`: T3-rtx runs for a zero
    window probe as for any data, and its back-off makes the intervals (the stacks); RFC 9260 has
    the probe sent by a rule of its own.
    """

    marks: Callable[[Path, SendTime, int], bool] = every_chunk
    restarts: Callable[[Acknowledgement, str], bool] = earliest_acked
    always_earliest: bool = True
    restarts_itself: bool = False
    resend_restarts: Callable[[Chunk], bool] = any_resend
    keeps_fast_recovery: bool = False
    stops_without_flight: bool = False
    seen_by_resend: bool = False
    tick_ns: int = 0
    repeats_window_probes: bool = False


def start(path: Path, now_ns: int) -> None:
    """(Re)start T3-rtx of a path with its current timeout."""
    # RFC 9260 §6.3.2 R1: the RTO used is that after any doubling.
    # RFC 9260 §6.3.3 E4: the RTO is that of the address the retransmission is sent to.
    path.t3_ns = now_ns + path.rtt.rto_ns
    path.t3_armed_ns = now_ns


def stop(path: Path, now_ns: int) -> None:
    """Turn T3-rtx of a path off."""
    if path.t3_ns is not None:
        path.t3_ns, path.t3_off_ns = None, now_ns


def data_sent(path: Path, now_ns: int, *, earliest_resent: bool) -> None:
    """Follow a transmission to a path."""
    if path.t3_ns is None:
        # RFC 9260 §6.3.2 R1: if the T3-rtx timer of that address is not running, start it.
        # RFC 9260 §6.3.2 F1: a new address starts its own; those of others are left running.
        since_ns, off_ns = path.t3_armed_ns, path.t3_off_ns
        start(path, now_ns)
        if off_ns is not None and now_ns - off_ns <= REACTION_NS:
            # ADAPTATION: perhaps it was never off: the data was on its way already.
            path.t3_armed_ns = since_ns
    elif earliest_resent:
        # RFC 9260 §6.1 restart: if the earliest outstanding chunk is retransmitted; else MUST NOT.
        # RFC 9260 §7.2.4 rule 4: or the first outstanding chunk is being retransmitted.
        start(path, now_ns)


def acknowledged(
    parameters: T3Parameters, path: Path, ack: Acknowledgement, now_ns: int, *, outstanding: bool
) -> None:
    """Follow feedback, after the scoreboard has."""
    path.t3_kept = path.window_probe and not outstanding
    path.window_probe = path.t3_kept and not ack.express
    if path.t3_kept:
        # usrsctp: sctp_handle_sack starts it anew, sctp_express_handle_sack lets it run on.
        if not ack.express or path.t3_ns is None:
            start(path, now_ns)
    elif not outstanding:
        # RFC 9260 §6.3.2 R2: all outstanding data sent to the address is acknowledged: turn off.
        stop(path, now_ns)
    elif parameters.restarts(ack, path.name):
        start(path, now_ns)
    elif path.t3_ns is None and any(c.path == path.name for c in ack.taken_back):
        # RFC 9260 §6.3.2 R4: a TSN once gap-acked is missing: start T3-rtx if it is not running.
        # RFC 9260 §6.2.1 D.iii: the same, for the address the chunk was sent to.
        start(path, now_ns)
