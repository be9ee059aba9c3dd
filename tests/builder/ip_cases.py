# SPDX-License-Identifier: BSD-2-Clause
"""IPv4 and IPv6: headers, fragments and what is not to be counted."""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.builder import sctp
from tests.builder.case import NOTHING, PACKET, TSN, Case, theirs
from tests.builder.layers import (
    AH,
    FRAGMENT,
    ICMP,
    ICMPV6,
    IPV4,
    SCTP,
    UDP,
    authentication,
    ethernet,
    extension,
    icmp,
    ipv4,
    ipv6,
    ipv6_fragment,
    udp,
)

RAW = 101
IN_IPV4 = 4
KEPT_DATAGRAMS = 64

HOP_BY_HOP, ROUTING, DESTINATION, MOBILITY, HIP, SHIM6, NO_NEXT, ESP = (
    0,
    43,
    60,
    135,
    139,
    140,
    59,
    50,
)


def pieces(payload: bytes, *cuts: int) -> Iterator[tuple[int, bytes, bool]]:
    """Offset, bytes and whether more follow, of `payload` cut at `cuts`."""
    starts, ends = (0, *cuts), (*cuts, len(payload))
    for start, end in zip(starts, ends, strict=True):
        yield start, payload[start:end], end < len(payload)


def four(ident: int, payload: bytes, *cuts: int, protocol: int = SCTP) -> list[bytes]:
    """IPv4 fragments."""
    return [
        ipv4(protocol, piece, ident=ident, offset=offset, more=more)
        for offset, piece, more in pieces(payload, *cuts)
    ]


def six(ident: int, payload: bytes, *cuts: int, protocol: int = SCTP) -> list[bytes]:
    """IPv6 fragments."""
    return [
        ipv6(FRAGMENT, ipv6_fragment(protocol, piece, ident=ident, offset=offset, more=more))
        for offset, piece, more in pieces(payload, *cuts)
    ]


def _part(version: int, ident: int, start: int, end: int, payload: bytes) -> bytes:
    more = end < len(payload)
    if version == 4:
        return ipv4(SCTP, payload[start:end], ident=ident, offset=start, more=more)
    piece = ipv6_fragment(SCTP, payload[start:end], ident=ident, offset=start, more=more)
    return ipv6(FRAGMENT, piece)


HEADERS = [
    Case("IPv4 options", RAW, [ipv4(SCTP, PACKET, options=b"\x94\x04\x00\x00" + b"\x01" * 36)]),
    Case("padding behind IPv4", 1, [ethernet(IPV4, ipv4(SCTP, PACKET) + bytes(13))]),
    Case("IPv4 AH", RAW, [ipv4(AH, authentication(SCTP, PACKET))]),
    Case("IPv6 AH", RAW, [ipv6(AH, authentication(SCTP, PACKET))]),
    Case("total length 0", RAW, [ipv4(SCTP, PACKET, total=0)]),
    Case("IPv6 payload length 0", RAW, [ipv6(SCTP, PACKET, length=0)]),
    *(
        Case(f"IPv6 extension header {kind}", RAW, [ipv6(kind, extension(SCTP, PACKET, body))])
        for kind, body in (
            (HOP_BY_HOP, b"\x01\x04\x00\x00\x00\x00"),
            (DESTINATION, b"\x01\x0c" + bytes(12)),
            (ROUTING, b"\x02\x00" + bytes(4) + bytes(16)),
        )
    ),
    *(
        Case(f"IPv6 extension header {kind}", RAW, [ipv6(kind, extension(SCTP, PACKET, bytes(6)))])
        for kind in (SHIM6,)
    ),
    *(
        Case(
            f"IPv6 extension header {kind}",
            RAW,
            [ipv6(kind, extension(SCTP, PACKET, bytes(6)))],
            **theirs(NOTHING, "tshark takes mobility and HIP headers for the last ones"),
        )
        for kind in (MOBILITY, HIP)
    ),
    Case(
        "IPv6 with a chain of extension headers",
        RAW,
        [
            ipv6(
                HOP_BY_HOP,
                extension(DESTINATION, extension(AH, authentication(SCTP, PACKET))),
            )
        ],
    ),
    Case("IPv6 atomic fragment", RAW, [ipv6(FRAGMENT, ipv6_fragment(SCTP, PACKET, ident=900))]),
    Case("IPv6 no next header", RAW, [ipv6(NO_NEXT, PACKET)], NOTHING, {"other_protocol": 1}),
    Case("ESP", RAW, [ipv4(ESP, bytes(40))], NOTHING, {"encrypted": 1}),
    Case("TCP", RAW, [ipv4(6, bytes(20))], NOTHING, {"other_protocol": 1}),
    Case(
        "IPv4 header length below five words",
        RAW,
        [b"\x44" + ipv4(SCTP, PACKET)[1:]],
        NOTHING,
        {"malformed": 1},
    ),
    Case(
        "IPv4 total length below the header",
        RAW,
        [ipv4(SCTP, PACKET, total=19)],
        NOTHING,
        {"malformed": 1},
    ),
    Case(
        "ICMP errors that quote SCTP",
        RAW,
        [ipv4(ICMP, icmp(kind, 0, ipv4(SCTP, PACKET))) for kind in (3, 4, 5, 11, 12)],
        NOTHING,
        {"icmp_quote": 5},
    ),
    Case(
        "ICMPv6 errors that quote SCTP",
        RAW,
        [ipv6(ICMPV6, icmp(kind, 0, ipv6(SCTP, PACKET))) for kind in (1, 2, 3, 4)],
        NOTHING,
        {"icmp_quote": 4},
    ),
    Case(
        "an ICMP echo that looks like a quote",
        RAW,
        [ipv4(ICMP, icmp(8, 0, ipv4(SCTP, PACKET)))],
        NOTHING,
        {"other_protocol": 1},
    ),
]


def _fragments(version: int, base: int) -> list[Case]:
    """The same for both versions; identifications count up from `base`."""
    cut = four if version == 4 else six
    big = sctp.both(TSN, 400)
    one, two, three = (sctp.both(TSN + i, 100) for i in range(3))

    def case(name: str, frames: Sequence[bytes], last: dict[int, list[int]], **more: Any) -> Case:
        skips = {"fragment": len(frames) - len(last)}
        return Case(
            f"IPv{version} fragments {name}", RAW, frames, last, **({"skips": skips} | more)
        )

    a = cut(base, big, 8, 80, 240)
    b = cut(base + 1, big, 80, 160, 240)
    c = cut(base + 2, big, 80, 160)
    d = cut(base + 3, big, 80, 240)
    e = [cut(base + 4 + i, packet, 64) for i, packet in enumerate((one, two, three))]
    f = cut(base + 7, big, 80, 240)
    g = cut(base + 8, big, 80, 240)
    h = base + 9
    overlapping = [
        _part(version, h, 0, 160, big),
        _part(version, h, 80, 240, big),
        _part(version, h, 160, len(big), big),
    ]
    changed = big[:100] + b"other bytes" + big[111:]
    contradicting = [
        _part(version, h + 1, 0, 160, big),
        _part(version, h + 1, 80, 240, changed),
        _part(version, h + 1, 160, len(big), big),
    ]
    wraps = [*cut(base + 11, one, 64), *cut(base + 11, two, 64), *cut(base + 11, three, 64)]
    udp_pieces = cut(base + 12, udp(9899, 9899, big), 80, 240, protocol=UDP)
    late = cut(base + 13, big, 80, 240)
    twice = cut(base + 14, big, 80, 240)
    return [
        case("in order", a, {4: [TSN]}),
        case("last first", b[::-1], {4: [TSN]}),
        case("out of order", [c[1], c[0], c[2]], {3: [TSN]}),
        case("duplicated", [d[0], d[0], d[1], d[1], d[2]], {5: [TSN]}),
        case(
            "of three datagrams interleaved",
            [e[0][0], e[1][0], e[2][1], e[1][1], e[0][1], e[2][0]],
            {4: [TSN + 1], 5: [TSN], 6: [TSN + 2]},
        ),
        case("with a lost one", [f[0], f[2]], {}),
        case("with a lost first one", [g[1], g[2]], {}),
        case("overlapping with the same bytes", overlapping, {3: [TSN]}),
        case(
            "overlapping with other bytes",
            contradicting,
            {},
            skips={"fragment": 2, "fragment_overlap": 1},
            **theirs({3: [TSN]}, "RFC 8200 discards contradicting fragments; tshark flags them"),
        ),
        case("whose identification comes again", wraps, {2: [TSN], 4: [TSN + 1], 6: [TSN + 2]}),
        case("of SCTP over UDP", udp_pieces, {3: [TSN]}),
        case("of a datagram seen twice", [*twice, *twice], {3: [TSN], 6: [TSN]}),
        case("repeated after their datagram is complete", [*late, late[1]], {3: [TSN]}),
    ]


def _nested(version: int, ident: int, cut: int) -> Case:
    """Fragments in tunnelled packets that are fragments themselves, the last ones first."""
    outer = four if version == 4 else six
    inner = four(ident, sctp.both(TSN, 9000), cut)
    frames: list[bytes] = []
    for index, fragment in enumerate(reversed(inner), start=1):
        frames += reversed(outer(ident + index, fragment, 40, protocol=IN_IPV4))
    name = f"IPv4 fragments from byte {cut} in IPv{version} fragments"
    return Case(name, RAW, frames, {4: [TSN]}, {"fragment": 3})


def _many(ident: int, count: int) -> Case:
    """`count` datagrams of two fragments, all begun before the first is complete."""
    cut = [four(ident + i, sctp.both(TSN + i), 32) for i in range(count)]
    frames = [fragment for which in (0, 1) for fragment in (pair[which] for pair in cut)]
    name = f"IPv4 fragments of {count} datagrams at once"
    complete = {count + 1 + i: [TSN + i] for i in range(count)}
    if count <= KEPT_DATAGRAMS:
        return Case(name, RAW, frames, complete, {"fragment": count})
    differs = theirs(complete, "we keep 64 datagrams; the one begun longest ago makes room")
    return Case(name, RAW, frames, {}, {"fragment": 2 * count}, **differs)


def _padded(ident: int) -> Case:
    fragments = four(ident, PACKET, 48)
    padded = [ethernet(IPV4, fragment).ljust(60, b"\x55") for fragment in fragments]
    return Case("IPv4 fragments with padding", 1, padded, {2: [TSN]}, {"fragment": 1})


MORE_FRAGMENTS = [
    _nested(4, 3000, 48),
    _nested(4, 3003, 5000),
    _nested(6, 3006, 48),
    _many(4000, 64),
    _many(5000, 65),
    _padded(3020),
]

IP_CASES = [*MORE_FRAGMENTS, *HEADERS, *_fragments(4, 1000), *_fragments(6, 2000)]
