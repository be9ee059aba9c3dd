# SPDX-License-Identifier: BSD-2-Clause
"""A graph as a Plotly figure, with as many marks as a screen can show."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.plots import theme
from sctp_rack.plots.detail import Extent, reduced
from sctp_rack.plots.graph import Graph, Layer, Panel, Words

#: Height of a panel of weight 1, and what is around the panels, pixels.
_PANEL, _AROUND, _GAP = 480, 130, 0.045


@dataclass(frozen=True)
class Trace:
    """A trace of the figure, and which layer of which panel it draws."""

    layer: Layer
    panel: int
    letters: bool
    fields: dict[str, Any]


def height_of(graph: Graph) -> int:
    """Of the figure, pixels."""
    return int(_AROUND + _PANEL * sum(panel.weight for panel in graph.panels))


def figure_fields(graph: Graph) -> tuple[list[Trace], dict[str, Any]]:
    """The traces and the layout of a figure."""
    across = time_extent(graph)
    traces = []
    for number, panel in enumerate(graph.panels):
        up = value_extent(panel)
        titled: set[str] = set()
        for layer in panel.layers:
            traces += _traces(layer, number, across, up, layer.group not in titled)
            titled.add(layer.group)
    return traces, _layout(graph, across)


def draw(graph: Graph) -> Any:
    """A `plotly.graph_objects.Figure`."""
    import plotly.graph_objects as go

    theme.register()
    traces, layout = figure_fields(graph)
    return go.Figure([one.fields for one in traces], {**layout, "template": theme.LIGHT})


def time_extent(graph: Graph) -> Extent:
    """What is shown at first: from the first to the last mark that is not a timer or a window."""
    if graph.between:
        return graph.between
    ends = [
        (float(layer.x.min()), float(layer.x.max()))
        for panel in graph.panels
        for layer in panel.layers
        if len(layer) and layer.shape not in ("spans", "bands") and np.isfinite(layer.x).all()
    ]
    if not ends:
        return 0.0, 1.0
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    margin = max((high - low) * 0.02, 1e-6)
    return low - margin, high + margin


def value_extent(panel: Panel) -> Extent:
    """What a panel shows at first."""
    if panel.extent:
        return panel.extent
    values = [
        part
        for layer in panel.layers
        for part in (layer.y, layer.y1)
        if part is not None and len(part) and layer.shape != "bands" and layer.shown
    ]
    if not values:
        return 0.0, 1.0
    joined = np.concatenate(values)
    joined = joined[np.isfinite(joined)]
    if panel.log:
        joined = joined[joined > 0]
        if not len(joined):
            return 1.0, 10.0
        return float(joined.min()) / 1.3, float(joined.max()) * 1.3
    low, high = float(joined.min(initial=0)), float(joined.max(initial=0))
    margin = max((high - low) * 0.04, 1e-9)
    return (low if low == 0 else low - margin), high + margin


def _traces(layer: Layer, panel: int, across: Extent, up: Extent, titled: bool) -> Iterator[Trace]:
    drawn = reduced(layer, across, up)
    axis = "" if panel == 0 else str(panel + 1)
    common: dict[str, Any] = {
        "type": "scatter",
        "xaxis": "x",
        "yaxis": f"y{axis}",
        "legend": f"legend{axis}",
        "legendgroup": f"{panel} {layer.group} {layer.name}",
        "visible": True if layer.shown else "legendonly",
    }
    fields = {
        **common,
        "name": layer.name,
        **_look(layer),
        **coordinates(drawn, up),
        "hovertemplate": f"{drawn.hover}<extra></extra>" if drawn.hover else None,
        "hoverinfo": None if drawn.hover else "skip",
        "meta": {"picks": drawn.picks},
    }
    if titled and layer.group:
        fields["legendgrouptitle"] = {"text": layer.group}
    yield Trace(layer, panel, False, {key: one for key, one in fields.items() if one is not None})
    if layer.look.letter:
        letters = {
            **common,
            "mode": "text",
            "showlegend": False,
            "hoverinfo": "skip",
            "x": drawn.x,
            "y": drawn.y if drawn.y1 is None else (drawn.y + drawn.y1) / 2,
            "text": layer.look.letter,
            "textfont": {"color": layer.look.letter_colour, "size": 9, "weight": "bold"},
        }
        yield Trace(layer, panel, True, letters)


def _look(layer: Layer) -> dict[str, Any]:
    look = layer.look
    line = {"color": look.colour, "width": look.width, "dash": look.dash}
    marker = {
        "symbol": look.symbol,
        "color": look.colour,
        "size": look.size,
        "line": {"color": look.colour, "width": look.width if "open" in look.symbol else 0},
        "opacity": 1,
    }
    match layer.shape:
        case "bands":
            fill = {"fill": "toself", "fillcolor": look.colour, "hoveron": "fills"}
            return {"mode": "lines", "line": {"width": 0, "color": look.colour}, **fill}
        case "points":
            return {"mode": "markers", "marker": marker, "opacity": look.opacity}
        case "bars" if look.symbol:
            return {"mode": "lines+markers", "line": line, "marker": marker}
        case "bars" | "spans":
            return {"mode": "lines", "line": line, "opacity": look.opacity}
        case "steps":
            return {"mode": "lines", "line": {**line, "shape": "hv"}, "opacity": look.opacity}
        case "area":
            fill = {"fill": "tozeroy", "fillcolor": _faint(look.colour)}
            return {"mode": "lines", "line": {**line, "shape": "hv"}, **fill}
        case _:
            return {"mode": "lines", "line": line, "opacity": look.opacity}


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.22)"


def coordinates(layer: Layer, up: Extent) -> dict[str, Any]:
    """x, y and what is said there, with a gap between marks that are lines."""
    match layer.shape:
        case "bars" if layer.look.symbol:
            assert layer.y1 is not None
            middle = (layer.y + layer.y1) / 2
            # The symbol first: the legend shows the size of the first point.
            fields = _joined([layer.x] * 3, [middle, layer.y1, layer.y])
            symbol = {"size": np.tile(np.array([layer.look.size, 0, 0, 0]), len(layer))}
            marker = {**_look(layer)["marker"], **symbol}
            return {**fields, **_said(layer, 4), "marker": marker}
        case "bars":
            assert layer.y1 is not None
            return {**_joined([layer.x] * 2, [layer.y, layer.y1]), **_said(layer, 3)}
        case "spans":
            assert layer.x1 is not None
            return {**_joined([layer.x, layer.x1], [layer.y] * 2), **_said(layer, 3)}
        case "bands":
            assert layer.x1 is not None
            low, high = np.full(len(layer), up[0]), np.full(len(layer), up[1])
            x = [layer.x, layer.x1, layer.x1, layer.x, layer.x]
            return {**_joined(x, [low, low, high, high, low]), **_said(layer, 6)}
        case _:
            return {"x": layer.x, "y": layer.y, **_said(layer, 1)}


def _joined(x: list[npt.NDArray[Any]], y: list[npt.NDArray[Any]]) -> dict[str, Any]:
    gap = np.full(len(x[0]), np.nan)
    return {"x": np.column_stack([*x, gap]).ravel(), "y": np.column_stack([*y, gap]).ravel()}


def _said(layer: Layer, times: int) -> dict[str, Any]:
    if not layer.about:
        return {}
    columns = [
        column.taken(slice(None)) if isinstance(column, Words) else column for column in layer.about
    ]
    table: npt.NDArray[Any]
    if any(isinstance(column, Words) for column in layer.about):
        table = np.column_stack([np.asarray(column, dtype=object) for column in columns])
    else:
        table = np.column_stack(columns)
    return {"customdata": np.repeat(table, times, axis=0)}


def _layout(graph: Graph, across: Extent) -> dict[str, Any]:
    total = sum(panel.weight for panel in graph.panels)
    room = 1 - _GAP * (len(graph.panels) - 1)
    layout: dict[str, Any] = {
        "title": {
            "text": graph.title,
            "subtitle": {"text": graph.subtitle},
            "x": 0.01,
            "xanchor": "left",
            "y": 0.985,
            "yanchor": "top",
            "yref": "container",
        },
        "height": height_of(graph),
        "margin": {"l": 80, "r": 20, "t": 85, "b": 45},
        "hovermode": "closest",
        "dragmode": "zoom",
        "hoverlabel": {"align": "left"},
        "xaxis": {
            "title": {"text": graph.time},
            "range": list(across),
            "anchor": "free" if len(graph.panels) > 1 else "y",
            "position": 0,
            "showspikes": True,
        },
    }
    if len(graph.panels) == 1:
        layout["xaxis"].pop("position")
    top = 1.0
    for number, panel in enumerate(graph.panels):
        axis = "" if number == 0 else str(number + 1)
        bottom = max(top - room * panel.weight / total, 0)
        low, high = value_extent(panel)
        layout[f"yaxis{axis}"] = {
            "domain": [bottom, top],
            "anchor": "x",
            "title": {"text": panel.title},
            "type": "log" if panel.log else "linear",
            "range": [float(np.log10(low)), float(np.log10(high))] if panel.log else [low, high],
            "tickformat": ",d" if panel.whole and high - low < 1e6 else ("" if panel.log else "~s"),
            "ticksuffix": panel.unit,
        }
        place = {"y": top, "yanchor": "top", "x": 1.01, "xanchor": "left"}
        layout[f"legend{axis}"] = {**theme.LEGEND, **place}
        top = bottom - _GAP
    return layout
