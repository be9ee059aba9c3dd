# SPDX-License-Identifier: BSD-2-Clause
"""What rate twice the peer's window would give."""

from collections.abc import Sequence
from dataclasses import replace

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.limits.alike import alike, transfer_of
from sctp_rack.limits.predicted import Predicted, predicted, time_of
from sctp_rack.limits.round_trip import RoundTrip
from sctp_rack.names import Limit, Profile

#: What waits for a window, and for SACKs of what that had no room for.
_WINDOWS = (Limit.PEER_WINDOW, Limit.CONGESTION_WINDOW, Limit.DELAYED_SACK)

#: What usrsctp charges a chunk more than its data: sctp_peer_chunk_oh, and the header.
_CHARGED = 256 + 16


def doubled(
    intervals: Sequence[Row], trips: Sequence[Row], acked: int, window: int, took: RoundTrip
) -> Predicted | None:
    """By the congestion window of the sender's stack; what waited for something else stays.

    None where the sender did not wait for the peer's window, or mostly while the receiver did not
    read, and where too little is known of what was sent.
    """
    transfer = transfer_of(trips, acked, window, took)
    closed = [row for row in intervals if row["limit"] == Limit.PEER_WINDOW]
    used = [row for row in closed if transfer and _is_used(row, transfer)]
    if not transfer or not used or 2 * time_of(used) < time_of(closed):
        return None
    return predicted(intervals, acked, _WINDOWS, alike(transfer, took), _with_twice)


def _is_used(row: Row, transfer: Transfer) -> bool:
    """Whether most of the window was sent in each round trip.

    Else it is not too small: the receiver's application did not read. usrsctp sends next to nothing
    in one where its T3-rtx took for lost what was not.
    """
    round_trips = time_of([row]) / max(1, transfer.round_trip_ns)
    charged = 0.0
    if transfer.profile == Profile.USRSCTP:
        charged = _CHARGED * transfer.chunks / transfer.packets
        round_trips = max(1.0, round_trips - 1)
    taken = row["bytes"] * (transfer.packet_bytes + charged) / transfer.packet_bytes
    return bool(2 * taken >= transfer.peer_window * round_trips)


def _with_twice(transfer: Transfer) -> Transfer:
    return replace(transfer, peer_window=2 * transfer.peer_window)
