# SPDX-License-Identifier: BSD-2-Clause
"""SCTP packets from chunks (RFC 9260 section 3)."""

import struct
import zlib
from collections.abc import Callable, Sequence

import google_crc32c

Checksum = Callable[[bytes], int]

DATA, SACK, COOKIE_ACK, NR_SACK, I_DATA, PACKET_DROP, RE_CONFIG = 0, 3, 11, 16, 64, 129, 130
#: Flag of an NR-SACK: all that it has in gap blocks is non-renegable.
NR_SACK_ALL = 0x04

A_RWND = 65536


def crc32c(packet: bytes) -> int:
    """As the checksum field holds it, read most significant byte first."""
    return int.from_bytes(google_crc32c.value(packet).to_bytes(4, "little"), "big")


def adler32(packet: bytes) -> int:
    """The checksum of RFC 2960."""
    return zlib.adler32(packet)


def zero(_packet: bytes) -> int:
    """No checksum, as RFC 9653 and offload leave it."""
    return 0


def wrong(packet: bytes) -> int:
    """Neither CRC32c, Adler-32 nor zero."""
    return crc32c(packet) ^ 0x00FF00FF


def packet(
    *chunks: bytes,
    sport: int = 5000,
    dport: int = 5001,
    vtag: int = 0x11223344,
    checksum: Checksum = crc32c,
) -> bytes:
    """The common header and `chunks`."""
    ports, body = struct.pack(">HHI", sport, dport, vtag), b"".join(chunks)
    return ports + struct.pack(">I", checksum(ports + bytes(4) + body)) + body


def chunk(kind: int, flags: int, value: bytes) -> bytes:
    """One chunk, padded to four bytes."""
    return struct.pack(">BBH", kind, flags, 4 + len(value)) + value + bytes(-len(value) % 4)


def data(tsn: int, payload: bytes = b"payload!", *, at_once: bool = False) -> bytes:
    """An unfragmented message on stream 1; the I bit asks for its SACK at once (RFC 7053)."""
    return chunk(DATA, 0x0B if at_once else 0x03, struct.pack(">IHHI", tsn, 1, 2, 51) + payload)


def i_data(tsn: int, payload: bytes = b"payload!") -> bytes:
    """An unfragmented message on stream 1 (RFC 8260)."""
    return chunk(I_DATA, 0x03, struct.pack(">IHHII", tsn, 1, 0, 7, 51) + payload)


def _blocks(blocks: Sequence[tuple[int, int]]) -> bytes:
    return b"".join(struct.pack(">HH", *block) for block in blocks)


def _dups(dups: Sequence[int]) -> bytes:
    return struct.pack(f">{len(dups)}I", *dups)


def sack(
    cum: int,
    gaps: Sequence[tuple[int, int]] = (),
    dups: Sequence[int] = (),
    a_rwnd: int = A_RWND,
) -> bytes:
    """Gap blocks are offsets from `cum`."""
    fixed = struct.pack(">IIHH", cum, a_rwnd, len(gaps), len(dups))
    return chunk(SACK, 0, fixed + _blocks(gaps) + _dups(dups))


def nr_sack(
    cum: int,
    gaps: Sequence[tuple[int, int]] = (),
    nr_gaps: Sequence[tuple[int, int]] = (),
    dups: Sequence[int] = (),
    promises_all: bool = False,
) -> bytes:
    """As draft-natarajan-tsvwg-sctp-nrsack has it, with the reserved field; the A bit is the
    paper's (section III.A).
    """
    fixed = struct.pack(">IIHHHH", cum, A_RWND, len(gaps), len(nr_gaps), len(dups), 0)
    flags = NR_SACK_ALL if promises_all else 0
    return chunk(NR_SACK, flags, fixed + _blocks(gaps) + _blocks(nr_gaps) + _dups(dups))


def tsn_reset_request(number: int) -> bytes:
    """RE-CONFIG that asks for a reset of SSNs and TSNs (RFC 6525 sections 3.1 and 4.3)."""
    return chunk(RE_CONFIG, 0, struct.pack(">HHI", 15, 8, number))


def tsn_reset_response(number: int, sender_next: int, receiver_next: int, result: int = 1) -> bytes:
    """RE-CONFIG that answers it; result 1: performed (RFC 6525 section 4.4)."""
    fields = struct.pack(">HHIIII", 16, 20, number, result, sender_next, receiver_next)
    return chunk(RE_CONFIG, 0, fields)


def cookie_ack() -> bytes:
    """The shortest chunk."""
    return chunk(COOKIE_ACK, 0, b"")


def packet_drop(dropped: bytes) -> bytes:
    """A copy of a packet that was lost (draft-stewart-sctp-pktdrprep)."""
    return chunk(PACKET_DROP, 0, struct.pack(">IIHH", 1 << 20, 0, 0, 0) + dropped)


def both(tsn: int, padding: int = 0, **options: int | Checksum) -> bytes:
    """What most tests carry: DATA with `tsn` and `padding` more bytes, and SACK of `tsn`."""
    return packet(data(tsn, b"payload!" + bytes(padding)), sack(tsn, [(2, 3)], [tsn]), **options)  # type: ignore[arg-type]
