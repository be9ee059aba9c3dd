# SPDX-License-Identifier: BSD-2-Clause
"""Which direction of a capture is drawn: the one asked for, else the one with the most DATA."""

from sctp_rack.association import Direction
from sctp_rack.capture import Capture
from sctp_rack.summary.only import no_data


def directions(capture: Capture) -> list[Direction]:
    """Those with DATA."""
    return [one for both in capture.associations for one in both.directions if one.data]


def choose(capture: Capture, assoc: int | None = None, name: str | None = None) -> Direction:
    """One with DATA. Raises `UsageError` where there is none."""
    found = [
        one
        for one in directions(capture)
        if assoc in (None, one.assoc) and name in (None, one.name)
    ]
    if not found:
        raise no_data(capture.path, capture.summary, assoc, name)
    return max(found, key=lambda one: one.data.chunks if one.data else 0)
