# SPDX-License-Identifier: BSD-2-Clause
"""Why a sender sent a chunk again: from the marks that its stack reports, never from a guess."""

from dataclasses import dataclass, field

from .wire import Acknowledgement, Data


@dataclass(frozen=True)
class Mark:
    """The stack marks a TSN as lost; no TSN: all that are outstanding."""

    time_ns: int
    tsn: int | None
    what: str  #: fast, t3, t3_window_probe, rack, tlp
    trigger: str | None  #: miss3, rto, ack, timer

    def record(self, direction: str, start_ns: int) -> dict[str, object]:
        """As in a truth file."""
        time_ns = start_ns + self.time_ns
        return {"dir": direction, "t_ns": time_ns, "tsn": self.tsn} | {
            "what": self.what,
            "trigger": self.trigger,
        }


#: What a host reports as `mark`, and what it is called in truth.
_MARKS = {
    "fast": ("fast", "miss3"),
    "t3": ("t3", "rto"),
    "rack": ("rack", "ack"),
    "rack_timer": ("rack", "timer"),
    "tlp": ("tlp", None),
}


@dataclass
class Sender:
    """Follows one sender's marks and what it is told, up to each retransmission."""

    marks: list[Mark] = field(default_factory=list)
    _pending: dict[int, list[Mark]] = field(default_factory=dict)
    _said: dict[int, str] = field(default_factory=dict)  #: how pion called the next resend
    _outstanding: dict[int, int] = field(default_factory=dict)  #: TSN: bytes
    _misses: dict[int, int] = field(default_factory=dict)
    _a_rwnd: int | None = None
    _timeout_sent_ns: int | None = None

    def hear(self, acknowledgement: Acknowledgement) -> None:
        """The sender gets an acknowledgement."""
        self._a_rwnd = acknowledgement.a_rwnd
        for tsn in list(self._outstanding):
            if acknowledgement.covers(tsn):
                del self._outstanding[tsn]
                self._pending.pop(tsn, None)
            elif acknowledgement.reports_missing(tsn):
                self._misses[tsn] = self._misses.get(tsn, 0) + 1

    def mark(self, time_ns: int, word: str, tsn: int) -> None:
        """The stack reports a mark of one TSN."""
        what, trigger = _MARKS[word]
        if what == "t3" and self._window_is_closed(tsn):
            what = "t3_window_probe"
        mark = Mark(time_ns, tsn, what, trigger)
        self.marks.append(mark)
        self._pending.setdefault(tsn, []).append(mark)

    def time_out(self, time_ns: int) -> None:
        """The stack reports a timeout, which marks all that is outstanding."""
        first = next(iter(self._outstanding), None)
        closed = first is not None and self._window_is_closed(first)
        what = "t3_window_probe" if closed else "t3"
        self.marks.append(Mark(time_ns, None, what, "rto"))
        for tsn in self._outstanding:
            self._pending.setdefault(tsn, []).append(Mark(time_ns, tsn, what, "rto"))

    def resend(self, tsn: int, how: str) -> None:
        """The stack reports that it is about to send a TSN again: `fast` or `marked`."""
        self._said[tsn] = how

    def send(self, time_ns: int, chunks: list[Data], copies: list[int]) -> list[str | None]:
        """A packet leaves; the cause of each of its chunks, None for first copies or unsure."""
        causes = [
            self._cause(time_ns, chunk.tsn) if copy > 1 else None
            for chunk, copy in zip(chunks, copies, strict=True)
        ]
        if "t3" in causes:
            self._timeout_sent_ns = time_ns
        for chunk in chunks:
            self._outstanding[chunk.tsn] = chunk.user_bytes
            self._misses.pop(chunk.tsn, None)
        return causes

    def stack_word(self, cause: str | None) -> str | None:
        """The stack's own word for a cause."""
        if cause in ("t3", "t3_gbn", "zero_window_probe"):
            return "t3"
        return "fast" if cause == "fast_deferred" else cause

    def _cause(self, time_ns: int, tsn: int) -> str | None:
        pending = self._pending.pop(tsn, [])
        if self._said.pop(tsn, "") == "fast":
            self.marks.append(Mark(time_ns, tsn, "fast", "miss3"))
            return "fast" if self._misses.get(tsn) == 3 else None  # more: sent late, or miscounted
        if not pending or len({mark.what for mark in pending}) > 1:
            return None
        mark = pending[-1]
        if mark.what == "t3_window_probe":
            return "zero_window_probe"
        if mark.what == "t3":
            first_packet = time_ns == mark.time_ns and self._timeout_sent_ns != time_ns
            return "t3" if first_packet else "t3_gbn"
        if mark.what == "fast":
            return "fast" if time_ns == mark.time_ns else "fast_deferred"
        return mark.what

    def _window_is_closed(self, tsn: int) -> bool:
        return self._a_rwnd is not None and self._a_rwnd < self._outstanding.get(tsn, 0)
