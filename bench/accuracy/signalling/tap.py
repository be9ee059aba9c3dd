# SPDX-License-Identifier: BSD-2-Clause
"""What a tap writes down: packets with their headers, in the order in which they passed it."""

import math
import struct
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from random import Random

import google_crc32c

from sample_pcaps.generate.capture_file import Frame, write_pcap

from .ends import INIT, Association, Network, Packet
from .setting import SECOND, Setting

_START_NS = 1_767_225_600 * SECOND
_HOP_LIMIT, _HOPS = 64, 6  #: from end to end
_ETHERNET, _RAW = 1, 101
_SCTP, _UDP, _UDP_PORT = 132, 17, 9899
_HOSTS = (IPv4Address("192.0.2.1"), IPv4Address("198.51.100.9"))
_HOSTS_6 = (IPv6Address("2001:db8:a::1"), IPv6Address("2001:db8:b::9"))


class _Numbers:
    """IP identifications of a host's packets."""

    def __init__(self, setting: Setting, random: Random) -> None:
        self._setting, self._random = setting, random
        self._others = random.choice((0, 1, 3))  #: associations of the socket that the tap misses
        self._last: dict[tuple[int, int], int] = {}
        self._last_ns = 0

    def next(self, packet: Packet, path: int) -> int:
        """For a packet that leaves on a path."""
        kind = self._setting.ip_id
        if kind in ("zero", "IPv6"):
            return 0
        if kind == "random":
            return self._random.randrange(1, 1 << 16)
        counter = (packet.association, path) if kind == "flow" else (0, 0)
        last = self._last.get(counter, self._random.randrange(1 << 16) if not self._last else 7)
        step = 1
        if kind == "host":
            elapsed_s = (packet.time_ns - self._last_ns) / SECOND
            step += self._poisson(self._setting.other_packets * elapsed_s)
        elif kind == "socket":
            step += sum(self._random.random() < 0.3 for _ in range(self._others))
        self._last_ns = packet.time_ns
        self._last[counter] = (last + step) % (1 << 16)
        return self._last[counter]

    def _poisson(self, mean: float) -> int:
        if mean > 30:
            return max(0, round(self._random.gauss(mean, math.sqrt(mean))))
        count, product = 0, self._random.random()
        while product > math.exp(-mean):
            count += 1
            product *= self._random.random()
        return count


def write_capture(network: Network, associations: list[Association], path: Path) -> Path:
    """The file of the setting's tap."""
    setting = network.setting
    frames = sorted(_frames(network, associations), key=lambda one: one[0])
    cut = int(len(frames) * setting.begins)
    write_pcap(path, _ETHERNET if setting.ethernet else _RAW, frames[cut:])
    return path


def _frames(network: Network, associations: list[Association]) -> Iterator[Frame]:
    setting, random = network.setting, Random(f"tap {network.setting.seed}")
    shares = (setting.place, 1 - setting.place)  #: of the way from each host to the tap
    numbers = [_Numbers(setting, random) for _ in shares]
    carriers = [_Carrier(setting, side, _HOPS * share) for side, share in enumerate(shares)]
    turns = _turns(network.packets[-1].time_ns, random) if setting.kept == "one path" else []
    start_ns = _START_NS + random.randrange(SECOND)
    for packet in network.packets:
        side = packet.side
        passes_ns = packet.time_ns + int(shares[side] * (packet.arrival_ns - packet.time_ns))
        sctp = _sctp(associations[packet.association], packet)
        path = sum(turn <= packet.time_ns for turn in turns) % 2
        framed = carriers[side].frame(sctp, numbers[side].next(packet, path))
        if path or (setting.kept == "DATA alone" and not packet.has_data):
            continue
        yield (start_ns + passes_ns) // setting.clock_ns * setting.clock_ns, framed


def _turns(last_ns: int, random: Random) -> list[int]:
    """When the hosts take the other path, and the first again, and so on."""
    return sorted(random.randrange(1, last_ns) for _ in range(random.choice((2, 4, 8))))


def _sctp(association: Association, packet: Packet) -> bytes:
    source, to = packet.side, 1 - packet.side
    tag = 0 if packet.chunks[0] == INIT else association.tags[to]
    head = struct.pack("!HHI", association.ports[source], association.ports[to], tag)
    crc = google_crc32c.value(head + bytes(4) + packet.chunks)
    return head + struct.pack("<I", crc) + packet.chunks


class _Carrier:
    """The headers below SCTP, of the packets of one side."""

    def __init__(self, setting: Setting, side: int, hops: float) -> None:
        self._hosts = _HOSTS_6 if setting.ip_id == "IPv6" else _HOSTS
        self._ends = b"".join(host.packed for host in (self._hosts[side], self._hosts[1 - side]))
        self._udp = setting.udp
        self._protocol = _UDP if setting.udp else _SCTP
        self._hop_limit = _HOP_LIMIT - round(hops)
        self._link = b""
        if setting.ethernet:
            macs = (b"\x02\x00\x00\x00\x00\x01", b"\x02\x00\x00\x00\x00\x02")
            kind = b"\x86\xdd" if self._hosts is _HOSTS_6 else b"\x08\x00"
            self._link = macs[1 - side] + macs[side] + kind

    def frame(self, sctp: bytes, number: int) -> bytes:
        """A packet as the tap has it."""
        if self._udp:  # no checksum, as IPv4 allows and RFC 6935 over IPv6
            sctp = struct.pack("!HHHH", _UDP_PORT, _UDP_PORT, 8 + len(sctp), 0) + sctp
        if self._hosts is _HOSTS_6:
            head = struct.pack("!IHBB", 6 << 28, len(sctp), self._protocol, self._hop_limit)
            return self._link + head + self._ends + sctp
        fields = (0x4500, 20 + len(sctp), number, 0x4000, self._hop_limit << 8 | self._protocol)
        total = sum(fields) + sum(struct.unpack("!4H", self._ends))
        total = (total & 0xFFFF) + (total >> 16)
        total = (total & 0xFFFF) + (total >> 16)
        return self._link + struct.pack("!6H", *fields, total ^ 0xFFFF) + self._ends + sctp
