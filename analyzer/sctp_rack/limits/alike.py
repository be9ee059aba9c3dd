# SPDX-License-Identifier: BSD-2-Clause
"""The transfer that a capture has, as far as it waited for windows; and those that look alike."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from statistics import median

from sctp_rack.binding.imagined import Transfer
from sctp_rack.columns.table import Row
from sctp_rack.limits.round_trip import RoundTrip
from sctp_rack.names import Profile

#: SCTP's part of 1,500 bytes: few paths take larger packets.
ETHERNET = 1480

#: Of packets that just came, so many wait to be read when a SACK leaves, which is for two; what
#: takes more of the window is no data: dcSCTP never tells more than nine tenths of its buffer.
_UNREAD = 3

#: MTUs between the packets that were seen and that.
_STEPS = 4

#: usrsctp counts its timers in ticks of so long (TIMEOUT_INTERVAL); when they are does not show.
_TICK_NS = 10_000_000
_PHASES = 5

#: Of a round trip, so much it may take to send a window: a capture shows no more than that it was
#: less. What waits for a window fills less than half of the path, else twice would not help.
_SPREAD = (0.0, 0.05, 0.2)


def transfer_of(trips: Sequence[Row], acked: int, window: int, took: RoundTrip) -> Transfer | None:
    """As it was, as far as it waited for windows alone; None where too little is known of it.

    `acked`: bytes of user data, also of feedback that belongs to no round trip.
    """
    packets, chunks = (sum(trip[name] for trip in trips) for name in ("packets", "chunks"))
    if packets == 0 or acked < max(packets, chunks):
        return None
    told = [trip["a_rwnd"] for trip in trips if trip["a_rwnd"] is not None]
    mostly = int(median(told)) if told else window
    most = max(mostly, trips[-1]["a_rwnd_most"] or 0)
    if most - mostly > _UNREAD * acked / packets:
        most = mostly
    return Transfer(
        profile=trips[-1]["cwnd_profile"],
        packets=packets,
        bytes=acked,
        chunks=max(chunks, packets),
        peer_window=most,
        unread=most - mostly,
        round_trip_ns=took.least_ns,
        first_alone=_is_answered_alone(trips[0]),
    )


def _is_answered_alone(first: Row) -> bool:
    """Whether the first packet was: the round trip ends then."""
    packet_bytes = first["outstanding_bytes"] / max(1, first["packets"])
    return bool(first["packets"] > 1 and first["acked_bytes"] < 1.5 * packet_bytes)


def alike(today: Transfer, took: RoundTrip) -> Iterator[Transfer]:
    """As alike as a capture can tell them apart, but for clocks.

    A smoothed round trip has what SACKs were held back for, and the shortest no jitter.
    """
    room = min(size for size in (today.peer_window, today.send_buffer) if size)
    for mtu, spread, lasts_ns in product(_mtus(today), _SPREAD, (took.least_ns, took.smoothed_ns)):
        apart_ns = int(spread * lasts_ns * today.packet_bytes / room)
        yield replace(today, mtu=mtu, apart_ns=apart_ns, round_trip_ns=lasts_ns)


def _mtus(today: Transfer) -> Iterator[int]:
    seen = today.packet_bytes + 16 * today.chunks / today.packets + 12
    yield 0
    for at in range(1, _STEPS + 1):
        if seen < ETHERNET:
            yield int(seen + (ETHERNET - seen) * at / _STEPS)


def unseen(transfer: Transfer) -> Iterator[Transfer]:
    """The same, whatever no capture shows of another run: what usrsctp's T3-rtx finds outstanding.

    It expires by the ticks of a clock. Where packets are not alike, it does not show either whether
    an odd one waits for a delayed SACK then: one more of them changes that.
    """
    if transfer.profile != Profile.USRSCTP:
        yield transfer
        return
    for phase_ns, more in product(range(0, _TICK_NS, _TICK_NS // _PHASES), _more(transfer)):
        yield replace(
            transfer,
            phase_ns=phase_ns,
            peer_window=transfer.peer_window + more,
            send_buffer=transfer.send_buffer and transfer.send_buffer + more,
        )


def _more(transfer: Transfer) -> tuple[int, ...]:
    a_packet = math.ceil(transfer.packet_bytes)
    return (0, a_packet) if transfer.chunks % transfer.packets else (0,)
