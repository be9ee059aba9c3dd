# SPDX-License-Identifier: BSD-2-Clause
"""The kinds of graphs of a direction, and which panels each has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Literal, get_args

from sctp_rack.errors import UsageError
from sctp_rack.names import Dir
from sctp_rack.plots.data import Data
from sctp_rack.plots.delay import delay_panel
from sctp_rack.plots.drawable import Drawable
from sctp_rack.plots.episodes import episodes
from sctp_rack.plots.graph import Between, Graph, Panel
from sctp_rack.plots.latency import latency_panel, parts_panel
from sctp_rack.plots.limiter import lanes_panel, limits_panel
from sctp_rack.plots.rates import throughput_panel, useful_panel
from sctp_rack.plots.room import flight_panel, queue_panel, rwnd_panel
from sctp_rack.plots.rtt import rtt_panel
from sctp_rack.plots.strip import density_panel, loss_panel, strip_panel
from sctp_rack.plots.style import VERDICTS
from sctp_rack.plots.tsn import tsn_panel
from sctp_rack.summary.opening import opening
from sctp_rack.wording.ends import end_text
from sctp_rack.wording.harmless import harmless

Unit = Literal["tsn", "bytes"]
_Panel = Callable[[Data, float], Panel]

#: Below every graph: what the sender waited for.
_BELOW = ((lanes_panel, 1.0),)

#: The panel of a kind, and those linked below it with their share of the height.
_KINDS: dict[str, tuple[_Panel, tuple[tuple[_Panel, float], ...]]] = {
    "tsn": (
        tsn_panel,
        (
            (lanes_panel, 1.0),
            *((strip_panel, 0.26), (loss_panel, 0.2), (density_panel, 0.2)),
            *((rtt_panel, 0.36), (flight_panel, 0.3), (queue_panel, 0.3)),
        ),
    ),
    "both": (tsn_panel, ((lanes_panel, 1.0), (strip_panel, 0.26))),
    "rtt": (rtt_panel, _BELOW),
    "flight": (flight_panel, _BELOW),
    "rwnd": (rwnd_panel, _BELOW),
    "rtxq": (queue_panel, _BELOW),
    "throughput": (throughput_panel, _BELOW),
    "delay": (delay_panel, _BELOW),
    "useful": (useful_panel, _BELOW),
    "limits": (limits_panel, (*_BELOW, (flight_panel, 0.6))),
    "latency": (latency_panel, ((parts_panel, 0.5), *_BELOW)),
}

#: Kinds of graphs, and the panel that each is about.
PANELS = {kind: panel for kind, (panel, _) in _KINDS.items()}
KINDS = tuple(_KINDS)


def graph_of(
    direction: Drawable,
    kind: str = "tsn",
    *,
    unit: Unit = "tsn",
    linked: bool = True,
    between: Between = (None, None),
) -> Graph:
    """The graph of a direction, before anybody draws it.

    `unit` is what the axis of a time-sequence graph counts; `linked` adds what the sender waited
    for below it, and of `tsn` round trips, flight and retransmission queue; `between` is what is
    shown at first. Raises `UsageError` for an unknown kind or unit, and where there is nothing to
    draw.
    """
    if kind not in _KINDS:
        raise UsageError(f"no kind of graph {kind!r}: there are {', '.join(KINDS)}")
    if unit not in get_args(Unit):
        raise UsageError(f"no unit {unit!r}: there are {', '.join(get_args(Unit))}")
    panel, below = _KINDS[kind]
    shown = [(panel, 1.0), *(below if linked else ())]
    ways = [direction]
    if kind == "both" and direction.reverse.data:
        ways.append(direction.reverse)
    several = [Data(way, unit, between) for way in ways]
    extents = [data.extent() for data in several]
    return Graph(
        title=_title(direction, "↔" if len(ways) > 1 else "→"),
        subtitle=_subtitle(ways),
        panels=[
            partial(_named, make, data, weight, len(ways) > 1)
            for data in several
            for make, weight in shown
        ],
        extent=(min(begin for begin, _ in extents), max(end for _, end in extents)),
        episodes=[
            one if kind == "tsn" else one[:2]
            for one in sorted(one for data in several for one in episodes(data))
        ],
        file=harmless(PurePath(direction.capture).name),
        shares=_shares(ways),
    )


def _named(make: _Panel, data: Data, weight: float, with_direction: bool) -> Panel:
    """A panel, whose title says of which direction it is where there are two."""
    panel = make(data, weight)
    which = "a to b: " if data.direction.name == Dir.A2B else "b to a: "
    return replace(panel, title=f"{which}{panel.title}") if with_direction else panel


def _title(direction: Drawable, arrow: str) -> str:
    return f"{end_text(direction.sender)} {arrow} {end_text(direction.receiver)}"


def _subtitle(ways: Sequence[Drawable]) -> str:
    """What the summary opens with, of these directions."""
    recoveries = [way.sender.recovery for way in ways if way.sender.recovery]
    if not recoveries or not any(way.retransmissions for way in ways):
        chunks = sum(way.data.chunks for way in ways if way.data)
        return f"{chunks:,} DATA chunks, none sent again" if chunks else ""
    return opening(recoveries)


def _shares(ways: Sequence[Drawable]) -> list[tuple[str, int]]:
    recoveries = [way.sender.recovery for way in ways if way.sender.recovery]
    counts = {
        verdict.value: sum(sum(one.verdicts.get(verdict, {}).values()) for one in recoveries)
        for verdict in VERDICTS
    }
    counts["lost"] = sum(one.lost for one in recoveries)
    return [*counts.items()]
