# SPDX-License-Identifier: BSD-2-Clause
"""The same lines of several directions over each other: before and after, this stack and that."""

from collections.abc import Mapping
from dataclasses import replace

from sctp_rack.association import Direction
from sctp_rack.errors import UsageError
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Graph, Layer, Panel
from sctp_rack.plots.kinds import PANELS

#: Lines that are compared, by kind, and how each is dashed; the colour tells the direction.
_LINES = {
    "tsn": {"cumulative TSN": "solid"},
    "useful": {"useful": "solid", "received": "dot"},
    "throughput": {"newly acknowledged": "solid"},
    "flight": {"outstanding": "solid"},
    "rtt": {"srtt": "solid"},
}

#: Okabe and Ito.
COLOURS = ("#d1600f", "#3778bf", "#1a936f", "#b2497a", "#8a8f98", "#d4a017")


def overlaid(directions: Mapping[str, Direction], kind: str, title: str) -> Graph:
    """Of directions by name; time begins with the first DATA of each."""
    if kind not in _LINES:
        raise UsageError(f"no lines to lay over each other in {kind!r}: {', '.join(_LINES)} have")
    layers: list[Layer] = []
    panel = Panel("", [])
    for number, (name, direction) in enumerate(directions.items()):
        data = Data(direction)
        begin = float(data.sent.time.min())
        panel = PANELS[kind](data, 1.0)
        for layer in panel.layers:
            if layer.name in _LINES[kind]:
                dash = _LINES[kind][layer.name]
                colour = COLOURS[number % len(COLOURS)]
                look = replace(layer.look, colour=colour, width=2, dash=dash)
                moved = replace(
                    layer,
                    look=look,
                    shape="steps",
                    x=layer.x - begin,
                    group=name,
                    picks="",
                    shown=True,
                )
                layers.append(moved)
    joined = Panel(panel.title.partition(" (")[0], layers, log=panel.log, unit=panel.unit)
    end = max((float(layer.x.max()) for layer in layers), default=1.0)
    return Graph(
        title=title or " and ".join(directions),
        panels=[lambda: joined],
        extent=(-0.02 * end, 1.02 * end),
        time="seconds since the first DATA",
    )
