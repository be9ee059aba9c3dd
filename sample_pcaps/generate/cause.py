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
    event: int = 0  #: of the host, in which it was marked

    def record(self, direction: str, start_ns: int) -> dict[str, object]:
        """As in a truth file."""
        time_ns = start_ns + self.time_ns
        return {"dir": direction, "t_ns": time_ns, "tsn": self.tsn} | {
            "what": self.what,
            "trigger": self.trigger,
        }


@dataclass(frozen=True)
class Cause:
    """Why a chunk came again; None for first copies and where it is not certain."""

    name: str | None = None
    stack_said: str | None = None  #: the stack's own word


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
    given_up: set[int] = field(default_factory=set)  #: TSNs that FORWARD-TSN abandoned
    _pending: dict[int, list[Mark]] = field(default_factory=dict)
    _said: dict[int, str] = field(default_factory=dict)  #: how pion called the next resend
    _queued: dict[int, list[Cause]] = field(default_factory=dict)
    _outstanding: dict[int, int] = field(default_factory=dict)  #: TSN: bytes
    _a_rwnd: int | None = None
    _timeout_sent_ns: int | None = None
    _event: int = 0

    def begin_event(self) -> None:
        """Something happens at the host: a packet arrives, a timer fires, its application acts."""
        self._event += 1

    def hear(self, acknowledgement: Acknowledgement) -> None:
        """The sender gets an acknowledgement."""
        self._a_rwnd = acknowledgement.a_rwnd
        for tsn in list(self._outstanding):
            if acknowledgement.covers(tsn):
                del self._outstanding[tsn]
                self._pending.pop(tsn, None)

    def mark(self, time_ns: int, word: str, tsn: int) -> None:
        """The stack reports a mark of one TSN."""
        what, trigger = _MARKS[word]
        mark = Mark(
            time_ns, tsn, self._timeout_of(tsn) if what == "t3" else what, trigger, self._event
        )
        self.marks.append(mark)
        self._pending.setdefault(tsn, []).append(mark)

    def time_out(self, time_ns: int) -> None:
        """The stack reports a timeout, which marks all that is outstanding."""
        first = next(iter(self._outstanding), None)
        what = "t3" if first is None else self._timeout_of(first)
        self.marks.append(Mark(time_ns, None, what, "rto"))
        for tsn in self._outstanding:
            self._pending.setdefault(tsn, []).append(Mark(time_ns, tsn, what, "rto"))

    def time_out_again(self, time_ns: int) -> None:
        """The stack reports a timeout before the marks that it makes: what was marked before it and
        not sent is sent because of it."""
        for tsn, pending in self._pending.items():
            pending.append(Mark(time_ns, tsn, self._timeout_of(tsn), "rto"))

    def resend(self, tsn: int, how: str) -> None:
        """The stack reports that it is about to send a TSN again: `fast` or `marked`."""
        self._said[tsn] = how

    def queue(self, time_ns: int, tsn: int) -> None:
        """The stack puts a TSN that was sent before into a queue, which it empties later."""
        self._queued.setdefault(tsn, []).append(self._why(time_ns, tsn))

    def send(self, time_ns: int, chunks: list[Data], copies: list[int]) -> list[Cause]:
        """A packet leaves; the cause of each of its chunks."""
        causes = [
            self._cause(time_ns, chunk.tsn) if copy > 1 else Cause()
            for chunk, copy in zip(chunks, copies, strict=True)
        ]
        if any(cause.name == "t3" for cause in causes):
            self._timeout_sent_ns = time_ns
        for chunk in chunks:
            self._outstanding[chunk.tsn] = chunk.user_bytes
        return causes

    def give_up(self, up_to: int) -> None:
        """A FORWARD-TSN leaves: what it passes over and nobody acknowledged is abandoned."""
        self.given_up |= {tsn for tsn in self._outstanding if (up_to - tsn) % 2**32 < 2**31}

    def _cause(self, time_ns: int, tsn: int) -> Cause:
        """Why it is sent, or was put into the queue out of which it is sent."""
        if not (queued := self._queued.get(tsn)):
            return self._why(time_ns, tsn)
        cause = queued.pop(0)
        is_later = cause.name == "t3" and self._timeout_sent_ns == time_ns
        return Cause("t3_gbn", cause.stack_said) if is_later else cause

    def _why(self, time_ns: int, tsn: int) -> Cause:
        pending = self._pending.pop(tsn, [])
        if how := self._said.pop(tsn, ""):
            pending = [mark for mark in pending if (mark.what == "fast") == (how == "fast")]
        whats = {"t3" if mark.trigger == "rto" else mark.what for mark in pending}
        if len(whats) != 1:
            return Cause()
        mark = pending[-1]
        if mark.what == "t3_window_probe" and self._window_is_closed(tsn):
            return Cause("zero_window_probe", "t3")
        if mark.trigger == "rto":
            first_packet = time_ns == mark.time_ns and self._timeout_sent_ns != time_ns
            return Cause("t3" if first_packet else "t3_gbn", "t3")
        if mark.what == "fast":
            said = "fast-retransmit" if how else "fast"
            return Cause("fast" if self._is_at_once(mark, time_ns) else "fast_deferred", said)
        return Cause(mark.what, mark.what)

    def _is_at_once(self, mark: Mark, time_ns: int) -> bool:
        """Whether this is the event of the feedback that brought the mark."""
        return (mark.time_ns, mark.event) == (time_ns, self._event)

    def _timeout_of(self, tsn: int) -> str:
        return "t3_window_probe" if self._window_is_closed(tsn) else "t3"

    def _window_is_closed(self, tsn: int) -> bool:
        return self._a_rwnd is not None and self._a_rwnd < self._outstanding.get(tsn, 0)
