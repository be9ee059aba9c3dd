# SPDX-License-Identifier: BSD-2-Clause
"""Decides by counting which chunks are lost: the missing reports of RFC 9260 section 7.2.4.

The rule is one; who counts which reports, and whether a TSN may be fast-retransmitted again,
differs between stacks and is data plus two small functions.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.recovery import Phase
from sctp_rack.reference.scoreboard import Acknowledgement, Scoreboard


def htna(ack: Acknowledgement) -> int | None:
    """Return the highest TSN newly acknowledged: RFC 9260."""
    return max((d.seq for d in ack.newly), default=None)


def highest_acked(ack: Acknowledgement) -> int | None:
    """Return the highest TSN acknowledged, newly or not: pion from 1.9.0 on."""
    return ack.received.top


def never(_chunk: Chunk, _htna: int | None) -> bool:
    """Forbid a second fast retransmission of a TSN: RFC 9260."""
    return False


def after_newer_data(chunk: Chunk, htna_seq: int | None) -> bool:
    """Allow it once data is acknowledged that was new after the last one: usrsctp."""
    nxt = chunk.fast_retransmit_nxt
    return nxt is not None and htna_seq is not None and htna_seq >= nxt


def always(_chunk: Chunk, _htna: int | None) -> bool:
    """Allow it: each resend starts a new count (dcSCTP)."""
    return True


@dataclass(frozen=True, slots=True)
class MissParameters:
    """How missing reports are counted. The defaults are those of RFC 9260.

    `count_below` gives the sequence number below which a report counts; `repeat` says whether a
    TSN that was fast-retransmitted may be so again. `split_paths`: a report counts only if
    something later on the same path is newly acknowledged (CMT, split fast retransmit).

    `exits_first`: a SACK that ends fast recovery is counted as outside it; RFC 9260 counts first.
    `as_usrsctp`: they are counted as in `usrsctp.py`, where `split_paths` stands for CMT.
    `as_pion`: counts and recovery are those of `pion_misses.py`, and T3-rtx ends fast recovery.
    """

    threshold: int = 3
    count_below: Callable[[Acknowledgement], int | None] = htna
    repeat: Callable[[Chunk, int | None], bool] = never
    split_paths: bool = False
    exits_first: bool = False
    as_usrsctp: bool = False
    as_pion: bool = False


def count_misses(
    parameters: MissParameters, board: Scoreboard, ack: Acknowledgement, phase: Phase
) -> list[Chunk]:
    """Count one feedback's missing reports and return the chunks whose threshold is reached."""
    top = parameters.count_below(ack)
    limit = top
    if phase is Phase.FAST and ack.cum_advanced:
        # RFC 9260 §7.2.4 in-recovery: with the cumulative TSN advancing, for all TSNs missing.
        limit = ack.received.top
    counted = list(ack.taken_back)
    for chunk in board:
        if chunk.in_flight is None or chunk in ack.taken_back:
            continue
        # RFC 9260 §7.2.4 HTNA: only missing TSNs prior to the highest one newly acknowledged.
        if limit is None or chunk.seq >= limit:
            break
        if parameters.split_paths and not _later_on_path(ack, chunk):
            continue
        if chunk.fast_retransmit_nxt is None or parameters.repeat(chunk, top):
            board.count_miss(chunk)
            counted.append(chunk)
    return _reached(parameters, board, counted, top)


def _reached(
    parameters: MissParameters, board: Scoreboard, counted: list[Chunk], top: int | None
) -> list[Chunk]:
    lost = []
    for chunk in counted:
        flight = chunk.in_flight
        # RFC 9260 §7.2.4 third: the third miss indication marks a chunk.
        # RFC 9260 §7.2.4 rule 1: mark the chunks with three miss indications.
        if flight is None or flight.misses != parameters.threshold:
            continue
        # RFC 9260 §7.2.4 rule 5: a fast-retransmitted chunk is not eligible again.
        if chunk.fast_retransmit_nxt is None or parameters.repeat(chunk, top):
            chunk.fast_retransmit_nxt = board.nxt
            lost.append(chunk)
    return lost


def _later_on_path(ack: Acknowledgement, chunk: Chunk) -> bool:
    return any(d.path == chunk.path and d.seq > chunk.seq for d in ack.newly)
