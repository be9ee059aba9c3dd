# SPDX-License-Identifier: BSD-2-Clause
"""What rate twice the peer's window would give: what waited for windows, imagined with it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.names import Limit, Profile

#: What waits for a window.
_WINDOWS = (Limit.PEER_WINDOW, Limit.CONGESTION_WINDOW)

#: A transfer that takes a fifth more or less than imagined is not explained: then it is said how
#: much shorter it would become, not how long it would be.
_EXPLAINED = (0.8, 1.25)

#: SCTP's part of 1,500 bytes: few paths take larger packets.
_ETHERNET = 1480

#: Receivers have some packets more or less to be read when they tell their window.
_PACKETS = range(4)

#: What usrsctp charges a chunk more than its data: sctp_peer_chunk_oh, and the header.
_CHARGED = 256 + 16


@dataclass(frozen=True)
class Predicted:
    """A rate in bit/s, and the least and the most of those that it may be."""

    rate: float
    least: float
    most: float


def doubled(
    intervals: Sequence[Row], trips: Sequence[Row], window: int, round_trip_ns: int
) -> Predicted | None:
    """By the congestion window of the sender's stack; what waited for something else stays.

    None where the sender did not wait for the peer's window, or mostly while the receiver did not
    read, and where too little is known of what was sent.
    """
    packets = sum(trip["packets"] for trip in trips)
    acked = sum(trip["acked_bytes"] for trip in trips)
    if packets == 0 or acked < packets:
        return None
    transfer = Transfer(
        profile=trips[-1]["cwnd_profile"],
        packets=packets,
        packet_bytes=acked // packets,
        packet_chunks=max(1, round(sum(trip["chunks"] for trip in trips) / packets)),
        peer_window=window,
        round_trip_ns=round_trip_ns,
    )
    closed = [row for row in intervals if row["limit"] == Limit.PEER_WINDOW]
    used = [row for row in closed if _is_used(row, transfer)]
    if not used or 2 * _time(used) < _time(closed):
        return None
    today_ns = transfer.lasts_ns()
    lasting = [one.lasts_ns() for one in _with_twice(transfer)]
    known = [lasts_ns for lasts_ns in lasting if lasts_ns is not None]
    if not today_ns or len(known) < len(lasting):
        return None
    whole_ns = intervals[-1]["end_ns"] - intervals[0]["begin_ns"]
    bound_ns = _time(row for row in intervals if row["limit"] in _WINDOWS)
    least, most = _EXPLAINED
    scale = 1.0 if least <= bound_ns / today_ns <= most else bound_ns / today_ns
    rates = [8e9 * acked / (whole_ns - bound_ns + scale * lasts_ns) for lasts_ns in known]
    return Predicted(median(rates), min(rates), max(rates))


def _time(rows: Iterable[Row]) -> int:
    return sum(row["end_ns"] - row["begin_ns"] for row in rows)


def _is_used(row: Row, transfer: Transfer) -> bool:
    """Whether most of the window was sent in each round trip.

    Else it is not too small: the receiver's application did not read.
    """
    trips = _time([row]) / max(1, transfer.round_trip_ns)
    charged = _CHARGED * transfer.packet_chunks if transfer.profile == Profile.USRSCTP else 0
    taken = row["bytes"] * (transfer.packet_bytes + charged) / transfer.packet_bytes
    return bool(2 * taken >= transfer.peer_window * trips)


def _with_twice(transfer: Transfer) -> Iterator[Transfer]:
    """As alike as a capture can tell them apart."""
    for mtu in (0, _ETHERNET):
        for more in _PACKETS:
            window = 2 * transfer.peer_window + more * transfer.packet_bytes
            yield replace(transfer, peer_window=window, mtu=mtu)
