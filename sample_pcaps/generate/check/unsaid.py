# SPDX-License-Identifier: BSD-2-Clause
"""What a stack has and its SACK does not say, and what it says and takes back."""

from collections.abc import Sequence

from .seen import Acknowledged

#: After so many blocks a SACK says nothing: dcSCTP's MAX_GAP_ACK_BLOCKS_REPORTED, SCTP_MAX_GABS of
#: net/sctp.
_MOST_BLOCKS = {"dcsctp": 20, "linux": 16}
#: A byte of usrsctp's map begins at most so many TSNs before the cumulative one: full bytes leave
#: the map (sctp_slide_mapping_arrays).
_OF_A_BYTE = 6
_MS = 1_000_000


def leaves_out(stack: str, said: Acknowledged, tsn: int) -> bool:
    """Whether the stack may have the TSN although its SACK does not say so: it is above all that
    the SACK says, which has as many blocks as the stack makes; or usrsctp counts one TSN too few
    where its map spans TSN 0 (sctp_send_sack), and so forgets the newest at a byte's end; or
    webrtc-rs says the cumulative TSN in the place of what comes after TSN 0 was reached, as long as
    that is before (get_gap_ack_blocks); or werift orders what it has by its digits (sendSack,
    markReceived)."""
    if stack == "werift":
        ends = (said.cum_tsn, *(end for _, end in said.blocks))
        return any(len(str(end)) != len(str(tsn)) for end in ends)
    if not all(_is_above(tsn, end) for end in (said.cum_tsn, *(end for _, end in said.blocks))):
        return False
    if stack == "usrsctp":
        return (said.cum_tsn - _OF_A_BYTE) % 2**32 > tsn
    if stack == "webrtc-rs":
        return tsn < said.cum_tsn
    return len(said.blocks) == _MOST_BLOCKS.get(stack)


def waits_ns(stack: str) -> int:
    """How long a SACK that says what the stack has may wait before it leaves: sctp of npm puts it
    into a queue, which the next tick of its timers empties (_sendChunk)."""
    return _MS if stack == "npm-sctp" else 0


def repeats_reports(stack: str) -> bool:
    """Whether it may report a duplicate with several SACKs: werift empties its list when its socket
    has taken a SACK (sendSack)."""
    return stack == "werift"


def takes_back(stack: str, said: Sequence[Acknowledged], tsn: int) -> bool:
    """Whether these SACKs, one of which acknowledges the TSN, show that the stack threw it away
    later (RFC 9260 section 6.6): to make room Linux does so with what is above a gap
    (sctp_ulpq_renege)."""
    only_in_blocks = all(_is_above(tsn, one.cum_tsn) for one in said)
    return stack == "linux" and only_in_blocks and not said[-1].covers(tsn)


def _is_above(tsn: int, other: int) -> bool:
    return 0 < (tsn - other) % 2**32 < 2**31
