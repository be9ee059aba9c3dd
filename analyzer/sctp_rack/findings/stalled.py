# SPDX-License-Identifier: BSD-2-Clause
"""Findings on stalls that a user feels: from when, for how long, and why.

A stall of a closed window has a finding of its own; so has the end of a flight, or a
retransmission, that was lost and waited for one timeout.
"""

from collections import Counter
from collections.abc import Iterator

from sctp_rack.findings.behaviour import is_stuck
from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.findings.looks import Look, each
from sctp_rack.names import Dir, Finding, Severity, StallCause
from sctp_rack.recovery.delivery import Pause
from sctp_rack.summary.summary import Association, Side, Summary
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration

#: ITU-T G.1010 appendix I: up to here users of transactions, pages and mail prefer to wait.
_LONG_NS = 2_000_000_000

#: How stalls of a cause are counted.
_KINDS = {
    StallCause.TIMEOUTS: "by timeouts",
    StallCause.LOSS: "by losses",
    StallCause.LATE_ANSWER: "by late answers",
    StallCause.NO_ANSWER: "without an answer",
}


def stalled(summary: Summary) -> Look:
    """Of each direction."""
    return each(lambda one: () if summary.filtered else _stalled(summary, one))


def _stalled(summary: Summary, association: Association) -> Iterator[CaptureFinding]:
    for way, side in ((Dir.A2B, association.a), (Dir.B2A, association.b)):
        if side.flow and side.flow.acked_tsns and side.delivery and side.delivery.pauses:
            silent = is_stuck(summary, association, side.flow)
            those = [one for one in side.delivery.pauses if _is_told_here(one, silent)]
            yield from _told(association, way, side, those)


def _is_told_here(pause: Pause, silent: bool) -> bool:
    if pause.cause == StallCause.NO_ANSWER:
        return not silent
    return pause.cause != StallCause.CLOSED_WINDOW and not pause.has_finding


def _told(
    association: Association, way: Dir, side: Side, those: list[Pause]
) -> Iterator[CaptureFinding]:
    """One line of all: by what there are most of, and the longest."""
    if those:
        longest = max(those, key=lambda one: one.length_ns)
        text = _one(longest, side)
        if len(those) > 1:
            total_ns = sum(one.length_ns for one in those)
            causes = Counter(one.cause for one in those).most_common()
            counted = ", ".join(f"{count:,} {_KINDS[StallCause(cause)]}" for cause, count in causes)
            text = (
                f"{len(those):,} stalls, {duration(total_ns)} together ({counted}). "
                f"The longest: {text}"
            )
        yield _finding(association, way, those, text)


def _finding(association: Association, way: Dir, those: list[Pause], text: str) -> CaptureFinding:
    longest_ns = max(one.length_ns for one in those)
    where = "a to b" if way == Dir.A2B else "b to a"
    return CaptureFinding(
        Severity.WARNING if longest_ns >= _LONG_NS else Severity.NOTE,
        Finding.STALL,
        sorted(one.frame for one in those)[:MOST_FRAMES],
        f"Association {association.assoc}, {where}: {text}",
        association.assoc,
        way.value,
    )


def _one(pause: Pause, side: Side) -> str:
    since = ""
    if side.flow and side.flow.first_data_ns is not None:
        since = f", {duration(pause.begin_ns - side.flow.first_data_ns)} after the first data"
    return (
        f"data was outstanding and made no progress for {duration(pause.length_ns)}{since}: "
        f"TSN {pause.tsn}, the next to be acknowledged, {_why(pause)}."
    )


def _why(pause: Pause) -> str:
    """What became of it."""
    again = f"sent again {_times(pause.retransmissions)}"
    match pause.cause:
        case StallCause.TIMEOUTS if pause.timeouts > 1:
            row = " in a row" if pause.timeouts == pause.retransmissions else ""
            timeouts = many(pause.timeouts, "timeout")
            return f"was lost, and lost again when it was sent again: {timeouts}{row}"
        case StallCause.TIMEOUTS if pause.retransmissions > 1:
            return f"was lost and {again}, at last by a timeout"
        case StallCause.TIMEOUTS:
            return "was lost and waited for a timeout"
        case StallCause.LOSS:
            return f"was lost and {again}, at last by feedback or a probe"
        case StallCause.NO_ANSWER:
            return (
                f"was {again} and is not acknowledged up to the end: the peer is gone, or the "
                "path to it or back"
            )
        case _:
            return (
                f"was {again}, spuriously, and its answer came late: the path or the receiver "
                "held it back"
            )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")
