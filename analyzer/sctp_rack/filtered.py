# SPDX-License-Identifier: BSD-2-Clause
"""What there is to say of a capture out of which packets without data were filtered."""

from collections.abc import Iterator

from sctp_rack.counted import many
from sctp_rack.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.names import Finding, Severity
from sctp_rack.summary import Summary


def filtered(summary: Summary) -> Iterator[CaptureFinding]:
    """One finding, instead of all that rest on what is not there: `core/judge/filtered.c`."""
    if not summary.filtered:
        return
    flows = [side.flow for one in summary.associations for side in (one.a, one.b) if side.flow]
    overdue = sum(flow.overdue_tsns for flow in flows)
    frames = sorted(flow.overdue_frame for flow in flows if flow.overdue_frame)
    yield CaptureFinding(
        Severity.WARNING,
        Finding.FILTERED,
        frames[:MOST_FRAMES],
        "Packets without DATA were filtered out of this file, as by a display filter for what SCTP "
        f"carries: none of {many(summary.packets, 'SCTP packet')} is without, and "
        f"{many(overdue, 'TSN')} {'is' if overdue == 1 else 'are'} left without feedback, and not "
        "sent again, for more than 1.5 s, where RFC 9260 section 6.2 asks for a SACK within "
        "500 ms. What was lost, when a timer expired and how long a round trip takes cannot be "
        "told; save the capture again with the filter `sctp`.",
    )
