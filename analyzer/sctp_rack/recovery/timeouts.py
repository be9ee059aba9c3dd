# SPDX-License-Identifier: BSD-2-Clause
"""Which retransmissions one T3-rtx timeout made: its first packet and what it marked for later."""

from dataclasses import dataclass, field

from sctp_rack.names import Cause, Verdict
from sctp_rack.recovery.retransmission import Group, Resent

BY_TIMEOUT = {Cause.T3, Cause.T3_GBN}

#: A timeout is a storm from so many retransmissions on.
STORM = 3


def begins(cause: str, frame: int, before: int | None) -> bool:
    """Whether a retransmission `BY_TIMEOUT` is the first of its timeout.

    `before` is the first frame of the timeout before it in the direction, None without. Chunks in
    the packet of the first are of the same timeout, as is what was marked by it and sent later.
    Where that comes first, its timeout was before the capture or is not recognised.
    """
    return before is None or (cause == Cause.T3 and before != frame)


@dataclass(slots=True)
class Timeout:
    """One expiry of T3-rtx (RFC 9260 section 6.3.3) and its retransmissions summed up."""

    #: Of the first retransmission, and its time in nanoseconds.
    frame: int
    time_ns: int | None
    resent: Group = field(default_factory=Group)
    #: Those whose TSN had been accepted before.
    spurious: int = 0
    spurious_bytes: int = 0
    #: The spurious that were sent less than a smoothed round trip before the timeout.
    young: int = 0
    #: The spurious that the timeout had marked and cwnd held back.
    arrived: Group = field(default_factory=Group)
    #: How much earlier than this timeout RACK-TLP had marked one that was needed; nanoseconds.
    lead_ns: int = 0
    #: Whether it begins in the time that is told of.
    told: bool = True

    def add(self, row: Resent, srtt_ns: int) -> None:
        """One of its retransmissions, in the order of the capture."""
        self.resent.add(row)
        held_back_ns = (row.time_ns or 0) - (self.time_ns or 0)
        if row.verdict == Verdict.SPURIOUS:
            self.spurious += 1
            self.spurious_bytes += row.bytes or 0
            self.young += row.waited_ns is not None and row.waited_ns - held_back_ns < srtt_ns
            if row.cause == Cause.T3_GBN:
                self.arrived.add(row)
        elif row.verdict == Verdict.NEEDED:
            # What cwnd held back afterwards is not T3-rtx's delay.
            self.lead_ns = max(self.lead_ns, row.lead_ns - held_back_ns)

    @property
    def is_storm(self) -> bool:
        """Most of what it sent, and not little, was spurious (RFC 8985 section 3.5)."""
        return self.resent.count >= STORM and 2 * self.spurious >= self.resent.count

    def take(self, other: "Timeout") -> None:
        """Sums up both."""
        self.resent.take(other.resent)
        self.spurious += other.spurious
        self.spurious_bytes += other.spurious_bytes
        self.young += other.young
        self.arrived.take(other.arrived)
