# SPDX-License-Identifier: BSD-2-Clause
"""Captures in which much fails at once: page, plugin and command are to say the same of them."""

import struct
from collections.abc import Sequence
from pathlib import Path

from tests.builder import layers, sctp
from tests.builder.files import START, Pcapng
from tests.builder.talk import (
    ABORT,
    COOKIE_ECHO,
    INIT_ACK,
    RAW,
    A,
    B,
    Carrier,
    End,
    Talk,
    in_ipv4,
    init,
)

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
    refused = [b"", cause(USER, b"not today\0\1"), cause(USER, b"not today")]
    for causes in [*refused, *(cause(code) for code in range(4711, 4720))]:  # more than are named
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


#: Milliseconds since its first, who sends, and a chunk.
Frames = Sequence[tuple[float, str, bytes]]


def _warm_up(tsn: int = 100, count: int = 10) -> Frames:
    """Round trips of 40 ms."""
    return [
        frame
        for n in range(count)
        for frame in (
            (100.0 * n, "a", sctp.data(tsn + n)),
            (100.0 * n + 40, "b", sctp.sack(tsn + n)),
        )
    ]


#: Each of an association of its own, behind a warm-up up to TSN 109 and 940 ms.
STALLS: dict[str, Frames] = {
    "two timeouts in a row": [
        *((float(at), "a", sctp.data(110)) for at in (1000, 2000, 4000)),
        (4040, "b", sctp.sack(110)),
    ],
    "a timeout at last": [
        *((float(at), "a", sctp.data(110 + n)) for n, at in enumerate((1000, 1001, 1002, 1003))),
        *((1041.0 + n, "b", sctp.sack(109, [(2, 2 + n)])) for n in range(3)),
        (1044, "a", sctp.data(110)),
        (3000, "a", sctp.data(110)),
        (3040, "b", sctp.sack(113)),
    ],
    "a late answer": [
        *((1000.0 + n, "a", sctp.data(110 + n)) for n in range(3)),
        *((2000.0 + n, "a", sctp.data(110 + n)) for n in range(3)),
        (2003, "b", sctp.sack(112)),
        (2043, "b", sctp.sack(112, [], [110, 111, 112])),
    ],
    "no answer": [*((float(at), "a", sctp.data(110)) for at in (1000, 2000, 4000, 8000))],
    "several, of two kinds": [
        frame
        for n in range(4)
        for frame in (
            (1000 + 10_000.0 * n, "a", sctp.data(110 + n)),
            (2000 + 10_000.0 * n, "a", sctp.data(110 + n)),
            *([] if n == 2 else [(4000 + 10_000.0 * n, "a", sctp.data(110 + n))]),
            (4040 + 10_000.0 * n, "b", sctp.sack(110 + n)),
        )
    ],
    "behind a TSN that was not seen": [
        (1000, "a", sctp.data(110)),
        (1040, "b", sctp.sack(110)),
        *((float(at), "a", sctp.data(112)) for at in (2000, 3000, 5000)),
        (5040, "b", sctp.sack(112)),
    ],
    "a closed window": [
        (1000, "a", sctp.data(110)),
        (1040, "b", sctp.sack(110, a_rwnd=0)),
        *((float(at), "a", sctp.data(111)) for at in (2000, 3000, 5000)),
        *((float(at), "b", sctp.sack(110, a_rwnd=0)) for at in (2040, 3040, 5040)),
        (7000, "a", sctp.data(111)),
        (7040, "b", sctp.sack(111)),
    ],
    "one that was sent first behind the next": [
        (1000, "a", sctp.data(111)),
        (1040, "b", sctp.sack(109, [(2, 2)])),
        *((float(at), "a", sctp.data(110)) for at in (2000, 3000, 5000)),
        (5040, "b", sctp.sack(111)),
    ],
}


def _together(talk: Talk, those: Sequence[tuple[Frames, bool]]) -> None:
    """At the same time; of some of them `a` and `b` change places."""
    ends, frames = _Ends(), []
    for began, (some, turned) in enumerate(those):
        a, b = ends.next()
        talk.handshake(a, b)
        if turned:
            a, b = b, a
        frames += [(at + began, a, b, who, chunk) for at, who, chunk in some]
    now = 0.0
    for at, a, b, who, chunk in sorted(frames, key=lambda frame: frame[0]):
        source, to = (a, b) if who == "a" else (b, a)
        talk.say(source, to, chunk, later_us=round((at - now) * 1000))
        now = at


def stalled(folder: Path) -> Path:
    """Nothing is delivered for long, in one direction of each association."""
    talk = Talk()
    _together(talk, [([*_warm_up(), *one], at % 2 == 1) for at, one in enumerate(STALLS.values())])
    return talk.write(folder).rename(folder / "stalled.pcapng")


def limited(folder: Path) -> Path:
    """Of two associations, one each way: a small window, and feedback that comes late."""
    window = [
        frame
        for n in range(100)
        for frame in (
            *((100.0 * n + k, "a", sctp.data(100 + 2 * n + k, bytes(1000))) for k in range(2)),
            (100.0 * n + 90, "b", sctp.sack(101 + 2 * n, a_rwnd=2000)),
        )
    ]
    lost = [
        frame
        for n in range(10)
        for frame in (
            *((5000.0 * n + k, "a", sctp.data(100 + 8 * n + k, bytes(1000))) for k in range(8)),
            (5000.0 * n + 48, "b", sctp.sack(106 + 8 * n)),
            (5000.0 * n + 4000, "a", sctp.data(107 + 8 * n, bytes(1000))),
            (5000.0 * n + 4040, "b", sctp.sack(107 + 8 * n)),
        )
    ]
    talk = Talk()
    _together(talk, [(window, False), (lost, True)])
    return talk.write(folder).rename(folder / "limited.pcapng")


def _icmp_v4(kind: int, code: int, dport: int, rest: int = 0, reporter: int = 9) -> bytes:
    """About an INIT to that port."""
    packet = sctp.packet(init(A), sport=A.port, dport=dport, vtag=0)
    quote = layers.ipv4(layers.SCTP, packet, src=A.address, dst=B.address)
    message = struct.pack(">BBHI", kind, code, 0, rest) + quote
    return layers.ipv4(layers.ICMP, message, src=f"10.0.0.{reporter}", dst=A.address)


def _icmp_v6(kind: int, code: int, rest: int = 0) -> bytes:
    quote = layers.ipv6(layers.SCTP, sctp.packet(init(A), sport=A.port, dport=B.port, vtag=0))
    message = struct.pack(">BBHI", kind, code, 0, rest) + quote
    return layers.ipv6(layers.ICMPV6, message, src="2001:db8::9", dst="2001:db8::1")


def icmp(folder: Path) -> Path:
    """INITs without an answer, and ICMP errors that say why and what else."""
    file = Pcapng()
    file.interface(RAW)
    packet = sctp.packet(init(A), sport=A.port, dport=7000, vtag=0)
    sent = layers.ipv4(layers.SCTP, packet, src=A.address, dst=B.address)
    quotes = [_icmp_v4(3, code, 7000 + code, reporter=9 + code % 2) for code in range(16)]
    quotes += [_icmp_v4(3, 4, 7000, rest=mtu) for mtu in (1400, 1400, 1280)]
    quotes += [_icmp_v4(kind, code, 7000) for kind in (4, 5, 11, 12) for code in (0, 1)]
    quotes += [_icmp_v6(kind, code) for kind in (1, 3, 4) for code in range(8)]
    quotes += [_icmp_v6(2, 0, rest=1300)]
    quotes += [_icmp_v4(3, 1, 7100 + port) for port in range(40)]
    for at, frame in enumerate([sent, *quotes, sent]):
        file.packet(frame, ticks=START * SECOND + at * 100_000)
    path = folder / "icmp.pcapng"
    path.write_bytes(bytes(file))
    return path


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
