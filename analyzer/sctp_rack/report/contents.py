# SPDX-License-Identifier: BSD-2-Clause
"""What a report on a capture says, before it is a page: the words of `analyze` and `explain`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Association, Direction
from sctp_rack.capture import Capture
from sctp_rack.columns.table import Row, Table
from sctp_rack.findings.alike import gathered
from sctp_rack.findings.find import FAILURES
from sctp_rack.findings.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.names import Cause, Dir, Kind, Verdict
from sctp_rack.plots.data import TABLES as GRAPH_TABLES
from sctp_rack.recovery.direction import Recovery
from sctp_rack.report.filters import frames_filter
from sctp_rack.report.quality import Check, checks
from sctp_rack.report.stories import ChosenStory, stories
from sctp_rack.report.versus import Versus, versus
from sctp_rack.report.versus_text import hindsight
from sctp_rack.report.waited import TABLES as WAITED_TABLES
from sctp_rack.report.waited import Waited, waited
from sctp_rack.story.explain import TABLES as STORY_TABLES
from sctp_rack.summary.direction_lines import VERDICT, delivery_line, recovery_lines
from sctp_rack.summary.opening import headline, how_sure
from sctp_rack.summary.show import extent, life, time_told, tsns
from sctp_rack.summary.summary import Association as Ends
from sctp_rack.summary.summary import Data
from sctp_rack.summary.sums import sums
from sctp_rack.summary.worst import worst
from sctp_rack.wording.causes import NOUN
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration
from sctp_rack.wording.ends import end_text, ends_text

#: Tables that a capture must have.
TABLES = tuple(dict.fromkeys((*STORY_TABLES, *GRAPH_TABLES, *WAITED_TABLES)))

#: Most that a page has of each.
_QUIET, _STORIES, _RETRANSMISSIONS = 20, 5, 100


@dataclass(frozen=True)
class Figure:
    """A number that stands out, and what it counts."""

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True)
class Share:
    """Retransmissions of one verdict."""

    verdict: str
    word: str
    count: int
    #: By confidence class, the best first.
    classes: list[tuple[int, int]]


@dataclass(frozen=True)
class CauseRow:
    """Retransmissions of one cause, and how many have each verdict, in the order of `shares`."""

    cause: str
    how: str
    count: int
    verdicts: list[int]
    #: Lowest and highest confidence class of the cause.
    classes: str


@dataclass(frozen=True)
class Way:
    """One direction with data."""

    direction: Direction
    anchor: str
    #: `a` or `b`.
    sender: str
    ends: str
    lines: list[tuple[str, str]]
    shares: list[Share]
    causes: list[CauseRow]
    versus: Versus | None
    waited: Waited
    stories: list[ChosenStory]
    #: Retransmissions as they are listed, at most so many; and how many there are.
    again: list[Row]
    retransmissions: int
    #: All that is to be said where nothing was lost, sent again or found; else empty.
    clean: str


@dataclass(frozen=True)
class Section:
    """One association."""

    number: int
    title: str
    life: str
    ways: list[Way]


@dataclass(frozen=True)
class Pointer:
    """A finding, and the display filter for its frames; `has_most` where there may be more."""

    finding: CaptureFinding
    filter: str | None
    has_most: bool


@dataclass(frozen=True)
class Contents:
    """One capture."""

    path: str
    extent: str
    #: Which time is told of; empty: all.
    time: str
    headline: str
    #: What RACK-TLP would have known earlier, in a sentence; empty where nothing.
    hindsight: str
    figures: list[Figure]
    shares: list[Share]
    #: On loss and recovery, then on the capture; the worst first.
    findings: list[Pointer]
    quality_findings: list[Pointer]
    checks: list[Check]
    sections: list[Section]
    #: Associations with data, those of them that have no section, and what all come to; and those
    #: without data.
    talking: int
    more: int
    sums: list[tuple[str, str]]
    quiet: list[str]
    more_quiet: int


def contents(capture: Capture) -> Contents:
    """Of a capture that has `TABLES`."""
    summary = capture.summary
    talking = [one for one in summary.associations if one.a.data or one.b.data]
    sides = [side for one in talking for side in (one.a, one.b) if side.data]
    recoveries = [side.recovery for side in sides if side.recovery]
    on_recovery = {id(finding) for finding in summary.findings}
    first, others = list[CaptureFinding](), list[CaptureFinding]()
    for finding in capture.findings:
        comes_first = finding.code in FAILURES or id(finding) in on_recovery
        (first if comes_first else others).append(finding)
    by_number = {one.number: one for one in capture.associations}
    shown = worst(talking)
    sections = [_section(capture, by_number[one.assoc], one) for one in shown]
    quiet = [one for one in summary.associations if not (one.a.data or one.b.data)]
    return Contents(
        path=capture.path,
        extent=extent(summary),
        time=time_told(summary),
        headline=headline(summary),
        hindsight=hindsight([w.versus for one in sections for w in one.ways if w.versus]),
        figures=list(_figures([side.data for side in sides if side.data], recoveries)),
        shares=_shares(recoveries),
        findings=[_pointer(one) for one in gathered(first)],
        quality_findings=[_pointer(one) for one in gathered(others)],
        checks=checks(capture.whole),
        sections=sections,
        talking=len(talking),
        more=len(talking) - len(shown),
        sums=list(sums(talking)),
        quiet=[f"{ends_text(ends)}: {life(ends)}" for ends in quiet[:_QUIET]],
        more_quiet=max(len(quiet) - _QUIET, 0),
    )


def _pointer(finding: CaptureFinding) -> Pointer:
    frames = finding.frames
    return Pointer(finding, frames_filter(frames) if frames else None, len(frames) == MOST_FRAMES)


def _figures(data: Sequence[Data], recoveries: Sequence[Recovery]) -> Iterator[Figure]:
    """The numbers that a reader takes along."""
    chunks = sum(one.chunks for one in data)
    if not chunks:
        return
    lost = sum(one.lost for one in recoveries)
    again = sum(one.retransmissions for one in recoveries)
    spurious = sum(one.spurious for one in recoveries)
    yield Figure(f"{chunks:,}", "DATA chunks on the wire", f"{sum(d.tsns for d in data):,} TSNs")
    yield Figure(f"{lost:,}", "lost", f"{100 * lost / chunks:.1f} % of them")
    yield Figure(f"{again:,}", "sent again", f"{100 * again / chunks:.1f} %")
    if again:
        open_ = sum(sum(one.verdicts.get(Verdict.UNDETERMINED, {}).values()) for one in recoveries)
        sure = how_sure(recoveries, Verdict.SPURIOUS) if spurious else ""
        yield spurious_figure(spurious, open_, again, sure)
    if spurious:
        avoided = sum(one.rack.avoided for one in recoveries)
        yield Figure(f"{avoided:,}", "spurious ones that RACK-TLP avoids")
    if timeouts := sum(one.timeouts for one in recoveries):
        saved = sum(one.rack.saved.total_ns for one in recoveries)
        note = f"RACK saves {duration(saved)}" if saved else ""
        yield Figure(f"{timeouts:,}", "timeout" if timeouts == 1 else "timeouts", note)


def spurious_figure(spurious: int, undetermined: int, again: int, sure: str = "") -> Figure:
    """How many of what was sent `again` were spurious: no 0 where most of it is undetermined."""
    count = "?" if not spurious and 2 * undetermined > again else f"{spurious:,}"
    cannot = f"{undetermined:,} undetermined" if undetermined else ""
    return Figure(count, "of these spurious", "; ".join(filter(None, (sure, cannot))))


def _shares(recoveries: Sequence[Recovery]) -> list[Share]:
    found = []
    for verdict, word in VERDICT.items():
        classes: dict[int, int] = {}
        for one in recoveries:
            for confidence, count in one.verdicts.get(verdict, {}).items():
                classes[confidence] = classes.get(confidence, 0) + count
        best_first = sorted(classes.items(), reverse=True)
        found.append(Share(verdict.value, word, sum(classes.values()), best_first))
    return found


def _section(capture: Capture, association: Association, ends: Ends) -> Section:
    features = f"; {', '.join(association.features)}" if association.features else ""
    return Section(
        number=ends.assoc,
        title=ends_text(ends),
        life=f"{life(ends)}{features}",
        ways=[_way(capture, one) for one in association.directions if one.data],
    )


def _way(capture: Capture, direction: Direction) -> Way:
    sender = "a" if direction.name == Dir.A2B else "b"
    again = direction.told("transmissions").where(kind=Kind.RETRANSMISSION.value)
    own = [
        one
        for one in capture.summary.findings
        if (one.assoc, one.dir) == (direction.assoc, direction.name)
    ]
    recovery = direction.sender.recovery
    waits = waited(direction)
    return Way(
        direction=direction,
        anchor=f"{direction.name}-{direction.assoc}",
        sender=sender,
        ends=f"{end_text(direction.sender)} to {end_text(direction.receiver)}",
        lines=list(_lines(sender, direction)),
        shares=_shares([recovery] if recovery else []),
        causes=list(_causes(again)),
        versus=versus(direction),
        waited=waits,
        stories=stories(capture, direction, own, _STORIES),
        again=list(again[:_RETRANSMISSIONS]),
        retransmissions=len(again),
        clean="" if len(again) or own else _clean(direction, waits),
    )


def _clean(direction: Direction, waits: Waited) -> str:
    """Of a direction without retransmissions and findings; empty where something was lost."""
    data, recovery = direction.data, direction.sender.recovery
    if not data or not recovery or recovery.lost:
        return ""
    arrived = "all acknowledged" if data.acked == data.tsns else f"{data.acked:,} acknowledged"
    text = f"{many(data.chunks, 'chunk')}, {many(data.bytes, 'byte')} of user data, {arrived}"
    if took := direction.sender.delivery:
        text += f"; {delivery_line(took, recovery)}"
    if waits.most:
        text += f"; {waits.most}"
    return f"{text}. Nothing lost, nothing sent again."


#: Lines of `analyze` that tables of the page tell more of.
_TOLD_ELSEWHERE = "sent again"


def _lines(name: str, direction: Direction) -> Iterator[tuple[str, str]]:
    """Those of `analyze`, less what stands elsewhere on the page."""
    data, recovery = direction.data, direction.sender.recovery
    if not data:
        return
    yield "sent", f"{many(data.chunks, 'chunk')}, {many(data.bytes, 'byte')} of user data"
    yield "", tsns(data)
    if direction.sender.delivery:
        yield "delivered", delivery_line(direction.sender.delivery, recovery)
    block = ""
    timed = direction.of_time is not None
    for label, text in recovery_lines(name, data, recovery, timed=timed) if recovery else ():
        block = label.removeprefix(f"{name} ") or block
        if block != _TOLD_ELSEWHERE:
            yield label.removeprefix(f"{name} "), text


def _causes(again: Table) -> Iterator[CauseRow]:
    """The most frequent first."""
    by_code, verdict_codes = again.codes("cause"), again.codes("verdict")
    classes = np.ma.filled(again["cause_class"], 0)
    found = dict[Cause, npt.NDArray[np.bool_]]()
    for code in by_code[np.sort(np.unique(by_code, return_index=True)[1])].tolist():
        cause = list(Cause)[code] if code >= 0 else Cause.UNKNOWN
        found[cause] = found.get(cause, False) | (by_code == code)
    for cause, rows in sorted(found.items(), key=lambda item: -int(item[1].sum())):
        verdicts = np.bincount(verdict_codes[rows] + 1, minlength=1 + len(Verdict))
        verdicts[1 + list(Verdict).index(Verdict.UNDETERMINED)] += verdicts[0]
        known = classes[rows & (classes > 0)]
        least, most = (int(known.min()), int(known.max())) if len(known) else (0, 0)
        yield CauseRow(
            cause=cause.value,
            how=NOUN[cause],
            count=int(rows.sum()),
            verdicts=[int(verdicts[1 + list(Verdict).index(verdict)]) for verdict in VERDICT],
            classes=f"{least}–{most}" if least < most else f"{most or ''}",
        )
