# SPDX-License-Identifier: BSD-2-Clause
"""Decides whether the sender is in fast or timeout recovery, and when that ends.

RFC 9260 section 7.2.4 rule 6 has one exit point per association, so this is not per path.
"""

from enum import StrEnum


class Phase(StrEnum):
    """What the sender recovers from."""

    NONE = "none"
    FAST = "fast"
    RTO = "rto"


class Recovery:
    """The phase and its exit point."""

    def __init__(self) -> None:
        """Start outside recovery."""
        self.phase = Phase.NONE
        self.exit_seq = 0

    @property
    def active(self) -> bool:
        """Say whether the sender is in any recovery."""
        return self.phase is not Phase.NONE

    def enter(self, phase: Phase, exit_seq: int) -> None:
        """Enter recovery until everything up to `exit_seq` is cumulatively acknowledged."""
        # RFC 9260 §7.2.4 rule 6 enter: the highest outstanding TSN is the exit point.
        self.phase, self.exit_seq = phase, exit_seq

    def leave(self) -> None:
        """Leave recovery without reaching the exit point."""
        self.phase = Phase.NONE

    def exits_at(self, cum: int) -> bool:
        """Leave recovery if the cumulative TSN reaches the exit point; say whether it did."""
        # RFC 9260 §7.2.4 rule 6 exit: all TSNs up to and including the exit point are acked.
        # RFC 9260 §6.2.1 D.iv: Cumulative TSN Ack matches or exceeds the exit point.
        if self.active and cum >= self.exit_seq:
            self.phase = Phase.NONE
            return True
        return False
