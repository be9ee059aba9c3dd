# SPDX-License-Identifier: BSD-2-Clause
"""A graph as a Plotly figure, with as many marks as a screen can show."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.plots import theme
from sctp_rack.plots.detail import Extent, reduced, tall
from sctp_rack.plots.graph import Graph, Layer, Panel, Words

#: Height of a panel of weight 1, and what is around the panels, pixels.
_PANEL, _AROUND, _GAP = 480, 130, 0.045

#: Weight up to which a panel has little room for ticks, and how many it has then.
_LOW, _FEW_TICKS = 0.5, 4

#: Whole numbers of which each has its tick: halves of them would look like the next one twice.
_FEW_WHOLE = 10

#: Groups of a legend whose order matters; all others lie in the middle.
_GROUPS = (
    *("sent again", "lost", "timeouts", "", "sent", "acknowledged", "also seen"),
    *("tail loss probes", "what loss detection would say"),
)

#: Letters of a line in the legend of a picture, which wraps nothing; the page wraps by itself.
_NAME = 48

#: Told of each layer: the number of its panel, and of the traces that draw it.
Seen = Callable[[Layer, int, Sequence[int]], None]


def draw(graph: Graph, seen: Seen = lambda *_: None, *, still: bool = False) -> Any:
    """A `plotly.graph_objects.Figure`. Panels are made one by one, and let go when drawn.

    In a `still` picture, where nobody zooms or clicks, each bar is a pixel high at least, and what
    is hidden is left out.
    """
    import plotly.graph_objects as go

    theme.register()
    traces: list[dict[str, Any]] = []
    panels: list[tuple[Panel, Extent]] = []
    told: dict[tuple[str, str], str] = {}
    for make in graph.panels:
        panel = make()
        if panels and not panel.layers:
            continue
        up = value_extent(panel)
        first = len(traces)
        for layer in panel.layers:
            if still and not layer.shown:
                continue
            layer = tall(layer, up) if still else layer
            drawn = _traces(layer, len(panels), graph.extent, up)
            _tell_once(drawn, layer, told)
            seen(layer, len(panels), range(len(traces), len(traces) + len(drawn)))
            traces += drawn
        _name_groups(traces[first:])
        panels.append((replace(panel, layers=[]), up))
    return go.Figure(traces, {**_layout(graph, panels), "template": theme.LIGHT})


def value_extent(panel: Panel) -> Extent:
    """What a panel shows at first."""
    if panel.extent:
        return panel.extent
    low, high = np.inf, -np.inf
    for layer in panel.layers:
        for part in (layer.y, layer.y1):
            if part is None or layer.shape == "bands" or not layer.shown:
                continue
            kept = part[np.isfinite(part) & ((part > 0) | (not panel.log))]
            low, high = min(low, kept.min(initial=np.inf)), max(high, kept.max(initial=-np.inf))
    if low > high:
        return (1.0, 10.0) if panel.log else (0.0, 1.0)
    if panel.log:
        return float(low) / 1.3, float(high) * 1.3
    low = min(low, 0)
    margin = max((high - low) * 0.04, 1e-9)
    return float(low if low == 0 else low - margin), float(high + margin)


def _tell_once(
    traces: Sequence[dict[str, Any]], layer: Layer, told: dict[tuple[str, str], str]
) -> None:
    """What two panels have stands in the legend of the first, which hides and shows both."""
    group = told.setdefault((layer.group, layer.name), traces[0]["legendgroup"])
    if group != traces[0]["legendgroup"]:
        for trace in traces:
            trace["legendgroup"] = group
            trace["showlegend"] = False


def _name_groups(traces: Sequence[dict[str, Any]]) -> None:
    """Of a panel: its legend has the name of each group above what is told first of it."""
    named = [one for one in traces if "name" in one and one.get("showlegend", True)]
    named.sort(key=lambda one: one["legendrank"])
    groups = set[str]()
    for trace in named:
        group = trace["meta"]["group"]
        if group not in groups:
            groups.add(group)
            trace["legendgrouptitle"] = {"text": group}


def _traces(layer: Layer, panel: int, across: Extent, up: Extent) -> list[dict[str, Any]]:
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
        "name": "<br>".join(wrap(layer.name, _NAME)),
        **_look(drawn),
        **coordinates(drawn, up),
        "hovertemplate": f"{drawn.hover}<extra></extra>" if drawn.hover else None,
        "hoverinfo": None if drawn.hover else "skip",
        "meta": {"picks": drawn.picks, "group": layer.group, "letter": layer.look.letter},
        "legendrank": _rank(layer),
    }
    bars = {key: one for key, one in fields.items() if one is not None}
    if not layer.look.letter:
        return [bars]
    letters = {
        **common,
        "mode": "text",
        "showlegend": False,
        "hoverinfo": "skip",
        "x": drawn.x if drawn.look.letter else [None],
        "y": drawn.y if drawn.y1 is None else (drawn.y + drawn.y1) / 2,
        "text": layer.look.letter,
        "textfont": {"color": layer.look.letter_colour, "size": 9, "weight": "bold"},
    }
    return [bars, letters]


def _rank(layer: Layer) -> int:
    """In the legend: what was lost and sent again first, what the capture does not hold last."""
    at = _GROUPS.index(layer.group) if layer.group in _GROUPS else 3
    return 1000 + 20 * at + layer.rank


def _look(layer: Layer) -> dict[str, Any]:
    look = layer.look
    line: dict[str, Any] = {"color": look.colour, "width": look.width, "dash": look.dash}
    if layer.shape in ("bars", "spans"):
        line["simplify"] = False  # else those of less than half a pixel are not drawn at all
    marker = {
        "symbol": look.symbol,
        "color": look.colour,
        "size": look.size,
        "line": {"color": look.colour, "width": look.width if "open" in look.symbol else 0},
        "opacity": 1,
    }
    match layer.shape:
        case "bands":
            fill: dict[str, Any] = {"fill": "toself", "fillcolor": look.colour, "hoveron": "fills"}
            if look.pattern:
                how = {"shape": look.pattern, "size": 12, "solidity": 0.1, "fgopacity": 0.7}
                clear = {"fgcolor": look.colour, "bgcolor": "rgba(0, 0, 0, 0)"}
                fill["fillpattern"] = {**how, **clear, "fillmode": "replace"}
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


def _titled(graph: Graph) -> str:
    """Who sends to whom, and in which file."""
    file = f"  <span style='font-size:13px'>{escape(graph.file)}</span>" if graph.file else ""
    return f"{graph.title}{file}"


def _heading(text: str, axis: str) -> dict[str, Any]:
    """What a panel shows, above it: beside one of a few lines it has no room."""
    place = {"xref": "paper", "yref": f"y{axis} domain", "x": 0, "y": 1}
    anchor = {"xanchor": "left", "yanchor": "bottom", "showarrow": False}
    return {**place, **anchor, "text": text, "font": {"size": 12}}


def _format(panel: Panel) -> str:
    if panel.whole or panel.unit == " %":
        return ",~f"
    # Without one a logarithmic axis has 2 and 5 for what is 200 and 500.
    return "~g" if panel.log and panel.unit != "B" else "~s"


def _step(panel: Panel, height: float) -> str | int | None:
    """Between ticks; of a logarithmic axis that is low those of powers of ten."""
    if panel.log:
        return "D2" if panel.weight > _LOW else 1
    return 1 if panel.whole and height < _FEW_WHOLE else None


def _ticks(panel: Panel) -> dict[str, Any]:
    if not panel.ticks:
        return {}
    return {
        "tickvals": [value for value, _ in panel.ticks],
        "ticktext": [text for _, text in panel.ticks],
        "ticksuffix": "",
    }


def _layout(graph: Graph, panels: list[tuple[Panel, Extent]]) -> dict[str, Any]:
    total = sum(panel.weight for panel, _ in panels)
    room = 1 - _GAP * (len(panels) - 1)
    alone = len(panels) == 1
    layout: dict[str, Any] = {
        "title": {
            "text": _titled(graph),
            "subtitle": {"text": graph.subtitle},
            "x": 0.01,
            "xanchor": "left",
            "y": 0.985,
            "yanchor": "top",
            "yref": "container",
        },
        "height": int(_AROUND + _PANEL * total),
        "margin": {"l": 70, "r": 20, "t": 95, "b": 45},
        "hovermode": "closest",
        "dragmode": "zoom",
        "annotations": [],
        "hoverlabel": {"align": "left"},
        "xaxis": {
            "title": {"text": graph.time},
            "range": list(graph.extent),
            "showspikes": True,
            **({"anchor": "y"} if alone else {"anchor": "free", "position": 0}),
        },
    }
    top = 1.0
    for number, (panel, (low, high)) in enumerate(panels):
        axis = "" if number == 0 else str(number + 1)
        bottom = max(top - room * panel.weight / total, 0)
        layout[f"yaxis{axis}"] = {
            "domain": [bottom, top],
            "anchor": "x",
            "type": "log" if panel.log else "linear",
            "range": [float(np.log10(low)), float(np.log10(high))] if panel.log else [low, high],
            "tickformat": _format(panel),
            "dtick": _step(panel, high - low),
            "nticks": _FEW_TICKS if panel.weight <= _LOW else 0,
            "ticksuffix": panel.unit,
            **_ticks(panel),
        }
        layout["annotations"].append(_heading(panel.title, axis))
        place = {"y": top, "yanchor": "top", "x": 1.01, "xanchor": "left"}
        layout[f"legend{axis}"] = {**theme.LEGEND, **place}
        top = bottom - _GAP
    return layout
