# SPDX-License-Identifier: BSD-2-Clause
"""How late messages were over time, by what they waited for, and of what parts that is made."""

import numpy as np

from sctp_rack.latency.parts import PARTS, parts_ns
from sctp_rack.names import WaitedFor
from sctp_rack.plots import style
from sctp_rack.plots.data import Data, Seconds
from sctp_rack.plots.graph import Column, Layer, Look, Panel
from sctp_rack.plots.layers import present, texts
from sctp_rack.plots.rates import round_up
from sctp_rack.wording.ppids import ppid_text

#: What each waited for, and its symbol.
_LOOKS = {
    WaitedFor.NOTHING: ("for nothing but the network", Look(style.DATA, "circle", 4.5)),
    WaitedFor.WINDOW: ("for a window, or was written in pieces", Look(style.DATA, "cross-open", 8)),
    WaitedFor.LOSS: ("for a repair by feedback or a probe", Look(style.DATA, "diamond-open", 8)),
    WaitedFor.TIMEOUT: ("for a timer, and what it sent again", Look(style.DATA, "square-open", 8)),
    WaitedFor.HEAD_OF_LINE: (
        "for a message before it in its stream",
        Look(style.ACKED, "triangle-up-open", 8),
    ),
}

#: How the parts are drawn.
_LINES = dict(
    zip(
        PARTS,
        (
            Look(style.ACKED, width=1.6, dash="dash"),
            Look(style.DATA, width=2.6),
            Look(style.ACKED, width=1.4),
            Look(style.DATA, width=1.6, dash="dot"),
        ),
        strict=True,
    )
)

#: Moments that the parts are averaged in.
_MOMENTS = 80


def latency_panel(data: Data, weight: float = 1.0) -> Panel:
    """Each delivered message, in milliseconds on a logarithmic axis."""
    rows = data.rows("messages", time="sent_ns")
    took = rows.floats("latency_ns") / 1e6
    parts = [np.round(one / 1e6, 3) for one in parts_ns(rows.table).values()]
    ppids = texts(rows.table["ppid"], ppid_text)
    layers = []
    for waited, (says, look) in _LOOKS.items():
        of = rows.is_("waited_for", waited) & (took > 0)
        numbers = (rows.numbers(name) for name in ("first_frame", "first_tsn", "sid"))
        about: tuple[Column, ...] = (*numbers, ppids, rows.numbers("bytes"), *parts)
        layers.append(
            Layer(
                *(f"Waited {says}: {int(of.sum()):,}", "points", look, rows.time[of], took[of]),
                hover=(
                    "<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>message of %{customdata[4]:,} "
                    "bytes, stream %{customdata[2]}, PPID %{customdata[3]}<br>%{y:.3f} ms: "
                    "%{customdata[5]} sending, %{customdata[6]} for what was sent again, "
                    "%{customdata[7]} network, %{customdata[8]} behind others"
                ),
                about=tuple(column[of] for column in about),
                picks="frame_tsn",
                group="messages delivered",
            )
        )
    return Panel("latency of messages, ms", present(*layers), log=True, weight=weight)


def parts_panel(data: Data, weight: float = 1.0) -> Panel:
    """The mean of each part, over the messages that were first sent in each moment."""
    rows = data.rows("messages", time="sent_ns")
    known = np.isfinite(rows.floats("latency_ns")) & np.isfinite(rows.time)
    times = rows.time[known]
    if not len(times):
        return Panel("", [])
    begin, end = float(times.min()), float(times.max())
    width = round_up(max((end - begin) / _MOMENTS, 1e-4))
    edges: Seconds = np.arange(int((end - begin) / width) + 2).astype(np.float64)
    edges = edges * width + begin
    count = np.histogram(times, edges)[0]
    layers = []
    for part, took in parts_ns(rows.table).items():
        total = np.histogram(times, edges, weights=took[known] / 1e6)[0]
        some = np.flatnonzero(count)
        mean: Seconds = (total[some] / count[some]).astype(np.float64)
        if mean.any():
            layers.append(_mean(part, edges[some], mean, width))
    return Panel("of what it is made, mean, ms", layers, weight=weight)


def _mean(part: str, begin: Seconds, mean: Seconds, width: float) -> Layer:
    return Layer(
        *(f"{part[:1].upper()}{part[1:]}", "spans", _LINES[part], begin, mean),
        x1=begin + width,
        hover=f"{part} in {width:g} s from %{{x:.3f}} s: %{{y:.3f}} ms",
        group=f"mean in each {width:g} s",
    )
