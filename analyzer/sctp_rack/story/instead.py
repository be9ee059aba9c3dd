# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP (profile rfc8985) would have done in place of one retransmission, and when.

Marks are what the model says; when a tail loss probe would have been due is an estimate from the
path's smoothed round trip, and the sentence says "about".
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction
from sctp_rack.columns.table import Row
from sctp_rack.names import Kind, Profile, Resolution, Trigger, Verdict
from sctp_rack.recovery.hindsight import AT_ONCE, BY_FEEDBACK
from sctp_rack.story.sentences import say

Times = npt.NDArray[np.int64]


def instead(row: Row, mark: Row | None, silences: "Silences", path: Row | None) -> list[str]:
    """One or two sentences on the retransmission `row` of `path`, whose copy before has `mark`."""
    if mark is None:
        if row["verdict"] == Verdict.SPURIOUS:
            return [say("rack.not" if row["cause"] in BY_FEEDBACK else "rack.not_yet")]
        due = silences.probe_due_ns(row, path)
        if due is None or due > row["time_ns"] - AT_ONCE:
            return []
        return [say("rack.probe", earlier=row["time_ns"] - due)]
    lead = mark["sender_lead_ns"]
    if lead is None:
        lead = row["time_ns"] - mark["time_ns"]
    when = "rack.earlier" if lead >= AT_ONCE else "rack.same"
    if lead <= -AT_ONCE:
        when = "rack.later"
    wrong = say("rack.wrong") if mark["resolution"] == Resolution.FALSE_MARK else ""
    return [say("rack.again", when=say(when, lead=abs(lead)), how=_how(mark), wrong=wrong)]


def _how(mark: Row) -> str:
    behind = ".window" if mark["reo_wnd_ns"] else ""
    values = {"frame": mark["by_frame"], "window": mark["reo_wnd_ns"]}
    if mark["trigger"] == Trigger.ACK and mark["by_frame"]:
        return say(f"rack.ack{behind}", **values)
    if mark["trigger"] == Trigger.TIMER:
        return say(f"rack.timer{behind}", **values)
    return say("rack.rto" if mark["trigger"] == Trigger.RTO else "rack.marks")


def rack_marks(marks: Iterable[Row]) -> dict[int | None, Row]:
    """The first mark of RACK-TLP on each copy of a TSN, by its frame; None: the tap missed it."""
    first: dict[int | None, Row] = {}
    for mark in sorted(marks, key=lambda mark: mark["time_ns"]):
        if mark["profile"] == Profile.RFC8985:
            first.setdefault(mark["frame"], mark)
    return first


class Silences:
    """Of a direction: what was sent last, answered last and outstanding at a moment."""

    def __init__(self, direction: Direction) -> None:
        self._direction = direction

    @cached_property
    def _sent(self) -> Times:
        return np.sort(np.ma.getdata(self._direction.transmissions["time_ns"]))

    @cached_property
    def _answered(self) -> Times:
        return np.sort(np.ma.getdata(self._direction.sacks["time_ns"]))

    @cached_property
    def _outstanding(self) -> tuple[tuple[Times, Times], tuple[Times, Times]]:
        """When transmissions began and ended to be outstanding: all, and those sent again."""
        rows = self._direction.transmissions
        begun = np.ma.getdata(rows["time_ns"])
        ended = np.ma.filled(rows["acked_time_ns"], np.iinfo(np.int64).max)
        ever = begun < ended  # else it had been acknowledged before
        again = ever & (rows["kind"] == Kind.RETRANSMISSION)
        every, resent = ((np.sort(begun[some]), np.sort(ended[some])) for some in (ever, again))
        return every, resent

    def probe_due_ns(self, row: Row, path: Row | None) -> int | None:
        """When a tail loss probe would have been due before `row` was sent: about, by the tap.

        PTO is 2 SRTT, and TLP.max_ack_delay more where one packet is outstanding; it runs from the
        last data sent or the last feedback before `row` (RFC 8985 section 7.2). SRTT is the path's
        at the end. None without one, where nothing came before, and where something sent again was
        outstanding: in recovery no probe is sent.
        """
        if path is None or not path["srtt_ns"]:
            return None
        now = row["time_ns"]
        sent = int(np.searchsorted(self._sent, now))
        if not sent:
            return None
        answered = int(np.searchsorted(self._answered, now))
        last_answered = int(self._answered[answered - 1]) if answered else 0
        anchor = max(int(self._sent[sent - 1]), last_answered)
        outstanding, resent = (
            int(np.searchsorted(begun, now)) - int(np.searchsorted(ended, now, side="right"))
            for begun, ended in self._outstanding
        )
        if resent:
            return None
        max_ack_delay_ns = self._direction.max_ack_delay_ns if outstanding <= 1 else 0
        return anchor + 2 * int(path["srtt_ns"]) + max_ack_delay_ns
