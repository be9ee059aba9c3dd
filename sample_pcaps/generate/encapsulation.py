# SPDX-License-Identifier: BSD-2-Clause
"""The headers below an SCTP packet: raw IPv4 or IPv6, Ethernet (802.1Q), Linux's cooked header,
UDP (RFC 6951), DTLS (RFC 8261)."""

import struct
from dataclasses import dataclass
from enum import Enum
from functools import cache
from ipaddress import ip_address

SCTP, UDP = 132, 17
UDP_PORT = 9899
_VLAN = 100


class Encapsulation(Enum):
    """The lower layers, outermost first."""

    IP = "ip"
    IP6 = "ip6"
    ETHERNET = "eth"
    VLAN = "vlan"  #: Ethernet with a tag of 802.1Q
    SLL2 = "sll2"  #: Linux's cooked header, version 2, as `tcpdump -i any` writes it
    UDP = "udp"
    DTLS = "dtls"  #: in UDP; what is framed is the record

    @property
    def link_type(self) -> int:
        """LINKTYPE of a capture."""
        return {Encapsulation.ETHERNET: 1, Encapsulation.VLAN: 1, Encapsulation.SLL2: 276}.get(
            self, 101
        )


@dataclass(frozen=True)
class Addresses:
    """Where a packet comes from and where it goes."""

    source: str
    destination: str
    ports: tuple[int, int] = (UDP_PORT, UDP_PORT)  #: of UDP


def frame(
    encapsulation: Encapsulation,
    addresses: Addresses,
    inside: bytes,
    ip_id: int,
    hop_limit: int,
    *,
    leaves: bool,
) -> bytes:
    """The bytes that a tap sees; a packet `leaves` at the tap of its sender."""
    if encapsulation is Encapsulation.IP6:
        return _ipv6(addresses, inside, hop_limit)
    if encapsulation in (Encapsulation.UDP, Encapsulation.DTLS):  # no checksum, as IPv4 allows
        udp = struct.pack("!HHHH", *addresses.ports, 8 + len(inside), 0)
        return _ipv4(addresses, UDP, udp + inside, ip_id, hop_limit)
    packet = _ipv4(addresses, SCTP, inside, ip_id, hop_limit)
    if encapsulation is Encapsulation.ETHERNET:
        return _ethernet(addresses) + b"\x08\x00" + packet
    if encapsulation is Encapsulation.VLAN:
        return _ethernet(addresses) + struct.pack("!HHH", 0x8100, _VLAN, 0x0800) + packet
    if encapsulation is Encapsulation.SLL2:
        outgoing, arphrd_ether = 4, 1  # of the kernel's PACKET_ types; to this host: 0
        kind = outgoing if leaves else 0
        head = struct.pack("!HHIHBB", 0x0800, 0, 2, arphrd_ether, kind, 6)
        return head + _mac(addresses.source) + bytes(2) + packet
    return packet


def _ethernet(addresses: Addresses) -> bytes:
    return _mac(addresses.destination) + _mac(addresses.source)


def _ipv4(addresses: Addresses, protocol: int, payload: bytes, ip_id: int, hop_limit: int) -> bytes:
    dont_fragment = 0x4000
    header = struct.pack(
        "!BBHHHBBH4s4s",
        *(0x45, 0, 20 + len(payload), ip_id, dont_fragment, hop_limit, protocol, 0),
        _packed(addresses.source),
        _packed(addresses.destination),
    )
    total = sum(word for (word,) in struct.iter_unpack("!H", header))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return header[:10] + struct.pack("!H", total ^ 0xFFFF) + header[12:] + payload


def _ipv6(addresses: Addresses, sctp: bytes, hop_limit: int) -> bytes:
    source, destination = _packed(addresses.source), _packed(addresses.destination)
    return struct.pack("!IHBB", 6 << 28, len(sctp), SCTP, hop_limit) + source + destination + sctp


def _mac(address: str) -> bytes:
    return b"\x02\x00" + _packed(address)


@cache
def _packed(address: str) -> bytes:
    return ip_address(address).packed
