# SPDX-License-Identifier: BSD-2-Clause
"""What rate a transfer would have had with other buffers: what waited for windows, imagined so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.names import Limit

#: A transfer that takes a fifth more or less than imagined is not explained: then it is said how
#: much shorter it would become, not how long it would be.
_EXPLAINED = (0.8, 1.25)

#: SCTP's part of 1,500 bytes: few paths take larger packets.
ETHERNET = 1480


@dataclass(frozen=True)
class Predicted:
    """A rate in bit/s, and the least and the most of those that it may be."""

    rate: float
    least: float
    most: float


def transfer_of(
    trips: Sequence[Row], acked: int, window: int, round_trip_ns: int
) -> Transfer | None:
    """As it was, as far as it waited for windows alone; None where too little is known of it.

    `acked`: bytes of user data, also of feedback that belongs to no round trip.
    """
    packets = sum(trip["packets"] for trip in trips)
    if packets == 0 or acked < packets:
        return None
    return Transfer(
        profile=trips[-1]["cwnd_profile"],
        packets=packets,
        packet_bytes=acked // packets,
        packet_chunks=max(1, round(sum(trip["chunks"] for trip in trips) / packets)),
        peer_window=window,
        round_trip_ns=round_trip_ns,
    )


def predicted(
    intervals: Sequence[Row],
    acked: int,
    limits: Sequence[Limit],
    today: Transfer,
    others: Iterable[Transfer],
) -> Predicted | None:
    """Of others as alike as a capture can tell them apart; what waits for nothing of that stays."""
    today_ns = today.lasts_ns()
    lasting = [one.lasts_ns() for one in others]
    known = [lasts_ns for lasts_ns in lasting if lasts_ns is not None]
    if not today_ns or len(known) < len(lasting):
        return None
    whole_ns = intervals[-1]["end_ns"] - intervals[0]["begin_ns"]
    bound_ns = time_of(row for row in intervals if row["limit"] in limits)
    least, most = _EXPLAINED
    scale = 1.0 if least <= bound_ns / today_ns <= most else bound_ns / today_ns
    rates = [8e9 * acked / (whole_ns - bound_ns + scale * lasts_ns) for lasts_ns in known]
    return Predicted(median(rates), min(rates), max(rates))


def time_of(rows: Iterable[Row]) -> int:
    """All of it together, in nanoseconds."""
    return sum(row["end_ns"] - row["begin_ns"] for row in rows)
