# SPDX-License-Identifier: BSD-2-Clause
"""A finding on what limits a transfer: where one limit takes most of the time of a direction."""

from sctp_rack.columns.table import Row
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.say import say
from sctp_rack.limits.round_trip import round_trip
from sctp_rack.names import Dir, Finding, Limit, Severity
from sctp_rack.recovery.limited import Limited
from sctp_rack.wording.rates import percent, rate


def limit_finding(assoc: int, direction: str, limited: Limited, path: Row | None) -> CaptureFinding:
    """Of a direction that one limit held back, and the first of its paths."""
    way = "a to b" if direction == Dir.A2B else "b to a"
    text = say(
        Finding.TRANSFER_LIMITED,
        where=f"Association {assoc}, {way}",
        share=percent(limited.time_ns / limited.whole_ns),
        time=limited.time_ns,
        waited=say(f"limit.{limited.limit}"),
        allows=_allows(limited, path),
    )
    return CaptureFinding(
        Severity.NOTE, Finding.TRANSFER_LIMITED, limited.frames, text, assoc, direction
    )


def _allows(limited: Limited, path: Row | None) -> str:
    """As much as a window in each round trip."""
    if limited.limit == Limit.PEER_WINDOW and limited.a_rwnd is not None:
        size, of = limited.a_rwnd, say("transfer_limited.window", size=limited.a_rwnd)
    elif limited.limit in (Limit.CONGESTION_WINDOW, Limit.SEND_BUFFER):
        size = limited.outstanding_bytes
        of = say("transfer_limited.outstanding", size=size)
    else:
        return ""
    took = round_trip(path)
    if not took or not size:
        return of
    allowed = rate(8e9 * size / took.smoothed_ns)
    return of + say("transfer_limited.allows", round_trip=took.smoothed_ns, rate=allowed)
