# SPDX-License-Identifier: BSD-2-Clause
"""What there is to say of a capture out of which packets without data were filtered."""

from sctp_rack.counted import many
from sctp_rack.finding import CaptureFinding
from sctp_rack.looks import FirstFrames, Look, crowd_of
from sctp_rack.names import Finding, Severity
from sctp_rack.summary import Summary


def filtered(summary: Summary) -> Look:
    """One finding, instead of all that rest on what is not there: `core/judge/filtered.c`."""
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
        "Packets without DATA were filtered out of this file, as by a display filter for what SCTP "
        f"carries: none of {many(summary.packets, 'SCTP packet')} is without, and "
        f"{many(overdue, 'TSN')} {'is' if overdue == 1 else 'are'} left without feedback, and not "
        "sent again, for more than 1.5 s, where RFC 9260 section 6.2 asks for a SACK within "
        "500 ms. What was lost, when a timer expired and how long a round trip takes cannot be "
        "told; save the capture again with the filter `sctp`.",
    )
