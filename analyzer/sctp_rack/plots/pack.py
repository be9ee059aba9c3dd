# SPDX-License-Identifier: BSD-2-Clause
"""Columns for a page: differences of neighbours, their bytes by significance, deflated, in base64.

Times, TSNs and frames of a capture rise by little from row to row, so a million rows take a few
hundred kilobytes each. refine.js reads them.
"""

import base64
import zlib
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.plots.graph import Column, Layer, Words

#: Steps that a column of floats is tried with: middles of TSNs have halves, times microseconds.
_SCALES = (1.0, 0.5, 1e-3, 1e-6)

#: Columns that may wait to be deflated.
_WAITING = 2


class Packer:
    """Packs layers; columns that are equal, as the times of one table, are there once."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2)  # zlib lets others run
        self._known: dict[tuple[str, int], int] = {}
        self._columns: list[tuple[dict[str, Any], Future[str]]] = []

    def columns(self) -> list[dict[str, Any]]:
        """All of them, as JSON takes them."""
        return [{**how, "data": data.result()} for how, data in self._columns]

    def layer(self, layer: Layer) -> dict[str, Any]:
        """All rows of a layer, by the numbers of its columns."""
        order = np.argsort(layer.x, kind="stable") if (np.diff(layer.x) < 0).any() else slice(None)
        rows = layer.where(order)
        return {
            "name": layer.name,
            "shape": layer.shape,
            "size": layer.look.size if layer.look.symbol else 0,
            "letter": layer.look.letter,
            "hover": layer.hover,
            "picks": layer.picks,
            "x": self._column(rows.x),
            "y": self._column(rows.y),
            "width": None if rows.x1 is None else self._column(rows.x1 - rows.x),
            "height": None if rows.y1 is None else self._column(rows.y1 - rows.y),
            "about": [self._about(column) for column in rows.about],
        }

    def _about(self, column: Column) -> dict[str, Any]:
        if isinstance(column, Words):
            return {"column": self._column(column.codes), "words": list(column.words)}
        return {"column": self._column(column)}

    def _column(self, values: npt.NDArray[Any]) -> int:
        how, planes = _planes(np.asarray(values))
        key = repr(how), hash(planes)
        if key not in self._known:
            for _, data in self._columns[-_WAITING : -_WAITING + 1]:
                data.result()  # what waits to be deflated takes memory
            self._known[key] = len(self._columns)
            self._columns.append((how, self._threads.submit(_deflated, planes)))
        return self._known[key]


def _deflated(planes: bytes) -> str:
    return base64.b64encode(zlib.compress(planes, 4)).decode()


def _planes(values: npt.NDArray[Any]) -> tuple[dict[str, Any], bytes]:
    """How to read it: `scale` times whole numbers from `first` on, TSNs modulo 2^32; and the bytes.

    What is no multiple of a scale is kept as float64, with `scale` 0.
    """
    scale = 1.0 if values.dtype.kind in "iub" else _scale(values)
    if not scale:
        return {"length": len(values), "scale": 0}, _by_significance(values.astype("<f8"))
    if values.dtype == np.uint32:  # may be TSNs: the difference is the nearest way round
        step = np.diff(values).astype(np.int32).astype(np.int64)
    else:
        step = np.diff(values if scale == 1 and values.dtype.kind == "i" else _whole(values, scale))
    zigzag = step << 1
    step >>= 63
    zigzag ^= step
    if len(step) and int(zigzag.max()) >= 1 << 32:
        return {"length": len(values), "scale": 0}, _by_significance(values.astype("<f8"))
    first = int(np.rint(values[0] / scale)) if len(values) else 0
    how = {"length": len(values), "scale": scale, "first": first}
    if values.dtype == np.uint32:
        how["modulo"] = 1 << 32
    return how, _by_significance(zigzag.astype("<u4"))


def _whole(values: npt.NDArray[Any], scale: float) -> npt.NDArray[np.int64]:
    if scale == 1:
        return values.astype(np.int64)
    steps = values / scale
    return np.rint(steps, out=steps).astype(np.int64)


def _scale(numbers: npt.NDArray[Any]) -> float:
    """The first scale whose multiples these are; for times in seconds microseconds do."""
    few = numbers[:: max(len(numbers) // 1000, 1)]
    for scale in _SCALES:
        for some in (few, numbers):  # a few tell most of them
            steps = some / scale
            steps -= np.rint(steps)
            apart = max(steps.max(initial=0), -steps.min(initial=0))
            if not apart < (1e-3 if scale > 1e-6 else 0.6):  # also where it is NaN
                break
        else:
            return scale
    return 0


def _by_significance(values: npt.NDArray[Any]) -> bytes:
    size = values.dtype.itemsize
    return np.ascontiguousarray(values.view(np.uint8).reshape(-1, size).T).tobytes()
