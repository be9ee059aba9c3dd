# SPDX-License-Identifier: BSD-2-Clause
"""Holds what the sender knows of one path: its times, its RACK variables and its timers.

A path is a destination address (RFC 9260 section 6.3: an RTO for each). The model keeps all of
RACK-TLP per path too.
"""

from sctp_rack.reference.rack import Rack, RackParameters
from sctp_rack.reference.rtt import MinRtt, RtoParameters, RttEstimator
from sctp_rack.reference.rtt_samples import KarnFence, Timing


class Path:
    """One path. Deadlines are absolute times in nanoseconds, None while a timer is off.

    `pto_armed_ns` is when PTO was started last, `t3_armed_ns` when T3-rtx can have been at the
    earliest, and `t3_off_ns` when that was turned off last.
    """

    def __init__(
        self,
        name: str,
        rto: RtoParameters,
        rack: RackParameters,
        min_rtt_window_ns: int,
        fence: KarnFence,
    ) -> None:
        """Start without measurements and with all timers off."""
        self.name = name
        self.rtt = RttEstimator(rto)
        self.timing = Timing(fence)
        self.min_rtt = MinRtt(min_rtt_window_ns)
        self.rack = Rack(rack)
        self.t3_ns: int | None = None
        self.t3_off_ns: int | None = None
        # net->window_probe of usrsctp: T3-rtx is kept running when all is acknowledged; it is.
        self.window_probe = False
        self.t3_kept = False
        self.pto_ns: int | None = None
        self.reo_ns: int | None = None
        self.t3_armed_ns = 0
        self.pto_armed_ns = 0
