# SPDX-License-Identifier: BSD-2-Clause
"""Decides which TSNs a SACK or NR-SACK says were received, and which of them for good.

Sources: RFC 9260 section 3.3.4; the NR-SACK paper (Ekiz, Natarajan, Amer, Iyengar et al.) section
III.A; draft-natarajan-tsvwg-sctp-nrsack. NR-SACK processing is that of SACK, plus the freeing.
"""

from dataclasses import dataclass

from sctp_rack.names import SackKind
from sctp_rack.reference.events import Feedback
from sctp_rack.reference.tsn import Tsn, TsnLine


@dataclass(frozen=True, slots=True)
class Received:
    """What feedback says, on the line of sequence numbers.

    `gaps` has all TSNs above `cum` that were received, `non_renegable` those that the receiver
    keeps for good, `top` the highest TSN that it speaks of. `blocks` counts gap blocks, and
    `tells_gaps` is False where a missing TSN means nothing, `overtaken` of what left the receiver
    before feedback that was taken already.
    """

    cum: int
    gaps: frozenset[int]
    non_renegable: frozenset[int]
    top: int
    blocks: int
    tells_gaps: bool
    overtaken: bool


def received(feedback: Feedback, line: TsnLine, nxt: int) -> Received:
    """Read feedback for a sender whose next new sequence number is `nxt`.

    Blocks that end before they start, or start at or below the cumulative TSN, are ignored there;
    what was never sent is ignored too.
    """
    cum = line.seq(feedback.cum_tsn)
    gaps = _sequence_numbers(feedback.gaps, line, cum, nxt)
    # NR-SACK §III.A nr-gap-blocks: every TSN from the start to the end of an NR Gap Ack Block is
    # non-renegable.
    non_renegable = _sequence_numbers(feedback.nr_gaps, line, cum, nxt)
    # NR-SACK §III.A all-bit: with the A bit, all out-of-order data acknowledged here is.
    if feedback.all_non_renegable and not feedback.nr_gaps:
        non_renegable = gaps
    # NR-SACK §III.A subsequence: the paper has NR blocks inside gap blocks, usrsctp has disjoint
    # lists; the union is what was received under both.
    gaps |= non_renegable
    return Received(
        cum=cum,
        gaps=gaps,
        non_renegable=non_renegable,
        top=max(gaps, default=cum),
        blocks=len(feedback.gaps) + len(feedback.nr_gaps),
        # ADAPTATION: a SHUTDOWN carries a cumulative TSN only (RFC 9260 section 3.3.8).
        tells_gaps=feedback.kind is not SackKind.SHUTDOWN and not feedback.lists_cut,
        overtaken=feedback.overtaken,
    )


def _sequence_numbers(
    blocks: tuple[tuple[Tsn, Tsn], ...], line: TsnLine, cum: int, nxt: int
) -> frozenset[int]:
    return frozenset(
        seq
        for first, last in blocks
        for seq in range(max(line.seq(first), cum + 1), min(line.seq(last) + 1, nxt))
    )
