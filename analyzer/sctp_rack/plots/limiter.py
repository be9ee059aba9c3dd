# SPDX-License-Identifier: BSD-2-Clause
"""What the sender waited for over time: a lane for each limit, and a ground behind the rate.

Colours are those of verdicts. A lane tells a limit by its place, however short it is; a pattern
needs some pixels to be told, so the ground has the limit of most of each part of the time.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from sctp_rack.limits.shares import PARTS
from sctp_rack.limits.words import LETTERS, SENTENCES
from sctp_rack.names import Limit
from sctp_rack.plots import style
from sctp_rack.plots.data import Data, Seconds
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.rates import throughput_panel
from sctp_rack.wording.rates import percent

_TITLE, _GROUP = "what the sender waited for", "of its time"

#: Of each lane, and around them: shares of the height of a panel.
_LANE, _AROUND = 0.045, 0.08

#: How high a lane is drawn, pixels; page.css knows it, too.
_HEIGHT = 9


def lanes_panel(data: Data, weight: float = 1.0) -> Panel:
    """Intervals in lanes, longest in all at the top; its height goes with how many there are."""
    waits = _Waits(data)
    if not len(waits.limits):
        return Panel("", [])
    ordered = waits.longest_first
    lanes = {limit: len(ordered) - 1 - at for at, limit in enumerate(ordered)}
    layers = [_lane(waits, limit, lane) for limit, lane in lanes.items()]
    extent = -0.6, len(lanes) - 0.4
    ticks = [(float(lane), LETTERS[limit]) for limit, lane in lanes.items()]
    high = weight * (_AROUND + _LANE * len(lanes))
    return Panel(_TITLE, layers, extent, weight=high, ticks=ticks)


def limits_panel(data: Data, weight: float = 1.0) -> Panel:
    """The rate, and behind it what the sender waited for most in each part of the time."""
    rate = throughput_panel(data, weight)
    layers = [*_ground(_Waits(data)), *rate.layers]
    return Panel(rate.title, layers, weight=weight, unit=rate.unit)


class _Waits:
    """Intervals of a direction, which touch each other."""

    def __init__(self, data: Data) -> None:
        rows = data.rows("limits", time="begin_ns")
        self.rows = rows
        self.begin = rows.time
        self.end = data.seconds(rows.table["end_ns"])
        self.codes = rows.codes("limit")

    @cached_property
    def limits(self) -> dict[Limit, float]:
        """Those there are, in seconds."""
        took = self.end - self.begin
        every = enumerate(Limit)
        sums = {limit: float(took[self.codes == code].sum()) for code, limit in every}
        return {limit: seconds for limit, seconds in sums.items() if seconds > 0}

    @property
    def longest_first(self) -> list[Limit]:
        """Of those of equal length in the order of the words."""
        return sorted(self.limits, key=lambda limit: -self.limits[limit])

    def name(self, limit: Limit) -> str:
        """As `limits` says it."""
        share = percent(self.limits[limit] / sum(self.limits.values()))
        return f"{LETTERS[limit]}  {share}: {SENTENCES[limit]}"

    def of(self, limit: Limit) -> npt.NDArray[np.bool_]:
        """For each interval."""
        found: npt.NDArray[np.bool_] = self.codes == [*Limit].index(limit)
        return found

    def most_of_each_part(self) -> tuple[Seconds, npt.NDArray[np.int64]]:
        """Bounds of equal parts of the time, and the limit of most of each, by its number."""
        bounds = np.linspace(self.begin[0], self.end[-1], PARTS + 1)
        edges = np.append(self.begin, self.end[-1])
        took = []
        for code in range(len(Limit)):
            waited = np.where(self.codes == code, self.end - self.begin, 0)
            took.append(np.diff(np.interp(bounds, edges, np.append(0, np.cumsum(waited)))))
        most: npt.NDArray[np.int64] = np.argmax(took, axis=0)
        return bounds, most


def _lane(waits: _Waits, limit: Limit, lane: int) -> Layer:
    of, rows = waits.of(limit), waits.rows
    begin, end = waits.begin[of], waits.end[of]
    room = rows.numbers("a_rwnd")[of]
    return Layer(
        *(waits.name(limit), "spans", Look(style.DATA, width=_HEIGHT)),
        *(begin, np.full(len(begin), float(lane))),
        x1=end,
        hover=(
            f"<b>{SENTENCES[limit]}</b><br>from frame %{{customdata[0]}} for %{{customdata[1]:,}} "
            "ms, class %{customdata[2]}<br>%{customdata[3]:,} bytes sent meanwhile, "
            "%{customdata[4]:,} outstanding at most, a_rwnd %{customdata[5]:,}"
        ),
        about=(
            rows.numbers("begin_frame")[of],
            np.round((end - begin) * 1e3, 3),
            rows.numbers("limit_class")[of],
            rows.numbers("bytes")[of],
            rows.numbers("outstanding_bytes")[of],
            room,
        ),
        picks="frame",
        group=_GROUP,
    )


def _ground(waits: _Waits) -> list[Layer]:
    """Parts in a row that have the same limit are one; what has no pattern has no ground."""
    if not waits.limits:
        return []
    bounds, most = waits.most_of_each_part()
    starts = np.flatnonzero(np.append(True, most[1:] != most[:-1]))
    ends = np.append(starts[1:], len(most))
    layers = []
    for code, limit in enumerate(Limit):
        mine = most[starts] == code
        pattern = style.PATTERNS[limit]
        fill = {"plain": style.PLAIN, "dense": style.DENSE}.get(pattern)
        look = Look(fill) if fill else Look(style.GROUND, pattern=pattern)
        if mine.any() and pattern:
            begin, end = bounds[starts[mine]], bounds[ends[mine]]
            layers.append(
                Layer(
                    *(waits.name(limit), "bands", look),
                    *(begin, np.zeros(len(begin))),
                    x1=end,
                    hover=f"most of this time {SENTENCES[limit]}",
                    group=_GROUP,
                )
            )
    return layers
