# SPDX-License-Identifier: BSD-2-Clause
"""Which packets a link loses: independently, in bursts, the n-th, or the last of a burst."""

from dataclasses import dataclass
from random import Random
from typing import Protocol


@dataclass(frozen=True)
class Passenger:
    """What a loss may look at: the DATA chunks of a packet as (place in the flow, copy)."""

    chunks: tuple[tuple[int, int], ...]
    acknowledges: bool
    way: int = 0  #: which of the paths it takes; -1: that of DTLS's own messages


class Process(Protocol):
    """Decides packet by packet, in the order in which they enter the link."""

    def drops(self, packet: Passenger, random: Random) -> str:
        """Why the packet is lost; empty where it is not."""


class Loss(Protocol):
    """The description of a loss; `process` begins it."""

    def process(self) -> Process: ...


@dataclass(frozen=True)
class Independent:
    """Each packet with the same probability; `sacks_only`: only packets with a SACK and no DATA."""

    probability: float
    sacks_only: bool = False

    def process(self) -> Process:
        return self

    def drops(self, packet: Passenger, random: Random) -> str:
        if self.sacks_only and (packet.chunks or not packet.acknowledges):
            return ""
        return "iid" if random.random() < self.probability else ""


@dataclass(frozen=True)
class Bursts:
    """Gilbert-Elliott: spells that a packet begins with `begin`, ends with `end`."""

    begin: float
    end: float

    def process(self) -> Process:
        return _Spell(self)


class _Spell:
    def __init__(self, bursts: Bursts) -> None:
        self._bursts = bursts
        self._lossy = False

    def drops(self, packet: Passenger, random: Random) -> str:
        turn = self._bursts.end if self._lossy else self._bursts.begin
        if random.random() < turn:
            self._lossy = not self._lossy
        return "burst" if self._lossy else ""


@dataclass(frozen=True)
class Nth:
    """Chosen chunks: `places` in the flow, from 0, each so many `copies` in a row."""

    places: frozenset[int]
    copies: int = 1

    def process(self) -> Process:
        return self

    def drops(self, packet: Passenger, random: Random) -> str:
        hit = any(place in self.places and copy <= self.copies for place, copy in packet.chunks)
        return "nth" if hit else ""


@dataclass(frozen=True)
class Tail:
    """The first copies of the last `last` chunks of every `burst`, with a probability a burst."""

    burst: int
    last: int
    probability: float = 1.0

    def process(self) -> Process:
        return _Tails(self)


class _Tails:
    def __init__(self, tail: Tail) -> None:
        self._tail = tail
        self._chosen: dict[int, bool] = {}

    def drops(self, packet: Passenger, random: Random) -> str:
        for place, copy in packet.chunks:
            burst, within = divmod(place, self._tail.burst)
            if copy > 1 or within < self._tail.burst - self._tail.last:
                continue
            if burst not in self._chosen:
                self._chosen[burst] = random.random() < self._tail.probability
            if self._chosen[burst]:
                return "tail"
        return ""
