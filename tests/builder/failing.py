# SPDX-License-Identifier: BSD-2-Clause
"""Captures in which much fails at once: page, plugin and command are to say the same of them."""

import struct
from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import ABORT, COOKIE_ECHO, INIT_ACK, Carrier, End, Talk, in_ipv4, init

SECOND = 1_000_000
HEARTBEAT, ERROR, T_BIT = 4, 9, 1
STALE_COOKIE, OUT_OF_RESOURCE, UNKNOWN_CHUNK, USER, VIOLATION = 3, 4, 6, 12, 13


def cause(code: int, value: bytes = b"") -> bytes:
    """An error cause (RFC 9260 section 3.3.10)."""
    return struct.pack(">HH", code, 4 + len(value)) + value + bytes(-len(value) % 4)


class _Ends:
    """Of one association after the other."""

    def __init__(self) -> None:
        self._count = 0

    def next(self, port: int = 7000) -> tuple[End, End]:
        self._count += 1
        host, tag = f"10.1.{self._count // 200}.{self._count % 200 + 1}", 16 * self._count
        return End(host, 5000, tag), End("10.2.0.1", port, tag + 1)


def _handshakes(talk: Talk, ends: _Ends) -> None:
    """That are never answered, refused, or not completed."""
    for port in (7000, 7001, 7001):
        a, b = ends.next(port)
        for _ in range(2):
            talk.say(a, b, init(a), vtag=0)
    for causes in (b"", cause(USER, b"not today\0\1"), cause(4711), cause(USER, b"not today")):
        a, b = ends.next()
        talk.say(a, b, init(a), vtag=0)
        talk.say(b, a, sctp.chunk(ABORT, 0, causes))
    for echoes in (0, 1, 2):
        a, b = ends.next()
        talk.say(a, b, init(a), vtag=0)
        talk.say(b, a, init(b, INIT_ACK))
        for _ in range(echoes):
            talk.say(a, b, sctp.chunk(COOKIE_ECHO, 0, b"cookie"))


def _transfer(talk: Talk, ends: _Ends, outstanding: bool = False) -> tuple[End, End]:
    """An association that has carried something."""
    a, b = ends.next()
    talk.handshake(a, b)
    talk.say(a, b, sctp.data(1000))
    talk.say(b, a, sctp.sack(1000))
    if outstanding:
        talk.say(a, b, sctp.data(1001, bytes(1000)))
    return a, b


def _aborts(talk: Talk, ends: _Ends) -> None:
    for flags, causes, outstanding in (
        (0, cause(USER), False),
        (0, cause(USER), True),
        (0, cause(USER), True),
        (0, cause(VIOLATION, "für dich".encode()), False),
        (0, cause(VIOLATION, "\u202ebad".encode()), False),
        (0, cause(OUT_OF_RESOURCE), False),
        (0, b"", False),
        (T_BIT, b"", False),
    ):
        a, b = _transfer(talk, ends, outstanding)
        talk.say(b, a, sctp.chunk(ABORT, flags, causes), vtag=b.vtag if flags else None)
    a, b = ends.next()
    talk.say(a, b, init(a), vtag=0)
    talk.say(a, b, sctp.chunk(ABORT, 0, cause(USER)), vtag=a.vtag)


def _errors(talk: Talk, ends: _Ends) -> None:
    for causes in (
        cause(STALE_COOKIE, bytes(4)),
        cause(UNKNOWN_CHUNK, bytes(4)),
        cause(STALE_COOKIE, bytes(4)),
        b"",
        b"".join(cause(code) for code in range(100, 1100)),
    ):
        a, b = _transfer(talk, ends)
        for _ in range(2):
            talk.say(b, a, sctp.chunk(ERROR, 0, causes))


def _heartbeats(talk: Talk, ends: _Ends) -> None:
    """On two other paths, to one that does not answer and one that cannot be routed."""
    a, b = _transfer(talk, ends)
    for at in range(6):
        information = struct.pack(">HHI", 1, 8, at)
        other = End(f"10.3.0.{1 + at % 2}", a.port, a.vtag)
        talk.say(other, b, sctp.chunk(HEARTBEAT, 0, information), later_us=30 * SECOND)


def signalled(folder: Path, carrier: Carrier = in_ipv4) -> Path:
    """Handshakes that fail, ABORT, ERROR and HEARTBEATs without an answer."""
    talk, ends = Talk(carrier), _Ends()
    _handshakes(talk, ends)
    _aborts(talk, ends)
    _errors(talk, ends)
    _heartbeats(talk, ends)
    a, b = _transfer(talk, ends)
    talk.say(a, b, sctp.data(1001), later_us=2 * SECOND)
    talk.say(b, a, sctp.sack(1001))
    return talk.write(folder).rename(folder / f"signalled-{carrier.__name__}.pcapng")
