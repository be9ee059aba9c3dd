# SPDX-License-Identifier: BSD-2-Clause
"""Round trips over time: samples of the tap, and what RACK-TLP's sender makes of its own."""

from dataclasses import replace

import numpy as np

from sctp_rack.names import MEANINGS, RttTag
from sctp_rack.plots import style
from sctp_rack.plots.data import Data, Rows
from sctp_rack.plots.graph import Layer, Look, Panel, Words
from sctp_rack.plots.layers import present

#: The name of a line that directions are compared by.
SMOOTHED = "Smoothed (srtt)"

_MEASURED = "measured at the tap"

#: Samples that nothing held back, and those that something may have.
_PROMPT = [one for one in RttTag if one not in (RttTag.DELAYED, RttTag.RTX)]


def rtt_panel(data: Data, weight: float = 1.0) -> Panel:
    """In milliseconds, as high as the samples; timers that lie above it are hidden until they are
    asked for: RTO is often ten round trips."""
    samples = data.rows("rtt_samples")
    state = data.rows("rack_state", time="")
    layers = [
        _smoothed(data, state, "min_rtt_ns", "Shortest (min_rtt)", Look(style.LEAST, dash="dash")),
        _smoothed(data, state, "srtt_ns", SMOOTHED, Look(style.SMOOTH, width=2)),
        _smoothed(
            *(data, state, "pto_ns", "Probe timeout (pto)"),
            Look(style.PROBE, width=1.6, dash="dot"),
            due=True,
        ),
        _smoothed(
            *(data, state, "rto_ns", "Retransmission timeout (rto)"),
            Look(style.TIMER, width=1.6, dash="dashdot"),
        ),
        _samples(
            samples, samples.is_("tag", *_PROMPT), "Measured", Look(style.SAMPLE, "circle", 4.5)
        ),
        _samples(
            *(samples, samples.is_("tag", RttTag.DELAYED), "Measured, may have been held back"),
            Look(style.SAMPLE, "circle-open", 5, width=1),
        ),
        _samples(
            *(samples, samples.is_("tag", RttTag.RTX), "Measured of a TSN sent again"),
            Look(style.WINDOW, "x-thin-open", 5, width=1),
            shown=False,
        ),
    ]
    layers = present(*(layer for layer in layers if np.isfinite(layer.y).any()))
    extent = _fitting(layers)
    shown = [replace(one, shown=one.shown and _reaches(one, extent)) for one in layers]
    return Panel("round trip, ms", shown, extent, weight=weight)


def _fitting(layers: list[Layer]) -> tuple[float, float] | None:
    """As high as what was measured and is shown; from 0 unless all of it lies far above that."""
    found = [one.y[np.isfinite(one.y)] for one in layers if one.group == _MEASURED and one.shown]
    values = np.concatenate(found) if found else np.zeros(0)
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    margin = max((high - low) * 0.1, high * 0.02, 1e-6)
    return (low - margin if low > high / 2 else 0.0, high + margin)


def _reaches(layer: Layer, extent: tuple[float, float] | None) -> bool:
    """Whether some of it can be seen there."""
    return extent is None or bool(((layer.y >= extent[0]) & (layer.y <= extent[1])).any())


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
        group=_MEASURED,
        shown=shown,
        rank=-20,
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
