# SPDX-License-Identifier: BSD-2-Clause
"""The kinds of graphs of a direction, and which panels each has."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from sctp_rack.association import Direction
from sctp_rack.ends import end_text
from sctp_rack.errors import UsageError
from sctp_rack.opening import opening
from sctp_rack.plots.data import Data
from sctp_rack.plots.delay import delay_panel
from sctp_rack.plots.episodes import episodes
from sctp_rack.plots.graph import Between, Graph, Panel
from sctp_rack.plots.rates import throughput_panel, useful_panel
from sctp_rack.plots.room import flight_panel, queue_panel, rwnd_panel
from sctp_rack.plots.rtt import rtt_panel
from sctp_rack.plots.tsn import tsn_panel

Unit = Literal["tsn", "bytes"]
_Panel = Callable[[Data, float], Panel]

#: The panel of a kind, and those linked below it with their share of the height.
_KINDS: dict[str, tuple[_Panel, tuple[tuple[_Panel, float], ...]]] = {
    "tsn": (tsn_panel, ((rtt_panel, 0.36), (flight_panel, 0.3), (queue_panel, 0.3))),
    "rtt": (rtt_panel, ()),
    "flight": (flight_panel, ()),
    "rwnd": (rwnd_panel, ()),
    "rtxq": (queue_panel, ()),
    "throughput": (throughput_panel, ()),
    "delay": (delay_panel, ()),
    "useful": (useful_panel, ()),
}

#: Kinds of graphs, and the panel that each is about.
PANELS = {kind: panel for kind, (panel, _) in _KINDS.items()}
KINDS = tuple(_KINDS)


def graph_of(
    direction: Direction,
    kind: str = "tsn",
    *,
    unit: Unit = "tsn",
    linked: bool = True,
    between: Between = (None, None),
) -> Graph:
    """The graph of a direction, before anybody draws it.

    `unit` is what the axis of a time-sequence graph counts; `linked` adds round trips, flight and
    retransmission queue below it; `between` is what is shown at first. Raises `UsageError` for an
    unknown kind, and where there is nothing to draw.
    """
    if kind not in _KINDS:
        raise UsageError(f"no kind of graph {kind!r}: there are {', '.join(KINDS)}")
    panel, below = _KINDS[kind]
    data = Data(direction, unit, between)
    shown = [(panel, 1.0), *(below if linked else ())]
    return Graph(
        title=_title(direction),
        subtitle=_subtitle(direction),
        panels=[partial(make, data, weight) for make, weight in shown],
        extent=data.extent(),
        episodes=[one if kind == "tsn" else one[:2] for one in episodes(data)],
    )


def _title(direction: Direction) -> str:
    return f"{end_text(direction.sender)} → {end_text(direction.receiver)}"


def _subtitle(direction: Direction) -> str:
    """What the summary opens with, of this direction."""
    recovery, data = direction.sender.recovery, direction.data
    if not recovery or not direction.retransmissions:
        return f"{data.chunks:,} DATA chunks, none sent again" if data else ""
    return opening([recovery])
