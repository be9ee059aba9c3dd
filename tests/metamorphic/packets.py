# SPDX-License-Identifier: BSD-2-Clause
"""The packets of a bundled capture, and frames that carry them again."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.builder import layers

ETHERNET, RAW, SLL, SLL2 = 1, 101, 113, 276


@dataclass(frozen=True)
class Packet:
    """One SCTP packet with the headers below it."""

    time_ns: int
    ip: bytes  #: the header
    udp: bytes  #: the header, empty where SCTP is right in IP
    data: bytes  #: the SCTP packet

    @property
    def is_ipv6(self) -> bool:
        return self.ip[0] >> 4 == 6

    @property
    def has_data(self) -> bool:
        """Whether its first or second chunk is DATA or I-DATA."""
        first = self.data[12]
        second = 12 + (struct.unpack_from(">H", self.data, 14)[0] + 3 & ~3)
        return first in (0, 64) or (len(self.data) > second and self.data[second] in (0, 64))

    def with_ip(self, at: int, field: bytes) -> "Packet":
        """Some bytes of the IP header replaced."""
        return replace(self, ip=self.ip[:at] + field + self.ip[at + len(field) :])


#: From a packet to a frame.
Carrier = Callable[[Packet], bytes]


@cache
def packets_of(path: Path) -> tuple[Packet, ...]:
    """All of them; each is one frame of a pcap with nanoseconds or a pcapng with one interface."""
    content = path.read_bytes()
    if content[:4] == struct.pack("<I", 0xA1B23C4D):
        (link,) = struct.unpack_from("<I", content, 20)
        return tuple(_packet(link, *one) for one in _pcap(content))
    return tuple(_packet(*one) for one in _pcapng(content))


def _pcap(content: bytes) -> list[tuple[int, bytes]]:
    at, found = 24, []
    while at < len(content):
        seconds, nanoseconds, length, wire = struct.unpack_from("<IIII", content, at)
        assert length == wire
        found.append((seconds * 10**9 + nanoseconds, content[at + 16 : at + 16 + length]))
        at += 16 + length
    return found


def _pcapng(content: bytes) -> list[tuple[int, int, bytes]]:
    at, link, found = 0, 0, []
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        if kind == 1:
            (link,) = struct.unpack_from("<H", content, at + 8)
        if kind == 6:
            _, high, low, captured, wire = struct.unpack_from("<IIIII", content, at + 8)
            assert captured == wire
            found.append((link, high << 32 | low, content[at + 28 : at + 28 + captured]))
        at += length
    return found


def _packet(link: int, time_ns: int, frame: bytes) -> Packet:
    inside = frame[14:] if link == ETHERNET else frame
    length = 40 if inside[0] >> 4 == 6 else 20
    ip, rest = inside[:length], inside[length:]
    protocol = ip[6] if length == 40 else ip[9]
    if protocol == layers.UDP:
        return Packet(time_ns, ip, rest[:8], rest[8:])
    return Packet(time_ns, ip, b"", rest)


def in_ip(packet: Packet) -> bytes:
    """As it was, without a link layer; lengths and the header's checksum are right."""
    udp = packet.udp and packet.udp[:4] + struct.pack(">HH", 8 + len(packet.data), 0)
    return _ip(packet, layers.UDP if udp else layers.SCTP, udp + packet.data)


def _ip(packet: Packet, protocol: int, payload: bytes) -> bytes:
    ip = packet.ip
    if packet.is_ipv6:
        return ip[:4] + struct.pack(">HB", len(payload), protocol) + ip[7:] + payload
    ip = ip[:2] + struct.pack(">H", 20 + len(payload)) + ip[4:9] + bytes([protocol, 0, 0]) + ip[12:]
    total = sum(struct.unpack(">10H", ip))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return ip[:10] + struct.pack(">H", total ^ 0xFFFF) + ip[12:] + payload


def ethertype(packet: Packet) -> int:
    """Of its IP version."""
    return layers.IPV6 if packet.is_ipv6 else layers.IPV4


def in_udp(packet: Packet, ports: tuple[int, int] = (9899, 9899)) -> bytes:
    """RFC 6951."""
    header = struct.pack(">HHHH", *ports, 8 + len(packet.data), 0)
    return _ip(packet, layers.UDP, header + packet.data)


def in_fragments(packet: Packet, ident: int) -> list[bytes]:
    """Two, where there is more than a few bytes."""
    payload = packet.udp[:6] + bytes(2) + packet.data if packet.udp else packet.data
    protocol = layers.UDP if packet.udp else layers.SCTP
    cut = min(len(payload) // 2, 256) & ~7
    if not cut:
        return [in_ip(packet)]
    parts = []
    for at, part, more in ((0, payload[:cut], True), (cut, payload[cut:], False)):
        if packet.is_ipv6:
            piece = layers.ipv6_fragment(protocol, part, ident=ident, offset=at, more=more)
            parts.append(_ip(packet, layers.FRAGMENT, piece))
        else:
            flags = packet.with_ip(6, struct.pack(">H", more << 13 | at // 8))
            parts.append(_ip(flags.with_ip(4, struct.pack(">H", ident)), protocol, part))
    return parts
