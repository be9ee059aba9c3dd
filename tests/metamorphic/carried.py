# SPDX-License-Identifier: BSD-2-Clause
"""Packets in other headers below SCTP."""

import struct
from collections.abc import Callable
from pathlib import Path

from tests.builder import layers
from tests.metamorphic.frames import Frame, Make, Packets, pcapng_of, written
from tests.metamorphic.packets import Packet, ethertype, in_fragments, in_ip, in_udp
from tests.metamorphic.rows import Changed


def within(link: int, carrier: Callable[[Packet], bytes]) -> Make:
    """Frames of a link type."""

    def make(packets: Packets, folder: Path) -> Changed:
        frames = [(one.time_ns, carrier(one), n) for n, one in enumerate(packets, 1)]
        return written(folder, frames, pcapng_of(frames, link))

    return make


def _outer(protocol: int, payload: bytes) -> bytes:
    return layers.ipv4(protocol, payload, src="203.0.113.8", dst="203.0.113.9")


def gre(one: Packet) -> bytes:
    """An IP packet in a tunnel."""
    return _outer(layers.GRE, layers.gre(ethertype(one), in_ip(one)))


def vxlan(one: Packet) -> bytes:
    """An Ethernet frame in a tunnel."""
    inner = layers.ethernet(ethertype(one), in_ip(one))
    return _outer(layers.UDP, layers.udp(40_000, 4789, layers.vxlan(inner)))


def gtpu(one: Packet) -> bytes:
    """As user data of a mobile network."""
    return _outer(layers.UDP, layers.udp(2152, 2152, layers.gtpu(in_ip(one))))


def padded_ethernet(one: Packet) -> bytes:
    """Up to the least length, and a frame check sequence."""
    frame = layers.ethernet(ethertype(one), in_ip(one))
    return frame + bytes(max(0, 60 - len(frame))) + b"\xde\xad\xbe\xef"


def other_udp_ports(packets: Packets, folder: Path) -> Changed:
    """The checksums are right, so the flow is found by its first packet."""
    frames = []
    for n, one in enumerate(packets, 1):
        ports = (50_001, 50_002) if one.ip[12:20] == packets[0].ip[12:20] else (50_002, 50_001)
        frames.append((one.time_ns, in_udp(one, ports), n))
    return written(folder, frames, options={"udp_ports": [50_001]})


def fragmented(packets: Packets, folder: Path) -> Changed:
    """But of IPv4 without an identification, which cannot be put together again (RFC 6864)."""
    frames: list[Frame] = []
    for n, one in enumerate(packets, 1):
        (ident,) = struct.unpack(">H", one.ip[4:6])
        if not ident and not one.is_ipv6:
            frames.append((one.time_ns, in_ip(one), n))
            continue
        *before, last = in_fragments(one, n if one.is_ipv6 else ident)
        frames += [(one.time_ns, part, 0) for part in before]
        frames.append((one.time_ns, last, n))
    return written(folder, frames)
