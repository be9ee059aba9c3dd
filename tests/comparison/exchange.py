# SPDX-License-Identifier: BSD-2-Clause
"""A short exchange by hand: DATA and acknowledgements at given moments, read back."""

import struct
from collections.abc import Sequence
from pathlib import Path

import sctp_rack
from sctp_rack import Direction

from tests.builder import sctp
from tests.builder.talk import A, B, Talk

FIRST, LAST, WHOLE, UNORDERED = 0x02, 0x01, 0x03, 0x04
MS = 1_000_000


def data(tsn: int, flags: int = WHOLE, sid: int = 1, ssn: int = 0) -> bytes:
    """100 bytes of a message."""
    return sctp.chunk(sctp.DATA, flags, struct.pack(">IHHI", tsn, sid, ssn, 51) + bytes(100))


def i_data(tsn: int, mid: int, fsn: int, flags: int, sid: int = 1) -> bytes:
    """100 bytes of a message (RFC 8260); the first fragment has a PPID where others have an FSN."""
    last = 51 if flags & FIRST else fsn
    return sctp.chunk(
        sctp.I_DATA, flags, struct.pack(">IHHII", tsn, sid, 0, mid, last) + bytes(100)
    )


def sack(cum: int, *gaps: tuple[int, int]) -> bytes:
    """Gaps as TSNs, first and last."""
    blocks = b"".join(struct.pack(">HH", first - cum, last - cum) for first, last in gaps)
    return sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", cum, 65536, len(gaps), 0) + blocks)


def forward_tsn(cum: int) -> bytes:
    """What the sender gives up (RFC 3758)."""
    return sctp.chunk(192, 0, struct.pack(">I", cum))


def direction(folder: Path, frames: Sequence[tuple[float, str, bytes]]) -> Direction:
    """What a sends in these frames: milliseconds since the first, who sends, one chunk."""
    talk, now_us = Talk(), 0
    for at_ms, who, chunk in frames:
        at_us = round(at_ms * 1000)
        source, to = (A, B) if who == "a" else (B, A)
        talk.say(source, to, chunk, later_us=at_us - now_us)
        now_us = at_us
    return sctp_rack.read(talk.write(folder)).associations[0].a2b
