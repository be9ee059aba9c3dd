# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP would have done in place of what the sender did, as far as its marks tell.

The marks are those of the profile rfc8985, which sees the packets of the capture: it resends
nothing itself and sends no probe, so what its probes would have won is not in them.

Of spurious retransmissions those by feedback are avoided whose copy before was never marked. What
a timer sent is left out: RACK-TLP probes and times out as well, and what its timer would have done
had the sender's not expired first cannot be seen.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sctp_rack.names import Cause, Resolution, Trigger

#: Leads below this are the time that a host needs to act, nanoseconds.
AT_ONCE = 1_000_000

#: Causes that an acknowledgement brings about, or RACK's timer in its place.
BY_FEEDBACK = {Cause.FAST, Cause.FAST_DEFERRED, Cause.RACK, Cause.RACK_TIMER, Cause.RACK_RTX}


@dataclass(frozen=True)
class Saved:
    """Waiting for T3-rtx that ends earlier with RACK-TLP.

    Counted are retransmissions by T3-rtx, at once or as cwnd opened, that were needed and whose
    copy before RACK-TLP had marked (`leads`) `AT_ONCE` or more before the timeout. What one timeout
    resends waited at the same time, so the longest lead of each timeout counts; timeouts follow one
    another, so these are summed.
    """

    #: Timeouts that it would have come before.
    timeouts: int
    #: Of each of them how much earlier at best, summed over the timeouts and the largest; ns.
    total_ns: int
    largest_ns: int


#: A copy: number of its association, its direction, its TSN, and its frame; None where the tap did
#: not see it.
Copy = tuple[int, str, int, int | None]


def copy_before(row: Mapping[str, Any]) -> Copy:
    """Which copy a retransmission repeats."""
    return row["assoc"], row["dir"], row["tsn"], row["prev_frame"]


def leads(rack_marks: Iterable[Mapping[str, Any]]) -> dict[Copy, int]:
    """How much earlier RACK-TLP marked a copy than the sender sent it again, nanoseconds.

    Negative for later; of several marks on a copy the first counts. RACK-TLP would have been
    earlier where this is `AT_ONCE` or more and the retransmission was needed: then the copy before
    did not arrive, so the mark is right also where `resolution` is unknown, as of a copy that the
    tap did not see. (Where two copies were lost before the tap, that is too much: the second was
    sent in between.) Wrong marks are left out, and those by its own timeout: they tell only of
    another RTO. `Marked` says the same of rows as they come.
    """
    found: dict[Copy, int] = {}
    for mark in rack_marks:
        tells = mark["trigger"] != Trigger.RTO and mark["resolution"] != Resolution.FALSE_MARK
        if tells and mark["sender_lead_ns"] is not None:
            of = mark["assoc"], mark["dir"], mark["tsn"], mark["frame"]
            found[of] = max(found.get(of, mark["sender_lead_ns"]), mark["sender_lead_ns"])
    return found
