# SPDX-License-Identifier: BSD-2-Clause
"""A graph for xplot, as tcptrace writes them: all rows of its first panel."""

from collections.abc import Iterator

import numpy as np

from sctp_rack.plots import style
from sctp_rack.plots.graph import Graph, Layer

#: xplot knows ten colours by name; tcptrace's are white for data, red for what came again, green
#: for acknowledgements, purple for SACK blocks, yellow for the window.
_VERDICTS = {style.NEEDED: "red", style.SPURIOUS: "orange", style.LOST: "red", style.OPEN: "white"}
_NAMES = {"gap block": "purple", "a_rwnd": "yellow", "duplicate": "blue"}
_GROUPS = {"acknowledged": "green", "tail loss probes": "blue", "also seen": "pink"}

#: Its marks, by what Plotly's symbol begins with.
_MARKS = {
    "x": "x",
    "cross": "plus",
    "circle": "dot",
    "diamond": "diamond",
    "square": "box",
    "triangle-up": "uarrow",
    "triangle-down": "darrow",
    "hexag": "box",
    "hourglass": "diamond",
}


def xplot_of(graph: Graph) -> str:
    """The text of a `.xpl` file."""
    panel = graph.panels[0]()
    lines = ["double double", "title", graph.title, "xlabel", "time (s)", "ylabel", panel.title]
    for layer in panel.layers:
        if layer.shown:
            lines += _commands(layer)
    return "\n".join([*lines, "go", ""])


def _commands(layer: Layer) -> Iterator[str]:
    colour = _colour(layer)
    x = [f"{value:.9f}" for value in layer.x.tolist()]
    y = [_short(value) for value in layer.y.tolist()]
    match layer.shape:
        case "bars" if layer.y1 is not None:
            ends = [_short(value) for value in layer.y1.tolist()]
            for at, low, high in zip(x, y, ends, strict=True):
                yield f"line {at} {low} {at} {high} {colour}"
                if layer.look.letter:
                    yield f"atext {at} {high} {colour}\n{layer.look.letter}"
        case "spans" if layer.x1 is not None:
            for at, end, height in zip(x, layer.x1.tolist(), y, strict=True):
                yield f"line {at} {height} {end:.9f} {height} {colour}"
        case "bands":
            for at in x:
                yield f"dline {at} 0 {at} 0 {colour}"
        case "points":
            mark = next(
                (to for of, to in _MARKS.items() if layer.look.symbol.startswith(of)), "dot"
            )
            for at, height in zip(x, y, strict=True):
                yield f"{mark} {at} {height} {colour}"
        case _:
            for i in np.flatnonzero(np.isfinite(layer.y))[1:].tolist():
                yield f"line {x[i - 1]} {y[i - 1]} {x[i]} {y[i - 1]} {colour}"
                yield f"line {x[i]} {y[i - 1]} {x[i]} {y[i]} {colour}"


def _colour(layer: Layer) -> str:
    if layer.look.colour in _VERDICTS:
        return _VERDICTS[layer.look.colour]
    by_name = (colour for part, colour in _NAMES.items() if part in layer.name)
    return next(by_name, _GROUPS.get(layer.group, "white"))


def _short(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e5 else f"{value:.1f}"
