# SPDX-License-Identifier: BSD-2-Clause
"""Bytes over time: in flight, what the receiver has room for, and what the sender must keep."""

from dataclasses import replace

import numpy as np

from sctp_rack.names import SackKind
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import present

#: The name of a line that directions are compared by.
FLIGHT = "Sent and not acknowledged"

_ANSWER = "<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>"


#: A window so many times as high would press the flight to the bottom of a linear axis.
_FAR = 4


def flight_panel(data: Data, weight: float = 1.0) -> Panel:
    """What was sent and not acknowledged, and the receive window; both are seen."""
    flight = _since_acknowledged(data, "outstanding_bytes", FLIGHT, Look(style.DATA, width=2))
    return _both("bytes in flight", [flight, *_cwnd(data), _window(data)], weight)


def rwnd_panel(data: Data, weight: float = 1.0) -> Panel:
    """The receive window, and what takes it up."""
    window = _window(data)
    closed = window.where(window.y == 0)
    cross = Look(style.WINDOW, "cross-thin-open", 10, width=2.2)
    layers = [
        replace(
            _since_acknowledged(data, "outstanding_bytes", FLIGHT, Look(style.DATA)),
            shape="area",
        ),
        window,
        replace(closed, name="The receiver has no room (a_rwnd 0)", shape="points", look=cross),
    ]
    return _both("receive window, bytes", layers, weight)


def _both(title: str, layers: list[Layer], weight: float) -> Panel:
    """On a logarithmic axis where the highest is far above the flight; nothing, which such an axis
    has no place for, then lies at its lower edge."""
    layers = present(*layers)
    heights = {one.name: float(one.y.max()) for one in layers}
    if not max(heights.values(), default=0) > _FAR * heights.get(FLIGHT, np.inf):
        return Panel(title, layers, weight=weight, unit="B")
    least = min(float(one.y[one.y > 0].min(initial=np.inf)) for one in layers) / 2
    raised = [replace(one, y=np.maximum(one.y, least)) for one in layers]
    extent = least, 1.3 * max(heights.values())
    return Panel(f"{title}, logarithmic", raised, extent, True, weight, "B")


def queue_panel(data: Data, weight: float = 1.0) -> Panel:
    """The retransmission queue: what may still be needed, and what is kept although it arrived."""
    kept = Look(style.GAP, width=1.6, dash="dot")
    needed = Look(style.DATA, width=1.6)
    layers = [
        replace(
            _since_acknowledged(data, "rtxq_bytes", "The sender keeps it (rtxq)", kept),
            shape="area",
        ),
        replace(
            _since_acknowledged(data, "rtxq_necessary_bytes", "Of it, may still be needed", needed),
            shape="area",
        ),
    ]
    return Panel("retransmission queue", present(*layers), weight=weight, unit="B")


def _since_acknowledged(data: Data, column: str, name: str, look: Look) -> Layer:
    """What the column says at each SACK, and grows by with each first transmission after it."""
    events = data.first_sent_and_sacks
    at_sack = np.flatnonzero(events.sack >= 0)
    says = data.sacks.floats(column)[events.sack[at_sack]]
    known, says = at_sack[np.isfinite(says)], says[np.isfinite(says)]
    before = np.zeros(len(events.sack), np.bool_)
    before[known] = True
    # 0 before the first SACK; then what it says, less what had been sent until then.
    since = np.concatenate([[0.0], says - events.sent_bytes[known]])
    at = since[np.cumsum(before, dtype=np.int32)]
    at += events.sent_bytes
    return Layer(
        *(name, "steps", look, events.time, at),
        hover=f"{_ANSWER}{name}: %{{customdata[1]:,}} bytes",
        about=(events.frame, at),
        picks="frame",
        group="sender",
    )


def _window(data: Data) -> Layer:
    sacks = data.sacks
    windows = ~sacks.is_("kind", SackKind.SHUTDOWN)
    room, look = sacks.numbers("a_rwnd"), Look(style.WINDOW, width=1.8, dash="dashdot")
    return Layer(
        *("The receiver has room for it (a_rwnd)", "steps", look, sacks.time[windows]),
        room[windows].astype(np.float64),
        hover=f"{_ANSWER}a_rwnd %{{customdata[1]:,}} bytes",
        about=(sacks.numbers("frame")[windows], room[windows]),
        picks="frame",
        group="receiver",
    )


def _cwnd(data: Data) -> list[Layer]:
    state = data.rows("rack_state", time="")
    values = state.floats("cwnd_hint_bytes")
    known = np.isfinite(values)
    layer = Layer(
        *("Largest flight so far", "steps", Look(style.LEAST, width=1.4, dash="dot")),
        *(data.sacks.time[known], values[known]),
        hover=f"{_ANSWER}largest flight so far: %{{customdata[1]:,}} bytes",
        about=(state.numbers("frame")[known], values[known]),
        picks="frame",
        group="sender",
    )
    return present(layer)
