# SPDX-License-Identifier: BSD-2-Clause
"""How rows become layers, and what a transmission says when it is pointed at."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Column, Layer, Look, Words

Mask = npt.NDArray[Any]

#: What every transmission says, by the columns that `sent_about` puts first.
SENT = (
    "<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>"
    "TSN %{customdata[1]}, copy %{customdata[2]}, %{customdata[3]} bytes"
)


def sent_about(data: Data, rows: Mask) -> tuple[Column, ...]:
    """Frame, TSN, copy and bytes of some transmissions."""
    sent = data.sent
    return (
        sent.numbers("frame")[rows],
        data.tsn[rows],
        sent.numbers("copy")[rows].astype(np.uint8),
        sent.numbers("bytes")[rows].astype(np.uint32),
    )


def sent_bars(
    data: Data,
    rows: Mask,
    name: str,
    look: Look,
    says: str,
    *more: Column,
    group: str = "sent",
    rank: int = 0,
) -> Layer:
    """A bar for each transmission, as high as its TSN."""
    return Layer(
        *(name, "bars", look, data.sent.time[rows], data.scale(data.places[rows])),
        y1=data.scale(data.places[rows] + 1),
        hover=f"{SENT}<br>{says}",
        about=(*sent_about(data, rows), *more),
        picks="frame_tsn",
        group=group,
        rank=rank,
    )


def sent_points(
    data: Data, rows: Mask, name: str, look: Look, says: str, *more: Column, group: str
) -> Layer:
    """A symbol in the middle of each transmission."""
    return Layer(
        *(name, "points", look, data.sent.time[rows], data.scale(data.places[rows] + 0.5)),
        hover=f"{SENT}<br>{says}",
        about=(*sent_about(data, rows), *more),
        picks="frame_tsn",
        group=group,
    )


def texts(values: npt.NDArray[Any], say: Callable[[Any], str]) -> Words:
    """What is said of each value; a masked one has the empty text."""
    known, codes = np.unique(np.ma.getdata(values), return_inverse=True)
    words = [say(value) for value in known.tolist()]
    if np.ma.is_masked(values):
        codes = np.where(np.ma.getmaskarray(values), len(words), codes)
        words.append("")
    return Words(codes, words)


def said(words: Sequence[str]) -> Words:
    """One text for each row, each kept once."""
    known = {word: code for code, word in enumerate(sorted(set(words)))}
    return Words(np.array([known[word] for word in words], np.int64), list(known))


def present(*layers: Layer) -> list[Layer]:
    """Those that have rows."""
    return [layer for layer in layers if len(layer)]
