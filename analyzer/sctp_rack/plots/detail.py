# SPDX-License-Identifier: BSD-2-Clause
"""Level of detail: as much of a layer as a screen can show, with nothing that can be seen left out.

Bars and spans that touch within a pixel become one with the same extent; symbols that would
hide each other become one, which says how many it stands for; lines keep their extremes
(tsdownsample). refine.js does the same again for what is zoomed into.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sctp_rack.errors import MissingExtraError
from sctp_rack.plots.graph import Layer, Numbers, Words
from sctp_rack.plots.screen import COLUMNS, LINES, MOST

try:
    from tsdownsample import MinMaxDownsampler
except ModuleNotFoundError as error:
    raise MissingExtraError("graphs need `pip install plotly tsdownsample`") from error

#: Symbols nearer than this hide each other, pixels.
_APART = 4
#: How large they are drawn then.
_CROWDED = 0.5

Extent = tuple[float, float]


def reduced(layer: Layer, across: Extent, up: Extent) -> Layer:
    """The layer for an overview of these extents; itself where all of it can be drawn."""
    if len(layer) <= MOST.get(layer.shape, len(layer)):
        return layer
    if layer.shape in ("steps", "line", "area"):
        values = np.nan_to_num(layer.y.astype(np.float64), copy=False)
        return layer.where(MinMaxDownsampler().downsample(values, n_out=2 * COLUMNS))
    if layer.shape == "bars" and not layer.look.symbol:
        return _merged(layer, across, up)
    if layer.shape == "spans":
        return _joined(layer, across, up)
    return _thinned(layer, across, up)


def tall(layer: Layer, up: Extent) -> Layer:
    """Bars, a pixel high at least."""
    if layer.shape != "bars" or layer.y1 is None:
        return layer
    short = np.clip((up[1] - up[0]) / LINES - (layer.y1 - layer.y), 0, None) / 2
    return replace(layer, y=layer.y - short, y1=layer.y1 + short)


def _cells(values: Numbers, extent: Extent, count: int) -> npt.NDArray[np.int32]:
    low, high = extent
    cells = values.astype(np.float64)  # and then in place: it may be large
    cells -= low
    cells *= count / max(high - low, 1e-12)
    np.nan_to_num(cells, copy=False)
    return np.clip(cells, 0, count - 1, out=cells).astype(np.int32)


def _merged(layer: Layer, across: Extent, up: Extent) -> Layer:
    """Bars of one pixel column that touch become one, without what each says."""
    assert layer.y1 is not None
    column = _cells(layer.x, across, COLUMNS)
    bottom, top = _cells(layer.y, up, LINES), _cells(layer.y1, up, LINES)
    # How many bars begin and end in each cell, then how many cover it.
    size = (COLUMNS, LINES + 1)
    begin = np.bincount(column * size[1] + bottom, minlength=size[0] * size[1]).reshape(size)
    end = np.bincount(column * size[1] + top + 1, minlength=size[0] * size[1]).reshape(size)
    covered = np.cumsum(begin - end, axis=1) > 0
    edges = np.diff(covered.astype(np.int8), axis=1, prepend=0, append=0)
    at, low = np.nonzero(edges > 0)
    _, high = np.nonzero(edges < 0)
    running = np.concatenate([np.zeros((COLUMNS, 1), np.int64), np.cumsum(begin, axis=1)], axis=1)
    count = running[at, np.minimum(high, size[1])] - running[at, low]
    width, height = (across[1] - across[0]) / COLUMNS, (up[1] - up[0]) / LINES
    return Layer(
        *(layer.name, "bars", layer.look),
        *(across[0] + (at + 0.5) * width, up[0] + low * height),
        y1=up[0] + high * height,
        hover=f"%{{customdata[0]:,}} × {layer.name}: zoom in to tell them apart",
        about=(count,),
        group=layer.group,
        shown=layer.shown,
        rank=layer.rank,
    )


def _joined(layer: Layer, across: Extent, up: Extent) -> Layer:
    """Spans of a line that touch within a pixel become one, from the first to the last."""
    assert layer.x1 is not None
    line = _cells(layer.y, up, LINES)
    order = np.lexsort((layer.x, line))
    line, begin, end = line[order], layer.x[order], layer.x1[order]
    # How far those before it on its line reach: each line lies beyond all of the one before.
    beyond = (np.nanmax(layer.x1) - np.nanmin(layer.x) + 1) * line
    reach = np.maximum.accumulate(end + beyond) - beyond
    pixel = (across[1] - across[0]) / COLUMNS
    apart = np.ones(len(line), np.bool_)
    apart[1:] = (line[1:] != line[:-1]) | (begin[1:] > reach[:-1] + pixel)
    first = np.flatnonzero(apart)
    last = np.append(first[1:], len(line)) - 1
    return Layer(
        *(layer.name, "spans", layer.look, begin[first], layer.y[order][first]),
        x1=reach[last],
        hover=f"%{{customdata[0]:,}} × {layer.name}: zoom in to tell them apart",
        about=(last - first + 1,),
        group=layer.group,
        shown=layer.shown,
        rank=layer.rank,
    )


def _thinned(layer: Layer, across: Extent, up: Extent) -> Layer:
    """One symbol for those that would hide each other; the last of its columns says so."""
    middle = layer.y if layer.y1 is None else (layer.y + layer.y1) / 2
    cell = _cells(layer.x, across, COLUMNS // _APART) * (LINES // _APART)
    cell += _cells(middle, up, LINES // _APART)
    _, first, count = np.unique(cell, return_index=True, return_counts=True)
    order = np.argsort(first)
    more = [f"<br>and {n - 1:,} more here: zoom in" if n > 1 else "" for n in count[order].tolist()]
    thin = layer.where(first[order])
    column = len(thin.about)
    return replace(
        thin,
        look=replace(thin.look, size=thin.look.size * _CROWDED, letter=""),
        hover=f"{thin.hover}%{{customdata[{column}]}}",
        about=(*thin.about, Words(np.arange(len(more)), more)),
    )
