# SPDX-License-Identifier: BSD-2-Clause
"""The story of one TSN: sent, missed, marked, sent again, acknowledged, and why each was judged so.

Which TSN is meant is decided in `sctp_rack.story.which_tsn`, how the story reads in `story.py`.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from sctp_rack.columns.table import Row
from sctp_rack.errors import UsageError
from sctp_rack.names import Kind, Probe
from sctp_rack.story.acknowledgements import Feedback, TsnFeedback, feedback_on
from sctp_rack.story.alternatives import ruled_out
from sctp_rack.story.evidence import Case, cause_sentences, sentences
from sctp_rack.story.instead import Silences, instead, rack_marks
from sctp_rack.story.sentences import say
from sctp_rack.story.story import Event, Judged, Story
from sctp_rack.story.told_from import ToldFrom
from sctp_rack.story.which_tsn import Place
from sctp_rack.summary.direction_lines import PROFILE
from sctp_rack.wording.causes import reason
from sctp_rack.wording.ends import ends_text

#: Tables that a story is told from.
TABLES = ("transmissions", "sacks", "rack_marks", "paths")

#: Frames of acknowledgements, and copies that one speaks of, that are named one by one.
NAMED = 4


def explain(capture: ToldFrom, place: Place) -> Story:
    """The story of a TSN of `capture`, which must have the tables `TABLES`.

    Raises `UsageError` where frames that carried it have no time, by which a story is told.
    """
    association = next(one for one in capture.associations if one.number == place.assoc)
    direction = association.a2b if place.dir == association.a2b.name else association.b2a
    copies = list(direction.transmissions.where(tsn=place.tsn))
    if any(row["time_ns"] is None for row in copies):
        raise UsageError(say("no_times"))
    every = feedback_on(place.tsn, direction.sacks)
    feedback = TsnFeedback(one for one in every if one.time_ns is not None)
    marks = list(direction.table("rack_marks").where(tsn=place.tsn))
    paths = {row["path"]: row for row in direction.table("paths")}
    path = paths.get(copies[0]["path"], {})
    events = [*_sent(copies), *_acknowledged(copies), *_missed(copies, feedback.all)]
    events += [*_marked(marks), *_duplicates(feedback.duplicates)]
    on_copies, silences, judged = rack_marks(marks), Silences(direction), []
    for at, row in enumerate(copies):
        if row["kind"] != Kind.RETRANSMISSION:
            continue
        own = paths.get(row["path"])
        shortest = own["min_rtt_ns"] if own else None
        before = copies[at - 1] if at else None
        last = copies[-1] if at < len(copies) - 1 else None
        case = Case(row, before, last, len(copies), feedback, shortest)
        judged.append(
            Judged(
                **{name: row[name] for name in _COLUMNS},
                because=sentences(case),
                cause_because=cause_sentences(case),
                ruled_out=ruled_out(case, own),
                rack_tlp=instead(row, on_copies.get(row["prev_frame"]), silences, own),
            )
        )
    return Story(
        assoc=place.assoc,
        dir=place.dir,
        tsn=place.tsn,
        ends=ends_text(capture.summary.association(place.assoc)),
        vantage=path.get("vantage"),
        vantage_class=path.get("vantage_class"),
        min_rtt_ns=path.get("min_rtt_ns"),
        events=sorted(events, key=_moment),
        retransmissions=judged,
    )


_COLUMNS = ("frame", "copy", "cause", "cause_class", "verdict", "verdict_class", "evidence")

#: In one frame the sender hears, then decides.
ORDER = ["acknowledged", "missed", "duplicate", "marked", "sent"]


def _moment(event: Event) -> tuple[int, int, int]:
    """Its place among all; a timer comes before what it sends at the same instant."""
    return event.time_ns, event.frame or 0, ORDER.index(event.what)


def _sent(copies: Sequence[Row]) -> Iterator[Event]:
    for row in copies:
        if row["kind"] == Kind.RETRANSMISSION:
            text = say(
                "sent.retransmission",
                copy=row["copy"],
                reason=reason(row["cause"], row["trigger_frame"]),
                sure=say("sent.sure", level=row["cause_class"]) if row["cause_class"] else "",
                unseen=say("sent.unseen") if row["prev_frame"] is None else "",
            )
        else:
            probe = say("sent.probe") if row["probe"] == Probe.NEW_DATA else ""
            text = say(f"sent.{row['kind']}", bytes=row["bytes"], probe=probe)
        yield Event(row["time_ns"], "sent", row["frame"], text)


def _acknowledged(copies: Sequence[Row]) -> Iterator[Event]:
    acked = copies[0]["acked_time_ns"]
    if acked is None:
        return
    before = [row for row in copies if row["time_ns"] <= acked]
    ages = [
        say("acknowledged.age", age=acked - row["time_ns"], copy=row["copy"])
        for row in (before if len(before) <= NAMED else [*before[: NAMED - 1], before[-1]])
    ]
    if len(before) > NAMED:
        ages.insert(-1, "…")
    text = say("acknowledged", ages="".join(f", {age}" for age in ages))
    yield Event(acked, "acknowledged", copies[0]["acked_frame"], text)


def _missed(copies: Sequence[Row], feedback: Sequence[Feedback]) -> Iterator[Event]:
    """One event for all acknowledgements between two copies that leave the TSN out."""
    left_out = [one for one in feedback if one.leaves_out]
    frames = [row["frame"] for row in copies]

    def copies_before(one: Feedback) -> int:
        return bisect_left(frames, one.frame)

    for _, group in groupby(left_out, copies_before):
        missed = list(group)
        first, last = missed[0], missed[-1]
        if len(missed) == 1:
            text = say("missed", kind=say(first.kind))
        else:
            text = say(
                "missed.many",
                count=len(missed),
                kind=say(first.kind),
                frames=", ".join(str(one.frame) for one in missed[:NAMED]),
                more=say("missed.more", frame=last.frame) if len(missed) > NAMED else "",
                later=last.time_ns - first.time_ns,
            )
        yield Event(first.time_ns, "missed", first.frame, text)


def _marked(marks: Sequence[Row]) -> Iterator[Event]:
    """One event for all profiles that mark a copy at the same instant for the same reason."""

    def instant(mark: Row) -> tuple[int, int, str, int]:
        return mark["time_ns"], mark["copy"], mark["trigger"], mark["by_frame"] or 0

    for (time_ns, copy, trigger, by), group in groupby(sorted(marks, key=instant), instant):
        who = ", ".join(PROFILE[mark["profile"]] for mark in group)
        text = say("marked", copy=copy, who=who, why=say(f"marked.{trigger}"))
        yield Event(time_ns, "marked", by or None, text)


def _duplicates(feedback: Sequence[Feedback]) -> Iterator[Event]:
    for one in feedback:
        key = "duplicate.many" if one.duplicates > 1 else "duplicate"
        text = say(key, kind=say(one.kind), count=one.duplicates)
        yield Event(one.time_ns, "duplicate", one.frame, text)
