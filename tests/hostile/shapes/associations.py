# SPDX-License-Identifier: BSD-2-Clause
"""Associations by the ten thousand: begun, broken off, restarted, in halves."""

import struct
from collections.abc import Iterator

from tests.builder import sctp
from tests.hostile import chunks
from tests.hostile.chunks import sack
from tests.hostile.shape import frames
from tests.hostile.talk import Attack


@frames
def short_associations(attack: Attack) -> Iterator[None]:
    """Associations one after the other: a handshake, one chunk, its acknowledgement."""
    for _ in attack.until():
        flow = attack.flow()
        attack.open(flow)
        tsn = attack.new(flow)
        attack.send(flow, 1, sack(tsn))
        yield


@frames
def one_chunk_associations(attack: Attack) -> Iterator[None]:
    """Associations of a single packet each."""
    for _ in attack.until():
        flow = attack.flow()
        flow.next[0] = attack.random.getrandbits(31)
        attack.new(flow)
        yield


@frames
def many_at_once(attack: Attack) -> Iterator[None]:
    """Thousands of associations that all talk in turn, and send again."""
    flows = []
    for _ in attack.until(0.3):
        flows.append(attack.flow())
        attack.open(flows[-1])
        yield
    for turn in attack.until():
        flow = flows[turn * 7919 % len(flows)]
        tsn = attack.new(flow)
        if turn % 3 == 0:
            attack.data(flow, tsn)
            attack.send(flow, 1, sack(tsn))
        yield


@frames
def init_and_abort(attack: Attack) -> Iterator[None]:
    """INIT and ABORT in turn between the same two ports, with new tags each time."""
    flow = attack.flow()
    for _ in attack.until():
        tags = attack.random.getrandbits(32) | 1, attack.random.getrandbits(32) | 1
        flow.tags = tags
        attack.open(flow)
        cause = chunks.parameter(12, attack.random.randbytes(8))
        attack.send(flow, 1, sctp.chunk(chunks.ABORT, 0, cause))
        yield


@frames
def init_flood(attack: Attack) -> Iterator[None]:
    """INITs that nobody answers, from the same port with new tags."""
    flow = attack.flow()
    for _ in attack.until():
        attack.send(flow, 0, chunks.init(attack.random.getrandbits(32), 1), tag=0)
        yield


@frames
def restarts(attack: Attack) -> Iterator[None]:
    """An association that restarts every few packets, with data in flight from before each."""
    flow = attack.opened()
    for turn in attack.until():
        for _ in range(4):
            attack.new(flow)
        old = flow.tags
        flow.tags = 0x10000000 + turn, 0x20000000 + turn
        flow.next = [attack.random.getrandbits(31), attack.random.getrandbits(31)]
        first, second = flow.next
        attack.send(flow, 0, chunks.init(flow.tags[1], first), tag=0)
        cookie = chunks.parameter(7, b"cookie!!")
        answer = chunks.init(flow.tags[0], second, cookie, chunks.INIT_ACK)
        attack.send(flow, 1, answer)
        attack.send(flow, 0, sctp.chunk(chunks.COOKIE_ECHO, 0, b"cookie!!"))
        attack.send(flow, 0, chunks.data(first), tag=old[0])
        yield


@frames
def halves(attack: Attack) -> Iterator[None]:
    """One-way halves of associations, thousands on the same ports, that might belong together."""
    for turn in attack.until():
        flow = attack.flow(same_ports=True)
        way = turn % 2
        flow.next[way] = 1000
        attack.new(flow, way=way)
        attack.send(flow, way, sack(1000))
        attack.send(flow, way, chunks.heartbeat(b"same for all"))
        yield


@frames
def halves_between_two_hosts(attack: Attack) -> Iterator[None]:
    """One-way packets between the same two ends, each with a tag of its own."""
    flow = attack.flow(same_ports=True)
    for turn in attack.until():
        flow.tags = turn * 2 + 1, turn * 2 + 2
        attack.data(flow, 1000 + turn % 7, way=turn // 3 % 2)
        yield


@frames
def init_with_addresses(attack: Attack) -> Iterator[None]:
    """INITs that list hundreds of addresses each, of which the next association has some."""
    for turn in attack.until():
        flow = attack.flow()
        listed = chunks.addresses(range(turn * 20, turn * 20 + 200))
        attack.send(flow, 0, chunks.init(flow.tags[1], 1, listed), tag=0)
        attack.send(flow, 1, chunks.init(flow.tags[0], 1, listed, chunks.INIT_ACK))
        yield


@frames
def ever_new_addresses(attack: Attack) -> Iterator[None]:
    """One association whose packets come from and go to addresses never seen before."""
    flow = attack.opened()
    for turn in attack.until():
        flow.ends = struct.pack(">II", turn * 2 + 1, 9), struct.pack(">II", 9, turn * 2 + 1)
        tsn = attack.new(flow)
        attack.send(flow, 1, sack(tsn))
        yield


@frames
def one_tag_for_all(attack: Attack) -> Iterator[None]:
    """Ever new ends that all use the same verification tag."""
    for turn in attack.until():
        flow = attack.flow()
        flow.tags = 7, 7
        attack.data(flow, turn)
        attack.send(flow, 1, sack(turn))
        yield
