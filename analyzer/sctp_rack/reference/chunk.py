# SPDX-License-Identifier: BSD-2-Clause
"""Decides what can be known of a TSN in each phase of its life.

Each state carries only what has a meaning in it. A round-trip time can only be asked of a
`FirstFlight`; a chunk that was acknowledged, or sent twice, is never in that state again, so
Karn's rule cannot be broken by a caller.
"""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class SendTime:
    """When a packet left: the order of everything sent. Chunks of one packet are simultaneous.

    ADAPTATION: RFC 8985 breaks ties of time by sequence number (RACK_sent_after). In SCTP a
    retransmitted TSN is lower than what was sent before it, while the order of frames is the order
    of sending, so the frame breaks ties.
    """

    # RFC 8985 §4 granularity: nanoseconds, far below a quarter of any minimum RTT.
    time_ns: int
    frame: int


class ChunkState(StrEnum):
    """The phases of a TSN's life."""

    IN_FLIGHT = "in_flight"
    LOST = "lost"
    GAP_ACKED = "gap_acked"
    NR_ACKED = "nr_acked"
    CUM_ACKED = "cum_acked"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class FirstFlight:
    """Sent once, not acknowledged."""

    sent: SendTime
    misses: int = 0
    name = ChunkState.IN_FLIGHT

    # RFC 9260 §6.3.1 C5: only a chunk that was never retransmitted has a round-trip time.
    def rtt_ns(self, now_ns: int) -> int:
        """Return the time since it was sent, which is a round-trip sample if it is acked now."""
        return now_ns - self.sent.time_ns


@dataclass(frozen=True, slots=True)
class RepeatFlight:
    """In flight again: sent more than once, or acknowledged once and then reneged upon."""

    sent: SendTime
    misses: int = 0
    name = ChunkState.IN_FLIGHT


Flight = FirstFlight | RepeatFlight


@dataclass(frozen=True, slots=True)
class Lost:
    """Marked lost, and not sent again yet. It keeps the flight, for an ack that comes after all."""

    flight: Flight
    name = ChunkState.LOST


@dataclass(frozen=True, slots=True)
class GapAcked:
    """Received out of order; the receiver may still renege. It keeps the time sent for that."""

    sent: SendTime
    name = ChunkState.GAP_ACKED


@dataclass(frozen=True, slots=True)
class NrAcked:
    """Received out of order and not renegable: the sender has freed it.

    `missing` says that the receiver, against its promise, does not report it any more.
    """

    sent: SendTime
    missing: bool = False
    name = ChunkState.NR_ACKED


@dataclass(frozen=True, slots=True)
class CumAcked:
    """Below the cumulative ack point: gone."""

    name = ChunkState.CUM_ACKED


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Given up by FORWARD-TSN, and not yet below the cumulative ack point."""

    sent: SendTime
    name = ChunkState.ABANDONED


State = FirstFlight | RepeatFlight | Lost | GapAcked | NrAcked | CumAcked | Abandoned


@dataclass(slots=True)
class Chunk:
    """A TSN that was sent. `path` is that of its last copy, `copies` counts transmissions.

    `fast_retransmit_nxt` is SND.NXT at its last mark by missing reports, None before the first.
    `moved` says that the last copy went over another path than the one before.
    `miss_indicator` is pion's count of missing reports, which outlives marks and resends.
    `order` counts all transmissions, those of one packet too: that of its last copy.
    """

    seq: int
    size_bytes: int
    ack_now: bool
    path: str
    copies: int
    state: State
    fast_retransmit_nxt: int | None = None
    moved: bool = False
    miss_indicator: int = 0
    order: int = 0

    @property
    def in_flight(self) -> Flight | None:
        """Return the flight of a chunk that is neither acked, marked nor abandoned."""
        return self.state if isinstance(self.state, FirstFlight | RepeatFlight) else None

    @property
    def outstanding(self) -> bool:
        """Say whether an acknowledgement is still waited for: in flight or marked lost."""
        return isinstance(self.state, FirstFlight | RepeatFlight | Lost)
