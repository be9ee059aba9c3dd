# SPDX-License-Identifier: BSD-2-Clause
"""Where the recoveries of a direction are: times with losses and retransmissions, to zoom to."""

import numpy as np

from sctp_rack.names import Kind, Outcome
from sctp_rack.plots.data import Data

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
    found = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        left, right = float(times[begin]), float(times[end - 1])
        pad = max(round_trip * 1.2, (right - left) * 0.08)
        left, right = left - pad, right + pad
        near = (sent.time >= left) & (sent.time <= right)
        low = data.scale(data.places[rows[begin:end]].min(keepdims=True))[0]
        high = data.scale(data.places[near].max(keepdims=True) + 1)[0]
        margin = max((high - low) * 0.12, 1.0)
        found.append((left, right, float(low - margin), float(high + margin)))
    return found
