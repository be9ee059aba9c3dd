# SPDX-License-Identifier: BSD-2-Clause
"""Senders that repeat, never finish, jump and lie about what they sent."""

import struct
from collections.abc import Iterator

from tests.builder import sctp
from tests.hostile import chunks
from tests.hostile.chunks import blocks, sack
from tests.hostile.shape import frames
from tests.hostile.talk import Attack


@frames
def copies_of_one(attack: Attack) -> Iterator[None]:
    """One TSN, tens of thousands of times."""
    flow = attack.opened()
    first = attack.new(flow)
    for turn in attack.until():
        attack.data(flow, first)
        if turn % 100 == 0:
            attack.send(flow, 1, sack(first - 1))
        yield


@frames
def copies_reported(attack: Attack) -> Iterator[None]:
    """One TSN again and again, each copy with a duplicate report of it."""
    flow = attack.opened()
    first = attack.new(flow)
    for _ in attack.until():
        attack.data(flow, first)
        attack.send(flow, 1, sack(first, b"", struct.pack(">I", first & 0xFFFFFFFF)))
        yield


@frames
def other_data_each_time(attack: Attack) -> Iterator[None]:
    """A few TSNs, with other user data each time."""
    flow = attack.opened()
    first = flow.next[0]
    flow.next[0] += 8
    for turn in attack.until():
        attack.data(flow, first + turn % 8, struct.pack(">I", turn))
        yield


@frames
def one_byte_chunks(attack: Attack) -> Iterator[None]:
    """Seventy chunks of one byte in each packet, a tenth of the packets again."""
    flow = attack.opened()
    first = flow.next[0]
    for turn in attack.until():
        again = turn % 10 == 9 and flow.next[0] > first + 70
        tsn = flow.next[0] - 70 if again else flow.next[0]
        attack.send(flow, 0, b"".join(chunks.data(tsn + at, b"x") for at in range(70)))
        attack.frame_of_data = attack.wire.frames
        if not again:
            flow.next[0] = tsn + 70
        if turn % 3 == 0:
            attack.send(flow, 1, sack(tsn - 1 if turn % 2 else tsn + 69))
        yield


@frames
def chunks_without_end(attack: Attack) -> Iterator[None]:
    """Packets of 60 KB with thousands of DATA chunks in any order."""
    flow = attack.opened()
    first = flow.next[0]
    tsns = max(3000, attack.size // 130)  # as many are resent in a small capture as in a large one
    flow.next[0] += tsns
    for _ in attack.until():
        order = attack.random.sample(range(tsns), 3000)
        attack.send(flow, 0, b"".join(chunks.data(first + at, b"x") for at in order))
        attack.frame_of_data = attack.wire.frames
        yield


@frames
def messages_without_end(attack: Attack) -> Iterator[None]:
    """Messages on every stream that begin and never end; all is acknowledged."""
    flow = attack.opened()
    for turn in attack.until():
        tsn = flow.next[0]
        flow.next[0] = tsn + 1
        begins = 2 if attack.random.random() < 0.5 else 0
        stream = attack.random.randrange(65536)
        attack.send(flow, 0, chunks.data(tsn, b"part", flags=begins, stream=stream))
        attack.frame_of_data = attack.wire.frames
        if turn % 2:
            attack.send(flow, 1, sack(tsn))
        yield


@frames
def interleaved_messages(attack: Attack) -> Iterator[None]:
    """I-DATA of any message, any piece of it, any stream, and I-FORWARD-TSN over some."""
    flow = attack.opened()
    random = attack.random
    for turn in attack.until():
        tsn = flow.next[0] & 0xFFFFFFFF
        flow.next[0] = tsn + 1
        names = random.randrange(65536), 0, random.getrandbits(32), random.getrandbits(32)
        fields = struct.pack(">IHHII", tsn, *names)
        attack.send(flow, 0, sctp.chunk(sctp.I_DATA, random.randrange(16), fields + b"part"))
        attack.frame_of_data = attack.wire.frames
        if turn % 8 == 0:
            skipped = chunks.forward_tsn(tsn, random.randbytes(64), chunks.I_FORWARD_TSN)
            attack.send(flow, 0, skipped)
            attack.send(flow, 1, sack(tsn - 4, blocks((2, 3))))
        yield


@frames
def tsn_wraps(attack: Attack) -> Iterator[None]:
    """TSNs leap by just under half of their numbers, over the end of them every few packets."""
    flow = attack.opened()
    for turn in attack.until():
        tsn = (flow.next[0] + (0x7FFFFFF0 if turn % 16 == 0 else 1)) & 0xFFFFFFFF
        flow.next[0] = tsn
        attack.data(flow, tsn)
        attack.send(flow, 1, sack(tsn - 3, blocks((2, 2))))
        yield


@frames
def any_tsn(attack: Attack) -> Iterator[None]:
    """Every chunk has any TSN there is, and so has every SACK."""
    flow = attack.opened()
    for _ in attack.until():
        attack.data(flow, attack.random.getrandbits(32))
        attack.send(flow, 1, sack(attack.random.getrandbits(32), attack.random.randbytes(8)))
        yield


@frames
def sparse_tsns(attack: Attack) -> Iterator[None]:
    """Each TSN a thousand above the one before, then the ones between from above to below."""
    flow = attack.opened()
    first = flow.next[0]
    for turn in attack.until():
        leap, turn_in_leap = divmod(turn, 128)
        tsn = first + 128_000 * leap + 1000 * turn_in_leap
        attack.data(flow, tsn if turn_in_leap % 2 else tsn - 1000 * 64)
        if turn % 4 == 0:
            attack.send(flow, 1, sack(tsn - 60_000, blocks((2, 50_000))))
        yield


@frames
def forward_tsn_jumps(attack: Attack) -> Iterator[None]:
    """FORWARD-TSN over thousands of TSNs with hundreds of streams, then back to data before it."""
    flow = attack.opened()
    for turn in attack.until():
        tsn = attack.new(flow)
        if turn % 4 == 0:
            ahead = tsn + attack.random.randrange(20000)
            attack.send(flow, 0, chunks.forward_tsn(ahead, attack.random.randbytes(400)))
            attack.send(flow, 1, sack(ahead - 10, blocks((2, 9))))
            flow.next[0] = ahead - attack.random.randrange(1000)
        yield


@frames
def random_talk(attack: Attack) -> Iterator[None]:
    """Both ways at once with 40 % loss, go-back-N, pauses, and SACKs of what really arrived."""
    flow = attack.opened()
    random = attack.random
    base = list(flow.next)
    arrived: tuple[set[int], set[int]] = (set(), set())
    for _ in attack.until():
        way = random.randrange(2)
        if random.random() < 0.02:
            attack.wire.now += random.randrange(2_000_000_000)
        resent = flow.next[way] - base[way] > 200 or random.random() < 0.3
        tsn = base[way] + random.randrange(200) if resent else flow.next[way]
        flow.next[way] = max(flow.next[way], tsn + 1)
        attack.data(flow, tsn, b"talk", way)
        if random.random() < 0.6:
            arrived[way].add(tsn)
        while base[way] in arrived[way]:
            arrived[way].discard(base[way])
            base[way] += 1
        if random.random() < 0.5:
            listed = sorted(at for at in arrived[way] if at > base[way])[:20]
            gaps = blocks(*((at - base[way] + 1, at - base[way] + 1) for at in listed))
            attack.send(flow, 1 - way, sack(base[way] - 1, gaps))
        yield


@frames
def duplicated_packets(attack: Attack) -> Iterator[None]:
    """Each packet three times with the same IP ID, the copies among thousands of others."""
    flow = attack.opened()
    waiting = list[bytes]()
    for turn in attack.until():
        tsn = flow.next[0]
        flow.next[0] = tsn + 1
        packet = attack.sctp(flow, 0, chunks.data(tsn) + sctp.chunk(200, 0, b"any"))
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(packet), turn & 0xFFFF, 0, 64, 132, 0)
        waiting.append(head + flow.ends[0] + packet)
        attack.frame(waiting[-1])
        attack.frame_of_data = attack.wire.frames
        if len(waiting) > 5000:
            attack.frame(waiting.pop(attack.random.randrange(5000)))
        attack.frame(attack.random.choice(waiting))
        yield
