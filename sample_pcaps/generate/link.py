# SPDX-License-Identifier: BSD-2-Clause
"""What one direction of a link does to each packet: when it passes the middle and the end."""

from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from .fault import Damager, Fault
from .loss import Loss, Passenger

MS = 1_000_000
LOWER_HEADERS = 28  #: bytes on the link beside the SCTP packet: IP and UDP


@dataclass(frozen=True)
class Path:
    """One direction of a link. Times are nanoseconds since the start of the run."""

    delay_ns: int = 20 * MS
    jitter_ns: int = 0
    jitter_reorders: bool = False
    losses: tuple[Loss, ...] = ()
    late: float = 0.0  #: probability that a packet is held back, and so overtaken
    late_ns: int = 0
    duplicate: float = 0.0  #: probability that the network repeats a packet
    duplicate_after_ns: tuple[int, int] = (MS // 10, MS // 10 + 2 * MS)  #: from, to
    bits_per_s: int = 10_000_000
    queue: int = 1000  #: packets that wait for the link
    delay_steps: tuple[tuple[int, int], ...] = ()  #: (from when, which delay)
    holds: tuple[tuple[int, int], ...] = ()  #: (from, to): what comes then waits until the end
    outages: tuple[tuple[int, int], ...] = ()  #: (from, to): what comes then is lost
    fault: Fault | None = None

    def least_delay_ns(self) -> int:
        """No packet is faster."""
        return min([self.delay_ns, *(delay for _, delay in self.delay_steps)])


@dataclass
class Passage:
    """How a packet fares. A time is None where it does not come by."""

    packet: bytes  #: as it leaves
    middle_ns: int | None = None
    end_ns: int | None = None
    why: str = ""  #: what the link did
    unless_lost: tuple[int, int] = (0, 0)  #: when it would pass the middle and the end
    again: list["Passage"] = field(default_factory=list)  #: what the network repeats


class Carrier(Protocol):
    """Takes packets from one host to the other."""

    def carry(self, time_ns: int, packet: bytes, passenger: Passenger) -> Passage:
        """A packet enters at its sender's tap."""


class Ways:
    """The paths away from a host; the last is that of DTLS's own messages."""

    def __init__(self, links: list["Link"]) -> None:
        self._links = links

    def carry(self, time_ns: int, packet: bytes, passenger: Passenger) -> Passage:
        """A packet enters the path that it takes."""
        return self._links[passenger.way].carry(time_ns, packet, passenger)


class Link:
    """One direction in operation; `middle` is the place of the tap on the way, from 0 to 1."""

    def __init__(self, path: Path, middle: float, random: Random) -> None:
        self._path = path
        self._middle = middle
        self._random = random
        self._losses = [loss.process() for loss in path.losses]
        self._damager = Damager(path.fault)
        self._leaving: deque[int] = deque()
        self._last_middle = self._last_end = 0

    def carry(self, time_ns: int, packet: bytes, passenger: Passenger) -> Passage:
        """A packet enters at its sender's tap."""
        takes = (len(packet) + LOWER_HEADERS) * 8 * 1_000_000_000 // self._path.bits_per_s
        leaves = self._queue(time_ns, takes)
        if leaves is None:
            arrives = time_ns + takes + self._path.delay_ns
            return Passage(packet, why="queue", unless_lost=(arrives, arrives))
        reasons = [loss.drops(passenger, self._random) for loss in self._losses]
        if any(start <= time_ns < end for start, end in self._path.outages):
            reasons.append("outage")
        behind_middle = self._random.random() >= self._middle
        damaged = self._damager.pass_on(packet)
        passage = self._times(leaves, takes, damaged)
        if damaged != packet:
            passage.why = "damaged"
        if why := next(filter(None, reasons), ""):
            passage.why, passage.end_ns = why, None
            if not behind_middle:
                passage.middle_ns = None
        elif self._random.random() < self._path.duplicate:
            passage.again.append(self._repeat(passage, behind_middle))
        return passage

    def _queue(self, time_ns: int, takes: int) -> int | None:
        while self._leaving and self._leaving[0] <= time_ns:
            self._leaving.popleft()
        if len(self._leaving) > self._path.queue:
            return None
        begins = self._leaving[-1] if self._leaving else time_ns
        for start, end in self._path.holds:
            if start <= begins < end:
                begins = end
        self._leaving.append(begins + takes)
        return begins + takes

    def _times(self, leaves: int, takes: int, packet: bytes) -> Passage:
        delay = self._path.delay_ns
        for start, stepped in self._path.delay_steps:
            if leaves >= start:
                delay = stepped
        jitter = int(self._random.random() * self._path.jitter_ns)
        late = self._random.random() < self._path.late
        middle = leaves + int((delay + jitter) * self._middle)
        end = leaves + delay + jitter
        if late:
            held_behind = self._random.random() >= self._middle
            end += self._path.late_ns
            middle += 0 if held_behind else self._path.late_ns
        elif not self._path.jitter_reorders:
            middle = self._last_middle = max(middle, self._last_middle + takes)
            end = self._last_end = max(end, self._last_end + takes)
        return Passage(packet, middle, end, "late" if late else "", (middle, end))

    def _repeat(self, passage: Passage, behind_middle: bool) -> Passage:
        assert passage.middle_ns is not None and passage.end_ns is not None
        least_ns, most_ns = self._path.duplicate_after_ns
        lag = least_ns + int(self._random.random() * (most_ns - least_ns))
        middle = None if behind_middle else passage.middle_ns + lag
        return Passage(passage.packet, middle, passage.end_ns + lag, "duplicate")
