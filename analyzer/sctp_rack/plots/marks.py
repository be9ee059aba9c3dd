# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP would have said and when: marks with their window, probes with their timer."""

import numpy as np

from sctp_rack.names import MEANINGS, Probe, ProbeOutcome, Profile, Resolution, Trigger
from sctp_rack.plots import style
from sctp_rack.plots.data import Data, Rows
from sctp_rack.plots.graph import Layer, Look, Words
from sctp_rack.plots.layers import present, texts
from sctp_rack.wording.durations import duration

#: Whose marks are drawn, and how they read.
_PROFILES = {Profile.RFC8985: "RACK-TLP", Profile.RFC9260: "Three missing reports"}

#: Profiles whose marks are drawn.
DRAWN = tuple(_PROFILES)

_GROUP = "what loss detection would say"

_SYMBOLS = {
    Resolution.TRUE_LOSS: "circle-open",
    Resolution.FALSE_MARK: "circle-x-open",
    Resolution.UNKNOWN: "circle-open-dot",
}

_SYMBOLS_BY_COUNT = {
    Resolution.TRUE_LOSS: "hexagon-open",
    Resolution.FALSE_MARK: "hexagram-open",
    Resolution.UNKNOWN: "hexagon-open-dot",
}

RIGHT = {
    Resolution.TRUE_LOSS: "rightly",
    Resolution.FALSE_MARK: "wrongly",
    Resolution.UNKNOWN: "rightly or not",
}

WHY = {
    Trigger.ACK: "feedback, by time",
    Trigger.TIMER: "its reordering timer expires",
    Trigger.RTO: "the retransmission timeout",
    Trigger.MISS3: "the third missing report",
}


def marks(data: Data) -> list[Layer]:
    """A ring at the moment of each mark; the line before it is the reordering window. Hidden until
    they are asked for: nothing of them was on the wire."""
    rows = data.rows("rack_marks")
    if not len(rows):
        return []
    tsns = rows.table["tsn"]
    at = data.scale(data.place(tsns, rows.time) + 0.5)
    about = (
        rows.numbers("frame"),
        tsns,
        rows.numbers("copy").astype(np.uint8),
        Words(rows.codes("trigger"), [*(WHY[one] for one in Trigger), ""]),
        texts(rows.table["by_frame"], lambda frame: f" in frame {frame}"),
        texts(rows.table["reo_wnd_ns"], lambda wait: f"<br>reordering window {duration(wait)}"),
        texts(rows.table["rack_rtt_ns"], lambda rtt: f", RACK.rtt {duration(rtt)}"),
        texts(rows.table["sender_lead_ns"], _lead),
    )
    layers = []
    for profile, who in _PROFILES.items():
        of_profile = rows.is_("profile", profile)
        ours = profile == Profile.RFC8985
        for resolution, symbol in (_SYMBOLS if ours else _SYMBOLS_BY_COUNT).items():
            kept = of_profile & rows.is_("resolution", resolution)
            look = Look(style.MARK if ours else style.BY_COUNT, symbol, 15, width=2)
            layers.append(
                Layer(
                    *(f"{who} would mark it lost, {RIGHT[resolution]}", "points", look),
                    *(rows.time[kept], at[kept]),
                    hover=(
                        f"<b>{who}: TSN %{{customdata[1]}}, copy %{{customdata[2]}} lost</b> "
                        "at %{x:.6f} s<br>because of %{customdata[3]}%{customdata[4]}"
                        "%{customdata[5]}%{customdata[6]}%{customdata[7]}"
                        f"<br>{resolution.value}: {MEANINGS['resolution'][resolution]}"
                    ),
                    about=tuple(column[kept] for column in about),
                    picks="frame_tsn",
                    group=_GROUP,
                    shown=False,
                )
            )
        if ours:
            layers.append(_windows(rows, at, of_profile))
    return present(*layers)


def _lead(lead_ns: int) -> str:
    if abs(lead_ns) < 500_000:
        return "<br>the sender sent it again at the same time"
    when = "later" if lead_ns > 0 else "before"
    return f"<br>the sender sent it again {duration(abs(lead_ns))} {when}"


def _windows(rows: Rows, at: np.ndarray, kept: np.ndarray) -> Layer:
    window = rows.floats("reo_wnd_ns") / 1e9
    kept = kept & (window > 0)
    return Layer(
        *(
            "RACK-TLP waits before it marks (reordering window)",
            "spans",
            Look(style.MARK, width=1.5),
            rows.time[kept] - window[kept],
            at[kept],
        ),
        x1=rows.time[kept],
        group=_GROUP,
        shown=False,
    )


def probes(data: Data) -> list[Layer]:
    """A triangle for each tail loss probe, and a line from where its timer started."""
    rows = data.rows("probes", time="")
    if not len(rows):
        return []
    frames = data.sent.numbers("frame")
    found = np.clip(np.searchsorted(frames, rows.numbers("frame")), 0, len(frames) - 1)
    time = data.sent.time[found]
    at = data.scale(data.place(rows.table["tsn"], time) + 0.5)
    about = (
        rows.numbers("frame"),
        rows.table["tsn"],
        Words(rows.codes("kind"), [*(MEANINGS["probe"][one] for one in Probe), ""]),
        Words(
            rows.codes("outcome"),
            [*(f"{one.value}: {MEANINGS['probe_outcome'][one]}" for one in ProbeOutcome), ""],
        ),
        texts(rows.table["pto_ns"], lambda pto: f"<br>its timer (PTO) ran {duration(pto)}"),
        rows.numbers("class").astype(np.uint8),
    )
    probe = Layer(
        *("Tail loss probe", "points", Look(style.PROBE, "triangle-up-open", 19, width=2)),
        *(time, at),
        hover=(
            "<b>tail loss probe, frame %{customdata[0]}</b> at %{x:.6f} s (class %{customdata[5]})"
            "<br>%{customdata[2]}: TSN %{customdata[1]}%{customdata[4]}<br>%{customdata[3]}"
        ),
        about=about,
        picks="frame_tsn",
        group="tail loss probes",
    )
    begin = data.seconds(rows.table["anchor_ns"])
    end = begin + rows.floats("pto_ns") / 1e9
    known = np.isfinite(end)
    timer = Layer(
        *("Its timer ran before it (PTO)", "spans", Look(style.PROBE, dash="dot")),
        *(begin[known], at[known]),
        x1=end[known],
        group="tail loss probes",
    )
    return present(timer, probe)
