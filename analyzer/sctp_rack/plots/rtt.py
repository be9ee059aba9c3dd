# SPDX-License-Identifier: BSD-2-Clause
"""Round trips over time: samples of the tap, and what RACK-TLP's sender makes of its own."""

import numpy as np

from sctp_rack.names import MEANINGS, RttTag
from sctp_rack.plots import style
from sctp_rack.plots.data import Data, Rows
from sctp_rack.plots.graph import Layer, Look, Panel, Words
from sctp_rack.plots.layers import present

#: Samples that nothing held back, and those that something may have.
_PROMPT = [one for one in RttTag if one not in (RttTag.DELAYED, RttTag.RTX)]


def rtt_panel(data: Data, weight: float = 1.0) -> Panel:
    """In milliseconds, on a logarithmic axis: RTO is often ten round trips."""
    samples = data.rows("rtt_samples")
    state = data.rows("rack_state", time="")
    layers = [
        _samples(
            samples, samples.is_("tag", *_PROMPT), "sample", Look(style.SAMPLE, "circle", 4.5)
        ),
        _samples(
            *(samples, samples.is_("tag", RttTag.DELAYED), "sample, may be delayed"),
            Look(style.SAMPLE, "circle-open", 5, width=1),
        ),
        _samples(
            *(samples, samples.is_("tag", RttTag.RTX), "sample, TSN sent again"),
            Look(style.OPEN, "x-thin-open", 5, width=1),
            shown=False,
        ),
        _smoothed(data, state, "min_rtt_ns", "min_rtt", Look(style.LEAST, width=1.6, dash="dash")),
        _smoothed(data, state, "srtt_ns", "srtt", Look(style.SMOOTH, width=2)),
        _smoothed(data, state, "pto_ns", "pto", Look(style.PROBE, width=1.6, dash="dot"), due=True),
        _smoothed(data, state, "rto_ns", "rto", Look(style.TIMER, width=1.6, dash="dashdot")),
    ]
    return Panel(
        "round trip, ms",
        present(*(layer for layer in layers if np.isfinite(layer.y).any())),
        log=True,
        weight=weight,
    )


def _samples(rows: Rows, kept: np.ndarray, name: str, look: Look, shown: bool = True) -> Layer:
    tags = Words(rows.codes("tag")[kept], [*(MEANINGS["rtt_tag"][one] for one in RttTag), ""])
    return Layer(
        *(name, "points", look, rows.time[kept], rows.floats("rtt_ns")[kept] / 1e6),
        hover=(
            "<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>round trip from the tap: %{y:.3f} ms"
            "<br>%{customdata[1]}"
        ),
        about=(rows.numbers("frame")[kept], tags),
        picks="frame",
        group="measured at the tap",
        shown=shown,
    )


def _smoothed(
    data: Data, state: Rows, column: str, name: str, look: Look, due: bool = False
) -> Layer:
    """A figure of the profile rfc8985 at each SACK; `due` says that the column is an instant."""
    time = data.sacks.time
    if due:
        values = (data.seconds(state.table[column]) - time) * 1e3
    else:
        values = state.floats(column) / 1e6
    values = np.where(values > 0, values, np.nan)  # a gap where the timer does not run
    return Layer(
        *(name, "steps", look, time, values),
        hover=f"<b>frame %{{customdata[0]}}</b> at %{{x:.6f}} s<br>{name}: %{{y:.3f}} ms",
        about=(state.numbers("frame"),),
        picks="frame",
        group="RACK-TLP's sender",
    )
