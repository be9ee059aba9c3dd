# SPDX-License-Identifier: BSD-2-Clause
"""The same lines of several directions over each other: before and after, this stack and that."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape

from sctp_rack.errors import UsageError
from sctp_rack.plots.data import Data
from sctp_rack.plots.drawable import Drawable
from sctp_rack.plots.graph import Between, Graph, Layer, Look, Panel
from sctp_rack.plots.kinds import PANELS
from sctp_rack.plots.overlaid_marks import resent_points, sent_line
from sctp_rack.plots.rates import ACKNOWLEDGED, RECEIVED, USEFUL
from sctp_rack.plots.room import FLIGHT
from sctp_rack.plots.rtt import SMOOTHED
from sctp_rack.plots.style import ACKED, DATA
from sctp_rack.plots.tsn import CUMULATIVE, ROOM


@dataclass(frozen=True)
class _Line:
    """One that is compared. `says`: behind the direction's name; none: alone it says enough."""

    says: str = ""
    #: None: as its direction is.
    dash: str | None = None
    shown: bool = True


#: Those that are compared, by kind and by how the panel names them.
_LINES = {
    "tsn": {CUMULATIVE: _Line("acknowledged"), ROOM: _Line("receiver's window", "dot", False)},
    "useful": {USEFUL: _Line(USEFUL.lower()), RECEIVED: _Line(RECEIVED.lower(), "dot")},
    "throughput": {ACKNOWLEDGED: _Line()},
    "flight": {FLIGHT: _Line()},
    "rtt": {SMOOTHED: _Line()},
}

#: How the directions look: grey, as a colour is a verdict's; each is as wide as no other. The
#: second is broken as well: a legend may show all lines as wide.
LOOKS = (
    *(Look(ACKED, width=4.5), Look(DATA, width=1.6, dash="8px,3px"), Look(DATA, width=3)),
    *(Look(ACKED, width=2.6, dash="12px,4px"), Look(DATA, width=2.2, dash="12px,4px,3px,4px")),
    Look(ACKED, width=2, dash="4px,6px"),
)


def overlaid(
    directions: Mapping[str, Drawable],
    kind: str,
    title: str,
    between: Between = (None, None),
) -> Graph:
    """Of directions by name; time begins with the first DATA of each.

    `between` is what is shown at first, in seconds since the first frame of each.
    """
    if kind not in _LINES:
        raise UsageError(f"no lines to lay over each other in {kind!r}: {', '.join(_LINES)} have")
    layers: list[Layer] = []
    panel = Panel("", [])
    begins = []
    for number, (name, direction) in enumerate(directions.items()):
        data = Data(direction)
        begins.append(float(data.sent.time.min()))
        panel = PANELS[kind](data, 1.0)
        look = LOOKS[number % len(LOOKS)]
        found = [_line(one, _LINES[kind][one.name], look) for one in panel.layers if _is(one, kind)]
        if kind == "tsn":  # as tcptrace has it: sent, acknowledged, the window, and sent again
            found = [sent_line(data, look), *found, *resent_points(data, number)]
        layers += [_of(name, one, begins[-1], panel) for one in found]
    joined = Panel(panel.title.partition(" (")[0], layers, unit=panel.unit)
    end = max((float(layer.x.max()) for layer in layers), default=1.0)
    least, most = -0.02 * end, 1.02 * end
    if between[0] is not None:
        least = max(least, between[0] - max(begins))
    if between[1] is not None:
        most = min(most, between[1] - min(begins))
    return Graph(
        title=title or " and ".join(directions),
        panels=[lambda: joined],
        extent=(least, most),
        time="seconds since the first DATA",
    )


def _is(layer: Layer, kind: str) -> bool:
    return layer.name in _LINES[kind]


def _line(layer: Layer, line: _Line, look: Look) -> Layer:
    dashed = look if line.dash is None else replace(look, dash=line.dash)
    return replace(layer, name=line.says, look=dashed, shape="steps", shown=line.shown)


def _of(name: str, layer: Layer, begin: float, panel: Panel) -> Layer:
    """The same of the direction so called, from its first DATA on."""
    return replace(
        layer,
        name=f"{name}: {layer.name}" if layer.name else name,
        x=layer.x - begin,
        hover=f"<b>{escape(name)}</b><br>{layer.hover}",
        group=panel.title.partition(" (")[0],
    )
