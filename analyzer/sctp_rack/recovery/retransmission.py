# SPDX-License-Identifier: BSD-2-Clause
"""A retransmission as its summary needs it, and some of them summed up in a few numbers."""

from dataclasses import dataclass
from typing import NamedTuple

from sctp_rack.findings.finding import MOST_FRAMES


class Resent(NamedTuple):
    """Columns of `transmissions`, and what is known of the copy before."""

    frame: int
    time_ns: int | None
    copy: int
    bytes: int | None
    prev_frame: int | None
    cause: str | None
    verdict: str | None
    verdict_class: int | None
    #: Since the copy before was sent; None where that is not known.
    waited_ns: int | None = None
    #: RACK-TLP marked the copy before lost; not only when it timed out.
    marked: bool = False
    shown: bool = False
    #: So much before this retransmission it marked rightly, and not at a timeout; nanoseconds.
    lead_ns: int = 0
    cause_class: int | None = None


@dataclass(slots=True)
class Group:
    """Retransmissions that one sentence speaks of, added in the order of the capture."""

    count: int = 0
    #: Packets that hold them.
    packets: int = 0
    #: Where to look first.
    frames: tuple[int, ...] = ()
    #: Those that RACK-TLP never marked.
    spared: int = 0
    #: How many waited a known time, and the extremes, nanoseconds.
    waits: int = 0
    shortest_ns: int = 0
    longest_ns: int = 0
    _last_frame: int = 0

    def add(self, row: Resent) -> None:
        """One more."""
        self.count += 1
        self.packets += row.frame != self._last_frame
        self._last_frame = row.frame
        self._look_at(row.frame)
        self.spared += row.prev_frame is not None and not row.marked
        if row.waited_ns is not None:
            self._wait(1, row.waited_ns, row.waited_ns)

    def take(self, later: "Group") -> None:
        """All of a later group."""
        self.count += later.count
        self.packets += later.packets
        for frame in later.frames:
            self._look_at(frame)
        self.spared += later.spared
        if later.waits:
            self._wait(later.waits, later.shortest_ns, later.longest_ns)

    def _look_at(self, frame: int) -> None:
        if len(self.frames) < MOST_FRAMES and frame not in self.frames:
            self.frames += (frame,)

    def _wait(self, waits: int, shortest_ns: int, longest_ns: int) -> None:
        self.shortest_ns = min(self.shortest_ns, shortest_ns) if self.waits else shortest_ns
        self.longest_ns = max(self.longest_ns, longest_ns) if self.waits else longest_ns
        self.waits += waits
