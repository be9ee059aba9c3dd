# SPDX-License-Identifier: BSD-2-Clause
"""Decides how long RACK waits for reordering to resolve: RFC 8985 section 6.2 step 4.

The window grows once per round trip with a report of duplicates, and shrinks back after sixteen
recoveries without one.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReoWndParameters:
    """Size and adaptation of the reordering window; the defaults are those of RFC 8985.

    `step` is the fraction of min_RTT by which it starts and grows, as numerator and denominator.
    """

    step: tuple[int, int] = (1, 4)
    dup_thresh: int = 3
    persist_recoveries: int = 16


class ReoWnd:
    """RACK.reordering_seen, dsack_round, reo_wnd_mult and reo_wnd_persist of RFC 8985."""

    def __init__(self, parameters: ReoWndParameters) -> None:
        """Start with a multiplier of 1 and no reordering seen."""
        self._parameters = parameters
        self.reordering_seen = False
        self.mult = 1
        self.persist = parameters.persist_recoveries
        self.dsack_round: int | None = None

    def adapt(self, *, una: int, nxt: int, duplicates: bool, exiting_recovery: bool) -> None:
        """Take notice of one feedback. `una` is SND.UNA after it, `nxt` SND.NXT."""
        # RFC 8985 §6.2 step 4 round-end: the round ends when SND.UNA reaches it.
        if self.dsack_round is not None and una >= self.dsack_round:
            self.dsack_round = None
        # RFC 8985 §3.3.2 rule 2: grow on reports of duplicates.
        # ADAPTATION: SCTP's DSACK is the list of duplicate TSNs in a SACK (RFC 9260 section 3.3.4).
        if self.dsack_round is None and duplicates:
            # RFC 8985 §6.2 step 4 grow: one step for every round that sees a DSACK.
            self.dsack_round = nxt
            self.mult += 1
            self.persist = self._parameters.persist_recoveries
        elif exiting_recovery:
            # RFC 8985 §6.2 step 4 persist: back to one step after 16 DSACK-free recoveries.
            self.persist -= 1
            if self.persist <= 0:
                self.mult = 1

    def window_ns(
        self, *, min_rtt_ns: int | None, srtt_ns: int | None, in_recovery: bool, segs_sacked: int
    ) -> int:
        """Return RACK.reo_wnd in nanoseconds; 0 without a round-trip estimate."""
        # RFC 8985 §3.3.2 rule 1: zero without reordering, in recovery or with three SACKed.
        # RFC 8985 §6.2 step 4 zero: Return 0.
        if not self.reordering_seen and (in_recovery or segs_sacked >= self._parameters.dup_thresh):
            return 0
        if min_rtt_ns is None or srtt_ns is None:
            return 0
        numerator, denominator = self._parameters.step
        # RFC 8985 §3.3.2 rule 3: bounded by SRTT.
        # RFC 8985 §6.2 step 4 size: min(reo_wnd_mult * min_RTT / 4, SRTT).
        return min(self.mult * min_rtt_ns * numerator // denominator, srtt_ns)
