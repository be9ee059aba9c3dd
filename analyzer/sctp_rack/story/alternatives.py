# SPDX-License-Identifier: BSD-2-Clause
"""Which other causes of a retransmission its circumstances rule out, and by which numbers."""

from collections.abc import Iterator

from sctp_rack.columns.table import Row
from sctp_rack.names import Answer, Cause
from sctp_rack.story.evidence import Case
from sctp_rack.story.sentences import say

BY_TIMEOUT = {Cause.T3, Cause.T3_GBN}
BY_REPORTS = {Cause.FAST, Cause.FAST_DEFERRED}
BY_RACK = {Cause.RACK, Cause.RACK_TIMER, Cause.RACK_RTX}

#: Missing reports that fast retransmit needs (RFC 9260 section 7.2.4).
REPORTS = 3


def ruled_out(case: Case, path: Row | None) -> list[str]:
    """One sentence for each cause that cannot be; `path` is the row of `paths` it was sent on."""
    return list(_ruled_out(case, case.before, path)) if case.before else []


def _ruled_out(case: Case, before: Row, path: Row | None) -> Iterator[str]:
    row = case.row
    cause = row["cause"]
    waited = row["time_ns"] - before["time_ns"]
    rto = path["rto_ns"] if path else None
    # Stacks with a shorter RTO.min than RFC 9260's 1 s exist; half of it is beyond the reach of all
    # but those, and the sentence says what was assumed.
    if cause not in BY_TIMEOUT and rto and waited < rto // 2:
        yield say("not.t3", copy=before["copy"], waited=waited, rto=rto)
    acked = row["acked_time_ns"]
    until = row["time_ns"] + 1 if acked is None else min(acked, row["time_ns"] + 1)
    reports = case.feedback.news_left_out(case.since_ns, until)
    if cause not in BY_REPORTS and reports < REPORTS:
        yield say("not.fast", reports=reports, needed=REPORTS)
    if cause not in BY_RACK and path and path["sender_has_rack"] == Answer.NO:
        yield say("not.rack")
    if row["trigger_frame"] is not None and cause != Cause.TLP:
        yield say("not.tlp", frame=row["trigger_frame"])
