# SPDX-License-Identifier: BSD-2-Clause
"""The time-sequence graph, in the grammar of tcptrace: sent, acknowledged, and why sent again."""

from collections.abc import Iterator
from itertools import chain

import numpy as np

from sctp_rack.columns.table import Table
from sctp_rack.names import Kind, Outcome, SackKind
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look, Panel
from sctp_rack.plots.layers import Mask, present, sent_bars, sent_points
from sctp_rack.plots.marks import marks, probes
from sctp_rack.plots.resent import resent

_SACK = "<b>%{customdata[1]}, frame %{customdata[0]}</b> at %{x:.6f} s<br>"


#: Names of lines that directions are compared by.
CUMULATIVE = "All below is acknowledged (cumulative TSN)"
ROOM = "Up to here the receiver has room (a_rwnd)"

#: Most blocks, and most duplicate reports, that are drawn: each takes a hundred bytes, and one SACK
#: may have sixteen thousand.
_MOST_LISTED = 2_000_000


def tsn_panel(data: Data, weight: float = 1.0) -> Panel:
    """Everything over TSNs, or over bytes."""
    first, last = data.shown_places()
    low, high = data.scale(np.array([first, last + 1]))
    margin = max((high - low) * 0.03, 0.5)
    title = "bytes of user data" if data.scale.in_bytes else f"TSN (0 is {data.base})"
    # What is drawn last lies above all else: losses, and what was sent again.
    parts = (storms, _window, _blocks, _cumulative, _sent, _odd, probes, _lost, resent, marks)
    return Panel(
        title,
        chain.from_iterable(part(data) for part in parts),  # one after the other: they are large
        extent=(float(low - margin), float(high + margin)),
        weight=weight,
        whole=True,
    )


def storms(data: Data) -> list[Layer]:
    """Timeouts that sent much again, most of it spuriously."""
    rows = data.rows("storms")
    if not len(rows):
        return []
    layer = Layer(
        *("Storm: a timeout that sent much again", "bands", Look(style.STORM)),
        *(rows.time, np.zeros(len(rows))),
        x1=rows.time + rows.floats("duration_ns") / 1e9,
        hover=(
            "<b>storm: a timeout at frame %{customdata[0]}</b><br>%{customdata[1]} sent again, "
            "%{customdata[2]} of them spuriously, %{customdata[3]} bytes wasted<br>"
            "RACK-TLP would not have sent %{customdata[4]} of them"
        ),
        about=tuple(
            rows.numbers(name)
            for name in ("frame", "retransmissions", "spurious", "bytes_wasted", "avoidable")
        ),
        picks="frame",
        group="timeouts",
    )
    return [layer]


def _window(data: Data) -> list[Layer]:
    """Up to where the receiver lets the sender send: what was acknowledged, and a_rwnd."""
    sacks = data.sacks
    windows = np.flatnonzero(~sacks.is_("kind", SackKind.SHUTDOWN))
    if not len(windows):
        return []
    room = sacks.numbers("a_rwnd").astype(np.float64)[windows]
    edge = data.scale(data.cum[windows] + 1)
    if data.scale.in_bytes:
        edge = edge + room
    else:
        sizes = data.sent.numbers("bytes")
        edge = edge + room / max(float(sizes.mean()), 1.0)
    about = (sacks.numbers("frame")[windows], sacks.words("kind")[windows], room)
    hover = _SACK + "a_rwnd %{customdata[2]:,} bytes"
    if not data.scale.in_bytes:
        hover += ", drawn in chunks of mean size"
    look = Look(style.WINDOW, width=1.5, dash="dashdot")
    closed = room == 0
    top = float(data.scale(data.places.max(keepdims=True) + 1)[0])
    line = Layer(
        *(ROOM, "steps", look, sacks.time[windows], edge),
        hover=hover,
        about=about,
        picks="frame",
        group="acknowledged",
        shown=bool(edge.min() < top),
    )
    cross = Layer(
        *("The receiver has no room (a_rwnd 0)", "points"),
        Look(style.WINDOW, "cross-thin-open", 10, width=2),
        *(sacks.time[windows][closed], edge[closed]),
        hover=hover,
        about=tuple(column[closed] for column in about),
        picks="frame",
        group="acknowledged",
    )
    return present(line, cross)


def _blocks(data: Data) -> Iterator[Layer]:
    """Gap blocks; those that the receiver may not take back look different."""
    sacks = data.sacks
    looks = {
        "gaps": ("gap block", Look(style.GAP, width=2, opacity=0.75)),
        "nr_gaps": ("NR gap block", Look(style.NR_GAP, width=3, dash="2px,2px", opacity=0.55)),
    }
    for column, (name, look) in looks.items():
        of, ranges, step = _listed(sacks.table, column)
        if not len(of):
            continue
        first = data.place(ranges[:, 0], sacks.time[of])
        length = (ranges[:, 1] - ranges[:, 0]).astype(
            np.int32
        ) + 1  # malformed ones may be negative
        kept = "the receiver may not take it back" if column == "nr_gaps" else "renegable"
        yield Layer(
            *(f"Acknowledged out of order ({name}){_thinned(step)}", "bars", look),
            *(sacks.time[of], data.scale(first)),
            y1=data.scale(first + length),
            hover=_SACK + f"{name} from TSN %{{customdata[2]}} on: %{{customdata[3]}} TSNs, {kept}",
            about=(
                sacks.numbers("frame")[of],
                sacks.words("kind")[of],
                ranges[:, 0],
                length,
            ),
            picks="frame",
            group="acknowledged",
        )


def _listed(table: Table, column: str) -> tuple[Mask, Mask, int]:
    """As `Table.items`; of too many those of one row of so many, which is told too."""
    lengths = table.lengths(column)
    step = -(-int(lengths.sum()) // _MOST_LISTED)
    if step < 2:
        return *table.items(column), 1
    rows = np.flatnonzero(lengths)[::step]
    of, values = table.taken(rows).items(column)
    return rows[of], values, step


def _thinned(step: int) -> str:
    return f", of one SACK in {step:,}" if step > 1 else ""


def _cumulative(data: Data) -> list[Layer]:
    """The staircase: everything below it was acknowledged cumulatively."""
    sacks = data.sacks
    news = data.cum >= np.maximum.accumulate(
        data.cum
    )  # those that were overtaken take nothing back
    layer = Layer(
        *(CUMULATIVE, "steps", Look(style.ACKED, width=2)),
        *(sacks.time[news], data.scale(data.cum[news] + 1)),
        hover=_SACK + "cumulative TSN %{customdata[2]}, a_rwnd %{customdata[3]:,} bytes",
        about=(
            sacks.numbers("frame")[news],
            sacks.words("kind")[news],
            sacks.table["cum_tsn"][news],
            sacks.numbers("a_rwnd")[news],
        ),
        picks="frame",
        group="acknowledged",
    )
    return present(layer)


def _sent(data: Data) -> list[Layer]:
    """What was sent for the first time, and copies that are nobody's retransmission."""
    sent = data.sent
    first = ~sent.is_("kind", Kind.RETRANSMISSION, Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)
    acked = first & sent.is_("outcome", Outcome.ACKED)
    other = first & ~acked
    took = (sent.floats("acked_time_ns") - sent.table["time_ns"])[acked] / 1e6
    frames = sent.numbers("acked_frame")[acked]
    pale = Look(style.DATA, width=2, opacity=0.55)
    return present(
        sent_bars(
            *(data, acked, "Sent for the first time, and acknowledged", Look(style.DATA, width=2)),
            "acknowledged in frame %{customdata[4]}, %{customdata[5]:.2f} ms later",
            frames,
            np.round(np.nan_to_num(took), 3),
        ),
        sent_bars(
            *(data, other, "Sent for the first time, not acknowledged", pale),
            "%{customdata[4]}",
            sent.words("outcome")[other],
        ),
    )


def _lost(data: Data) -> list[Layer]:
    """Crosses; those of retransmissions stand out from below their letters."""
    sent = data.sent
    lost, again = sent.is_("outcome", Outcome.LOST), sent.is_("kind", Kind.RETRANSMISSION)
    says = "lost: this copy did not reach the receiver"
    looks = {
        "Lost, sent for the first time": (
            lost & ~again,
            Look(style.LOST, "x-thin-open", 10, width=2.4),
        ),
        "Lost, although sent again": (lost & again, Look(style.LOST, "x-thin-open", 21, width=2.4)),
    }
    return present(
        *(
            sent_points(data, rows, name, look, says, group="lost")
            for name, (rows, look) in looks.items()
        )
    )


def _odd(data: Data) -> list[Layer]:
    """Given up, late, repeated and taken back."""
    sent = data.sent

    late = Look(style.LATE, "circle-open", 9, "O", style.LATE, width=1.6)

    def points(rows: Mask, name: str, look: Look, says: str) -> Layer:
        return sent_points(data, rows, name, look, says, group="also seen")

    return present(
        points(
            sent.is_("outcome", Outcome.ABANDONED),
            "Given up by the sender (FORWARD-TSN)",
            Look(style.WINDOW, "square-x-open", 10, width=1.6),
            "abandoned: given up by FORWARD-TSN",
        ),
        points(
            sent.is_("kind", Kind.REORDERED),
            *("Late: a higher TSN overtook it (O)", late),
            "reordered: first copy, later than a higher TSN",
        ),
        points(
            sent.is_("kind", Kind.NETWORK_DUPLICATE),
            *("Repeated by the network", Look(style.DUPLICATE, "hourglass-open", 10, width=1.6)),
            "repeated by the network, not by the sender",
        ),
        points(
            sent.is_("kind", Kind.CAPTURE_DUPLICATE),
            *("Twice in the capture", Look(style.WINDOW, "hourglass-open", 10, width=1.6)),
            "the capture holds this packet twice",
        ),
        *_told(
            *(data, "dups", "Reported as duplicate"), Look(style.DUPLICATE, "diamond-tall-open", 9)
        ),
        *_told(
            *(data, "reneged", "Taken back by the receiver (reneged)"),
            Look(style.MARK, "triangle-down-open", 11, width=2),
        ),
    )


def _told(data: Data, column: str, name: str, look: Look) -> list[Layer]:
    """A symbol at each TSN that an acknowledgement lists."""
    sacks = data.sacks
    of, tsns, step = _listed(sacks.table, column)
    if not len(of):
        return []
    name += _thinned(step)
    tsns = tsns.astype(np.uint32)
    layer = Layer(
        *(name, "points", look, sacks.time[of]),
        data.scale(data.place(tsns, sacks.time[of]) + 0.5),
        hover=f"<b>frame %{{customdata[0]}}</b> at %{{x:.6f}} s<br>{name}: TSN %{{customdata[1]}}",
        about=(sacks.numbers("frame")[of], tsns),
        picks="frame_tsn",
        group="acknowledged",
    )
    return [layer]
