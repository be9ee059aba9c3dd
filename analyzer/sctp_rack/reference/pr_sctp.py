# SPDX-License-Identifier: BSD-2-Clause
"""Decides what a FORWARD-TSN gives up: RFC 3758 section 3.5, RFC 8260 section 2.3.

An abandoned chunk is neither lost nor delivered: it leaves the outstanding data, and a late copy
that the receiver reports as a duplicate is harmless.
"""

from sctp_rack.reference.chunk import Chunk, Lost
from sctp_rack.reference.scoreboard import Scoreboard


class PartialReliability:
    """The Advanced.Peer.Ack.Point of one direction, as far as a capture shows it."""

    def __init__(self) -> None:
        """Start without a FORWARD-TSN."""
        self.advanced_peer_ack_point: int | None = None

    def forward(self, board: Scoreboard, new_cum: int) -> list[Chunk]:
        """Give up all that is not acknowledged up to `new_cum`, and return it."""
        point = self.advanced_peer_ack_point
        self.advanced_peer_ack_point = new_cum if point is None else max(point, new_cum)
        return board.abandon(c.seq for c in list(board) if c.seq <= new_cum)

    def unmarked(self, board: Scoreboard, new_cum: int) -> list[Chunk]:
        """Return what seemed marked lost, and was given up instead.

        A sender that limits retransmissions looks at the limit when a chunk would be marked
        (usrsctp: PR_SCTP_RTX_ENABLED; dcSCTP: OutstandingData::Item::Nack). The limit is not on the
        wire: that it was reached shows when a FORWARD-TSN comes and no resend has.
        """
        return [c for c in board if c.seq <= new_cum and isinstance(c.state, Lost)]

    def covers(self, seq: int) -> bool:
        """Say whether a duplicate of this sequence number is only a late original."""
        point = self.advanced_peer_ack_point
        return point is not None and seq <= point
