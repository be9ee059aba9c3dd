# SPDX-License-Identifier: BSD-2-Clause
"""Receivers that take back, toggle, list too much, and contradict themselves."""

import struct
from collections.abc import Iterator

from tests.builder import sctp
from tests.hostile import chunks
from tests.hostile.chunks import MOST, blocks, sack
from tests.hostile.shape import frames
from tests.hostile.talk import Attack, Flow

#: Of data in flight, which a gap block can reach.
WIDEST = 60000


def _in_flight(attack: Attack, share: float) -> tuple[Flow, int, int]:
    """Sends new data with that share of the bytes: the flow, the lowest TSN, how many."""
    flow = attack.opened()
    first = flow.next[0]
    for count in attack.until(share):
        attack.new(flow)
        if count >= WIDEST:
            break
    return flow, first, max(flow.next[0] - first, 2)


@frames
def taken_back_and_shuffled(attack: Attack) -> Iterator[None]:
    """Data in flight is sent again in any order; SACKs acknowledge and take back all of it."""
    flow, first, count = _in_flight(attack, 0.3)
    yield
    for turn in attack.until():
        attack.data(flow, first + attack.random.randrange(count))
        if turn % 4 == 0:
            gaps = blocks((2, min(count - 1, MOST))) if turn % 8 else b""
            attack.send(flow, 1, sack(first - 1, gaps))
        yield


@frames
def one_gap_toggled(attack: Attack) -> Iterator[None]:
    """One gap block of tens of thousands of TSNs that comes and goes with each SACK."""
    flow, first, count = _in_flight(attack, 0.5)
    yield
    for turn in attack.until():
        gaps = blocks((2, min(count - 1, MOST))) if turn % 2 else b""
        attack.send(flow, 1, sack(first - 1, gaps))
        yield


@frames
def halves_toggled(attack: Attack) -> Iterator[None]:
    """Every second TSN in gap blocks of its own, and the others with the next SACK."""
    flow, first, count = _in_flight(attack, 0.3)
    yield
    for turn in attack.until():
        start = 2 + attack.random.randrange(max(count - 1000, 1))
        listed = b"".join(
            blocks((at + turn % 2, at + turn % 2)) for at in range(start, start + 700, 2)
        )
        attack.send(flow, 1, sack(first - 1, listed))
        yield


@frames
def edges_crawl(attack: Attack) -> Iterator[None]:
    """A gap block in a window of data whose edges move outward by one TSN with each SACK."""
    flow, first, count = _in_flight(attack, 0.4)
    middle = count // 2
    yield
    for turn in attack.until():
        wide = turn % max(middle - 2, 1)
        attack.send(flow, 1, sack(first - 1, blocks((middle - wide, middle + wide))))
        yield


@frames
def gap_blocks_by_the_thousand(attack: Attack) -> Iterator[None]:
    """SACKs of 60 KB with 15,000 gap blocks: overlapping, unsorted, inverted, beyond all data."""
    flow, first, _ = _in_flight(attack, 0.1)
    for _ in attack.until():
        attack.send(flow, 1, sack(first - 1, attack.random.randbytes(60000)))
        attack.new(flow)
        yield


@frames
def gap_blocks_of_a_packet(attack: Attack) -> Iterator[None]:
    """SACKs with the 360 gap blocks that a packet has room for, other ones each time."""
    flow, first, count = _in_flight(attack, 0.2)
    random = attack.random
    for _ in attack.until():
        edges = sorted(random.randrange(2, max(count, 1000)) for _ in range(720))
        attack.send(flow, 1, sack(first - 1, struct.pack(">720H", *edges)))
        attack.data(flow, first + random.randrange(count))
        yield


@frames
def duplicates_by_the_thousand(attack: Attack) -> Iterator[None]:
    """SACKs that report thousands of duplicates, of one TSN, of all, and of none that was sent."""
    flow, first, count = _in_flight(attack, 0.2)
    random = attack.random
    for turn in attack.until():
        some = struct.pack(">40I", *(first + random.randrange(count) for _ in range(40)))
        dups = (struct.pack(">I", first) * 3000, some * 75, random.randbytes(12000))[turn % 3]
        attack.send(flow, 1, sack(first + turn // 4 % count, b"", dups))
        attack.data(flow, first + random.randrange(count))
        yield


@frames
def nr_sacks(attack: Attack) -> Iterator[None]:
    """NR-SACKs whose two lists contradict each other and the SACKs between them."""
    flow, first, count = _in_flight(attack, 0.3)
    random = attack.random
    for turn in attack.until():
        edges = [sorted(random.randrange(2, count + 2) for _ in range(2)) for _ in range(16)]
        pairs = [(low, high) for low, high in edges]
        if turn % 2:
            attack.send(flow, 1, sctp.nr_sack(first - 1, pairs[:8], pairs[8:]))
        else:
            attack.send(flow, 1, sack(first - 1, blocks(*pairs)))
        attack.data(flow, first + random.randrange(count))
        yield


@frames
def cumulative_back_and_forth(attack: Attack) -> Iterator[None]:
    """The cumulative acknowledgement jumps: back, beyond all data, by half of all numbers."""
    flow = attack.opened()
    random = attack.random
    for turn in attack.until():
        tsn = attack.new(flow)
        jump = (random.randrange(-5000, 5000), 1 << 31, (1 << 31) - 1, 0)[turn % 4]
        attack.send(flow, 1, sack(tsn + jump))
        yield


@frames
def silent_receiver(attack: Attack) -> Iterator[None]:
    """Data that nobody ever acknowledges, and all of it again after a pause, again and again."""
    flow = attack.opened()
    first, window = flow.next[0], max(min(attack.size // 600, 20000), 1)
    for turn in attack.until():
        if turn and turn % window == 0:
            attack.wire.now += 3_000_000_000
        attack.data(flow, first + turn % window)
        yield


@frames
def acknowledged_after_all(attack: Attack) -> Iterator[None]:
    """A window sent again in order while each SACK moves the cumulative acknowledgement by one."""
    flow, first, count = _in_flight(attack, 0.3)
    yield
    for turn in attack.until():
        attack.data(flow, first + (turn + count // 2) % count)
        gaps = blocks((2, min(count - turn % count, MOST)))
        attack.send(flow, 1, sack(first + turn % count - 1, gaps))
        yield


@frames
def shutdowns(attack: Attack) -> Iterator[None]:
    """SHUTDOWN chunks acknowledge one TSN after the other, and the association goes on."""
    flow = attack.opened()
    for _ in attack.until():
        tsn = attack.new(flow)
        attack.send(flow, 1, sctp.chunk(chunks.SHUTDOWN, 0, struct.pack(">I", tsn)))
        yield
