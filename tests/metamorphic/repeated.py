# SPDX-License-Identifier: BSD-2-Clause
"""Taps that have frames twice, and packets of another association between ours."""

from collections.abc import Callable
from pathlib import Path

from tests.builder import layers
from tests.builder.files import RESOLUTION, Pcapng
from tests.metamorphic.altered import ends, with_other_tags_and_ports
from tests.metamorphic.frames import MS, US, Make, Packets, plain, written
from tests.metamorphic.packets import ETHERNET, Packet, ethertype, in_ip
from tests.metamorphic.rows import Changed


def twice(later_ns: int, chosen: Callable[[int, Packet], bool] = lambda n, one: True) -> Make:
    """Some frames again; in the order of their times, the repetition behind."""

    def make(packets: Packets, folder: Path) -> Changed:
        frames = plain(packets)
        frames += [
            (one.time_ns + later_ns, in_ip(one), -n)
            for n, one in enumerate(packets, 1)
            if chosen(n, one)
        ]
        return written(folder, sorted(frames, key=lambda frame: (frame[0], frame[2] < 0)))

    return make


def on_a_second_interface(packets: Packets, folder: Path) -> Changed:
    """Each frame as it comes in and as it goes on, one hop further."""
    file = Pcapng()
    file.interface(ETHERNET, options=[(RESOLUTION, b"\x09")])
    file.interface(ETHERNET, options=[(RESOLUTION, b"\x09")])
    frame_of = []
    for n, one in enumerate(packets, 1):
        at = 7 if one.is_ipv6 else 8
        further = one.with_ip(at, bytes([one.ip[at] - 1]))
        for interface, copy in enumerate((one, further)):
            frame = layers.ethernet(ethertype(one), in_ip(copy))
            file.packet(frame, interface, ticks=one.time_ns + interface * 20 * US)
        frame_of += [n, -n]
    path = folder / "changed.pcapng"
    path.write_bytes(bytes(file))
    return Changed(path, frame_of)


def with_another(packets: Packets, folder: Path) -> Changed:
    """Another association of other hosts, its packets in turn with ours, begun a little later."""
    others = [
        (one.time_ns + 3 * MS, in_ip(_elsewhere(with_other_tags_and_ports(one))), 0)
        for one in packets
    ]
    return written(folder, sorted([*plain(packets), *others], key=lambda frame: frame[0]))


def _elsewhere(one: Packet) -> Packet:
    """Between other hosts."""
    at = 8 if one.is_ipv6 else 12
    there = b"".join(end[:1] + bytes([end[1] ^ 9]) + end[2:] for end in ends(one))
    return one.with_ip(at, there)
