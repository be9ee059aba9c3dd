# SPDX-License-Identifier: BSD-2-Clause
"""Decides what usrsctp (and FreeBSD, from which it comes) strikes at a SACK, and its recovery.

Read in usrsctp 0.9.5.0: sctp_handle_sack, sctp_express_handle_sack, sctp_strike_gap_ack_chunks,
sctp_mark_all_for_resend, and sctp_cwnd_update_after_fr of the default congestion control. A missing
report is called a strike there. It differs from RFC 9260 in these:

* only a SACK with gap blocks strikes, and only below the highest TSN that it acknowledges for the
  first time, on each path; a path of which nothing was newly acknowledged is left out;
* in fast recovery, a SACK that advances the cumulative TSN strikes everything missing in it, also
  what was fast-retransmitted before. Else that takes an acknowledgement of data newer than the
  fast retransmission;
* a SACK without gap blocks, when the one before had none either, takes a short way ("express"):
  it neither ends fast recovery nor restarts T3-rtx;
* fast recovery ends after the strikes of the SACK that reaches its exit point; entering it restarts
  T3-rtx;
* with CMT (`split_paths`) nothing is fast-retransmitted that was sent again before; each fast
  retransmission moves the end of fast recovery, of which there is one for all paths; and where a
  SACK says that it answers two packets (DAC), they count twice;
* with a window of less than 1420 bytes, data sent while nothing is in flight is a window probe. Its
  acknowledgement does not turn T3-rtx off; and where T3-rtx expires with no window and less than a
  packet in flight, it marks whatever the age.
"""

from collections.abc import Collection

from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.events import Feedback
from sctp_rack.reference.fast_retransmit import MissParameters
from sctp_rack.reference.recovery import Phase, Recovery
from sctp_rack.reference.scoreboard import Acknowledgement, Delivered, Scoreboard

# sctp_sws_sender: less than this counts as no window; sctp_peer_chkoh: what a chunk takes besides.
SWS_SENDER = 1420
PEER_CHUNK_OVERHEAD = 256


class SackPath:
    """Whether a SACK takes the express way: saw_sack_with_frags and saw_sack_with_nr_frags."""

    def __init__(self) -> None:
        """Start without a SACK."""
        self._gaps_before = False
        self._nr_gaps_before = False

    def is_express(self, feedback: Feedback, *, partial_reliability: bool) -> bool:
        """Say which way this feedback goes, and remember its blocks for the next one."""
        gaps, nr_gaps = bool(feedback.gaps), bool(feedback.nr_gaps)
        express = not (gaps or nr_gaps or self._gaps_before or self._nr_gaps_before)
        self._gaps_before, self._nr_gaps_before = gaps, nr_gaps
        return express and not partial_reliability


def peers_rwnd(board: Scoreboard, a_rwnd_bytes: int | None) -> int | None:
    """Return the window that the sender reckons with; None before the first feedback."""
    if a_rwnd_bytes is None:
        return None
    in_flight = (c for c in board if c.in_flight)
    left = a_rwnd_bytes - sum(c.size_bytes + PEER_CHUNK_OVERHEAD for c in in_flight)
    return 0 if left < SWS_SENDER else left


def strike(
    parameters: MissParameters,
    board: Scoreboard,
    ack: Acknowledgement,
    recovery: Recovery,
    packets: int,
) -> list[Chunk]:
    """Strike what this feedback reports missing; return what has its last strike."""
    for chunk in ack.taken_back:
        # sctp_check_for_revoked makes it SCTP_DATAGRAM_SENT, without a strike.
        board.forget_misses(chunk)
    cum = ack.received.cum
    in_gaps = [d for d in ack.newly if d.seq > cum]
    # this_sack_highest_gap, biggest_tsn_newly_acked; what waits to be sent again is in the first.
    highest_gap = max((d.seq for d in in_gaps), default=cum)
    newest = max((d.seq for d in in_gaps if not d.was_marked), default=cum)
    everything = ack.cum_advanced and recovery.phase is Phase.FAST
    paths = {
        path: _highest_on(path, ack) for path in {d.path for d in ack.newly if _counts(d, cum)}
    }
    twice_below = _twice_below(ack, paths) if parameters.split_paths and packets > 1 else cum
    lost = []
    for chunk in board:
        if chunk.seq > (ack.received.top if everything else highest_gap):
            break
        if chunk.in_flight is None or not _may_be_struck(parameters, chunk):
            continue
        if chunk.path not in paths or (not everything and chunk.seq > paths[chunk.path]):
            continue
        # fast_retran_tsn, the TSN next to be sent at the last fast retransmission
        again = everything or chunk.fast_retransmit_nxt is None
        if not again and not parameters.repeat(chunk, newest):
            continue
        if not everything and chunk.seq > newest:
            continue
        board.count_miss(chunk)
        if chunk.seq < twice_below and chunk.in_flight.misses < parameters.threshold:
            board.count_miss(chunk)
        if chunk.in_flight and chunk.in_flight.misses >= parameters.threshold:
            chunk.fast_retransmit_nxt = board.nxt
            lost.append(chunk)
    return lost


def _counts(delivered: Delivered, cum: int) -> bool:
    """Say whether this sets saw_newack of its path."""
    if delivered.seq <= cum:
        return True
    return not (delivered.was_marked or delivered.was_revoked)


def _twice_below(ack: Acknowledgement, paths: Collection[str]) -> int:
    """Return the TSN below which what is missing gets two strikes: CMT with DAC.

    Feedback that answers two packets or more, of one path, cumulatively nothing, says that as many
    came behind what is missing below them (this_sack_lowest_newack, num_dests_sacked).
    """
    cum = ack.received.cum
    if len(paths) != 1 or any(d.seq <= cum for d in ack.newly):
        return cum
    return min((d.seq for d in ack.newly if not d.was_marked), default=cum)


def _highest_on(path: str, ack: Acknowledgement) -> int:
    """Return this_sack_highest_newack of a path."""
    newly = [d.seq for d in ack.newly_on(path) if not d.was_marked]
    return max((seq for seq in newly if seq > ack.received.cum), default=ack.received.cum)


def _may_be_struck(parameters: MissParameters, chunk: Chunk) -> bool:
    """Say whether no_fr_allowed is unset: a timeout moved it elsewhere, or any resend with CMT."""
    return not (chunk.moved or (parameters.split_paths and chunk.copies > 1))
