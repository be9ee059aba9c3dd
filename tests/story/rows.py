# SPDX-License-Identifier: BSD-2-Clause
"""Rows by hand, as tables have them: what a test does not name is null."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sctp_rack.recovery.direction import Tally
from sctp_rack.recovery.retransmission import Resent
from sctp_rack.recovery.round_trips import RoundTrips
from sctp_rack.tables import TABLES

MS = 1_000_000


def row_of(table: str, **values: Any) -> dict[str, Any]:
    """A row of `table` in association 0, direction a2b."""
    row: dict[str, Any] = {column.name: None for column in TABLES[table]}
    assert values.keys() <= row.keys()
    row.update({name: value for name, value in {"assoc": 0, "dir": "a2b"}.items() if name in row})
    return {**row, **values}


def sent(frame: int, tsn: int, at_ms: float = 0, **values: Any) -> dict[str, Any]:
    """The first transmission of a TSN, acknowledged."""
    plain = {"kind": "original", "copy": 1, "first_frame": frame, "outcome": "acked"}
    place = {"frame": frame, "tsn": tsn, "time_ns": int(at_ms * MS), "path": "a>b", "chunk": 0}
    return row_of("transmissions", **{**place, **plain, "evidence": [], **values})


def again(
    frame: int, tsn: int, cause: str, verdict: str, at_ms: float = 0, **values: Any
) -> dict[str, Any]:
    """A retransmission, by default the second copy of what frame 1 sent, of class 4."""
    known = {
        "kind": "retransmission",
        "copy": 2,
        "first_frame": 1,
        "prev_frame": 1,
        "cause": cause,
        "cause_class": 4,
        "verdict": verdict,
        "verdict_class": 4,
    }
    return sent(frame, tsn, at_ms, **{**known, **values})


def marked(tsn: int, frame: int, at_ms: float, lead_ms: float, **values: Any) -> dict[str, Any]:
    """A right mark of RACK-TLP at an acknowledgement, on the copy in `frame`."""
    known = {"profile": "rfc8985", "trigger": "ack", "resolution": "true_loss", "copy": 1}
    times = {"time_ns": int(at_ms * MS), "sender_lead_ns": int(lead_ms * MS)}
    return row_of("rack_marks", tsn=tsn, frame=frame, **{**known, **times, **values})


def tally_of(
    rows: Sequence[dict[str, Any]],
    marks: Sequence[dict[str, Any]] = (),
    rtts: Mapping[str, RoundTrips] = MappingProxyType({}),
    paths: Sequence[dict[str, Any]] = (),
) -> Tally:
    """Of rows in the order of their tables; a retransmission may have `waited_ns` as well."""
    lost = [row["tsn"] for row in rows if row["outcome"] == "lost"]
    outcomes = {"lost": len(lost)} if lost else {}
    ours = [mark for mark in marks if mark["profile"] == "rfc8985"]
    false = sum(mark["resolution"] == "false_mark" for mark in ours)
    tally = Tally(
        paths=list(paths),
        outcomes=outcomes,
        lost_tsns=len(set(lost)),
        rtts=dict(rtts),
        marks=len(ours),
        false_marks=false,
    )
    for row in rows:
        if row["kind"] == "retransmission":
            of_before = [
                m for m in ours if (m["tsn"], m["frame"]) == (row["tsn"], row["prev_frame"])
            ]
            tally.resends.add(_resent(row, of_before))
    tally.resends.end()
    return tally


def _resent(row: dict[str, Any], marks: Sequence[dict[str, Any]]) -> Resent:
    shown = [mark for mark in marks if mark["trigger"] != "rto"]
    leads = [mark["sender_lead_ns"] for mark in shown if mark["resolution"] != "false_mark"]
    known = {name: row[name] for name in Resent._fields if name in row}
    return Resent(**known, marked=bool(marks), shown=bool(shown), lead_ns=max(leads, default=0))
