# SPDX-License-Identifier: BSD-2-Clause
"""What rate twice the peer's window would give."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.limits.predicted import ETHERNET, Predicted, predicted, time_of, transfer_of
from sctp_rack.names import Limit, Profile

#: What waits for a window.
_WINDOWS = (Limit.PEER_WINDOW, Limit.CONGESTION_WINDOW)

#: Receivers have some packets more or less to be read when they tell their window.
_PACKETS = range(4)

#: What usrsctp charges a chunk more than its data: sctp_peer_chunk_oh, and the header.
_CHARGED = 256 + 16


def doubled(
    intervals: Sequence[Row], trips: Sequence[Row], acked: int, window: int, round_trip_ns: int
) -> Predicted | None:
    """By the congestion window of the sender's stack; what waited for something else stays.

    None where the sender did not wait for the peer's window, or mostly while the receiver did not
    read, and where too little is known of what was sent.
    """
    transfer = transfer_of(trips, acked, window, round_trip_ns)
    closed = [row for row in intervals if row["limit"] == Limit.PEER_WINDOW]
    used = [row for row in closed if transfer and _is_used(row, transfer)]
    if not transfer or not used or 2 * time_of(used) < time_of(closed):
        return None
    return predicted(intervals, acked, _WINDOWS, transfer, _with_twice(transfer))


def _is_used(row: Row, transfer: Transfer) -> bool:
    """Whether most of the window was sent in each round trip.

    Else it is not too small: the receiver's application did not read.
    """
    round_trips = time_of([row]) / max(1, transfer.round_trip_ns)
    charged = _CHARGED * transfer.packet_chunks if transfer.profile == Profile.USRSCTP else 0
    taken = row["bytes"] * (transfer.packet_bytes + charged) / transfer.packet_bytes
    return bool(2 * taken >= transfer.peer_window * round_trips)


def _with_twice(transfer: Transfer) -> Iterator[Transfer]:
    """As alike as a capture can tell them apart."""
    for mtu in (0, ETHERNET):
        for more in _PACKETS:
            window = 2 * transfer.peer_window + more * transfer.packet_bytes
            yield replace(transfer, peer_window=window, mtu=mtu)
