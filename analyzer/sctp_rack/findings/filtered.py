# SPDX-License-Identifier: BSD-2-Clause
"""What there is to say of a capture out of which packets without data were filtered."""

from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.looks import FirstFrames, Look, crowd_of
from sctp_rack.findings.say import say
from sctp_rack.names import Finding, Severity
from sctp_rack.summary.summary import Summary


def filtered(summary: Summary) -> Look:
    """One finding, instead of all that rest on what is not there: `core/books/filtered.c`."""
    crowd = crowd_of(summary.associations)
    overdue, frames = crowd.overdue_tsns, FirstFrames(crowd.overdue_frames)
    while (one := (yield)) is not None:
        for side in (one.a, one.b):
            if side.flow:
                overdue += side.flow.overdue_tsns
            if side.flow and side.flow.overdue_frame:
                frames.add(side.flow.overdue_frame)
    return [_finding(summary, overdue, frames.lowest)] if summary.filtered else []


def _finding(summary: Summary, overdue: int, frames: list[int]) -> CaptureFinding:
    return CaptureFinding(
        Severity.WARNING,
        Finding.FILTERED,
        frames,
        say(Finding.FILTERED, packets=summary.packets, tsns=overdue),
    )
