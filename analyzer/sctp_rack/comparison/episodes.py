# SPDX-License-Identifier: BSD-2-Clause
"""Recoveries: from a retransmission until all that was outstanding then is acknowledged.

This is fast recovery with its exit point (RFC 9260 section 7.2.4), and for a timeout the time in
which it is repaired; how long data waited for the timer before is told apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.columns.table import Row
from sctp_rack.names import Cause, Kind
from sctp_rack.recovery.timeouts import BY_TIMEOUT, begins


@dataclass(frozen=True)
class Episode:
    """One recovery; times in nanoseconds since the Unix epoch, at the tap."""

    #: Of the first retransmission.
    frame: int
    begin_ns: int
    #: The acknowledgement that ends it, or the end of the direction's packets.
    end_ns: int
    #: Whether T3-rtx had a part in it.
    by_timeout: bool


def episodes(direction: Direction) -> list[Episode]:
    """In the order of the capture; they do not overlap."""
    if not direction.data:
        return []
    rows, sacks = direction.transmissions, direction.sacks
    again = list(rows.where(kind=Kind.RETRANSMISSION.value))
    lowest = np.uint32(direction.data.lowest_tsn)
    sent_to = np.maximum.accumulate((rows["tsn"] - lowest).astype(np.int64))
    # Up to which TSN, as a distance, all is acknowledged; what lies before the lowest is nothing.
    cum = (sacks["cum_tsn"] - lowest).astype(np.int64)
    cum = np.maximum.accumulate(np.where(cum < 2**31, cum, -1))
    # As what is searched for: else each search copies them.
    frames, sack_frames = rows["frame"].astype(np.int64), sacks["frame"].astype(np.int64)
    sack_times = np.ma.getdata(sacks["time_ns"])
    last_ns = max(int(np.ma.getdata(rows["time_ns"]).max()), *sack_times[-1:].tolist(), 0)
    found: list[Episode] = []
    at = 0
    while at < len(again):
        row = again[at]
        exit_point = sent_to[np.searchsorted(frames, row["frame"])]
        ends = max(
            int(np.searchsorted(cum, exit_point)), int(np.searchsorted(sack_frames, row["frame"]))
        )
        ended = ends < len(cum)
        end_frame = int(sack_frames[ends]) if ended else np.iinfo(np.int64).max
        members = [row]
        while at + len(members) < len(again) and again[at + len(members)]["frame"] < end_frame:
            members.append(again[at + len(members)])
        end_ns = int(sack_times[ends]) if ended else last_ns
        found.append(
            Episode(row["frame"], row["time_ns"], max(end_ns, row["time_ns"]), _timed_out(members))
        )
        at += len(members)
    return found


def waited_ns(direction: Direction) -> int:
    """How long data that T3-rtx sent again had waited: from the copy before, over all timeouts.

    Timeouts follow one another, and each counts from the last copy or the timeout before it; of a
    time those that expired in it.
    """
    window = direction.window
    rows = direction.transmissions
    frames, times = rows["frame"].astype(np.int64), np.ma.getdata(rows["time_ns"])
    waited, counted_to = 0, 0
    first_frame: int | None = None
    for row in rows.where(kind=Kind.RETRANSMISSION.value):
        if row["cause"] not in BY_TIMEOUT or not begins(row["cause"], row["frame"], first_frame):
            continue
        first_frame = row["frame"]
        if row["prev_frame"] is None or row["cause"] != Cause.T3:
            continue
        since = max(int(times[np.searchsorted(frames, row["prev_frame"])]), counted_to)
        if window.meets(row["time_ns"], row["time_ns"]):
            waited += max(row["time_ns"] - since, 0)
        counted_to = row["time_ns"]
    return waited


def _timed_out(members: Sequence[Row]) -> bool:
    return any(row["cause"] in BY_TIMEOUT for row in members)
