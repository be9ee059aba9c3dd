# SPDX-License-Identifier: BSD-2-Clause
"""Floods of control chunks, and chunks that are none."""

import struct
from collections.abc import Iterator

from tests.builder import sctp
from tests.hostile import chunks
from tests.hostile.shape import frames
from tests.hostile.talk import Attack


@frames
def heartbeats(attack: Attack) -> Iterator[None]:
    """HEARTBEATs with a new nonce each, answered late, in another order, or never."""
    flow = attack.opened()
    random = attack.random
    for _ in attack.until():
        nonce = random.getrandbits(64)
        attack.send(flow, 0, chunks.heartbeat(struct.pack(">Q", nonce)))
        if random.random() < 0.5:
            answered = struct.pack(">Q", nonce ^ (random.random() < 0.5))
            attack.send(flow, 1, chunks.heartbeat(answered, chunks.HEARTBEAT_ACK))
        yield


@frames
def address_changes(attack: Attack) -> Iterator[None]:
    """ASCONF chunks that add, remove and prefer a hundred addresses, new ones each time."""
    flow = attack.opened()
    serial = 1
    for turn in attack.until():
        kind = (0xC001, 0xC002, 0xC004)[turn % 3]
        changes = [
            chunks.parameter(kind, struct.pack(">I", at) + chunks.addresses([serial * 100 + at]))
            for at in range(100)
        ]
        attack.send(flow, turn % 2, chunks.asconf(serial, *changes))
        attack.send(flow, 1 - turn % 2, sctp.chunk(chunks.ASCONF_ACK, 0, struct.pack(">I", serial)))
        serial += turn % 2
        yield


@frames
def stream_resets(attack: Attack) -> Iterator[None]:
    """RE-CONFIG that resets hundreds of streams, and TSNs too, granted and denied."""
    flow = attack.opened()
    for turn in attack.until():
        number = 5000 + turn
        attack.new(flow)
        streams = struct.pack(
            ">III", number, 0, flow.next[0] & 0xFFFFFFFF
        ) + attack.random.randbytes(400)
        attack.send(flow, 0, sctp.chunk(chunks.RE_CONFIG, 0, chunks.parameter(13, streams)))
        if turn % 4 == 0:
            attack.send(flow, 0, sctp.tsn_reset_request(number))
            restart = attack.random.getrandbits(32), attack.random.getrandbits(32)
            attack.send(flow, 1, sctp.tsn_reset_response(number, *restart, result=turn // 4 % 3))
            flow.next[0] = restart[1]
        yield


@frames
def unknown_chunks(attack: Attack) -> Iterator[None]:
    """Chunks of every type that is none, hundreds in a packet, with any flags."""
    flow = attack.opened()
    for _ in attack.until():
        kinds = attack.random.randbytes(300)
        attack.send(flow, 0, b"".join(struct.pack(">BBH", kind, kind, 4) for kind in kinds))
        yield


@frames
def lengths_that_lie(attack: Attack) -> Iterator[None]:
    """Chunks of length 0 to 3, or longer than their packet; parameters likewise."""
    flow = attack.opened()
    random = attack.random
    for turn in attack.until():
        kind, length = random.randrange(16), (0, 1, 3, 4, 65535, 20)[turn % 6]
        attack.send(flow, turn % 2, struct.pack(">BBH", kind, 3, length) + random.randbytes(16))
        listed = struct.pack(">HH", 5, (0, 3, 65535)[turn % 3]) + random.randbytes(8)
        attack.send(flow, 0, chunks.init(7, 7, listed), tag=0)
        yield


@frames
def noise(attack: Attack) -> Iterator[None]:
    """Random bytes behind a right common header."""
    flow = attack.opened()
    for _ in attack.until():
        attack.send(flow, 0, attack.random.randbytes(attack.random.randrange(200)))
        yield


@frames
def errors_with_texts(attack: Attack) -> Iterator[None]:
    """ERROR chunks, each with hundreds of causes and texts that were never there before."""
    flow = attack.opened()
    random = attack.random
    for _ in attack.until():
        causes = [
            chunks.parameter(random.randrange(1 << 16), random.randbytes(8)) for _ in range(80)
        ]
        attack.send(flow, 0, sctp.chunk(chunks.ERROR, 0, b"".join(causes)))
        yield


@frames
def packets_in_packets(attack: Attack) -> Iterator[None]:
    """PACKET-DROP chunks that quote packets with PACKET-DROP chunks, twenty deep."""
    flow = attack.opened()
    for _ in attack.until():
        tsn = attack.new(flow)
        quoted = attack.sctp(flow, 0, chunks.data(tsn))
        for _ in range(20):
            quoted = attack.sctp(flow, 0, sctp.packet_drop(quoted))
        attack.send(flow, 1, sctp.packet_drop(quoted))
        yield


@frames
def cookies(attack: Attack) -> Iterator[None]:
    """COOKIE ECHO and COOKIE ACK without end in an association that stands."""
    flow = attack.opened()
    for turn in attack.until():
        attack.send(flow, 0, sctp.chunk(chunks.COOKIE_ECHO, 0, b"cookie!!"))
        attack.send(flow, 1, sctp.chunk(11, 0, b""))
        if turn % 8 == 0:
            attack.new(flow)
        yield
