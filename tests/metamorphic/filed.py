# SPDX-License-Identifier: BSD-2-Clause
"""The same packets in another file: its form, its clock, what else is in it, where it ends."""

import gzip
import struct
from dataclasses import replace
from pathlib import Path

from tests.builder import layers
from tests.builder.files import COMMENT, CUSTOM, NAMES, RESOLUTION, Pcapng
from tests.builder.rewritten import chunks_of
from tests.metamorphic.frames import Frame, Make, Packets, each, pcap_of, pcapng_of, plain, written
from tests.metamorphic.packets import ETHERNET, RAW, SLL, ethertype, in_ip
from tests.metamorphic.rows import Changed


def as_pcap(order: str) -> Make:
    """In a byte order."""

    def make(packets: Packets, folder: Path) -> Changed:
        return written(folder, plain(packets), pcap_of(plain(packets), order=order))

    return make


def big_endian_pcapng(packets: Packets, folder: Path) -> Changed:
    """Its numbers begin with the most significant byte."""
    return written(folder, plain(packets), pcapng_of(plain(packets), order=">"))


def compressed(packets: Packets, folder: Path) -> Changed:
    """With gzip."""
    content = gzip.compress(pcap_of(plain(packets)), mtime=0)
    changed = written(folder, plain(packets), content)
    path = changed.path.rename(folder / "changed.pcap.gz")
    return replace(changed, path=path)


def with_options(packets: Packets, folder: Path) -> Changed:
    """Comments on packets, and blocks of names, statistics and of others between them. A custom
    block is counted as a frame, as Wireshark does."""
    file = Pcapng()
    file.interface(RAW, options=[(RESOLUTION, b"\x09"), (COMMENT, b"an interface")])
    frames: list[Frame] = []
    for n, one in enumerate(packets, 1):
        if n % 7 == 0:
            file.block(NAMES, struct.pack("<HH", 0, 0))
            file.block(CUSTOM, struct.pack("<I", 32473) + b"anything")
            file.statistics(0, received=n)
            frames.append((one.time_ns, b"", 0))
        comments = [(COMMENT, b"a comment")] if n % 2 else []
        file.packet(in_ip(one), ticks=one.time_ns, options=comments)
        frames.append((one.time_ns, b"", n))
    return written(folder, frames, bytes(file))


def several_interfaces(packets: Packets, folder: Path) -> Changed:
    """In turn; they differ in link type and resolution, not in their clock."""
    file = Pcapng()
    file.interface(RAW, options=[(RESOLUTION, b"\x09")])
    file.interface(ETHERNET, options=[(RESOLUTION, b"\x09")])
    file.interface(SLL, options=[(RESOLUTION, b"\x0a")])
    for n, one in enumerate(packets):
        linked = (
            in_ip(one),
            layers.ethernet(ethertype(one), in_ip(one)),
            layers.sll(ethertype(one), in_ip(one)),
        )
        ticks = one.time_ns * (10 if n % 3 == 2 else 1)
        file.packet(linked[n % 3], n % 3, ticks=ticks)
    return written(folder, plain(packets), bytes(file))


def later(by_ns: int) -> Make:
    """By a clock that is so much ahead."""

    def make(packets: Packets, folder: Path) -> Changed:
        shifted = [replace(one, time_ns=one.time_ns + by_ns) for one in packets]
        return written(folder, plain(shifted), later_ns=by_ns)

    return make


def coarse(tick_ns: int) -> Make:
    """By a clock that ticks so rarely."""
    return each(lambda one: replace(one, time_ns=one.time_ns // tick_ns * tick_ns))


def two_clocks(ahead_ns: int) -> Make:
    """That of packets with the tag of the second end is so much ahead, as on another interface."""

    def make(packets: Packets, folder: Path) -> Changed:
        tag = next(one.data[4:8] for one in packets if one.has_data)
        shifted = [
            (one.time_ns + (0 if one.data[4:8] == tag else ahead_ns), frame, n)
            for one, (_, frame, n) in zip(packets, plain(packets), strict=True)
        ]
        return written(folder, sorted(shifted))

    return make


def others_between(packets: Packets, folder: Path) -> Changed:
    """Frames that have nothing to do with SCTP, of the same hosts and of others."""
    frames: list[Frame] = []
    for n, one in enumerate(packets, 1):
        if n % 3 == 0:
            tcp = struct.pack(">HHIIBBHHH", 80, 40_000, n, 0, 0x50, 0x10, 1000, 0, 0)
            frames.append((one.time_ns, layers.ipv4(6, tcp), 0))
        if n % 5 == 0:
            dns = layers.udp(53, 53, b"\0\1\1\0\0\1\0\0\0\0\0\0")
            frames.append((one.time_ns, layers.ipv4(layers.UDP, dns), 0))
        frames.append((one.time_ns, in_ip(one), n))
    return written(folder, frames)


def cut_at_the_end(packets: Packets, folder: Path) -> Changed:
    """The last third is missing."""
    ends_at = len(packets) * 2 // 3
    return written(folder, plain(packets[:ends_at]), ends_at=ends_at)


def snapped(packets: Packets, folder: Path) -> Changed:
    """What is left of the last chunk is its header, where it is DATA."""
    file = Pcapng()
    file.interface(RAW, options=[(RESOLUTION, b"\x09")])
    for one in packets:
        frame = in_ip(one)
        (*_, last, _) = list(chunks_of(one.data))
        header = {0: 16, 64: 20}.get(last[0], len(last))
        file.packet(frame[: len(frame) - len(last) + header], ticks=one.time_ns, wire=len(frame))
    return written(folder, plain(packets), bytes(file))
