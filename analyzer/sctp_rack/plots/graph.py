# SPDX-License-Identifier: BSD-2-Clause
"""What a graph is, before anybody draws it: panels above each other with layers of marks over time.

Plotly, the page that refines when it is zoomed, and xplot all draw the same graph.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.number[Any]]

#: `bars` go from (x, y) to (x, y1), `spans` from (x, y) to (x1, y), `bands` from x to x1 over the
#: whole height; `steps` hold a value until the next, `line` joins them, `area` is steps with what
#: is below them filled.
Shape = Literal["bars", "spans", "bands", "points", "steps", "line", "area"]


@dataclass(frozen=True, eq=False)
class Words:
    """One of few texts for each row."""

    codes: npt.NDArray[np.integer[Any]]
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.codes)

    def taken(self, rows: Any) -> npt.NDArray[Any]:
        """The texts of some rows."""
        texts: npt.NDArray[Any] = np.array(self.words, dtype=object)[self.codes[rows]]
        return texts

    def __getitem__(self, rows: Any) -> "Words":
        return Words(self.codes[rows], self.words)


Column = Numbers | Words

#: Seconds; None is the beginning, or the end.
Between = tuple[float | None, float | None]


@dataclass(frozen=True)
class Look:
    """How a layer is drawn: symbols are Plotly's; `dash` is a length list or a word of Plotly's."""

    colour: str
    symbol: str = ""
    size: float = 7
    letter: str = ""
    letter_colour: str = "white"
    width: float = 1.5
    dash: str = "solid"
    opacity: float = 1.0
    #: Of `bands`: a word of Plotly's `fillpattern.shape`; none: the colour fills them.
    pattern: str = ""


@dataclass(frozen=True, eq=False)
class Layer:
    """Marks of one kind. `x` is seconds; what a row says is `hover` with the values of `about` put
    in.

    The first two columns of `about` are the frame and the absolute TSN where `picks` says so: they
    make the display filter.
    """

    name: str
    shape: Shape
    look: Look
    x: Numbers
    y: Numbers
    x1: Numbers | None = None
    y1: Numbers | None = None
    hover: str = ""
    about: tuple[Column, ...] = ()
    picks: Literal["", "frame", "frame_tsn"] = ""
    group: str = ""
    shown: bool = True
    #: In the legend, of its group: the lowest first. What is drawn last lies above the others.
    rank: int = 0

    def __len__(self) -> int:
        return len(self.x)

    def where(self, rows: Any) -> "Layer":
        """Some of the rows: a mask or indexes."""
        return Layer(
            *(self.name, self.shape, self.look, self.x[rows], self.y[rows]),
            x1=None if self.x1 is None else self.x1[rows],
            y1=None if self.y1 is None else self.y1[rows],
            hover=self.hover,
            about=tuple(column[rows] for column in self.about),
            picks=self.picks,
            group=self.group,
            shown=self.shown,
            rank=self.rank,
        )


@dataclass(frozen=True)
class Panel:
    """One system of axes. `extent` is what it shows at first; None: everything."""

    title: str
    #: Gone through once; a list unless there is an `extent`.
    layers: Iterable[Layer]
    extent: tuple[float, float] | None = None
    log: bool = False
    #: Its share of the height.
    weight: float = 1.0
    #: Unit of the values, as d3-format has it behind a number: "s", "B".
    unit: str = ""
    whole: bool = False
    #: Values that have a tick, and how it reads; none: as the axis chooses.
    ticks: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True)
class Graph:
    """Panels share the axis of time, whose zero is the first frame of the capture."""

    title: str
    #: Makers of panels: of a million rows each takes a hundred megabytes, so they come one after
    #: the other.
    panels: Sequence[Callable[[], Panel]]
    #: What is shown at first, seconds.
    extent: tuple[float, float]
    subtitle: str = ""
    time: str = "seconds since the first frame of the capture"
    #: Where to zoom to, one after the other: left, right, and bottom and top of the first panel.
    episodes: Sequence[tuple[float, ...]] = field(default_factory=list)
    #: Name of the capture's file.
    file: str = ""
    #: Retransmissions by verdict, in the order in which they are told, and what was lost.
    shares: Sequence[tuple[str, int]] = ()
