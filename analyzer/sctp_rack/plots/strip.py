# SPDX-License-Identifier: BSD-2-Clause
"""How much was lost and sent again in each moment: counts that no overlap of marks can hide."""

import numpy as np
import numpy.typing as npt

from sctp_rack.names import Kind, Outcome, Verdict
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import present
from sctp_rack.plots.rates import round_up
from sctp_rack.plots.screen import COLUMNS, MOST

#: Moments of the time that is shown, each some pixels wide.
_MOMENTS = 150

#: Part of the height below which two ticks would lie over each other.
_CLOSE = 0.3

_ORDER = (Verdict.SPURIOUS, Verdict.UNDETERMINED, Verdict.NEEDED)


def strip_panel(data: Data, weight: float = 1.0) -> Panel:
    """Sent again above the line by verdict, lost below it."""
    sent = data.sent
    edges, width = _moments(data)
    again = sent.is_("kind", Kind.RETRANSMISSION)
    lost = _counts(data, sent.is_("outcome", Outcome.LOST), edges)
    if not lost.any() and not again.any():
        return Panel("", [])
    all_sent = _counts(data, np.ones(len(sent), bool), edges)
    middles = edges[:-1] + width / 2
    when = f"in {width:g} s around %{{x:.4f}} s"
    layers, below = list[Layer](), np.zeros(len(middles))
    for verdict in _ORDER:
        count = _counts(data, again & sent.is_("verdict", verdict), edges)
        rows = np.flatnonzero(count)
        layers.append(
            Layer(
                *(f"Sent again, {verdict.value}", "bars", _bar(style.VERDICTS[verdict][1])),
                *(middles[rows], below[rows]),
                y1=(below + count)[rows],
                hover=f"<b>%{{customdata[0]:,}} {verdict.value}</b> {when}",
                about=(count[rows],),
                group="counted over time",
            )
        )
        below = below + count
    rows = np.flatnonzero(lost)
    layers.append(
        Layer(
            *("Lost, below the line", "bars", _bar(style.LOST), middles[rows], -lost[rows]),
            y1=np.zeros(len(rows)),
            hover=(
                f"<b>%{{customdata[0]:,}} lost</b> of %{{customdata[1]:,}} sent {when}: "
                "%{customdata[2]} %"
            ),
            about=(lost[rows], all_sent[rows], _share(lost, all_sent)[rows]),
            group="counted over time",
        )
    )
    up, down = float(below.max(initial=0)), float(lost.max(initial=0))
    room = max(up + down, 1) * 0.06
    ends = [(-down, f"{down:,.0f} lost"), (up, f"{up:,.0f} again")]
    crowded = min((size for size in (up, down) if size), default=0) < _CLOSE * (up + down)
    ticks = [*([] if crowded else [(0.0, "0")]), *(end for end in ends if end[0])]
    extent = -down - room, up + room
    title = "lost and sent again over time"
    return Panel(title, present(*layers), extent, weight=weight, ticks=ticks)


def loss_panel(data: Data, weight: float = 1.0) -> Panel:
    """Of so much that an overview cannot show each chunk: the loss rate of each pixel."""
    lost, sent, edges, width = _by_pixel(data)
    if not len(edges) or not lost.any():
        return Panel("", [])
    layer = Layer(
        *("Lost, of what was sent", "area", Look(style.LOST, width=1.2), edges[:-1]),
        _share(lost, sent),
        hover=(
            "%{customdata[0]:,} of %{customdata[1]:,} lost in "
            f"{width:.3g} s from %{{x:.4f}} s: "
            "%{y:.2f} %"
        ),
        about=(lost, sent),
        group="in each pixel",
    )
    return Panel("loss rate", [layer], weight=weight, unit=" %")


def density_panel(data: Data, weight: float = 1.0) -> Panel:
    """And how many chunks each pixel of it stands for."""
    _, sent, edges, width = _by_pixel(data)
    if not len(edges):
        return Panel("", [])
    layer = Layer(
        *("Chunks sent", "area", Look(style.DATA, width=1.2), edges[:-1], sent),
        hover=f"%{{y:,}} chunks sent in {width:.3g} s from %{{x:.4f}} s",
        group="in each pixel",
    )
    return Panel("chunks per pixel", [layer], weight=weight)


_Counts = npt.NDArray[np.float64]


def _by_pixel(data: Data) -> tuple[_Counts, _Counts, _Counts, float]:
    """Lost and sent in the width of each pixel; nothing where every chunk has its own mark."""
    sent = data.sent
    if len(sent) <= MOST["bars"]:
        nothing = np.zeros(0)
        return nothing, nothing, nothing, 0.0
    begin, end = data.extent()
    edges = np.linspace(begin, end, COLUMNS + 1)
    width = (end - begin) / COLUMNS
    lost = _counts(data, sent.is_("outcome", Outcome.LOST), edges)
    return lost, _counts(data, np.ones(len(sent), bool), edges), edges, width


def _moments(data: Data) -> tuple[_Counts, float]:
    """Edges of intervals of the time that is shown, and their width."""
    begin, end = data.extent()
    width = round_up(max((end - begin) / _MOMENTS, 1e-6))
    first = np.floor(begin / width)
    return width * (first + np.arange(int(np.ceil(end / width) - first) + 1)), width


def _counts(data: Data, rows: npt.NDArray[np.bool_], edges: _Counts) -> _Counts:
    return np.histogram(data.sent.time[rows], edges)[0].astype(np.float64)


def _share(part: _Counts, whole: _Counts) -> _Counts:
    share: _Counts = np.round(100 * part / np.maximum(whole, 1), 2)
    return share


def _bar(colour: str) -> Look:
    return Look(colour, width=4)
