# SPDX-License-Identifier: BSD-2-Clause
"""Tunnels and SCTP over UDP."""

from tests.builder import sctp
from tests.builder.case import ALL, NOTHING, PACKET, TSN, Case, theirs
from tests.builder.ip_cases import RAW
from tests.builder.layers import (
    GRE,
    IPV4,
    IPV6,
    MPLS,
    SCTP,
    TEB,
    UDP,
    VLAN,
    ethernet,
    geneve,
    gre,
    gtpu,
    ipv4,
    ipv6,
    labels,
    tag,
    udp,
    vxlan,
)

IN_IPV4, IN_IPV6, IN_MPLS = 4, 41, 137
GTPU, VXLAN, VXLAN_LINUX, GENEVE, NAMED, FOUND = 2152, 4789, 8472, 6081, 40000, 40001

FOUR, SIX = ipv4(SCTP, PACKET), ipv6(SCTP, PACKET)
FRAME = ethernet(IPV4, FOUR)


def _gre(ethertype: int, payload: bytes, flags: int = 0) -> list[bytes]:
    return [ipv4(GRE, gre(ethertype, payload, flags=flags))]


def _port(port: int, payload: bytes) -> list[bytes]:
    return [ipv4(UDP, udp(50000, port, payload))]


def nested(depth: int) -> bytes:
    """SCTP in so many IPv4 headers."""
    packet = FOUR
    for _ in range(depth - 1):
        packet = ipv4(IN_IPV4, packet)
    return packet


TUNNELS = [
    Case("GRE", RAW, _gre(IPV4, FOUR)),
    Case("GRE, IPv6", RAW, _gre(IPV6, SIX)),
    *(
        Case(f"GRE with {name}", RAW, _gre(IPV4, FOUR, flags))
        for name, flags in (
            ("checksum", 0x8000),
            ("key", 0x2000),
            ("sequence number", 0x1000),
            ("all of them", 0xB000),
        )
    ),
    Case("GRE, Ethernet inside", RAW, _gre(TEB, FRAME)),
    Case("GRE, 802.1Q in Ethernet inside", RAW, _gre(TEB, ethernet(VLAN, tag(IPV6, SIX)), 0x2000)),
    Case("GRE, MPLS inside", RAW, _gre(MPLS, labels(FOUR, 16))),
    Case("GRE over IPv6", RAW, [ipv6(GRE, gre(IPV4, FOUR))]),
    Case("4in4", RAW, [ipv4(IN_IPV4, FOUR)]),
    Case("6in4", RAW, [ipv4(IN_IPV6, SIX)]),
    Case("4in6", RAW, [ipv6(IN_IPV4, FOUR)]),
    Case("6in6", RAW, [ipv6(IN_IPV6, SIX)]),
    Case("MPLS in IP", RAW, [ipv4(IN_MPLS, labels(FOUR, 16, 17))]),
    Case("GTP-U", RAW, _port(GTPU, gtpu(FOUR))),
    Case("GTP-U, IPv6", RAW, _port(GTPU, gtpu(SIX))),
    Case("GTP-U with sequence number", RAW, _port(GTPU, gtpu(FOUR, flags=2, optional=b"\0\7\0\0"))),
    Case("GTP-U with N-PDU number", RAW, _port(GTPU, gtpu(FOUR, flags=1, optional=b"\0\0\5\0"))),
    Case(
        "GTP-U with an extension header",
        RAW,
        _port(GTPU, gtpu(FOUR, flags=4, optional=b"\0\0\0\x85" + b"\x01\x10\x09\x00")),
    ),
    Case(
        "GTP-U with sequence number and two extension headers",
        RAW,
        _port(
            GTPU,
            gtpu(
                SIX,
                flags=6,
                optional=b"\0\7\0\xc0" + b"\x01\x12\x34\x85" + b"\x02\x00\x09\x00\0\0\0\x00",
            ),
        ),
    ),
    Case(
        "GTP-U echo request",
        RAW,
        _port(GTPU, gtpu(b"", flags=2, optional=bytes(4), message=1)),
        NOTHING,
        {"other_protocol": 1},
    ),
    Case(
        "GTP-U end marker",
        RAW,
        _port(GTPU, gtpu(b"", flags=2, optional=bytes(4), message=254)),
        NOTHING,
        {"other_protocol": 1},
    ),
    Case("VXLAN", RAW, _port(VXLAN, vxlan(FRAME))),
    Case("VXLAN, 802.1Q inside", RAW, _port(VXLAN, vxlan(ethernet(VLAN, tag(IPV6, SIX))))),
    Case(
        "VXLAN on Linux's port",
        RAW,
        _port(VXLAN_LINUX, vxlan(FRAME)),
        **theirs(NOTHING, "tshark expects OTV on Linux's VXLAN port"),
    ),
    Case("Geneve", RAW, _port(GENEVE, geneve(TEB, FRAME))),
    Case(
        "Geneve with options",
        RAW,
        _port(GENEVE, geneve(TEB, FRAME, b"\x01\x02\x03\x01" + bytes(4))),
    ),
    Case("Geneve, IPv4 inside", RAW, _port(GENEVE, geneve(IPV4, FOUR))),
    Case(
        "VXLAN in 6in4 in GRE",
        RAW,
        _gre(IPV4, ipv4(IN_IPV6, ipv6(UDP, udp(1, VXLAN, vxlan(FRAME))))),
    ),
    Case(
        "GTP-U in MPLS in 802.1Q",
        1,
        [ethernet(VLAN, tag(MPLS, labels(_port(GTPU, gtpu(SIX))[0], 16)))],
    ),
    Case(
        "SCTP over UDP in Geneve",
        RAW,
        _port(GENEVE, geneve(IPV6, ipv6(UDP, udp(9899, 9899, PACKET)))),
    ),
    Case("8 nested IPv4 headers", RAW, [nested(8)]),
    Case(
        "40 nested IPv4 headers",
        RAW,
        [nested(40)],
        NOTHING,
        {"too_deep": 1},
        **theirs(ALL, "we follow 32 headers and name the rest"),
    ),
]


def _udp(*packets: tuple[int, int, bytes]) -> list[bytes]:
    """The lower port is at 10.0.0.1, so that ports in turn are two directions of one flow."""
    hosts = ("10.0.0.1", "10.0.0.2")
    return [
        ipv4(UDP, udp(sport, dport, packet), src=hosts[sport > dport], dst=hosts[sport < dport])
        for sport, dport, packet in packets
    ]


def _six(*packets: tuple[int, int, bytes]) -> list[bytes]:
    hosts = ("2001:db8::1", "2001:db8::2")
    return [
        ipv6(UDP, udp(sport, dport, packet), src=hosts[sport > dport], dst=hosts[sport < dport])
        for sport, dport, packet in packets
    ]


ZERO, WRONG = (sctp.both(TSN, checksum=checksum) for checksum in (sctp.zero, sctp.wrong))
LATE = "on a port that nobody named we know SCTP only from the first right CRC32c on"

SCTP_OVER_UDP = [
    Case("UDP to 9899", RAW, _udp((50000, 9899, PACKET))),
    Case("UDP from 9899", RAW, _udp((9899, 50001, PACKET))),
    Case("UDP from 9899 over IPv6", RAW, _six((9899, 50001, PACKET))),
    Case("UDP to 9899, zero checksum", RAW, _udp((50000, 9899, ZERO))),
    Case(
        "UDP to a named port, zero and wrong checksum",
        RAW,
        _udp((1, NAMED, ZERO), (NAMED, 2, WRONG)),
        {1: [TSN], 2: [TSN]},
    ),
    Case("UDP on an unnamed port with a right CRC32c", RAW, _udp((FOUND, 50001, PACKET))),
    Case(
        "UDP on an unnamed port, found by its second packet",
        RAW,
        _udp(
            (50002, FOUND + 1, WRONG),
            (50002, FOUND + 1, PACKET),
            (50002, FOUND + 1, WRONG),
            (FOUND + 1, 50002, ZERO),
        ),
        {2: [TSN], 3: [TSN], 4: [TSN]},
        {"other_protocol": 1},
        **theirs({1: [TSN], 2: [TSN], 3: [TSN], 4: [TSN]}, LATE),
    ),
    Case(
        "UDP over IPv6 on an unnamed port, found by the other side's packet",
        RAW,
        _six((50003, FOUND + 2, ZERO), (FOUND + 2, 50003, PACKET), (50003, FOUND + 2, ZERO)),
        {2: [TSN], 3: [TSN]},
        {"other_protocol": 1},
        **theirs({1: [TSN], 2: [TSN], 3: [TSN]}, LATE),
    ),
    Case(
        "UDP on an unnamed port, zero checksums only",
        RAW,
        _udp((50004, FOUND + 3, ZERO), (FOUND + 3, 50004, ZERO)),
        NOTHING,
        {"other_protocol": 2},
        **theirs({1: [TSN], 2: [TSN]}, LATE),
    ),
    Case(
        "UDP flows of one found port are found one by one",
        RAW,
        _udp((50005, FOUND + 4, PACKET), (50006, FOUND + 4, ZERO)),
        {1: [TSN]},
        {"other_protocol": 1},
        **theirs({1: [TSN], 2: [TSN]}, LATE),
    ),
    Case(
        "DTLS over UDP",
        RAW,
        _udp((50007, 50008, b"\x17\xfe\xfd" + bytes(8) + b"\x00\x10" + bytes(16))),
        NOTHING,
        {"dtls": 1},
    ),
    Case(
        "UDP length 0",
        RAW,
        [ipv4(UDP, udp(50009, 9899, PACKET, length=0))],
        **theirs(
            NOTHING, "to tshark length 0 is wrong outside of jumbograms; offload leaves it so"
        ),
    ),
]

DROPPED = sctp.packet(sctp.packet_drop(PACKET), sctp.data(TSN), sctp.sack(TSN, [(2, 3)], [TSN]))

TUNNEL_CASES = [*TUNNELS, *SCTP_OVER_UDP]
