# SPDX-License-Identifier: BSD-2-Clause
"""Decides whether a TSN that was acknowledged in a gap block, and now is not, was reneged upon.

RFC 9260 section 6.2.1 D.iii takes every such TSN as possibly missing. A capture shows two things
that look alike and are not: a receiver that ran out of gap blocks, and lists cut by the capture.
"""

from collections.abc import Callable

from sctp_rack.reference.chunk import Chunk, GapAcked, NrAcked
from sctp_rack.reference.nr_sack import Received

GAP_BLOCK_REACH = 65535


def everywhere(received: Received) -> int:
    """Look at all that gap blocks can speak of: RFC 9260."""
    return received.cum + GAP_BLOCK_REACH


def in_order(received: Received) -> int:
    """Look everywhere, but not where feedback was overtaken: what it leaves out came later."""
    return received.cum if received.overtaken else everywhere(received)


def up_to_the_last_block(received: Received) -> int:
    """Look no further than the last block, if there is any: sctp_check_for_revoked of usrsctp."""
    return received.top if received.blocks else everywhere(received)


def nowhere(received: Received) -> int:
    """Keep what was acknowledged once: pion never clears `acked`."""
    return received.cum


def within_the_blocks(received: Received) -> int:
    """Look between the blocks only: NackBetweenAckBlocks of dcSCTP."""
    return received.top


Reach = Callable[[Received], int]


def reneged(
    chunks: list[Chunk], received: Received, block_cap: int | None, reach_of: Reach = everywhere
) -> tuple[list[Chunk], list[Chunk]]:
    """Return the chunks that the receiver took back, and those it had promised not to.

    `block_cap` is the number of gap blocks at which this receiver stops (None: no known cap).
    """
    if not received.tells_gaps:
        return [], []
    full = block_cap is not None and received.blocks >= block_cap
    reach = min(reach_of(received), received.top) if full else reach_of(received)
    missing = [c for c in chunks if received.cum < c.seq <= reach and c.seq not in received.gaps]
    # RFC 9260 §6.2.1 D.iii: a TSN missing here that a Gap Ack Block had acknowledged before.
    taken_back = [c for c in missing if isinstance(c.state, GapAcked)]
    # NR-SACK §III.A irrevocable: an nr-gap-acked TSN stays so in all later NR-SACKs.
    broken_promises = [c for c in missing if isinstance(c.state, NrAcked) and not c.state.missing]
    return taken_back, broken_promises
