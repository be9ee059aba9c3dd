# SPDX-License-Identifier: BSD-2-Clause
"""What directions that lie over each other show beside their lines: sent, and sent again."""

from dataclasses import replace

import numpy as np

from sctp_rack.names import Kind
from sctp_rack.plots import style
from sctp_rack.plots.data import Data
from sctp_rack.plots.graph import Layer, Look
from sctp_rack.plots.layers import present, sent_points
from sctp_rack.plots.resent import VERDICT

#: Of points: a line of each direction has to be seen between them.
_SIZE = 6


def sent_line(data: Data, look: Look) -> Layer:
    """The highest TSN that was sent so far: pale, so that what was acknowledged stands out."""
    sent = data.sent
    first = np.flatnonzero(~sent.is_("kind", Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE))
    highest = np.maximum.accumulate(data.places[first])
    news = first[np.diff(highest, prepend=-1) > 0]
    return Layer(
        *("sent", "steps", replace(look, width=1, opacity=0.5)),
        *(sent.time[news], data.scale(data.places[news] + 1)),
        hover="<b>frame %{customdata[0]}</b> at %{x:.6f} s<br>TSN %{customdata[1]} sent",
        about=(sent.numbers("frame")[news], data.tsn[news]),
        picks="frame_tsn",
    )


def resent_points(data: Data, number: int) -> list[Layer]:
    """Retransmissions by verdict; those of each second direction are hollow."""
    sent = data.sent
    again = sent.is_("kind", Kind.RETRANSMISSION)
    hollow = "-open" if number % 2 else ""
    layers = []
    for verdict, (symbol, colour, _) in reversed(style.VERDICTS.items()):
        look = Look(colour, symbol + hollow, _SIZE)
        rows = np.flatnonzero(again & sent.is_("verdict", verdict))
        name = f"sent again, {verdict.value}"
        layers.append(sent_points(data, rows, name, look, VERDICT[verdict], group=""))
    return present(*layers)
