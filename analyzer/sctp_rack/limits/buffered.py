# SPDX-License-Identifier: BSD-2-Clause
"""What send buffer would let a transfer go on, and what rate that would give."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.limits.predicted import ETHERNET, Predicted, predicted, transfer_of
from sctp_rack.names import Limit

#: What waits for a window, or a buffer.
_ROOM = (Limit.PEER_WINDOW, Limit.CONGESTION_WINDOW, Limit.SEND_BUFFER)

#: Of what is sent in a round trip, and of the congestion window: as Linux sizes the buffers of TCP
#: (tcp_rcv_space_adjust, tcp_sndbuf_expand), so that the one is never what keeps the other small.
_TIMES = 2

#: A buffer may have room for some more data than left: for less than a message, or a packet.
_PACKETS = range(3)


@dataclass(frozen=True)
class Buffered:
    """Bytes of user data that should have room, and the rate with them."""

    size: int
    rate: Predicted


def buffered(
    intervals: Sequence[Row], trips: Sequence[Row], acked: int, window: int, round_trip_ns: int
) -> Buffered | None:
    """By the congestion window of the sender's stack; what waited for something else stays.

    None where the sender did not wait for its send buffer, and where too little is known of what
    was sent.
    """
    full = [row for row in intervals if row["limit"] == Limit.SEND_BUFFER]
    transfer = transfer_of(trips, acked, window, round_trip_ns)
    if not full or not transfer:
        return None
    level = max(row["outstanding_bytes"] for row in full)
    windows = [row["cwnd_least"] for row in trips if row["cwnd_least"] is not None]
    size = _TIMES * max(level, windows[-1] if windows else 0)
    today = replace(transfer, send_buffer=level)
    rate = predicted(intervals, acked, _ROOM, today, _with_more(today, size))
    return Buffered(size, rate) if rate else None


def _with_more(today: Transfer, size: int) -> Iterator[Transfer]:
    """As alike as a capture can tell them apart."""
    for mtu in (0, ETHERNET):
        for more in _PACKETS:
            yield replace(today, send_buffer=size + more * today.packet_bytes, mtu=mtu)
