# SPDX-License-Identifier: BSD-2-Clause
"""Every link layer that is read."""

import struct
from typing import Any

from tests.builder.case import ALL, NOTHING, PACKET, Case, Packets, theirs
from tests.builder.layers import (
    FABRICPATH,
    IPV4,
    IPV6,
    MPLS,
    PPPOE,
    SCTP,
    VLAN,
    ethernet,
    ipv4,
    ipv6,
    labels,
    pppoe,
    sll,
    sll2,
    snap,
    tag,
    tags,
    udp,
)

FOUR, SIX = ipv4(SCTP, PACKET), ipv6(SCTP, PACKET)
INNER = ethernet(IPV4, FOUR)

KNOWN_MAC = bytes.fromhex("00000c000001")  # its first half belongs to a vendor
FAR_MAC = bytes.fromhex("a20000000001")  # cannot be taken for a control word or for IP
CONTROL_WORD = FCS = bytes(4)
TAGGED = ethernet(VLAN, tag(IPV6, SIX))
OTHER: tuple[Packets, dict[str, int]] = (NOTHING, {"other_protocol": 1})
ADDRESSES = ((20, bytes([10, 0, 0, 1])), (21, bytes([10, 0, 0, 2])))


def _null(family: int, order: str) -> bytes:
    return struct.pack(order + "I", family) + (FOUR if family == 2 else SIX)


ETHERNET = [
    Case("Ethernet, IPv4", 1, [INNER]),
    Case("Ethernet, IPv6", 1, [ethernet(IPV6, SIX)]),
    Case("802.3 with LLC and SNAP, IPv4", 1, [snap(IPV4, FOUR)]),
    Case("802.3 with LLC and SNAP, IPv6", 1, [snap(IPV6, SIX)]),
    Case("802.3 with SNAP of the bridge tunnel", 1, [snap(IPV4, FOUR, 0x0000F8)]),
    Case("802.3 with SNAP of another organisation", 1, [snap(IPV4, FOUR, 0x00AABB)], *OTHER),
    Case("802.3 without SNAP", 1, [ethernet(3, b"\x42\x42\x03")], *OTHER),
    Case("802.1Q", 1, [ethernet(VLAN, tag(IPV4, FOUR))]),
    Case("802.1Q, IPv6", 1, [ethernet(VLAN, tag(IPV6, SIX))]),
    *(
        Case(f"QinQ {outer:04x}+8100", 1, [ethernet(outer, tag(VLAN, tag(IPV4, FOUR)))])
        for outer in (0x88A8, 0x9100, 0x8100)
    ),
    Case(
        "QinQ 9200+8100",
        1,
        [ethernet(0x9200, tag(VLAN, tag(IPV4, FOUR)))],
        **theirs(NOTHING, "Ethertype 9200 is no VLAN tag to tshark"),
    ),
    Case(
        "802.1Q with LLC and SNAP", 1, [ethernet(VLAN, tag(8 + len(FOUR), snap(IPV4, FOUR)[14:]))]
    ),
    # tshark takes the last four bytes of a FabricPath frame for its check sequence
    Case("FabricPath", 1, [ethernet(FABRICPATH, b"\x00\x01" + INNER + FCS)]),
    Case("FabricPath, 802.1Q inside", 1, [ethernet(FABRICPATH, b"\x00\x01" + TAGGED + FCS)]),
    Case("PPPoE", 1, [ethernet(PPPOE, pppoe(b"\x00\x21" + FOUR))]),
    Case("PPPoE, IPv6", 1, [ethernet(PPPOE, pppoe(b"\x00\x57" + SIX))]),
    Case("PPPoE in 802.1Q", 1, [ethernet(VLAN, tag(PPPOE, pppoe(b"\x00\x21" + FOUR)))]),
    Case("ARP", 1, [ethernet(0x0806, bytes(28))], *OTHER),
]


def _wire(name: str, payload: bytes, **differs: Any) -> Case:
    return Case(f"pseudowire {name}", 1, [ethernet(MPLS, labels(payload, 16))], **differs)


VENDORS = ethernet(IPV4, FOUR, KNOWN_MAC, KNOWN_MAC)
GUESS = "tshark takes zero bits for a control word unless it knows the vendors of both addresses"
GUESS_NOT = "00:00:00 is a vendor to tshark, so that it takes a zero control word for an address"

PSEUDOWIRES = [
    _wire("with control word, vendors' addresses", CONTROL_WORD + VENDORS),
    _wire("with control word, local addresses", CONTROL_WORD + INNER, **theirs(NOTHING, GUESS_NOT)),
    _wire("without control word, vendors' addresses", VENDORS),
    _wire("without control word, local addresses", INNER, **theirs(NOTHING, GUESS)),
    _wire(
        "without control word, an address like neither it nor IP",
        ethernet(IPV4, FOUR, FAR_MAC),
        **theirs(NOTHING, "tshark follows labels only to 0, 1, 4 or 6 in the first four bits"),
    ),
    Case(
        "pseudowire's associated channel",
        1,
        [ethernet(MPLS, labels(b"\x10\x00\x00\x21" + FOUR, 16))],
        *OTHER,
        **theirs(ALL, "the channel is for control messages (RFC 4385); tshark follows its type"),
    ),
]

LABELS = [
    Case("MPLS, one label, IPv4", 1, [ethernet(MPLS, labels(FOUR, 16))]),
    Case("MPLS, one label, IPv6", 1, [ethernet(MPLS, labels(SIX, 16))]),
    Case("MPLS, three labels, IPv4", 1, [ethernet(MPLS, labels(FOUR, 16, 17, 18))]),
    Case("MPLS, explicit null", 1, [ethernet(MPLS, labels(FOUR, 0))]),
    Case("MPLS, explicit null for IPv6", 1, [ethernet(MPLS, labels(SIX, 2))]),
    Case("MPLS, upstream-assigned", 1, [ethernet(0x8848, labels(FOUR, 16))]),
    Case("MPLS in 802.1Q", 1, [ethernet(VLAN, tag(MPLS, labels(SIX, 16, 17)))]),
]

COOKED = [
    Case("Linux cooked", 113, [sll(IPV4, FOUR)]),
    Case("Linux cooked, IPv6", 113, [sll(IPV6, SIX)]),
    Case("Linux cooked, 802.1Q", 113, [sll(VLAN, tag(IPV4, FOUR))]),
    Case("Linux cooked, QinQ", 113, [sll(0x88A8, tag(VLAN, tag(IPV6, SIX)))]),
    Case("Linux cooked 2", 276, [sll2(IPV4, FOUR)]),
    Case("Linux cooked 2, IPv6", 276, [sll2(IPV6, SIX)]),
    Case("Linux cooked 2, 802.1Q", 276, [sll2(VLAN, tag(IPV4, FOUR))]),
]

BARE = [
    *(
        Case(f"NULL, family {family}, {order} order", 0, [_null(family, order)])
        for family in (2, 24, 28, 30)
        for order in "<>"
    ),
    *(Case(f"LOOP, family {family}", 108, [_null(family, ">")]) for family in (2, 24, 28, 30)),
    *(
        Case(
            name,
            link,
            [_null(10, order)],
            **theirs(NOTHING, "tshark does not know Linux's AF_INET6"),
        )
        for name, link, order in (
            ("NULL, family 10, < order", 0, "<"),
            ("NULL, family 10, > order", 0, ">"),
            ("LOOP, family 10", 108, ">"),
        )
    ),
    Case("NULL, AppleTalk", 0, [struct.pack("<I", 16) + FOUR], *OTHER),
    *(Case(f"RAW IP {link}, IPv4", link, [FOUR]) for link in (12, 14, 101, 228)),
    *(Case(f"RAW IP {link}, IPv6", link, [SIX]) for link in (12, 14, 101, 229)),
    Case("SCTP as link type", 248, [PACKET]),
]

PPP = [
    *(
        Case(f"PPP {link}, {name}", link, [head + packet])
        for link in (9, 50)
        for name, head, packet in (
            ("address and control, IPv4", b"\xff\x03\x00\x21", FOUR),
            ("address and control, IPv6", b"\xff\x03\x00\x57", SIX),
            ("address and control compressed", b"\x00\x21", FOUR),
            ("protocol compressed", b"\xff\x03\x21", FOUR),
            ("both compressed", b"\x21", FOUR),
            ("both compressed, IPv6", b"\x57", SIX),
            ("MPLS", b"\xff\x03\x02\x81", labels(FOUR, 16, 17)),
        )
    ),
    Case("PPPoE as link type", 51, [pppoe(b"\x00\x21" + FOUR)]),
    Case("PPPoE as link type, IPv6", 51, [pppoe(b"\x00\x57" + SIX)]),
]

EXPORTED = [
    Case("exported PDU: sctp", 252, [tags(PACKET, (12, b"sctp"), *ADDRESSES)]),
    Case("exported PDU: ip", 252, [tags(FOUR, (12, b"ip"))]),
    Case("exported PDU: ipv6", 252, [tags(SIX, (12, b"ipv6"))]),
    Case("exported PDU: eth_withoutfcs", 252, [tags(INNER, (12, b"eth_withoutfcs"))]),
    Case("exported PDU: eth_maybefcs", 252, [tags(INNER, (12, b"eth_maybefcs"))]),
    Case(
        "exported PDU: table ip.proto",
        252,
        [tags(PACKET, (14, b"ip.proto"), *ADDRESSES, (32, struct.pack(">I", 132)))],
    ),
    Case(
        "exported PDU: table udp.port",
        252,
        [tags(PACKET, (14, b"udp.port"), *ADDRESSES, (32, struct.pack(">I", 9899)))],
    ),
    Case(
        "exported PDU: table ethertype",
        252,
        [tags(SIX, (14, b"ethertype"), (32, struct.pack(">I", IPV6)))],
    ),
    Case(
        "exported PDU: another table",
        252,
        [tags(PACKET, (14, b"sctp.ppi"), (32, struct.pack(">I", 132)))],
        *OTHER,
    ),
    Case("exported PDU: udp", 252, [tags(udp(50000, 9899, PACKET), (12, b"udp"), *ADDRESSES)]),
    Case("exported PDU: http", 252, [tags(b"GET / HTTP/1.1\r\n\r\n", (12, b"http"))], *OTHER),
]

UNREAD = [
    Case("a link type that is not read", 147, [INNER], NOTHING, {"unknown_link": 1}),
]

LINK_CASES = [*ETHERNET, *PSEUDOWIRES, *LABELS, *COOKED, *BARE, *PPP, *EXPORTED, *UNREAD]
