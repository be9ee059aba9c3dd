# SPDX-License-Identifier: BSD-2-Clause
"""Columns for a page: differences of neighbours, their bytes by significance, deflated, in base64.

Times, TSNs and frames of a capture rise by little from row to row, so a million rows take a megabyte or two.
refine.js reads them.
"""

import base64
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.plots.graph import Column, Layer, Words

#: Steps that a column of floats is tried with: times have microseconds, middles of TSNs halves.
_SCALES = (1.0, 0.5, 1e-3, 1e-6)


def packed(values: npt.NDArray[Any]) -> dict[str, Any]:
    """A column as JSON takes it: `scale` times whole numbers, or floats where `scale` is 0."""
    numbers = np.asarray(values)
    scale = 1.0 if numbers.dtype.kind in "iub" else _scale(numbers)
    if not scale:
        return _deflated(numbers.astype("<f4").view(np.uint32), len(numbers), 0)
    whole = np.rint(numbers / scale).astype(np.int64) if scale != 1 else numbers.astype(np.int64)
    step = np.diff(whole, prepend=0)
    zigzag = ((step << 1) ^ (step >> 63)).astype(np.uint64)
    if len(zigzag) and int(zigzag[1:].max(initial=0)) >= 1 << 32:
        return _deflated(numbers.astype("<f4").view(np.uint32), len(numbers), 0)
    first = int(whole[0]) if len(whole) else 0
    small = zigzag.astype(np.uint32)
    small[:1] = 0
    return {**_deflated(small, len(numbers), scale), "first": first}


def _scale(numbers: npt.NDArray[Any]) -> float:
    if not np.isfinite(numbers).all():
        return 0
    for scale in _SCALES:
        steps = numbers / scale
        if np.abs(steps - np.rint(steps)).max(initial=0) < (0.02 if scale != 1e-6 else 1):
            return scale
    return 0


def _deflated(values: npt.NDArray[np.uint32], length: int, scale: float) -> dict[str, Any]:
    planes = np.ascontiguousarray(values.astype("<u4").view(np.uint8).reshape(-1, 4).T)
    data = base64.b64encode(zlib.compress(planes.tobytes(), 5)).decode()
    return {"length": length, "scale": scale, "data": data}


def packed_layer(layer: Layer) -> dict[str, Any]:
    """All rows of a layer, for refine.js."""
    order = np.argsort(layer.x, kind="stable") if (np.diff(layer.x) < 0).any() else slice(None)
    rows = layer.where(order)
    return {
        "name": layer.name,
        "shape": layer.shape,
        "size": layer.look.size if layer.look.symbol else 0,
        "letter": layer.look.letter,
        "hover": layer.hover,
        "picks": layer.picks,
        "x": packed(np.round(rows.x, 6)),
        "y": packed(rows.y),
        "width": None if rows.x1 is None else packed(np.round(rows.x1 - rows.x, 6)),
        "height": None if rows.y1 is None else packed(rows.y1 - rows.y),
        "about": [_column(column) for column in rows.about],
    }


def _column(column: Column) -> dict[str, Any]:
    if isinstance(column, Words):
        return {**packed(column.codes), "words": list(column.words)}
    return packed(column)
