# SPDX-License-Identifier: BSD-2-Clause
"""Findings on stalls that a user feels: from when, for how long, and why.

A stall of a closed window has a finding of its own; so has the end of a flight, or a
retransmission, that was lost and waited for one timeout.
"""

from collections import Counter
from collections.abc import Iterator

from sctp_rack._core import lib
from sctp_rack.findings.behaviour import is_stuck
from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.findings.looks import Look, each
from sctp_rack.findings.say import say
from sctp_rack.names import Dir, Finding, Severity, StallCause
from sctp_rack.recovery.delivery import Pause
from sctp_rack.summary.summary import Association, Side, Summary
from sctp_rack.wording.counted import many

#: How stalls of a cause are counted.
_KINDS = {
    StallCause.TIMEOUTS: "stall.by_timeouts",
    StallCause.LOSS: "stall.by_losses",
    StallCause.LATE_ANSWER: "stall.by_late_answers",
    StallCause.NO_ANSWER: "stall.without_answer",
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
        several = ""
        if len(those) > 1:
            causes = Counter(one.cause for one in those).most_common()
            several = say(
                "stall.several",
                stalls=len(those),
                together=sum(one.length_ns for one in those),
                causes=", ".join(
                    say(_KINDS[StallCause(cause)], count=count) for cause, count in causes
                ),
            )
        yield _finding(association, way, side, those, several)


def _finding(
    association: Association, way: Dir, side: Side, those: list[Pause], several: str
) -> CaptureFinding:
    longest = max(those, key=lambda one: one.length_ns)
    where = "a to b" if way == Dir.A2B else "b to a"
    return CaptureFinding(
        Severity.WARNING if longest.length_ns >= lib.SR_LONG_NS else Severity.NOTE,
        Finding.STALL,
        sorted(one.frame for one in those)[:MOST_FRAMES],
        say(
            Finding.STALL,
            where=f"Association {association.assoc}, {where}",
            several=several,
            length=longest.length_ns,
            since=_since(longest, side),
            tsn=longest.tsn,
            why=_why(longest),
        ),
        association.assoc,
        way.value,
    )


def _since(pause: Pause, side: Side) -> str:
    if side.flow is None or side.flow.first_data_ns is None:
        return ""
    return say("stall.since", since=pause.begin_ns - side.flow.first_data_ns)


def _why(pause: Pause) -> str:
    """What became of it."""
    times = {1: "once", 2: "twice"}.get(pause.retransmissions, many(pause.retransmissions, "time"))
    match pause.cause:
        case StallCause.TIMEOUTS if pause.timeouts > 1:
            row = say("stall.in_a_row") if pause.timeouts == pause.retransmissions else ""
            return say("stall.lost_again", timeouts=pause.timeouts, in_a_row=row)
        case StallCause.TIMEOUTS if pause.retransmissions > 1:
            return say("stall.timeout_at_last", times=times)
        case StallCause.TIMEOUTS:
            return say("stall.timeout")
        case StallCause.LOSS:
            return say("stall.loss", times=times)
        case StallCause.NO_ANSWER:
            return say("stall.no_answer", times=times)
        case _:
            return say("stall.late_answer", times=times)
