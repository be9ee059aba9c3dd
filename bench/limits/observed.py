# SPDX-License-Identifier: BSD-2-Clause
"""A run whose sender is asked for its windows whenever anything happened to it."""

from dataclasses import dataclass

from sample_pcaps.generate.host import Report
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.wire import Acknowledgement, acknowledgement_of


@dataclass(frozen=True)
class Windows:
    """What the sender says of itself behind an event."""

    time_ns: int
    cwnd: int
    peer_window: int  #: what is left of it, as the stack counts
    refused: int  #: bytes that the application wants to send, and its send buffer has no room for
    cut: int  #: 1: the limit on bursts was reached; 2: and the congestion window made smaller


@dataclass(frozen=True)
class Handed:
    """The application hands a message over."""

    time_ns: int
    size: int


@dataclass(frozen=True)
class Heard:
    """Feedback reaches the sender."""

    time_ns: int
    said: Acknowledgement
    #: How long the receiver had had the newest of what it acknowledges when it left.
    held_ns: int


class ObservedRun(Run):
    """Afterwards `windows`, `handed` and `heard` tell of the main host what it knew when."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.windows: list[Windows] = []
        self.handed: list[Handed] = []
        self.heard: list[Heard] = []
        self._flight: dict[int, int] = {}  #: user bytes by TSN, before slow hosts hand it out
        self._looked_at = 0  #: of `sent`
        self._handed_bytes = self._first_bytes = 0  #: to the stack, and that left it

    def _tell(self, name: str, command: str) -> None:
        if name == self.scenario.main and command.startswith("send "):
            size = int(command.split()[2])
            self.handed.append(Handed(self._sides[name].host.now_ns, size))
            self._handed_bytes += size
        super()._tell(name, command)
        if name == self.scenario.main and command.startswith("send ") and self._may_refuse:
            self._take(name, [Report(self._sides[name].host.now_ns, "handed", ())])

    @property
    def _may_refuse(self) -> bool:
        """Whether a message that is handed over may have to wait, of which nothing is reported."""
        return bool(self.scenario.sndbuf or self.scenario.undelivered)

    def _take(self, name: str, reports: list[Report]) -> None:
        super()._take(name, reports)
        side = self._sides[name]
        if name != self.scenario.main or not side.up or side.down or self.closing_ns is not None:
            return
        if not any(report.word != "window" for report in reports):
            return
        for report in side.host.ask("window"):
            if report.word == "window":
                cwnd, left, refused, cut = map(int, report.arguments)
                if self.scenario.stack is Stack.LINUX:
                    cut = self._cut_by_linux(cwnd, left, refused)
                self.windows.append(Windows(report.time_ns, cwnd, left, refused, cut))

    def _cut_by_linux(self, cwnd: int, left: int, refused: int) -> int:
        """Linux does not count that it limits bursts, and puts the congestion window back at once:
        nothing else keeps data back for which both windows have room, but the rule of Nagle."""
        for sent in self.sent[self._looked_at :]:
            if sent.side == self.scenario.main:
                self._flight[sent.tsn] = sent.user_bytes
                self._first_bytes += sent.user_bytes if sent.copy == 1 else 0
        self._looked_at = len(self.sent)
        queued = self._handed_bytes - refused - self._first_bytes
        fits = left >= min(queued, self.scenario.mtu)
        room = queued > 0 and fits and sum(self._flight.values()) < cwnd
        return int(room and not self.scenario.nagle)

    def _get(self, name: str, packet: bytes, *arguments: object, **more: object) -> None:
        said = acknowledgement_of(packet)
        if name == self.scenario.main and said is not None:
            now_ns = self._sides[name].host.now_ns
            left_ns = next(
                (one.time_ns for one in reversed(self.carried) if one.sctp == packet), now_ns
            )
            came_ns = max(
                (
                    sent.arrive_ns
                    for sent in self.sent[-400:]
                    if sent.side == name
                    and sent.arrive_ns is not None
                    and sent.arrive_ns <= left_ns
                    and said.covers(sent.tsn)
                ),
                default=left_ns,
            )
            self.heard.append(Heard(now_ns, said, left_ns - came_ns))
            self._flight = {tsn: n for tsn, n in self._flight.items() if not said.covers(tsn)}
        super()._get(name, packet, *arguments, **more)  # type: ignore[arg-type]
        if name == self.scenario.main and said is not None:
            self._take(name, [Report(self._sides[name].host.now_ns, "heard", ())])
