# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP (profile rfc8985) would have done in place of one retransmission, and when.

Marks are what the model says; when a tail loss probe would have been due is an estimate from the
path's smoothed round trip, and the sentence says "about".
"""

from collections.abc import Iterable

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.durations import duration
from sctp_rack.hindsight import AT_ONCE, BY_FEEDBACK
from sctp_rack.names import Kind, Profile, Resolution, Trigger, Verdict
from sctp_rack.table import Row


def instead(row: Row, marks: Iterable[Row], direction: Direction, path: Row | None) -> list[str]:
    """One or two sentences on the retransmission `row`, a row of `path`."""
    mark = rack_mark(row, marks)
    if mark is None:
        if row["verdict"] == Verdict.SPURIOUS and row["cause"] in BY_FEEDBACK:
            return ["RACK-TLP would not have marked the copy before lost, so not have sent this."]
        if row["verdict"] == Verdict.SPURIOUS:
            return ["RACK-TLP had not marked the copy before lost by then either."]
        due = probe_due_ns(row, direction, path)
        if due is None or due > row["time_ns"] - AT_ONCE:
            return []
        return [
            "No acknowledgement showed the loss to RACK before. A tail loss probe (RFC 8985 "
            f"section 7.2) would have been due about {duration(row['time_ns'] - due)} earlier."
        ]
    lead = mark["sender_lead_ns"]
    if lead is None:
        lead = row["time_ns"] - mark["time_ns"]
    when = f"{duration(lead)} earlier" if lead >= AT_ONCE else "at the same time"
    if lead <= -AT_ONCE:
        when = f"{duration(-lead)} later"
    wrong = (
        ", wrongly as well: that copy arrived"
        if mark["resolution"] == Resolution.FALSE_MARK
        else ""
    )
    return [f"RACK-TLP would have sent it again {when}, {_how(mark)}{wrong}."]


def _how(mark: Row) -> str:
    window = mark["reo_wnd_ns"]
    waited = f" and a reordering window of {duration(window)}" if window else ""
    if mark["trigger"] == Trigger.ACK and mark["by_frame"]:
        return f"at frame {mark['by_frame']}, which acknowledges data sent later{waited}"
    if mark["trigger"] == Trigger.TIMER:
        return f"when its reordering timer expires{waited.replace(' and', ' after')}"
    return "by its own timeout" if mark["trigger"] == Trigger.RTO else "by its marks"


def rack_mark(row: Row, marks: Iterable[Row]) -> Row | None:
    """The first mark of RACK-TLP on the copy that `row` repeats, also where the tap missed that."""
    on_it = [
        mark
        for mark in marks
        if mark["profile"] == Profile.RFC8985
        and mark["tsn"] == row["tsn"]
        and mark["frame"] == row["prev_frame"]
    ]
    return min(on_it, key=lambda mark: mark["time_ns"], default=None)


def probe_due_ns(row: Row, direction: Direction, path: Row | None) -> int | None:
    """When a tail loss probe would have been due before `row` was sent: about, on the tap's clock.

    PTO is 2 SRTT, and TLP.max_ack_delay more where one packet is outstanding; it runs
    from the last data sent or the last feedback before `row` (RFC 8985 section 7.2). SRTT is the
    path's at the end. None without one, where nothing came before, and where something sent again
    was outstanding: in recovery no probe is sent.
    """
    if path is None or not path["srtt_ns"]:
        return None
    now = row["time_ns"]
    rows = direction.transmissions
    times = rows["time_ns"]
    sent = times[times < now]
    answered = direction.sacks["time_ns"]
    answered = answered[answered < now]
    if not len(sent):
        return None
    anchor = max(int(sent.max()), int(answered.max()) if len(answered) else 0)
    acked = np.ma.filled(rows["acked_time_ns"], np.iinfo(np.int64).max)
    outstanding = (times < now) & (acked > now)
    if (outstanding & (rows["kind"] == Kind.RETRANSMISSION)).any():
        return None
    alone = int(outstanding.sum()) <= 1
    return anchor + 2 * int(path["srtt_ns"]) + (direction.max_ack_delay_ns if alone else 0)
