# SPDX-License-Identifier: BSD-2-Clause
"""Captures compared, as a page: the table, and the busiest direction of each over the others."""

from collections.abc import Sequence
from pathlib import PurePath

from sctp_rack.association import Direction
from sctp_rack.capture import Capture
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.comparison import letters
from sctp_rack.comparison.measures import TABLES as MEASURED_TABLES
from sctp_rack.comparison.measures import directions_of
from sctp_rack.plots.data import TABLES as GRAPH_TABLES
from sctp_rack.report.overlays import overlays
from sctp_rack.report.page import comparison_page

#: Tables that a capture must have.
TABLES = tuple(dict.fromkeys((*GRAPH_TABLES, *MEASURED_TABLES)))


def compared_page(
    captures: Sequence[tuple[str, Capture]],
    *,
    assoc: int | None = None,
    direction: str | None = None,
) -> str:
    """The page on captures that have `TABLES`, and their names; the first is the one before.

    Raises `UsageError` where a capture has no data there.
    """
    compared = compare(captures, assoc=assoc, direction=direction)
    drawn = {
        f"{letter}: {PurePath(name).name}": _busiest(
            directions_of(capture, assoc=assoc, direction=direction)
        )
        for letter, (name, capture) in zip(letters(len(captures)), captures, strict=True)
    }
    return comparison_page(compared, overlays(drawn))


def _busiest(directions: Sequence[Direction]) -> Direction:
    """With most user data."""
    return max(directions, key=lambda one: one.data.bytes if one.data else 0)
