# SPDX-License-Identifier: BSD-2-Clause
"""What rate a SACK for each packet would give a sender that waited for SACKs held back."""

from collections.abc import Sequence

from sctp_rack.columns.table import Row
from sctp_rack.limits.predicted import Predicted, time_of
from sctp_rack.names import Limit


def held_back(intervals: Sequence[Row]) -> int:
    """For how long of them SACKs that data left with were held back, in nanoseconds."""
    return sum(row["held_ns"] for row in intervals)


def undelayed(intervals: Sequence[Row], acked: int) -> Predicted | None:
    """Each wait ends as much sooner as its SACK was held back; everything else takes as long.

    An application that had nothing to send for some of the time may go by a clock: it waits as much
    longer for that, and sends no more than it did. That is the least, and what is predicted; the
    most is of one that goes on as soon as it can. None where no SACK was held back, or where one
    was all the time, as in a part of a single wait: no round trip is left then.
    """
    held_ns = held_back(intervals)
    whole_ns = intervals[-1]["end_ns"] - intervals[0]["begin_ns"]
    if not 0 < held_ns < whole_ns:
        return None
    idle = [row for row in intervals if row["limit"] == Limit.APPLICATION]
    idle_ns = time_of(idle) - held_back(idle)
    most = 8e9 * acked / (whole_ns - held_ns)
    least = 8e9 * acked / (whole_ns - held_ns + min(held_ns, idle_ns))
    return Predicted(least, least, most)
