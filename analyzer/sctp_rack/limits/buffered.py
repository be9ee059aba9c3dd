# SPDX-License-Identifier: BSD-2-Clause
"""What send buffer would let a transfer go on, and what rate that would give."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sctp_rack.columns.table import Row
from sctp_rack.limits.alike import alike, transfer_of
from sctp_rack.limits.predicted import Predicted, predicted
from sctp_rack.limits.round_trip import RoundTrip
from sctp_rack.names import Limit

#: What waits for a window, or a buffer.
_ROOM = (Limit.PEER_WINDOW, Limit.CONGESTION_WINDOW, Limit.SEND_BUFFER, Limit.DELAYED_SACK)

#: Of what is sent in a round trip, and of the congestion window: as Linux sizes the buffers of TCP
#: (tcp_rcv_space_adjust, tcp_sndbuf_expand), so that the one is never what keeps the other small.
_TIMES = 2


@dataclass(frozen=True)
class Buffered:
    """Bytes of user data that should have room, and the rate with them."""

    size: int
    rate: Predicted


def buffered(
    intervals: Sequence[Row], trips: Sequence[Row], acked: int, window: int, took: RoundTrip
) -> Buffered | None:
    """By the congestion window of the sender's stack; what waited for something else stays.

    None where the sender did not wait for its send buffer, and where too little is known of what
    was sent.
    """
    full = [row for row in intervals if row["limit"] == Limit.SEND_BUFFER]
    transfer = transfer_of(trips, acked, window, took)
    if not full or not transfer:
        return None
    message = max(1, round(transfer.bytes / transfer.chunks))
    level = max(row["outstanding_bytes"] for row in full)
    windows = [row["cwnd_least"] for row in trips if row["cwnd_least"] is not None]
    least = _TIMES * max(level, windows[-1] if windows else 0)
    size = level + -(-(least - level) // message) * message
    today = replace(transfer, send_buffer=level)
    rate = predicted(
        intervals, acked, _ROOM, alike(today, took), lambda one: replace(one, send_buffer=size)
    )
    return Buffered(size, rate) if rate else None
