# SPDX-License-Identifier: BSD-2-Clause
"""Decides what pion/sctp counts as missing and which chunks its fast retransmission sends.

Read in pion/sctp v1.8.41 and v1.12.0: processFastRetransmission counts, and
gatherOutboundFastRetransmissionPackets sends. It differs from RFC 9260 in these:

* missIndicator of a chunk is never taken back: not by a mark, a timeout or a resend. Each chunk
  that is not acknowledged is counted, up to the third report, also when it was sent again;
* the third report of any of them, outside fast recovery, begins fast recovery. Its exit point is
  the TSN below which reports count. In fast recovery reports count only if the cumulative TSN
  advances, and recovery ends before a SACK's reports are counted;
* a chunk is fast-retransmitted if it has three reports and was sent once. That is looked at when
  recovery begins and when the cumulative TSN advances in it. Only what fits one packet goes out;
  nothing is remembered of the rest, so that RACK may mark it before its turn comes.
"""

from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.fast_retransmit import MissParameters
from sctp_rack.reference.recovery import Phase, Recovery
from sctp_rack.reference.scoreboard import Acknowledgement, Scoreboard

COMMON_HEADER_BYTES = 12
DATA_HEADER_BYTES = 16


class ThirdReports:
    """The latest feedback that brought third reports, and from which sequence number on.

    Reports count for all that is below a TSN: of what was sent once a lower one has its third no
    later than a higher one.
    """

    _KEPT = 8  # of what has waited through more, it is told since the oldest of them

    def __init__(self) -> None:
        self._at: list[tuple[int, int]] = []

    def note(self, seq: int, frame: int) -> None:
        """A chunk that may be fast-retransmitted has its third report."""
        if not self._at or self._at[-1][1] != frame:
            self._at = [*self._at[-(self._KEPT - 1) :], (seq, frame)]

    def frame_of(self, seq: int) -> int | None:
        """Return the feedback that brought the third report of a chunk, or the oldest known."""
        later = (frame for from_seq, frame in reversed(self._at) if from_seq <= seq)
        return next(later, self._at[0][1] if self._at else None)


def count(
    parameters: MissParameters,
    board: Scoreboard,
    ack: Acknowledgement,
    recovery: Recovery,
    thirds: ThirdReports,
    by_frame: int,
) -> bool:
    """Count one feedback's reports; return whether fast retransmission is due now."""
    in_recovery = recovery.phase is Phase.FAST
    if in_recovery and not ack.cum_advanced:
        return False
    top = ack.received.top if in_recovery else parameters.count_below(ack)
    for chunk in board:
        if top is None or chunk.seq >= top:
            break
        if not chunk.outstanding or chunk.miss_indicator >= parameters.threshold:
            continue
        chunk.miss_indicator += 1
        if chunk.miss_indicator < parameters.threshold:
            continue
        if chunk.in_flight is not None and chunk.copies == 1:
            thirds.note(chunk.seq, by_frame)
        if recovery.phase is not Phase.FAST:
            recovery.enter(Phase.FAST, top)
    return recovery.phase is Phase.FAST


def due(parameters: MissParameters, board: Scoreboard, largest_packet_bytes: int) -> list[Chunk]:
    """Return what goes out in the one packet of a fast retransmission.

    The path's MTU is not known to an observer: the largest packet that was sent stands for it.
    """
    picked: list[Chunk] = []
    bytes_left = largest_packet_bytes - COMMON_HEADER_BYTES
    for chunk in board:
        if chunk.in_flight is None or chunk.copies > 1:
            continue
        if chunk.miss_indicator < parameters.threshold:
            continue
        bytes_left -= chunk_bytes(chunk.size_bytes)
        # The first one always fits: it is no larger than the packet it was in.
        if picked and bytes_left < 0:
            break
        picked.append(chunk)
    return picked


def chunk_bytes(size_bytes: int) -> int:
    """Return what a DATA chunk takes in a packet, padding included."""
    return DATA_HEADER_BYTES + size_bytes + -size_bytes % 4
