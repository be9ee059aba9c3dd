# SPDX-License-Identifier: BSD-2-Clause
"""Random histories of one direction: a sender that does anything, a receiver that tells the truth.

A history is a list of typed commands. Played from a first TSN it becomes events for a model; the
receiver acknowledges what arrived, and may renege, repeat itself, or speak too late.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from random import Random

from hypothesis import strategies as st
from sctp_rack.names import Answer, RttTag, SackKind
from sctp_rack.reference.events import (
    DataChunk,
    Feedback,
    ForwardTsn,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.profiles import ReceiverTraits
from sctp_rack.reference.tsn import HALF, MODULUS, Tsn

Event = Transmission | Feedback | ForwardTsn | RttMeasurement | TsnReset

# Where arithmetic of TSNs goes wrong if it does: at 0, at 2^31, just before the wrap.
FIRSTS = [0, 1, HALF - 3, HALF - 1, HALF, HALF + 1, MODULUS - 40, MODULUS - 3, MODULUS - 1]
FIRST_TSNS = st.sampled_from(FIRSTS)


class Does(Enum):
    """What a command does."""

    SEND = "send a packet of new data"
    AGAIN = "send a TSN again"
    ARRIVE = "let a packet arrive"
    SACK = "acknowledge what arrived"
    NR_SACK = "acknowledge it for good"
    STALE = "let an old acknowledgement come late"
    RENEGE = "acknowledge less than before"
    SHUTDOWN = "acknowledge cumulatively only"
    FORWARD = "give up the lowest TSNs"
    HEARTBEAT = "measure a round trip"
    WINDOW = "open or close the receive window"
    TWICE = "send a new TSN twice in one packet"
    UNSEEN = "send new data that the capture does not have"
    RESET = "reset the TSNs"
    OVERTAKEN = "let an acknowledgement be overtaken"
    CUT = "acknowledge with lists that the capture cut"
    FOR_GOOD = "acknowledge with the NR-SACK A bit"
    MESSY = "acknowledge in blocks that overlap, contradict or reach too far"
    TOGETHER = "send old and new TSNs in one packet"
    AT_TIMER = "send when a timer of the model is due: the highest TSN again, the lowest, a new one"


ACKNOWLEDGE = (
    *(Does.SACK, Does.NR_SACK, Does.RENEGE, Does.SHUTDOWN, Does.STALE),
    *(Does.OVERTAKEN, Does.CUT, Does.FOR_GOOD, Does.MESSY),
)


@dataclass(frozen=True)
class Command:
    """A command, the time before it in microseconds, and a number for what it needs to choose."""

    does: Does
    wait_us: int
    pick: int
    path: str


@dataclass
class History:
    """What a list of commands has made. Sequence numbers count from 0, the first TSN."""

    first: int
    events: list[Event] = field(default_factory=list)
    now_ns: int = 0
    frame: int = 0
    nxt: int = 0
    cum: int = -1
    abandoned: int = -1
    arrived: set[int] = field(default_factory=set)
    on_the_way: list[tuple[int, ...]] = field(default_factory=list)
    dups: list[int] = field(default_factory=list)
    a_rwnd_bytes: int | None = None
    next_timer_ns: Callable[[], int | None] = lambda: None

    def tsn(self, seq: int) -> Tsn:
        """Return the TSN of a sequence number."""
        return Tsn((self.first + seq) % MODULUS)

    def apply(self, command: Command) -> None:
        """Carry out a command, if it can be."""
        self.now_ns += command.wait_us * 1000
        pick = command.pick
        match command.does:
            case Does.SEND:
                count = 1 + pick % 3
                self._send(tuple(range(self.nxt, self.nxt + count)), command.path)
                self.nxt += count
            case Does.AGAIN if self.nxt > max(self.cum, 0):
                self._send((max(self.cum, 0) + pick % (self.nxt - max(self.cum, 0)),), command.path)
            case Does.ARRIVE if self.on_the_way:
                self._arrive(self.on_the_way.pop(pick % len(self.on_the_way)))
            case Does.FORWARD if self.nxt - 1 > self.cum:
                self.abandoned = self.cum + 1 + pick % (self.nxt - self.cum - 1)
                self.frame += 1
                forward = ForwardTsn(self.frame, self.now_ns, self.tsn(self.abandoned))
                self.events.append(forward)
            case Does.WINDOW:
                self.a_rwnd_bytes = (None, 0, 0, 103, 100_000)[pick % 5]
            case Does.TWICE:
                self._send((self.nxt, self.nxt), command.path)
                self.nxt += 1
            case Does.HEARTBEAT:
                rtt_ns = 1_000_000 * (1 + pick % 300)
                measurement = RttMeasurement(self.now_ns, command.path, rtt_ns, RttTag.HEARTBEAT)
                self.events.append(measurement)
            case Does.UNSEEN:
                self.frame += 1
                self.on_the_way.append((self.nxt,))
                self.nxt += 1
            case Does.TOGETHER if self.nxt:
                old = max(self.cum, 0) + pick % (self.nxt - max(self.cum, 0))
                self._send((old, self.nxt), command.path)
                self.nxt += 1
            case Does.AT_TIMER if self.nxt and (due_ns := self.next_timer_ns()):
                self.now_ns = max(self.now_ns, due_ns + (0, 0, 1_000_000, 30_000_000)[pick % 4])
                new = pick % 3 == 0
                self._send(((self.nxt, self.nxt - 1, self.cum + 1)[pick % 3],), command.path)
                self.nxt += new
            case Does.RESET if self.nxt:
                self._reset(pick)
            case _ if command.does in ACKNOWLEDGE and self.nxt:
                self._acknowledge(command.does, pick)

    def _reset(self, pick: int) -> None:
        self.first = (self.tsn(self.nxt).value + pick * (HALF // 600)) % MODULUS
        self.events.append(TsnReset(self.now_ns, Tsn(self.first)))
        self.nxt, self.cum, self.abandoned = 0, -1, -1
        self.arrived, self.on_the_way, self.dups = set(), [], []

    def _send(self, seqs: tuple[int, ...], path: str) -> None:
        self.frame += 1
        chunks = tuple(DataChunk(self.tsn(seq), 100 + seq % 7, seq % 5 == 0) for seq in seqs)
        self.events.append(Transmission(self.frame, self.now_ns, path, chunks))
        self.on_the_way.append(seqs)

    def _arrive(self, seqs: tuple[int, ...]) -> None:
        for seq in seqs:
            if seq in self.arrived or seq <= self.cum:
                self.dups.append(seq)
            self.arrived.add(seq)

    def _acknowledge(self, does: Does, pick: int) -> None:
        self.frame += 1
        cum = self.cum
        while cum + 1 in self.arrived or cum + 1 <= min(self.abandoned, self.nxt - 1):
            cum += 1
        if does is Does.STALE:
            cum = max(self.cum - 1 - pick % 3, -1)
        else:
            self.cum = cum
        above = sorted(seq for seq in self.arrived if seq > cum)
        if does is Does.RENEGE and above:
            gone = above.pop(pick % len(above))
            self.arrived.discard(gone)
        blocks = tuple((self.tsn(seq), self.tsn(seq)) for seq in above)
        if does is Does.CUT:
            blocks = blocks[: pick % 3]
        if does is Does.MESSY:
            reach, back = pick % 7, pick % 3 - 1
            odd = [(self.tsn(cum + reach), self.tsn(cum + reach + back)) for _ in range(2)]
            far = (self.tsn(self.nxt - 1), self.tsn(self.nxt + pick))
            blocks = (*odd[:1], *blocks[::-1], far, *blocks[pick % 2 :])
        kinds = {Does.NR_SACK: SackKind.NR_SACK, Does.SHUTDOWN: SackKind.SHUTDOWN}
        nr_sack = does is Does.NR_SACK or (does in (Does.CUT, Does.MESSY) and pick % 4 == 0)
        shutdown = does is Does.SHUTDOWN
        self.events.append(
            Feedback(
                self.frame,
                self.now_ns,
                self.tsn(cum),
                gaps=() if nr_sack or shutdown else blocks,
                nr_gaps=blocks if nr_sack else blocks[:1] if does is Does.MESSY else (),
                dups=() if shutdown else tuple(self.tsn(seq) for seq in self.dups),
                a_rwnd_bytes=None if shutdown else self.a_rwnd_bytes,
                kind=kinds.get(does, SackKind.SACK),
                all_non_renegable=does is Does.FOR_GOOD,
                lists_cut=does is Does.CUT,
                overtaken=does is Does.OVERTAKEN,
                packets=pick % 4,
            )
        )
        if not shutdown:
            self.dups = []


def played(commands: list[Command], first: int) -> list[Event]:
    """Return the events that the commands make, from a first TSN."""
    history = History(first)
    for command in commands:
        history.apply(command)
    return history.events


COMMON = (Does.SEND, Does.SEND, Does.ARRIVE, Does.ARRIVE, Does.SACK, Does.SACK, Does.AGAIN)
RARE = (
    *(Does.NR_SACK, Does.STALE, Does.RENEGE, Does.SHUTDOWN),
    *(Does.FORWARD, Does.HEARTBEAT, Does.WINDOW, Does.TWICE),
)
# What a capture that misses packets shows, and receivers that err.
ODD = tuple(does for does in Does if does not in COMMON + RARE)
LOSSY = (*(Does.SEND, Does.ARRIVE, Does.SACK) * 3, Does.AGAIN, Does.RENEGE)
TAIL = (Does.SEND, Does.ARRIVE, Does.SACK, Does.AT_TIMER)
KINDS = (COMMON, COMMON + RARE, 2 * COMMON + RARE + ODD, COMMON + RARE + ODD, TAIL, LOSSY)
# Much is outstanding, so that the scoreboard grows.
BULK = (*(Does.SEND,) * 8, *(Does.ARRIVE,) * 8, Does.SACK, Does.AGAIN, Does.RENEGE, Does.NR_SACK)
RECEIVERS = [
    ReceiverTraits(),
    ReceiverTraits(reports_duplicates=Answer.YES),
    ReceiverTraits(gap_block_cap=2),
]


def commands(paths: tuple[str, ...], kinds: tuple[Does, ...]) -> st.SearchStrategy[list[Command]]:
    """Return lists of commands of these kinds over these paths."""
    waits = st.one_of(
        st.sampled_from([0, 1, 100, 25_000, 100_000]), st.integers(0, 300_000), st.just(1_500_000)
    )
    command = st.builds(
        Command, st.sampled_from(kinds), waits, st.integers(0, 1000), st.sampled_from(paths)
    )
    return st.lists(command, max_size=60)


WAITS_US = (0, 1, 100, 25_000, 100_000)


def at_random(seed: int, kinds: tuple[Does, ...], longest: int) -> list[Command]:
    """Return a list of up to so many commands, the same one for the same seed."""
    random = Random(seed)
    paths = random.choice([("p",), ("p", "q"), ("p", "q", "r")])
    longest_us = random.choice([1_000, 30_000, 300_000])

    def wait_us() -> int:
        chance = random.random()
        if chance < 0.4:
            return min(random.choice(WAITS_US), longest_us)
        return random.randint(0, longest_us) if chance < 0.97 else 1_500_000

    return [
        Command(random.choice(kinds), wait_us(), random.randint(0, 1000), random.choice(paths))
        for _ in range(random.randint(longest // 20, longest))
    ]
