# SPDX-License-Identifier: BSD-2-Clause
"""How long each TSN took to be acknowledged, and how long until all before it were."""

import numpy as np

from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import SENT, present, sent_about


def delay_panel(data: Data, weight: float = 1.0) -> Panel:
    """In milliseconds, on a logarithmic axis, by the time of the first transmission."""
    sent = data.sent
    first = np.flatnonzero(data.first)
    again = np.isin(data.places[first], data.places[sent.numbers("copy") > 1])
    took = (sent.floats("acked_time_ns") - sent.table["time_ns"])[first] / 1e6
    ordered = (_in_order(data, first) - sent.time[first]) * 1e3

    def layer(
        name: str, look: Look, values: np.ndarray, kept: np.ndarray, says: str, shown: bool = True
    ) -> Layer:
        kept = kept & np.isfinite(values) & (values > 0)
        rows = first[kept]
        return Layer(
            *(name, "points", look, sent.time[rows], values[kept]),
            hover=f"{SENT}<br>{says} %{{y:.3f}} ms after its first transmission",
            about=sent_about(data, rows),
            picks="frame_tsn",
            group="of each TSN",
            shown=shown,
        )

    in_order = "All up to it acknowledged"
    layers = [
        layer(
            in_order,
            Look(style.ACKED, "line-ew-open", 6, width=1.2, opacity=0.8),
            ordered,
            took > 0,
            in_order,
        ),
        layer("Acknowledged", Look(style.DATA, "circle", 4.5), took, ~again, "acknowledged"),
        layer(
            "Acknowledged, had been sent again",
            Look(style.DATA, "square-open", 8, width=2),
            took,
            again,
            "acknowledged",
        ),
    ]
    return Panel("delay, ms", present(*layers), log=True, weight=weight)


def _in_order(data: Data, rows: np.ndarray) -> np.ndarray:
    """When the cumulative TSN passed each of these transmissions; NaN where it never did."""
    sacks = data.sacks
    if not len(sacks):
        return np.full(len(rows), np.nan)
    highest = np.maximum.accumulate(data.cum)
    at = np.searchsorted(highest, data.places[rows])
    passed = at < len(highest)
    return np.where(passed, sacks.time[np.minimum(at, len(highest) - 1)], np.nan)
