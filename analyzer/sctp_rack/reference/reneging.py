# SPDX-License-Identifier: BSD-2-Clause
"""Decides whether a TSN that was acknowledged in a gap block, and now is not, was reneged upon.

RFC 9260 section 6.2.1 D.iii takes every such TSN as possibly missing. A capture shows two things
that look alike and are not: a receiver that ran out of gap blocks, and lists cut by the capture.
"""

from sctp_rack.reference.chunk import Chunk, GapAcked, NrAcked
from sctp_rack.reference.nr_sack import Received

GAP_BLOCK_REACH = 65535


def reneged(
    chunks: list[Chunk], received: Received, block_cap: int | None
) -> tuple[list[Chunk], list[Chunk]]:
    """Return the chunks that the receiver took back, and those it had promised not to.

    `block_cap` is the number of gap blocks at which this receiver stops (None: no known cap).
    """
    if not received.tells_gaps:
        return [], []
    full = block_cap is not None and received.blocks >= block_cap
    reach = received.top if full else received.cum + GAP_BLOCK_REACH
    missing = [c for c in chunks if received.cum < c.seq <= reach and c.seq not in received.gaps]
    # RFC 9260 §6.2.1 D.iii: a TSN missing here that a Gap Ack Block had acknowledged before.
    taken_back = [c for c in missing if isinstance(c.state, GapAcked)]
    # NR-SACK §III.A irrevocable: an nr-gap-acked TSN stays so in all later NR-SACKs.
    broken_promises = [c for c in missing if isinstance(c.state, NrAcked) and not c.state.missing]
    return taken_back, broken_promises
