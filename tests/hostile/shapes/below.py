# SPDX-License-Identifier: BSD-2-Clause
"""What is below SCTP: fragments, tunnels, UDP, ICMP."""

import struct
from collections.abc import Iterator

from tests.builder import layers
from tests.hostile import chunks
from tests.hostile.shape import frames
from tests.hostile.talk import UDP, Attack

GRE, IN_IPV4, ICMP = 47, 4, 1
VXLAN, GTPU = 4789, 2152


def _ip(protocol: int, payload: bytes, ends: bytes, ident: int = 1, fragment: int = 0) -> bytes:
    fields = 0x45, 0, min(20 + len(payload), 65535), ident & 0xFFFF, fragment, 64, protocol, 0
    return struct.pack(">BBHHHBBH", *fields) + ends + payload


@frames
def fragments(attack: Attack) -> Iterator[None]:
    """IP fragments of thousands of datagrams that overlap and never complete one."""
    flow = attack.opened()
    random = attack.random
    piece = attack.sctp(flow, 0, chunks.data(1, bytes(100)))
    for _ in attack.until():
        offset, more = random.randrange(0, 8000), 0x2000
        ident = random.randrange(2000)
        attack.frame(_ip(132, piece[: len(piece) // 8 * 8], flow.ends[0], ident, more | offset))
        yield


@frames
def fragments_of_eight_bytes(attack: Attack) -> Iterator[None]:
    """Datagrams in pieces of eight bytes, from last to first, the first one missing."""
    flow = attack.opened()
    for turn in attack.until():
        for offset in range(300, 0, -1):
            more = 0x2000 if offset < 300 else 0
            attack.frame(_ip(132, b"8 bytes!", flow.ends[0], turn, more | offset))
        yield


@frames
def fragmented_data(attack: Attack) -> Iterator[None]:
    """Every packet in two fragments, the later one first, the copies in one piece."""
    flow = attack.opened()
    for _ in attack.until():
        tsn = flow.next[0]
        flow.next[0] = tsn + 1
        packet = attack.sctp(flow, 0, chunks.data(tsn, bytes(80)))
        attack.frame(_ip(132, packet[48:], flow.ends[0], tsn, 6))
        attack.frame(_ip(132, packet[:48], flow.ends[0], tsn, 0x2000))
        if tsn % 4 == 0:
            attack.data(flow, tsn, bytes(80))
        yield


@frames
def udp_flows(attack: Attack) -> Iterator[None]:
    """UDP flows by the thousand that might carry SCTP; one in ten does, on a port of its own."""
    flow = attack.flow()
    for turn in attack.until():
        ports = struct.pack(">HH", 1024 + turn % 60000, 1024 + turn // 60000)
        packet = attack.sctp(flow, 0, chunks.data(turn))
        if turn % 10:
            packet = packet[:8] + b"none" + packet[12:]
        attack.packet(flow.ends[0], ports + struct.pack(">HH", 8 + len(packet), 0) + packet, UDP)
        yield


@frames
def tunnels(attack: Attack) -> Iterator[None]:
    """SCTP below thirty headers: IP, GRE, VXLAN, GTP-U and UDP in any order."""
    flow = attack.opened()
    ends = flow.ends[0]
    random = attack.random
    for _ in attack.until():
        tsn = flow.next[0]
        flow.next[0] = tsn + 1
        packet = _ip(132, attack.sctp(flow, 0, chunks.data(tsn)), ends)
        for _ in range(random.randrange(1, 14)):
            kind = random.randrange(4)
            if kind == 0:
                packet = _ip(IN_IPV4, packet, ends)
            elif kind == 1:
                packet = _ip(GRE, layers.gre(layers.IPV4, packet), ends)
            elif kind == 2:
                packet = _ip(UDP, layers.udp(50000, GTPU, layers.gtpu(packet)), ends)
            else:
                inner = layers.vxlan(layers.ethernet(layers.IPV4, packet))
                packet = _ip(UDP, layers.udp(50000, VXLAN, inner), ends)
        attack.frame(packet)
        yield


@frames
def tunnels_cut(attack: Attack) -> Iterator[None]:
    """Tunnels whose frames end anywhere, and whose lengths say otherwise."""
    flow = attack.opened()
    random = attack.random
    for _ in attack.until():
        packet = _ip(132, attack.sctp(flow, 0, chunks.data(5)), flow.ends[0])
        for _ in range(6):
            packet = _ip(GRE, layers.gre(layers.IPV4, packet), flow.ends[0])
        cut = random.randrange(len(packet))
        attack.frame(packet[:cut], len(packet))
        broken = bytearray(packet)
        broken[random.randrange(len(packet))] ^= 1 << random.randrange(8)
        attack.frame(bytes(broken))
        yield


@frames
def icmp_errors(attack: Attack) -> Iterator[None]:
    """ICMP errors that quote SCTP packets of ever new ends, with every code."""
    for turn in attack.until():
        flow = attack.flow()
        quoted = _ip(132, attack.sctp(flow, 0, chunks.data(turn)), flow.ends[0])
        error = layers.icmp(3, turn % 16, quoted)
        attack.packet(flow.ends[1], error, ICMP)
        yield


@frames
def cut_frames(attack: Attack) -> Iterator[None]:
    """Frames of which the capture kept 40 to 60 bytes of 60,000."""
    flow = attack.opened()
    for turn in attack.until():
        head = chunks.data(flow.next[0], b"")
        flow.next[0] += 1
        packet = attack.sctp(flow, 0, head[:2] + struct.pack(">H", 60000) + head[4:])
        frame = _ip(132, packet, flow.ends[0])
        frame = frame[:2] + struct.pack(">H", 60100) + frame[4:]
        attack.frame(frame[: 40 + turn % 9], 60100)
        yield


@frames
def times_backward(attack: Attack) -> Iterator[None]:
    """Times that run backward, leap by decades and stand still."""
    flow = attack.opened()
    random = attack.random
    for turn in attack.until():
        leap = (-3_000_000_000, random.randrange(-(10**18), 10**18), 0, 10**9)[turn % 4]
        attack.wire.now = max(attack.wire.now + leap, 0) % (1 << 62)
        tsn = attack.new(flow)
        if turn % 3 == 0:
            attack.data(flow, tsn - 5)
            attack.send(flow, 1, chunks.sack(tsn - 9, chunks.blocks((2, 4))))
        yield


@frames
def long_pauses(attack: Attack) -> Iterator[None]:
    """Days between packets, with data in flight whose timer would have run out a thousand times."""
    flow = attack.opened()
    for _ in attack.until():
        tsn = attack.new(flow)
        attack.new(flow)
        attack.send(flow, 1, chunks.sack(tsn))
        attack.wire.now = (attack.wire.now + 2 * 86_400_000_000_000) % (1 << 62)
        yield
