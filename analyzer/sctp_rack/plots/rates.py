# SPDX-License-Identifier: BSD-2-Clause
"""Bytes that count: throughput and goodput, and how much of what was received was useful."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sctp_rack.names import Kind, Outcome, Verdict
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import present
from sctp_rack.plots.tsn import storms

#: Names of lines that directions are compared by.
USEFUL = "Received for the first time: useful"
RECEIVED = "Received, spurious copies too"
ACKNOWLEDGED = "Newly acknowledged"

#: Intervals that throughput is counted in.
_INTERVALS = 160


def useful_panel(data: Data, weight: float = 1.0) -> Panel:
    """Bytes received over time, and those of them that had not been received before."""
    sent = data.sent
    sizes = sent.numbers("bytes").astype(np.float64)
    arrived = sent.is_("outcome", Outcome.ACKED) & ~sent.is_("kind", Kind.CAPTURE_DUPLICATE)
    useful = arrived & first_arrivals(data)
    layers = [
        *storms(data),
        _sum(
            *(data, np.ones(len(sent), bool), sizes, "Sent"),
            Look(style.ACKED, width=1.4, dash="dot"),
        ),
        _sum(data, arrived, sizes, RECEIVED, Look(style.SPURIOUS, width=2.2)),
        replace(_sum(data, useful, sizes, USEFUL, Look(style.DATA, width=2.2)), shape="area"),
    ]
    return Panel("bytes", present(*layers), weight=weight, unit="B")


def first_arrivals(data: Data) -> npt.NDArray[np.bool_]:
    """Transmissions that brought their TSN: neither repeated by anybody nor spurious."""
    sent = data.sent
    repeated = sent.is_("kind", Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)
    arrived = sent.is_("outcome", Outcome.ACKED) & ~repeated
    spurious = sent.is_("verdict", Verdict.SPURIOUS)
    rows = np.flatnonzero(arrived & ~spurious)
    _, first = np.unique(data.places[rows], return_index=True)
    found = np.zeros(len(sent), dtype=np.bool_)
    found[rows[first]] = True
    return found


def _sum(
    data: Data, rows: npt.NDArray[np.bool_], sizes: npt.NDArray[np.float64], name: str, look: Look
) -> Layer:
    sent = data.sent
    return Layer(
        *(name, "steps", look, sent.time[rows], np.cumsum(sizes[rows])),
        hover=f"<b>frame %{{customdata[0]}}</b> at %{{x:.6f}} s<br>{name}: %{{y:,}} bytes",
        about=(sent.numbers("frame")[rows],),
        picks="frame",
        group="user data",
    )


def throughput_panel(data: Data, weight: float = 1.0) -> Panel:
    """Bits per second in intervals: sent, sent again, and acknowledged for the first time."""
    sent, sacks = data.sent, data.sacks
    sizes = sent.numbers("bytes").astype(np.float64)
    begin = float(sent.time.min())
    end = float(max(sent.time.max(), sacks.time.max(initial=begin)))
    width = round_up(max((end - begin) / _INTERVALS, 1e-4))
    edges = begin + width * np.arange(int((end - begin) / width) + 2)
    again = sent.is_("kind", Kind.RETRANSMISSION)
    spurious = again & sent.is_("verdict", Verdict.SPURIOUS)

    def rate(
        time: npt.NDArray[np.float64],
        bytes_: npt.NDArray[np.float64],
        name: str,
        look: Look,
        fill: bool,
    ) -> Layer:
        counts, _ = np.histogram(time, edges, weights=bytes_)
        return Layer(
            *(name, "area" if fill else "steps", look, edges[:-1], counts * 8 / width),
            hover=f"{name} in {width:g} s from %{{x:.3f}} s: %{{y:.4s}}bit/s",
            group=f"in each {width:g} s",
        )

    acked = sacks.numbers("newly_acked_bytes").astype(np.float64)
    layers = [  # what was sent last: where nothing was, its line hides those below it
        rate(sent.time[again], sizes[again], "Sent again", Look(style.NEEDED, width=1.4), True),
        rate(
            *(sent.time[spurious], sizes[spurious], "Sent again, spurious"),
            Look(style.SPURIOUS, width=1.4),
            True,
        ),
        rate(sent.time, sizes, "Sent", Look(style.DATA, width=1.4), True),
        rate(sacks.time, acked, ACKNOWLEDGED, Look(style.ACKED, width=2, dash="dash"), False),
    ]
    shown = [layer for layer in layers if layer.y.any()]
    return Panel("throughput of user data", shown, weight=weight, unit="bit/s")


def round_up(seconds: float) -> float:
    """To 1, 2 or 5 of a power of ten."""
    power = 10 ** float(np.floor(np.log10(seconds)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= seconds * 0.999)
