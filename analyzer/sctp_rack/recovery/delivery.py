# SPDX-License-Identifier: BSD-2-Clause
"""What the application had of one direction: how fast, how soon, and when it stood still."""

from dataclasses import dataclass

from sctp_rack.recovery.round_trips import RoundTrips
from sctp_rack.recovery.stalls import HEALTHY_NS, Stall, Stalls


@dataclass(frozen=True, slots=True)
class Latency:
    """Of messages, from their first transmission until they could be delivered; nanoseconds."""

    messages: int
    median_ns: int
    p95_ns: int
    p99_ns: int
    max_ns: int


@dataclass(frozen=True, slots=True)
class Pause:
    """One stall: nothing more could be delivered although data was outstanding."""

    #: What everything waited for, and the frame of its first copy.
    tsn: int
    frame: int
    begin_ns: int
    #: Up to its acknowledgement; to the end of the capture or the association where none came.
    length_ns: int
    #: A word of the enum `stall_cause`.
    cause: str
    #: Times that it was sent again, of them by timers.
    retransmissions: int
    timeouts: int
    #: Whether another finding on this direction says how long it waited, and for what.
    has_finding: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """Of one direction."""

    #: Acknowledged user data in bits per second, from the first data to the last feedback that
    #: acknowledges any; None where no time passed.
    goodput_bps: int | None
    #: Messages by the enum `message_state`.
    messages: dict[str, int]
    #: None where none was delivered.
    latency: Latency | None
    #: How many there were, and the longest of them, in order.
    stalls: int
    pauses: list[Pause]

    @property
    def longest(self) -> Pause | None:
        """The longest stall."""
        return max(self.pauses, key=lambda one: one.length_ns, default=None)


@dataclass(slots=True)
class Served:
    """What the rows of one direction tell of it."""

    messages: dict[str, int]
    latencies: RoundTrips
    stalls: Stalls


def delivery(served: Served, goodput_bps: int | None, last_ns: int | None) -> Delivery:
    """When all rows were added; `last_ns` is when the association or the capture ends.

    While data is outstanding a timer runs, and its expiry sends again (RFC 9260 section 6.3). Where
    nothing was sent again, the sender did not wait: the capture missed the feedback or stood still,
    or it ends, or holds no feedback.
    """
    longest = served.stalls.longest
    pauses = []
    for stall in longest:
        end_ns = last_ns if stall.end_ns is None else stall.end_ns
        if stall.resent and end_ns is not None and end_ns - stall.begin_ns > HEALTHY_NS:
            pauses.append(_pause(stall, end_ns - stall.begin_ns))
    return Delivery(
        goodput_bps=goodput_bps,
        messages=served.messages,
        latency=_latency(served.latencies),
        stalls=served.stalls.count - (len(longest) - len(pauses)),
        pauses=pauses,
    )


def _latency(taken: RoundTrips) -> Latency | None:
    if not taken.count:
        return None
    median_ns, p95_ns, p99_ns = taken.quantiles(0.5, 0.95, 0.99)
    return Latency(taken.count, median_ns, p95_ns, p99_ns, taken.most)


def _pause(stall: Stall, length_ns: int) -> Pause:
    return Pause(
        tsn=stall.tsn,
        frame=stall.frame,
        begin_ns=stall.begin_ns,
        length_ns=length_ns,
        cause=stall.cause.value,
        retransmissions=stall.resent,
        timeouts=stall.timeouts,
        has_finding=stall.needed_timeouts == 1 == stall.has_finding,
    )
