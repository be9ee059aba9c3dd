# SPDX-License-Identifier: BSD-2-Clause
"""A run whose hosts change their buffers as they go: the two rules that Linux has for TCP.

The send buffer is twice the congestion window, the receive buffer twice what the application got in
a round trip; both only grow, up to a largest size (tcp_sndbuf_expand, tcp_rcv_space_adjust).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.nrsack.greedy_run import Greedy, GreedyRun
from sample_pcaps.generate.host import Report
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.scenario import Scenario

_TIMES = 2


@dataclass(frozen=True)
class Tuning:
    """Bytes. With `ssthresh` the sender leaves slow start at half of the largest send buffer.

    usrsctp takes its first ssthresh from the window of the INIT ACK alone, so that the receiver has
    a buffer of that size until the association is up.
    """

    send: int
    receive: int
    largest: int
    ssthresh: bool = True
    chunks: int = 0  #: that the send buffer takes; 0: 512, as usrsctp is

    @property
    def told_at_first(self) -> int:
        """The window in INIT and INIT ACK."""
        return self.largest // _TIMES if self.ssthresh else self.receive


@dataclass(frozen=True)
class Size:
    """Of a buffer, from a time on."""

    time_ns: int
    which: str  #: send, receive
    bytes: int


class SendRule:
    """How large a send buffer is."""

    def __init__(self, tuning: Tuning) -> None:
        self._largest = tuning.largest
        self.size = tuning.send

    def hear(self, cwnd: int) -> bool:
        """Whether it grows as the congestion window is so large."""
        wanted = min(_TIMES * cwnd, self._largest)
        self.size, before = max(self.size, wanted), self.size
        return self.size > before


class ReceiveRule:
    """How large a receive buffer is."""

    def __init__(self, tuning: Tuning) -> None:
        self._largest = tuning.largest
        self.size = tuning.receive
        self._since_ns: int | None = None
        self._delivered = 0

    def deliver(self, size: int, now_ns: int, round_trip_ns: int) -> bool:
        """Whether it grows as the application gets so much."""
        if self._since_ns is None:
            self._since_ns = now_ns
            return False
        self._delivered += size
        if not round_trip_ns or now_ns - self._since_ns < round_trip_ns:
            return False
        wanted = min(_TIMES * self._delivered, self._largest)
        self._since_ns, self._delivered = now_ns, 0
        self.size, before = max(self.size, wanted), self.size
        return self.size > before


class TunedRun(GreedyRun):
    """Afterwards `sizes` has each size of the sender's send buffer and the receiver's other one."""

    def __init__(self, scenario: Scenario, greedy: Greedy, tuning: Tuning) -> None:
        super().__init__(scenario, greedy)
        self._send, self._receive_buffer = SendRule(tuning), ReceiveRule(tuning)
        self._chunks = tuning.chunks
        self._round_trip_ns = 0
        self.sizes: list[Size] = []

    def _begin(self, name: str) -> None:
        if name == self.scenario.main:
            self._change(name, "send", self._send.size)
        else:
            self._round_trip_ns = next(self._asked(name, "round_trip")) * MS
            self._change(name, "receive", self._receive_buffer.size)
        super()._begin(name)

    def _take(self, name: str, reports: list[Report]) -> None:
        super()._take(name, reports)
        if name == self.scenario.main:
            return
        for report in reports:
            if report.word == "message" and self._receive_buffer.deliver(
                int(report.arguments[0]), report.time_ns, self._round_trip_ns
            ):
                self._change(name, "receive", self._receive_buffer.size)

    def _ask(self, name: str) -> None:
        """Behind what may have changed the congestion window."""
        side = self._sides[name]
        if name == self.scenario.main and side.up:
            cwnd = next(self._asked(name, "window"), 0)
            if self._send.hear(cwnd):
                self._change(name, "send", self._send.size)

    def _asked(self, name: str, word: str) -> Iterator[int]:
        """The first number of what a host answers."""
        for report in self._sides[name].host.ask(word):
            if report.word == word:
                yield int(report.arguments[0])

    def _change(self, name: str, which: str, size: int) -> None:
        self.sizes.append(Size(self._sides[name].host.now_ns, which, size))
        sizes = (size, 0) if which == "send" else (0, size)
        self._tell(name, f"buffers {sizes[0]} {sizes[1]} {self._chunks}")
