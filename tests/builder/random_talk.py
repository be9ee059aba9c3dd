# SPDX-License-Identifier: BSD-2-Clause
"""Decides how two hosts talk that lose, repeat, drop, take back, close windows, restart and change
paths, and what a tap between them sees: all that is random comes from one source. Where the talk
varies, packets overtake each other and come twice, the sender gives up, the receiver promises to
keep what it has (NR-SACK), TSNs wrap around, and the other side sends, too."""

from __future__ import annotations

import heapq
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

from tests.builder import sctp
from tests.builder.talk import COOKIE_ECHO, INIT_ACK, End, Talk, init

#: Microseconds.
RTO, DELAY, APART = 1_000_000, 200_000, 300
FORWARD_TSN = 192
Said = tuple[int, End, End, tuple[bytes, ...]]


@dataclass
class _Hosts:
    """`a` sends; times are those of the tap."""

    random: Random
    a: End
    b: End
    to_a_us: int
    to_b_us: int
    said: list[Said] = field(default_factory=list)
    events: list[tuple[int, int, Callable[[int], None]]] = field(default_factory=list)
    number: count[int] = field(default_factory=count)
    next_tsn: int = 1000
    cum: int = 999
    has: set[int] = field(default_factory=set)
    dups: list[int] = field(default_factory=list)
    known: int = 999
    told: set[int] = field(default_factory=set)
    missed: dict[int, int] = field(default_factory=dict)
    sent_us: dict[int, int] = field(default_factory=dict)
    closed_until_us: int = 0
    unanswered: int = 0
    varies: bool = False
    promises: bool = False
    others: int = 5_000  # TSNs of the other side

    def begin_at(self, tsn: int) -> None:
        """The first TSN; beyond the largest they go on from 0."""
        self.next_tsn, self.cum, self.known = tsn, tsn - 1, tsn - 1

    def at(self, time_us: int, does: Callable[[int], None]) -> None:
        heapq.heappush(self.events, (time_us, next(self.number), does))

    def run(self, packets: int) -> None:
        """`packets` of new data, and until all is acknowledged or a minute is over."""
        self.at(0, lambda now: self._new(now, packets))
        while self.events and self.events[0][0] < 60_000_000:
            now, _, does = heapq.heappop(self.events)
            does(now)

    def _new(self, now: int, packets: int) -> None:
        if packets == 0:
            return
        if self.next_tsn - self.known <= 12:
            self._send(now, self.next_tsn)
            self.next_tsn += 1
            packets -= 1
        pause = self.random.choice((APART, APART, APART, 40_000, 400_000))
        self.at(now + pause, lambda then: self._new(then, packets))

    def _send(self, now: int, *tsns: int) -> None:
        for tsn in tsns:
            self.sent_us[tsn] = now
            self.at(now + RTO, lambda then, tsn=tsn: self._timeout(then, tsn))  # type: ignore[misc]
        if self.random.random() < 0.03:
            return  # lost before the tap
        late_us = self._late()
        self._say(now + self.to_a_us + late_us, self.a, self.b, *map(_data, tsns))
        arrives = now + self.to_a_us + self.to_b_us + late_us + self._late()
        lot = self.random.random()
        if lot < 0.05:
            dropped = sctp.packet(
                *map(_data, tsns), sport=self.a.port, dport=self.b.port, vtag=self.b.vtag
            )
            self.at(arrives, lambda then: self._dropped(then, dropped, tsns))
        elif lot > 0.13:
            self.at(arrives, lambda then: self._arrive(then, tsns))

    def _dropped(self, now: int, packet: bytes, tsns: Sequence[int]) -> None:
        self.said.append((now + self.to_b_us, self.b, self.a, (sctp.packet_drop(packet),)))
        self.at(now + self.to_a_us + self.to_b_us, lambda then: self._send(then, *tsns))

    def _late(self) -> int:
        return self.random.choice((400, 3_000)) if self._happens(0.06) else 0

    def _happens(self, probability: float) -> bool:
        return self.varies and self.random.random() < probability

    def _say(self, time_us: int, source: End, to: End, *chunks: bytes) -> None:
        self.said.append((time_us, source, to, chunks))
        if self._happens(0.03):
            self.said.append((time_us + self.random.choice((5, 1_500)), source, to, chunks))

    def _timeout(self, now: int, tsn: int) -> None:
        if tsn > self.known and tsn not in self.told and now - self.sent_us[tsn] >= RTO:
            if self._happens(0.25):
                self._give_up(now, tsn)
            else:
                self._send(now, tsn)

    def _give_up(self, now: int, tsn: int) -> None:
        """All up to it (RFC 3758)."""
        chunk = sctp.chunk(FORWARD_TSN, 0, struct.pack(">I", tsn % 2**32))
        self._say(now + self.to_a_us, self.a, self.b, chunk)
        self.at(now + self.to_a_us + self.to_b_us, lambda then: self._forward(then, tsn))

    def _forward(self, now: int, tsn: int) -> None:
        self.cum = max(self.cum, tsn)
        self.has = {one for one in self.has if one > self.cum}
        while self.cum + 1 in self.has:
            self.cum += 1
            self.has.discard(self.cum)
        self._answer(now)

    def _arrive(self, now: int, tsns: Sequence[int]) -> None:
        self.dups += [tsn for tsn in tsns if tsn <= self.cum or tsn in self.has]
        if now >= self.closed_until_us:
            self.has |= {tsn for tsn in tsns if tsn > self.cum}
        while self.cum + 1 in self.has:
            self.cum += 1
            self.has.discard(self.cum)
        self.unanswered += 1
        if self.random.random() < 0.01:
            self.closed_until_us = now + 500_000
        if self.has and self.random.random() < 0.04 and not self.promises:
            self.has -= {self.random.choice(sorted(self.has))}
            self.at(now + 5_000, self._answer)
        if self.has or self.dups or self.unanswered == 2:
            self._answer(now)
        elif self.unanswered == 1:
            self.at(now + DELAY, lambda then: self._answer(then) if self.unanswered else None)

    def _answer(self, now: int) -> None:
        self.unanswered = 0
        blocks: list[tuple[int, int]] = []
        for tsn in sorted(self.has):
            offset = tsn - self.cum
            if blocks and blocks[-1][1] == offset - 1:
                blocks[-1] = blocks[-1][0], offset
            else:
                blocks.append((offset, offset))
        closed = now < self.closed_until_us
        cum, dups = self.cum % 2**32, [tsn % 2**32 for tsn in self.dups]
        if self.promises:
            answer = sctp.nr_sack(cum, [], blocks, dups)
        else:
            answer = sctp.sack(cum, blocks, dups)
        if closed:
            answer = answer[:8] + struct.pack(">I", 0) + answer[12:]
        self.dups = []
        if self.random.random() < 0.04:
            return  # lost before the tap
        self._say(now + self.to_b_us + self._late(), self.b, self.a, answer)
        if self._happens(0.1):
            self._other_side(now)
        if self.random.random() < 0.04:
            return
        known, has = self.cum, set(self.has)
        self.at(now + self.to_b_us + self.to_a_us, lambda then: self._told(then, known, has))

    def _other_side(self, now: int) -> None:
        self.others += 1
        self._say(now + self.to_b_us, self.b, self.a, _data(self.others))
        if not self._happens(0.1):
            answered = now + 2 * self.to_b_us + 2 * self.to_a_us
            self._say(answered, self.a, self.b, sctp.sack(self.others % 2**32))

    def _told(self, now: int, cum: int, has: set[int]) -> None:
        if cum < self.known:
            return
        self.known, self.told = cum, has
        again = []
        for tsn in range(cum + 1, max(has, default=cum)):
            if tsn not in has:
                self.missed[tsn] = self.missed.get(tsn, 0) + 1
                if self.missed[tsn] == 3:
                    again.append(tsn)
        if again:
            self._send(now, *again)


def _data(tsn: int) -> bytes:
    return sctp.data(tsn % 2**32)


def say_random(talk: Talk, random: Random, port: int, *, varies: bool = False) -> None:
    """An association between hosts of its own, or two where the first is restarted."""
    a = End("10.0.0.1", port, random.getrandbits(32) | 1)
    b = End("10.0.0.2", 6000, random.getrandbits(32) | 1)
    to_a_us, to_b_us = random.choice(((50, 20_000), (10_000, 10_000), (20_000, 50)))
    for restart in range(random.choice((1, 1, 2))):
        if restart:
            a, b = replace(a, vtag=a.vtag ^ 8), replace(b, vtag=b.vtag ^ 8)
        talk.say(a, b, init(a, addresses=("10.0.1.1",)), vtag=0, later_us=2_000_000)
        talk.say(b, a, init(b, INIT_ACK), later_us=2 * to_b_us)
        talk.say(a, b, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=2 * to_a_us)
        talk.say(b, a, sctp.cookie_ack(), later_us=2 * to_b_us)
        hosts = _Hosts(random, a, b, to_a_us, to_b_us, varies=varies)
        if varies:
            hosts.begin_at(random.choice((1000, 2**32 - 20)))
            hosts.promises = random.random() < 0.3
        hosts.run(random.randrange(60))
        other = replace(a, address="10.0.1.1")
        before_us, moved = 0, False
        idents: dict[int, int] = {}  # what comes twice was sent once
        for time_us, source, to, chunks in sorted(hosts.said, key=lambda each: each[0]):
            moved = moved or random.random() < 0.01
            ends = [other if moved and end is a else end for end in (source, to)]
            ident = idents.setdefault(id(chunks), talk.frames + 1)
            later_us = max(time_us - before_us, 1)
            talk.say(ends[0], ends[1], *chunks, ident=ident, later_us=later_us)
            before_us = max(time_us, before_us)
