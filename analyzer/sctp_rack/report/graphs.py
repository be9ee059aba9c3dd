# SPDX-License-Identifier: BSD-2-Clause
"""Which graphs a report has: the time sequence of the directions with most to show."""

from collections.abc import Sequence
from dataclasses import dataclass

from sctp_rack import plots
from sctp_rack.association import Direction
from sctp_rack.errors import UsageError
from sctp_rack.report.contents import Contents, Way

#: Most directions that are drawn: each graph takes the browser a moment.
_DRAWN = 6


@dataclass(frozen=True)
class Drawn:
    """A graph as HTML, and what it shows."""

    caption: str
    html: str


_SEQUENCE = (
    "Each transmission over time, what acknowledges it, and every retransmission with a letter for "
    "its cause. Below it what the sender waited for, what was lost and sent again over time, round "
    "trips, what is in flight, and the retransmission queue."
)

_USEFUL = (
    "Bytes received over time: all of them, and the useful ones, which came for the first time."
)


def chosen(captures: Sequence[Contents]) -> set[int]:
    """Directions that are drawn, by their identity: those with most sent again and lost."""
    ways = [way for one in captures for section in one.sections for way in section.ways]
    ways = [way for way in ways if not way.clean]
    ways.sort(key=_weight, reverse=True)
    return {id(way) for way in ways[:_DRAWN]}


def _weight(way: Way) -> tuple[int, int]:
    data = way.direction.data
    return way.retransmissions, data.chunks if data else 0


def drawn(way: Way, name: str) -> list[Drawn]:
    """The graphs of a direction; `name` makes their ids unique. None where it cannot be drawn."""
    kinds = [("tsn", _SEQUENCE)]
    if len(way.direction.told("storms")):
        kinds.append(("useful", _USEFUL))
    try:
        return [
            Drawn(says, _fragment(way.direction, kind, f"{kind}-{name}")) for kind, says in kinds
        ]
    except UsageError:  # packets without times, as in some logs
        return []


def _fragment(direction: Direction, kind: str, name: str) -> str:
    """Of a time it is shown at first; it can be zoomed out of."""
    return plots.fragment(direction, kind, name=name, between=direction.seconds)
