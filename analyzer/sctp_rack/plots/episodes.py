# SPDX-License-Identifier: BSD-2-Clause
"""Where the recoveries of a direction are: times with losses and retransmissions, to zoom to."""

import numpy as np

from sctp_rack.names import Kind, Outcome
from sctp_rack.plots.data import Data, Seconds
from sctp_rack.plots.sequence import Places

#: Left, right, bottom, top on the axes of the time-sequence graph.
Episode = tuple[float, float, float, float]

#: Without a round trip: what parts two recoveries, seconds.
_APART = 0.2


def episodes(data: Data) -> list[Episode]:
    """One for each run of losses and retransmissions that no two round trips of silence part."""
    sent = data.sent
    rows = np.flatnonzero(sent.is_("kind", Kind.RETRANSMISSION) | sent.is_("outcome", Outcome.LOST))
    if not len(rows):
        return []
    rows = rows[np.argsort(sent.time[rows], kind="stable")]
    times = sent.time[rows]
    rtt = data.rows("paths", time="").floats("srtt_ns")
    rtt = rtt[np.isfinite(rtt)] / 1e9
    round_trip = float(rtt.max()) if len(rtt) else _APART
    cuts = np.flatnonzero(np.diff(times) > 2 * round_trip) + 1
    begins, ends = np.r_[0, cuts], np.r_[cuts, len(rows)]
    left, right = times[begins], times[ends - 1]
    pad = np.maximum(round_trip * 1.2, (right - left) * 0.08)
    left, right = left - pad, right + pad
    low = data.scale(np.minimum.reduceat(data.places[rows], begins))
    high = data.scale(_highest(data, left, right) + 1)
    margin = np.maximum((high - low) * 0.12, 1.0)
    return list(
        zip(*(part.tolist() for part in (left, right, low - margin, high + margin)), strict=True)
    )


def _highest(data: Data, left: Seconds, right: Seconds) -> Places:
    """Of the places of what was sent in each of these times, in which something was."""
    order = np.argsort(data.sent.time, kind="stable")
    times, places = data.sent.time[order], data.places[order]
    begin, end = np.searchsorted(times, left), np.searchsorted(times, right, side="right")
    # reduceat takes no end behind the last: one more, which is no higher than any.
    between = np.column_stack([begin, end]).ravel()
    highest: Places = np.maximum.reduceat(np.append(places, places.min()), between)[::2]
    return highest
