# SPDX-License-Identifier: BSD-2-Clause
"""Chunks that `tests/builder/sctp.py` has not, and those that attacks send by the thousand."""

import struct
from collections.abc import Sequence

from tests.builder import sctp

INIT, INIT_ACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN, SHUTDOWN_ACK, ERROR = (
    1,
    2,
    4,
    5,
    6,
    7,
    8,
    9,
)
COOKIE_ECHO, SHUTDOWN_COMPLETE, FORWARD_TSN, I_FORWARD_TSN = 10, 14, 192, 194
ASCONF, ASCONF_ACK, RE_CONFIG = 193, 128, 130

MOST = 65535  #: that 16 bits hold

_DATA = struct.Struct(">BBHIHHI")
_SACK = struct.Struct(">BBHIIHH")


def data(tsn: int, payload: bytes = b"user", *, flags: int = 3, stream: int = 1) -> bytes:
    """DATA; flags 2: it begins a message, 1: it ends one."""
    head = _DATA.pack(0, flags, 16 + len(payload), tsn & 0xFFFFFFFF, stream, tsn & MOST, 51)
    return head + payload + bytes(-len(payload) % 4)


def sack(cum: int, gaps: bytes = b"", dups: bytes = b"") -> bytes:
    """Gap blocks and duplicates are packed already: any bytes are some."""
    size, window = 16 + len(gaps) + len(dups), 1 << 20
    counts = len(gaps) // 4, len(dups) // 4
    return _SACK.pack(3, 0, size, cum & 0xFFFFFFFF, window, *counts) + gaps + dups


def blocks(*pairs: tuple[int, int]) -> bytes:
    """Gap blocks as `sack` takes them."""
    return b"".join(struct.pack(">HH", *pair) for pair in pairs)


def init(tag: int, tsn: int, parameters: bytes = b"", kind: int = INIT) -> bytes:
    """INIT or INIT ACK."""
    return sctp.chunk(
        kind, 0, struct.pack(">IIHHI", tag, 1 << 20, 64, 64, tsn & 0xFFFFFFFF) + parameters
    )


def parameter(kind: int, value: bytes) -> bytes:
    """One parameter or error cause, padded to four bytes."""
    return struct.pack(">HH", kind, 4 + len(value)) + value + bytes(-len(value) % 4)


def addresses(numbers: Sequence[int]) -> bytes:
    """IPv4 and IPv6 addresses in turn, as INIT lists them."""
    return b"".join(
        parameter(5, struct.pack(">I", 0x0A000000 | number & 0xFFFFFF))
        if number % 2
        else parameter(6, struct.pack(">QQ", 0x20010DB8 << 32, number))
        for number in numbers
    )


def heartbeat(nonce: bytes, kind: int = HEARTBEAT) -> bytes:
    """HEARTBEAT or HEARTBEAT ACK."""
    return sctp.chunk(kind, 0, parameter(1, nonce))


def forward_tsn(tsn: int, streams: bytes = b"", kind: int = FORWARD_TSN) -> bytes:
    """`streams`: their entries, packed."""
    return sctp.chunk(kind, 0, struct.pack(">I", tsn & 0xFFFFFFFF) + streams)


def asconf(serial: int, *changes: bytes) -> bytes:
    """Changes of addresses (RFC 5061), of 10.0.0.1."""
    own = parameter(5, b"\x0a\0\0\1")
    return sctp.chunk(ASCONF, 0, struct.pack(">I", serial & 0xFFFFFFFF) + own + b"".join(changes))
