# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP would have done in place of what the sender did, as far as its marks tell.

The marks are those of the profile rfc8985, which sees the packets of the capture: it resends
nothing itself and sends no probe, so what its probes would have won is not in them.

Of needless retransmissions those by feedback are avoided whose copy before was never marked. What
a timer sent is left out: RACK-TLP probes and times out as well, and what its timer would have done
had the sender's not expired first cannot be seen.
"""

from dataclasses import dataclass

from sctp_rack.names import Cause

#: Leads below this are the time that a host needs to act, nanoseconds.
AT_ONCE = 1_000_000

#: Causes that an acknowledgement brings about, or RACK's timer in its place.
BY_FEEDBACK = {Cause.FAST, Cause.FAST_DEFERRED, Cause.RACK, Cause.RACK_TIMER, Cause.RACK_RTX}


@dataclass(frozen=True)
class Saved:
    """Waiting for T3-rtx that ends earlier with RACK-TLP.

    Counted are retransmissions by T3-rtx, at once or as cwnd opened, that were needed and whose
    copy before RACK-TLP had marked lost rightly (`resolution` true_loss) `AT_ONCE` or more before
    the timeout. Marks by its own timeout are left out, since they tell only of another RTO. What
    one timeout resends waited at the same time, so the longest lead of each timeout counts;
    timeouts follow one another, so these are summed.
    """

    #: Timeouts that it would have come before.
    timeouts: int
    #: Of each of them how much earlier at best, summed over the timeouts and the largest; ns.
    total_ns: int
    largest_ns: int
