# SPDX-License-Identifier: BSD-2-Clause
"""Decides how a replay is shown: a line for each event and timer, with state and marks.

`str()` of a `Timeline` is a table for a terminal; a notebook shows it as HTML.
"""

from dataclasses import dataclass
from html import escape

from sctp_rack.names import Trigger
from sctp_rack.reference.chunk import ChunkState
from sctp_rack.reference.events import Feedback, Happening
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.tsn import tsn_at
from sctp_rack.reference.vector import Run, feed

NS_PER_MS = 1_000_000
HEADINGS = ("time ms", "event", "state", "marks")

# What the marks' triggers mean to a reader of RFC 8985 and RFC 9260.
TRIGGERS = {
    Trigger.ACK: "by time",
    Trigger.TIMER: "by the reordering timer",
    Trigger.RTO: "by T3-rtx",
    Trigger.MISS3: "by three missing reports",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line: the time in nanoseconds, and what happened, is known and was marked, in words."""

    time_ns: int
    event: str
    state: str
    marks: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The lines of one replay."""

    title: str
    rows: list[Row]

    def __str__(self) -> str:
        """Return a table in plain text."""
        cells = [HEADINGS, *((ms(r.time_ns), r.event, r.state, r.marks) for r in self.rows)]
        widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS))]
        lines = [
            "  ".join(
                (
                    row[0].rjust(widths[0]),
                    *(c.ljust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
                )
            ).rstrip()
            for row in cells
        ]
        rule = "  ".join("-" * width for width in widths)
        return "\n".join([self.title, "", lines[0], rule, *lines[1:]])

    def _repr_html_(self) -> str:
        """Return the table for a notebook; lines with marks stand out."""
        head = "".join(f"<th>{escape(heading)}</th>" for heading in HEADINGS)
        body = "".join(
            ("<tr style='background:#fdecea'>" if row.marks else "<tr>")
            + f"<td style='text-align:right'>{escape(ms(row.time_ns))}</td>"
            + "".join(
                f"<td style='text-align:left'>{escape(cell)}</td>"
                for cell in (row.event, row.state, row.marks)
            )
            + "</tr>"
            for row in self.rows
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"


def timeline(run: Run, title: str) -> Timeline:
    """Replay a run and return its timeline, with the timers that fire between the events."""
    model, rows = run.model(), list[Row]()
    for event in run.events:
        # At the same moment, a timer comes before the data that it sends and after feedback.
        last_ns = event.time_ns - 1 if isinstance(event, Feedback) else event.time_ns
        _let_timers_fire(model, rows, last_ns)
        feed(model, event)
        _write(model, rows)
    if run.until_ns is not None:
        _let_timers_fire(model, rows, run.until_ns)
    return Timeline(title, rows)


def ms(ns: int) -> str:
    """Return nanoseconds as milliseconds in decimal, exactly."""
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    whole, rest = divmod(ns, NS_PER_MS)
    return f"{sign}{whole}.{rest:06d}".rstrip("0").rstrip(".")


def _let_timers_fire(model: RecoveryModel, rows: list[Row], until_ns: int) -> None:
    while (due_ns := model.next_timer_ns()) is not None and due_ns <= until_ns:
        model.time_passed(due_ns)
        _write(model, rows)


def _write(model: RecoveryModel, rows: list[Row]) -> None:
    for happening in model.happenings[len(rows) :]:
        rows.append(Row(happening.time_ns, happening.event, _state(model), _marks(happening)))


def _marks(happening: Happening) -> str:
    by_trigger: dict[Trigger, list[str]] = {}
    for mark in happening.marks:
        copy = f" (copy {mark.copy})" if mark.copy > 1 else ""
        by_trigger.setdefault(mark.trigger, []).append(f"{mark.tsn}{copy}")
    return "; ".join(f"{' '.join(t)} lost {TRIGGERS[trigger]}" for trigger, t in by_trigger.items())


def _state(model: RecoveryModel) -> str:
    words = []
    for state, label in (
        (ChunkState.IN_FLIGHT, "out"),
        (ChunkState.LOST, "lost"),
        (ChunkState.GAP_ACKED, "sacked"),
        (ChunkState.NR_ACKED, "nr-sacked"),
        (ChunkState.ABANDONED, "given up"),
    ):
        tsns = [str(tsn_at(chunk.seq)) for chunk in model.sender.board if chunk.state.name == state]
        if tsns:
            words.append(f"{label} {' '.join(tsns)}")
    for name in model.sender.paths:
        words += _path_state(model, name)
    if model.sender.recovery.active:
        words.append(f"{model.sender.recovery.phase} recovery")
    return "; ".join(words)


def _path_state(model: RecoveryModel, name: str) -> list[str]:
    snapshot = model.snapshot(name)
    timers = (("reo timer", snapshot.reo_ns), ("PTO", snapshot.pto_ns), ("T3", snapshot.t3_ns))
    running = [f"{label} {ms(due_ns)}" for label, due_ns in timers if due_ns is not None]
    if not model.sender.pion:
        running = running[:1]
    if model.sender.parameters.rack and snapshot.rack_xmit_ns is not None and snapshot.flight_bytes:
        running.append(f"rtt {ms(snapshot.rack_rtt_ns)} wnd {ms(snapshot.reo_wnd_ns)}")
    several = len(model.sender.paths) > 1
    return [f"{name}: {', '.join(running)}" if several else ", ".join(running)] if running else []
