# SPDX-License-Identifier: BSD-2-Clause
"""Bytes over time: in flight, what the receiver has room for, and what the sender must keep."""

from dataclasses import replace

import numpy as np

from sctp_rack.names import SackKind
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import present

_ANSWER = "<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>"


def flight_panel(data: Data, weight: float = 1.0) -> Panel:
    """What was sent and not acknowledged, under the receive window where that is near."""
    flight = _since_acknowledged(
        data, "outstanding_bytes", "outstanding", Look(style.DATA, width=1.6)
    )
    window = _window(data)
    near = len(window) and len(flight) and window.y.min() <= 2.5 * flight.y.max()
    layers = [flight, *_cwnd(data), replace(window, shown=bool(near))]
    return Panel("bytes in flight", present(*layers), weight=weight, unit="B")


def rwnd_panel(data: Data, weight: float = 1.0) -> Panel:
    """The receive window, and what takes it up."""
    window = _window(data)
    closed = window.where(window.y == 0)
    cross = Look(style.LOST, "x-thin-open", 10, width=2.2)
    layers = [
        replace(
            _since_acknowledged(data, "outstanding_bytes", "outstanding", Look(style.DATA)),
            shape="area",
        ),
        window,
        replace(closed, name="a_rwnd 0", shape="points", look=cross),
    ]
    return Panel("receive window, bytes", present(*layers), weight=weight, unit="B")


def queue_panel(data: Data, weight: float = 1.0) -> Panel:
    """The retransmission queue: what may still be needed, and what is kept although it arrived."""
    kept = Look(style.GAP, width=1.6)
    needed = Look(style.ACKED, width=1.6)
    layers = [
        replace(
            _since_acknowledged(data, "rtxq_bytes", "kept by the sender (rtxq)", kept), shape="area"
        ),
        replace(
            _since_acknowledged(data, "rtxq_necessary_bytes", "of it, may still be needed", needed),
            shape="area",
        ),
    ]
    return Panel("retransmission queue", present(*layers), weight=weight, unit="B")


def _since_acknowledged(data: Data, column: str, name: str, look: Look) -> Layer:
    """What the column says at each SACK, and grows by with each first transmission after it."""
    events = data.first_sent_and_sacks
    at_sack = np.flatnonzero(events.sack >= 0)
    says = data.sacks.floats(column)[events.sack[at_sack]]
    told, says = at_sack[np.isfinite(says)], says[np.isfinite(says)]
    before = np.zeros(len(events.sack), np.bool_)
    before[told] = True
    # 0 before the first SACK; then what it says, less what had been sent until then.
    since = np.concatenate([[0.0], says - events.sent_bytes[told]])
    at = since[np.cumsum(before, dtype=np.int32)]
    at += events.sent_bytes
    return Layer(
        *(name, "steps", look, events.time, at),
        hover=f"{_ANSWER}{name}: %{{y:,}} bytes",
        about=(events.frame,),
        picks="frame",
        group="sender",
    )


def _window(data: Data) -> Layer:
    sacks = data.sacks
    told = ~sacks.is_("kind", SackKind.SHUTDOWN)
    return Layer(
        *("a_rwnd", "steps", Look(style.WINDOW, width=1.8), sacks.time[told]),
        sacks.numbers("a_rwnd")[told].astype(np.float64),
        hover=f"{_ANSWER}a_rwnd %{{y:,}} bytes",
        about=(sacks.numbers("frame")[told],),
        picks="frame",
        group="receiver",
    )


def _cwnd(data: Data) -> list[Layer]:
    state = data.rows("rack_state", time="")
    values = state.floats("cwnd_hint_bytes")
    known = np.isfinite(values)
    layer = Layer(
        *("largest flight so far", "steps", Look(style.OPEN, width=1.2, dash="dot")),
        *(data.sacks.time[known], values[known]),
        hover=f"{_ANSWER}largest flight so far: %{{y:,}} bytes",
        about=(state.numbers("frame")[known],),
        picks="frame",
        group="sender",
    )
    return present(layer)
