# SPDX-License-Identifier: BSD-2-Clause
"""Which timeouts RACK-TLP would have come before, and what probes cost a sender that has it.

Marks are those of the profile rfc8985, which sees the packets of the capture and sends nothing
itself; when a probe would have been due is an estimate (`story/instead.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sctp_rack.association import Direction
from sctp_rack.columns.table import Row
from sctp_rack.names import Profile, Verdict
from sctp_rack.recovery.hindsight import AT_ONCE, Copy, copy_before, leads
from sctp_rack.recovery.timeouts import BY_TIMEOUT, begins
from sctp_rack.story.instead import Silences

#: Why the figures may be others in truth.
ASSUMPTIONS = (
    "The model sees the packets of the capture and sends nothing itself: what an earlier repair"
    " would have changed afterwards is not in the figures.",
    "A timeout counts where what it sent again was needed, or was answered: its feedback had been"
    " lost, and came as an answer to it. Its end is where it was sent, so what is saved is"
    " waiting, not what congestion control would have made of it.",
    "A mark saves the time from the mark to the timeout. A probe saves at most the time from when"
    " it was due, and nothing if it is lost too; due is 2 SRTT behind the last packet or feedback"
    " (RFC 8985 section 7.2), with SRTT as at the end.",
    "Timeouts follow one another, so times are summed.",
)


@dataclass(frozen=True)
class TimeoutInstead:
    """One timeout whose first retransmission was sent at `time_ns`."""

    frame: int
    time_ns: int
    #: Of its retransmissions those that were needed.
    needed: int
    #: None was, as far as is known: feedback had been lost, and came as an answer to it.
    answered: bool
    retransmissions: int
    #: How much earlier RACK-TLP had marked one of those; null where it had not.
    mark_lead_ns: int | None
    #: How much earlier a tail loss probe was due; null where none was, and where there is a mark.
    probe_lead_ns: int | None


@dataclass(frozen=True)
class ProbesSent:
    """What tail loss probes the sender did send."""

    probes: int
    bytes: int
    #: Of all chunks that the sender sent.
    share_of_chunks: float
    #: By the words of `probe_outcome`.
    outcomes: dict[str, int]


@dataclass(frozen=True)
class WithRack:
    """Timeouts of one direction, and its probes."""

    assoc: int
    dir: str
    #: Both ends.
    ends: str
    #: Word of the enum `answer`; null where nothing tells.
    sender_has_rack: str | None
    timeouts: int
    #: Those where something sent again was needed.
    needed_timeouts: int
    #: Of those the ones that a mark came before, and how much earlier, summed.
    by_mark: int
    saved_by_marks_ns: int
    #: And those before which only a probe was due; what that saves at most, summed.
    by_probe: int
    saved_by_probes_most_ns: int
    #: Those where nothing was known to be needed, but feedback had been lost that only the timeout
    #: brought; the ones before which a probe was due that asks for it, and what that saves at most.
    answered_timeouts: int
    answered_by_probe: int
    saved_by_answers_most_ns: int
    #: The ones that RACK-TLP would have come before, in the order of the capture.
    instead: list[TimeoutInstead]
    probes: ProbesSent | None


def with_rack(direction: Direction, ends: str) -> WithRack:
    """Of a direction with data whose tables were read; of a time timeouts that expired in it."""
    paths = {row["path"]: row for row in direction.table("paths")}
    has = next((row["sender_has_rack"] for row in paths.values()), None)
    marks = direction.table("rack_marks").where(profile=Profile.RFC8985)
    lead_of, silences = leads(marks), Silences(direction)
    expired = (
        rows
        for rows in _timeouts(direction)
        if direction.window.meets(rows[0]["time_ns"], rows[0]["time_ns"])
    )
    delay_ns = direction.max_ack_delay_ns
    found = [_instead(rows, lead_of, silences, paths, delay_ns) for rows in expired]
    counted = [one for one in found if one.needed or one.answered]
    by_mark = [one.mark_lead_ns for one in counted if one.mark_lead_ns]
    by_probe = [one.probe_lead_ns for one in counted if one.needed and one.probe_lead_ns]
    by_answer = [one.probe_lead_ns for one in counted if one.answered and one.probe_lead_ns]
    return WithRack(
        assoc=direction.assoc,
        dir=direction.name,
        ends=ends,
        sender_has_rack=has,
        timeouts=len(found),
        needed_timeouts=sum(one.needed > 0 for one in found),
        by_mark=len(by_mark),
        saved_by_marks_ns=sum(by_mark),
        by_probe=len(by_probe),
        saved_by_probes_most_ns=sum(by_probe),
        answered_timeouts=sum(one.answered for one in found),
        answered_by_probe=len(by_answer),
        saved_by_answers_most_ns=sum(by_answer),
        instead=[one for one in counted if one.mark_lead_ns or one.probe_lead_ns],
        probes=_probes(direction),
    )


def _timeouts(direction: Direction) -> Iterator[Sequence[Row]]:
    """The retransmissions of each."""
    before: int | None = None
    rows: list[Row] = []
    for row in direction.transmissions.where(cause=[cause.value for cause in BY_TIMEOUT]):
        if row["time_ns"] is None:
            continue
        if begins(row["cause"], row["frame"], before):
            if rows:
                yield rows
            rows, before = [], row["frame"]
        rows.append(row)
    if rows:
        yield rows


def _instead(
    rows: Sequence[Row],
    lead_of: dict[Copy, int],
    silences: Silences,
    paths: dict[str, Row],
    max_ack_delay_ns: int,
) -> TimeoutInstead:
    first = rows[0]
    needed = [row for row in rows if row["verdict"] == Verdict.NEEDED]
    # What cwnd held back afterwards is not T3-rtx's delay.
    marked_ns = [
        lead_of.get(copy_before(row), 0) - (row["time_ns"] - first["time_ns"]) for row in needed
    ]
    lead_ns = max(marked_ns, default=0)
    path = paths.get(first["path"])
    due_ns = silences.probe_due_ns(first, path)
    probe_ns = 0 if due_ns is None else first["time_ns"] - due_ns
    marked = lead_ns >= AT_ONCE
    return TimeoutInstead(
        frame=first["frame"],
        time_ns=first["time_ns"],
        needed=len(needed),
        answered=not needed and _is_answered(first, path, max_ack_delay_ns),
        retransmissions=len(rows),
        mark_lead_ns=lead_ns if marked else None,
        probe_lead_ns=probe_ns if not marked and probe_ns >= AT_ONCE else None,
    )


def _is_answered(row: Row, path: Row | None, max_ack_delay_ns: int) -> bool:
    """Whether feedback came as if it answered `row`: what asks sooner has that sooner.

    An answer takes a round trip at least, and PTO at most, which is how long a probe waits for one
    (RFC 8985 section 7.2). What was on its way already comes sooner or, held up, later.
    """
    if path is None or row["acked_time_ns"] is None or path["min_rtt_ns"] is None:
        return False
    took_ns = row["acked_time_ns"] - row["time_ns"]
    return bool(path["min_rtt_ns"] <= took_ns <= 2 * path["srtt_ns"] + max_ack_delay_ns)


def _probes(direction: Direction) -> ProbesSent | None:
    sent = direction.told("transmissions")
    frames = set(sent["frame"].tolist())
    there = (row for row in direction.table("probes") if row["frame"] in frames)
    rows = sorted(there, key=lambda row: str(row["outcome"]))
    if not rows:
        return None
    probes = sent.where(sent.codes("probe") >= 0)
    return ProbesSent(
        probes=len(rows),
        bytes=int(probes["bytes"].sum()),
        share_of_chunks=len(rows) / max(len(sent), 1),
        outcomes={
            str(outcome): len(list(some))
            for outcome, some in groupby(rows, key=lambda row: row["outcome"])
        },
    )
