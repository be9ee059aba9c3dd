# SPDX-License-Identifier: BSD-2-Clause
"""A run whose application always has data until it is cut off; its sender tells of its queue."""

from dataclasses import dataclass

from sample_pcaps.generate.host import Report
from sample_pcaps.generate.run import Run, Sent, _Seen
from sample_pcaps.generate.scenario import Scenario

_HEADER = 16  #: of a DATA chunk


@dataclass(frozen=True)
class Greedy:
    """An application that has so many messages at once, and more than can be sent."""

    size: int
    count: int
    unordered: bool

    @property
    def command(self) -> str:
        """As the host of usrsctp is told."""
        return f"send 0 {self.size} {int(self.unordered)} -1 -1 0 {self.count}"

    @property
    def bytes(self) -> int:
        """Of all messages."""
        return self.size * self.count


@dataclass(frozen=True)
class Held:
    """What usrsctp has in its send buffer behind an event at the sender."""

    time_ns: int
    #: User bytes that were sent and are not freed: the paper's r.
    sent: int
    #: The application has more than the buffer has room for.
    blocked: bool


def sent_and_held(in_use: int, refused: int, handed: int, sent_once: int, chunk: int) -> int:
    """Of `in_use` bytes of a send buffer those that were sent, in chunks of so many user bytes:
    what was handed over and not refused, and not sent, is the rest of it. What was sent usrsctp
    counts with the header (`book_size`)."""
    return (in_use - (handed - refused - sent_once)) * chunk // (chunk + _HEADER)


class GreedyRun(Run):
    """Afterwards `held` has what the sender said, where it is asked, and `taps` that of the
    sender alone, which takes a third off the time of a run."""

    def __init__(self, scenario: Scenario, greedy: Greedy) -> None:
        super().__init__(scenario)
        self._greedy = greedy
        self._handed = self._sent_once = self._counted = 0
        self.held: list[Held] = []

    def _begin(self, name: str) -> None:
        super()._begin(name)
        if name == self.scenario.main:
            self._handed = self._greedy.bytes
            self._tell(name, self._greedy.command)

    def _is_done(self, now: int) -> bool:
        return False

    def _see(self, seen: _Seen, hop: int, key: int, time_ns: int, packet: bytes) -> None:
        if hop == (0 if seen.side == self.scenario.main else 2):
            super()._see(seen, hop, key, time_ns, packet)

    def _get(self, name: str, packet: bytes, seen: _Seen, sent: list[Sent], *, again: bool) -> None:
        super()._get(name, packet, seen, sent, again=again)
        self._ask(name)

    def _take(self, name: str, reports: list[Report]) -> None:
        super()._take(name, reports)
        if any(report.word == "packet" for report in reports):
            self._ask(name)

    def _ask(self, name: str) -> None:
        """Behind what may have changed the queue."""
        side = self._sides[name]
        if name != self.scenario.main or not side.up:
            return
        new, self._counted = self.sent[self._counted :], len(self.sent)
        self._sent_once += sum(one.user_bytes for one in new if one.side == name and one.copy == 1)
        for report in side.host.ask("queue"):
            if report.word == "queue":
                in_use, refused = map(int, report.arguments)
                counts = in_use, refused, self._handed, self._sent_once
                sent_bytes = sent_and_held(*counts, self._greedy.size)
                self.held.append(Held(report.time_ns, sent_bytes, refused > 0))
