# SPDX-License-Identifier: BSD-2-Clause
"""The headers below SCTP: each function puts one in front of what it is given."""

import ipaddress
import struct

IPV4, IPV6, VLAN, MPLS, PPPOE, TEB, FABRICPATH = (
    0x0800,
    0x86DD,
    0x8100,
    0x8847,
    0x8864,
    0x6558,
    0x8903,
)
SCTP, UDP, GRE, FRAGMENT, AH, ICMP, ICMPV6 = 132, 17, 47, 44, 51, 1, 58

MAC_A, MAC_B = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")


def ethernet(ethertype: int, payload: bytes, dst: bytes = MAC_B, src: bytes = MAC_A) -> bytes:
    """Ethernet II, or the length of 802.3 in place of the type."""
    return dst + src + struct.pack(">H", ethertype) + payload


def snap(ethertype: int, payload: bytes, organisation: int = 0) -> bytes:
    """802.3 with LLC and SNAP (RFC 1042)."""
    llc = b"\xaa\xaa\x03" + organisation.to_bytes(3, "big") + struct.pack(">H", ethertype)
    return ethernet(len(llc + payload), llc + payload)


def tag(ethertype: int, payload: bytes, vlan: int = 7) -> bytes:
    """What follows a VLAN Ethertype."""
    return struct.pack(">HH", vlan, ethertype) + payload


def labels(payload: bytes, *values: int) -> bytes:
    """An MPLS stack; the last label has the bottom bit."""
    entries = [
        value << 12 | (index == len(values) - 1) << 8 | 64 for index, value in enumerate(values)
    ]
    return struct.pack(f">{len(entries)}I", *entries) + payload


def sll(ethertype: int, payload: bytes) -> bytes:
    """Linux cooked v1 of an Ethernet interface."""
    return struct.pack(">HHH8sH", 0, 1, 6, MAC_A, ethertype) + payload


def sll2(ethertype: int, payload: bytes) -> bytes:
    """Linux cooked v2 of an Ethernet interface."""
    return struct.pack(">HHIHBB8s", ethertype, 0, 3, 1, 0, 6, MAC_A) + payload


def pppoe(payload: bytes) -> bytes:
    """A session header (RFC 2516)."""
    return struct.pack(">BBHH", 0x11, 0, 9, len(payload)) + payload


def tags(payload: bytes, *pairs: tuple[int, bytes]) -> bytes:
    """Exported PDU: tags padded to four bytes, the end of the tags, the PDU."""
    head = b""
    for kind, value in pairs:
        padded = value + bytes(-len(value) % 4)
        head += struct.pack(">HH", kind, len(padded)) + padded
    return head + bytes(4) + payload


def _ones_complement(words: bytes) -> int:
    total: int = sum(struct.unpack(f">{len(words) // 2}H", words))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def ipv4(
    protocol: int,
    payload: bytes,
    *,
    ident: int = 1,
    offset: int = 0,
    more: bool = False,
    whole: bool = False,
    options: bytes = b"",
    total: int | None = None,
    hops: int = 64,
    src: str = "10.0.0.1",
    dst: str = "10.0.0.2",
) -> bytes:
    """`offset` in bytes; `total` overrides the length; `whole` sets DF."""
    size = 20 + len(options)
    head = struct.pack(
        ">BBHHHBBH4s4s",
        0x40 | size // 4,
        0,
        size + len(payload) if total is None else total,
        ident,
        whole << 14 | more << 13 | offset // 8,
        hops,
        protocol,
        0,
        ipaddress.IPv4Address(src).packed,
        ipaddress.IPv4Address(dst).packed,
    )
    checksum = struct.pack(">H", _ones_complement(head + options))
    return head[:10] + checksum + head[12:] + options + payload


def ipv6(
    next_header: int,
    payload: bytes,
    *,
    length: int | None = None,
    src: str = "2001:db8::1",
    dst: str = "2001:db8::2",
) -> bytes:
    """`length` overrides the payload length."""
    return (
        struct.pack(">IHBB", 6 << 28, len(payload) if length is None else length, next_header, 64)
        + ipaddress.IPv6Address(src).packed
        + ipaddress.IPv6Address(dst).packed
        + payload
    )


def extension(next_header: int, payload: bytes, body: bytes = b"\x01\x04\x00\x00\x00\x00") -> bytes:
    """An IPv6 extension header; its body is a PadN option unless given."""
    return struct.pack(">BB", next_header, (2 + len(body)) // 8 - 1) + body + payload


def authentication(next_header: int, payload: bytes) -> bytes:
    """AH (RFC 4302) with a check value of 12 bytes."""
    return struct.pack(">BBHII", next_header, 4, 0, 0x100, 1) + bytes(12) + payload


def ipv6_fragment(
    next_header: int, payload: bytes, *, ident: int, offset: int = 0, more: bool = False
) -> bytes:
    """A fragment header (RFC 8200 section 4.5) and its piece."""
    return struct.pack(">BBHI", next_header, 0, offset | more, ident) + payload


def udp(sport: int, dport: int, payload: bytes, length: int | None = None) -> bytes:
    """Without a checksum; `length` overrides."""
    return (
        struct.pack(">HHHH", sport, dport, 8 + len(payload) if length is None else length, 0)
        + payload
    )


def gre(ethertype: int, payload: bytes, *, flags: int = 0) -> bytes:
    """`flags`: 0x8000 checksum, 0x2000 key, 0x1000 sequence number."""
    optional = b"".join(
        field
        for bit, field in ((0x8000, bytes(4)), (0x2000, b"\0\0\0\x2a"), (0x1000, b"\0\0\0\x01"))
        if flags & bit
    )
    head = struct.pack(">HH", flags, ethertype) + optional
    if flags & 0x8000:
        whole = head + payload + bytes(len(payload) % 2)
        head = head[:4] + struct.pack(">H", _ones_complement(whole)) + head[6:]
    return head + payload


def gtpu(payload: bytes, *, flags: int = 0, optional: bytes = b"", message: int = 255) -> bytes:
    """GTPv1-U; `optional` is everything between the header and the T-PDU."""
    return (
        struct.pack(">BBHI", 0x30 | flags, message, len(optional + payload), 99)
        + optional
        + payload
    )


def vxlan(payload: bytes, flags: int = 0x08) -> bytes:
    """RFC 7348."""
    return struct.pack(">B3xI", flags, 42 << 8) + payload


def geneve(ethertype: int, payload: bytes, options: bytes = b"") -> bytes:
    """RFC 8926."""
    return struct.pack(">BBHI", len(options) // 4, 0, ethertype, 42 << 8) + options + payload


def icmp(kind: int, code: int, payload: bytes) -> bytes:
    """ICMP or ICMPv6, without its checksum."""
    return struct.pack(">BBHI", kind, code, 0, 0) + payload
