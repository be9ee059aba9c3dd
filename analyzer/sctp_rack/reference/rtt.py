# SPDX-License-Identifier: BSD-2-Clause
"""Decides SRTT, RTTVAR and RTO of a path, its back-off, and its minimum round-trip time.

All divisions are floor divisions, made in the order in which RFC 9260 writes the formulas.
"""

from collections import deque
from dataclasses import dataclass

from sctp_rack.names import RttTag


@dataclass(frozen=True, slots=True)
class RtoParameters:
    """Limits of the timeout, in nanoseconds (RFC 9260 section 16; stacks differ).

    `backoff_ends_at_cum_advance`: the doublings end when the cumulative TSN advances, and not with
    a measurement (pion). `backoff_ends_at_clean_ack`: they end also when a chunk that was sent once
    is acknowledged (usrsctp: net_ack2). `same_after_timeouts`: so many timeouts in a row do not
    double it (dcSCTP: 1).
    """

    initial_ns: int = 1_000_000_000
    min_ns: int = 1_000_000_000
    max_ns: int = 60_000_000_000
    rttvar_floor_ns: int = 0
    granularity_ns: int = 1_000_000
    same_after_timeouts: int = 0
    backoff_ends_at_cum_advance: bool = False
    backoff_ends_at_clean_ack: bool = False


class RttEstimator:
    """The two state variables of RFC 9260 section 6.3.1, per destination address."""

    def __init__(self, parameters: RtoParameters) -> None:
        """Start without a measurement."""
        self._parameters = parameters
        self.srtt_ns: int | None = None
        self.rttvar_ns: int | None = None
        self.backoff = 0

    @property
    def rto_ns(self) -> int:
        """Return the timeout, with the doublings since the last measurement."""
        # RFC 9260 §6.3.1 C1: until an RTT measurement has been made, RTO is RTO.Initial.
        rto_ns = self._parameters.initial_ns
        if self.srtt_ns is not None and self.rttvar_ns is not None:
            # RFC 9260 §6.3.1 C6: RTO below RTO.Min is rounded up to it.
            rto_ns = max(self.srtt_ns + 4 * self.rttvar_ns, self._parameters.min_ns)
        doublings = max(self.backoff - self._parameters.same_after_timeouts, 0)
        # RFC 9260 §6.3.1 C7: a maximum value may be placed on RTO.
        return min(rto_ns << doublings, self._parameters.max_ns)

    def warm(self, srtt_ns: int, rttvar_ns: int) -> None:
        """Set what earlier measurements had left."""
        self.srtt_ns, self.rttvar_ns = srtt_ns, rttvar_ns

    def measured(self, rtt_ns: int) -> None:
        """Take a round-trip sample, in nanoseconds."""
        if self.srtt_ns is None or self.rttvar_ns is None:
            # RFC 9260 §6.3.1 C2: first measurement: SRTT = R, RTTVAR = R/2.
            srtt_ns, rttvar_ns = rtt_ns, rtt_ns // 2
        else:
            # RFC 9260 §6.3.1 C3: RTTVAR with the old SRTT, then SRTT; beta 1/4, alpha 1/8.
            rttvar_ns = self.rttvar_ns * 3 // 4 + abs(self.srtt_ns - rtt_ns) // 4
            srtt_ns = self.srtt_ns * 7 // 8 + rtt_ns // 8
        if rttvar_ns == 0:
            # RFC 9260 §6.3.1 G1: if RTTVAR is 0, make it the clock granularity.
            rttvar_ns = self._parameters.granularity_ns
        self.srtt_ns = srtt_ns
        self.rttvar_ns = max(rttvar_ns, self._parameters.rttvar_floor_ns)
        if not self._parameters.backoff_ends_at_cum_advance:
            # RFC 9260 §6.3.3 collapse: a new measurement brings RTO down after doubling.
            self.backoff = 0

    def back_off(self) -> None:
        """Count one more timeout, which mostly doubles the next."""
        # RFC 9260 §6.3.3 E2: RTO = RTO * 2, until the next measurement.
        self.backoff += 1


class WindowedMinimum:
    """The smallest sample of the last `window_ns` nanoseconds; amortised O(1)."""

    def __init__(self, window_ns: int) -> None:
        """Start empty."""
        self._window_ns = window_ns
        self._rising: deque[tuple[int, int]] = deque()

    def add(self, now_ns: int, sample_ns: int) -> None:
        """Take a sample; earlier ones that are not smaller can never be the minimum again."""
        while self._rising and self._rising[-1][1] >= sample_ns:
            self._rising.pop()
        self._rising.append((now_ns, sample_ns))

    def value_ns(self, now_ns: int) -> int | None:
        """Return the minimum; the last one is kept when the window has run empty."""
        while len(self._rising) > 1 and self._rising[0][0] < now_ns - self._window_ns:
            self._rising.popleft()
        return self._rising[0][1] if self._rising else None


class MinRtt:
    """Two minima of a path: what the sender computes, and what the path can really do.

    In-order SACKs are delayed up to 200 ms and SACKs with gaps are not, so in SCTP the sender's
    own minimum can lie far above the round-trip time of the path.
    """

    def __init__(self, window_ns: int) -> None:
        """Start without samples."""
        self._model = WindowedMinimum(window_ns)
        self._path = WindowedMinimum(window_ns)

    def measured(self, now_ns: int, rtt_ns: int, tag: RttTag) -> None:
        """Take a sample; one that may have been delayed, or is ambiguous, is not the path's."""
        self._model.add(now_ns, rtt_ns)
        if tag not in (RttTag.DELAYED, RttTag.RTX):
            self._path.add(now_ns, rtt_ns)

    def warm_path(self, now_ns: int, rtt_ns: int) -> None:
        """Set the path's own minimum to what earlier, undelayed samples had left."""
        self._path.add(now_ns, rtt_ns)

    def model_ns(self, now_ns: int) -> int | None:
        """Return RACK.min_RTT as the sender has it."""
        # RFC 8985 §6.2 step 1: a windowed minimum, not a global one.
        return self._model.value_ns(now_ns)

    def path_ns(self, now_ns: int) -> int | None:
        """Return the minimum of the samples that no delayed SACK can have inflated."""
        return self._path.value_ns(now_ns)
