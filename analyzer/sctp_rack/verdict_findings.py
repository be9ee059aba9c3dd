# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know about loss recovery: waits that RACK-TLP ends, needless repetitions.

Every rule but the last needs a retransmission with a verdict, so a capture in which nothing was
lost and nothing sent twice has no finding above a note.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sctp_rack.counted import many
from sctp_rack.durations import duration
from sctp_rack.finding import MOST_FRAMES, CaptureFinding
from sctp_rack.hindsight import AT_ONCE, BY_FEEDBACK, avoided, copy_before, leads
from sctp_rack.light_rows import AnyRow
from sctp_rack.names import (
    Answer,
    Cause,
    Dir,
    Finding,
    Kind,
    Profile,
    Resolution,
    Severity,
    Trigger,
    Verdict,
)
from sctp_rack.recovery import Recovery
from sctp_rack.session import MAX_ACK_DELAY
from sctp_rack.timeouts import Timeout, timeouts

#: Key of a row for the time at which the copy before was sent, nanoseconds; None where not known.
SENT_BEFORE = "sent_before_ns"

#: A timeout is a storm from so many retransmissions on.
STORM = 3

#: How long a receiver may hold back its SACK unless configured (RFC 9260 section 6.2), nanoseconds.
SACK_DELAY = 200_000_000

#: What clocks and hosts add to a wait that ends with a timer, nanoseconds.
_SLACK = 10_000_000

_RACK = "RACK-TLP (RFC 8985)"

_BY_TIMER = {Cause.T3, Cause.TLP}


@dataclass(frozen=True)
class _Direction:
    """What the rules look at."""

    figures: Recovery
    again: Sequence[AnyRow]
    #: Of the profile rfc8985.
    marks: Sequence[AnyRow]
    timeouts: Sequence[Timeout]
    #: Shortest and smoothed round trip over its paths, nanoseconds; 0 without.
    min_rtt_ns: int
    srtt_ns: int
    #: TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2), nanoseconds.
    max_ack_delay_ns: int


def verdict_findings(
    figures: Recovery,
    transmissions: Sequence[AnyRow],
    marks: Sequence[AnyRow],
    paths: Sequence[AnyRow],
    max_ack_delay_ns: int = MAX_ACK_DELAY,
) -> list[CaptureFinding]:
    """The findings on one direction, from its rows in the order of their tables.

    Of `transmissions` only retransmissions are looked at; each has `SENT_BEFORE` as well.
    """
    again = [row for row in transmissions if row["kind"] == Kind.RETRANSMISSION]
    if not paths:
        return []
    one = _Direction(
        figures,
        again,
        [mark for mark in marks if mark["profile"] == Profile.RFC8985],
        timeouts(again),
        min((path["min_rtt_ns"] or 0 for path in paths), default=0),
        max((path["srtt_ns"] or 0 for path in paths), default=0),
        max_ack_delay_ns,
    )
    place = paths[0]["assoc"], paths[0]["dir"]
    return [finding for rule in _RULES for finding in rule(one, _Report(*place))]


@dataclass(frozen=True)
class _Report:
    """Makes findings of one direction."""

    assoc: int
    dir: str

    def __call__(
        self,
        code: Finding,
        rows: Sequence[AnyRow],
        text: str,
        severity: Severity = Severity.WARNING,
    ) -> CaptureFinding:
        way = "a to b" if self.dir == Dir.A2B else "b to a"
        frames = sorted({row["frame"] for row in rows})[:MOST_FRAMES]
        text = f"Association {self.assoc}, {way}: {text}"
        return CaptureFinding(severity, code, frames, text, self.assoc, self.dir)


def _storms(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions of one timeout, most of them needless (RFC 8985 section 3.5)."""
    for timeout in one.timeouts:
        if not _is_storm(timeout):
            continue
        which = _all_or(len(timeout.needless), len(timeout.rows))
        wasted = sum(row["bytes"] or 0 for row in timeout.needless)
        yield report(
            Finding.SPURIOUS_STORM,
            timeout.rows,
            f"the timeout at frame {timeout.frame} sent {len(timeout.rows):,} chunks again, "
            f"{which} of them needlessly ({wasted:,} bytes): look for what held "
            f"the answers back. F-RTO (RFC 5682) stops after the first; {_young(one, [timeout])}.",
        )


def _is_storm(timeout: Timeout) -> bool:
    return len(timeout.rows) >= STORM and 2 * len(timeout.needless) >= len(timeout.rows)


def _go_back_n(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """What a timeout marked though it had arrived, where that is no storm already."""
    calm = [timeout for timeout in one.timeouts if not _is_storm(timeout)]
    rows = [row for timeout in calm for row in timeout.needless if row["cause"] == Cause.T3_GBN]
    if rows:
        yield report(
            Finding.GO_BACK_N_ARRIVED,
            rows,
            f"{many(len(rows), 'chunk')} that had arrived {_were(rows)} sent again after a timeout "
            "(go-back-N): the first answer would have told; "
            f"{_young(one, calm)}.",
        )


def _young(one: _Direction, by_timeout: Sequence[Timeout]) -> str:
    """What RACK's own timeout spares: what is younger than a round trip when it comes."""
    young = [
        row
        for timeout in by_timeout
        for row in timeout.needless
        if row[SENT_BEFORE] is not None and timeout.time_ns - row[SENT_BEFORE] < one.srtt_ns
    ]
    return (
        f"{_RACK} probes with one chunk first, and at its timeout leaves alone what is younger "
        f"than a round trip (section 6.3): {len(young):,} of them"
    )


def _lost_again(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """A retransmission was lost, which missing reports do not show (RFC 9260 section 7.2.4)."""
    rows = [row for row in _waited_for_t3(one) if row["copy"] > 2]
    if rows:
        yield report(
            Finding.LOST_RETRANSMISSION_TIMEOUT,
            rows,
            f"{many(len(rows), 'retransmission')} {_were(rows)} lost too and waited "
            f"{_for_t3(rows)}; {_rack_first(one, rows)}.",
        )


def _tail(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies lost behind which nothing was acknowledged: only T3-rtx repairs them."""
    shown = {mark["frame"] for mark in one.marks if mark["trigger"] in (Trigger.ACK, Trigger.TIMER)}
    rows = [
        row
        for row in _waited_for_t3(one)
        if row["copy"] == 2 and row["prev_frame"] not in shown and row["cause"] == Cause.T3
    ]
    if not rows:
        return
    probe = "a tail loss probe (RFC 8985 section 7.2) goes out after two round trips"
    if one.srtt_ns:
        probe += f", about {duration(2 * one.srtt_ns)} here"
        if one.max_ack_delay_ns:
            probe += f", {duration(one.max_ack_delay_ns)} more where one packet is outstanding"
    yield report(
        Finding.TAIL_LOSS_TIMEOUT,
        rows,
        f"the end of a flight was lost {_times(rows)} and waited {_for_t3(rows)}, since nothing "
        f"behind it could show the loss; {probe}.",
    )


def _timer_too_short(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """A timer that expired before a SACK held back by the receiver could come."""
    seen = one.figures.sack_delay_ns
    delay = max(seen or 0, SACK_DELAY)
    rows = [
        row
        for row in one.again
        if row["verdict"] == Verdict.SPURIOUS
        and row["cause"] in _BY_TIMER
        and row[SENT_BEFORE] is not None
        and row["time_ns"] - row[SENT_BEFORE] <= one.min_rtt_ns + delay + _SLACK
    ]
    if rows:
        waited = min(row["time_ns"] - row[SENT_BEFORE] for row in rows)
        timer = "PTO" if all(row["cause"] == Cause.TLP for row in rows) else "RTO"
        held = (
            f"it was seen to hold a SACK back for {duration(seen)}"
            if seen
            else f"RFC 9260 lets it hold a SACK back for {duration(SACK_DELAY)}"
        )
        cure = "raise RTO.min above that, or shorten the delay"
        if timer == "PTO":
            cure = "RFC 8985 section 7.2 adds that delay where one packet is outstanding"
        yield report(
            Finding.TIMER_BEFORE_SACK,
            rows,
            f"{many(len(rows), 'timer')} expired needlessly, the soonest after {duration(waited)}: "
            f"{timer} is shorter than a round trip and the delay of the receiver's SACK ({held}); "
            f"{cure}.",
        )


def _reordering(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies that missing reports or RACK called lost, and that came late."""
    rows = [row for row in _needless_by_feedback(one) if row["copy"] == 2]
    if rows:
        spared = len(avoided(rows, one.marks))
        false_marks = [mark for mark in one.marks if mark["resolution"] == Resolution.FALSE_MARK]
        more = f", and have marked {len(false_marks):,} wrongly in all" if false_marks else ""
        yield report(
            Finding.REORDERING_RETRANSMITS,
            rows,
            f"{many(len(rows), 'chunk')} {_were(rows)} sent again by feedback although "
            f"{'it' if len(rows) == 1 else 'they'} only came late: the path reorders. {_RACK} "
            f"would {_without(spared, len(rows))}{more}.",
        )


def _under_way(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions that were repeated before they could be answered."""
    rows = [row for row in _needless_by_feedback(one) if row["copy"] > 2]
    if rows:
        spared = len(avoided(rows, one.marks))
        yield report(
            Finding.RESENT_UNDER_WAY,
            rows,
            f"{many(len(rows), 'chunk')} {_were(rows)} sent again while the retransmission before "
            "was still to be answered: the sender counts missing reports that are older than it. "
            f"{_RACK} would {_without(spared, len(rows))}.",
        )


def _no_reports(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    if any(way.dup_capable == Answer.NO for way in one.figures.paths):
        open_ = sum(one.figures.verdicts.get(Verdict.UNDETERMINED, {}).values())
        cost = f"; {many(open_, 'retransmission')} cannot be judged for it" if open_ else ""
        yield report(
            Finding.NO_DUPLICATE_REPORTS,
            [],
            "the receiver never reports duplicates, so that the sender cannot learn that it sends "
            f"again too early{cost}.",
            Severity.NOTE,
        )


_RULES: tuple[Callable[[_Direction, _Report], Iterator[CaptureFinding]], ...] = (
    _storms,
    _lost_again,
    _tail,
    _timer_too_short,
    _reordering,
    _under_way,
    _go_back_n,
    _no_reports,
)


def _waited_for_t3(one: _Direction) -> list[AnyRow]:
    return [
        row for timeout in one.timeouts for row in timeout.rows if row["verdict"] == Verdict.NEEDED
    ]


def _needless_by_feedback(one: _Direction) -> list[AnyRow]:
    return [
        row
        for row in one.again
        if row["verdict"] == Verdict.SPURIOUS and row["cause"] in BY_FEEDBACK
    ]


def _for_t3(rows: Sequence[AnyRow]) -> str:
    """How long the copies before waited: `1.00 s for T3-rtx`, or `up to 1.00 s …` of several."""
    waits = [row["time_ns"] - row[SENT_BEFORE] for row in rows if row[SENT_BEFORE] is not None]
    longest = f"{'up to ' if len(waits) > 1 else ''}{duration(max(waits))} " if waits else ""
    return f"{longest}for T3-rtx"


def _rack_first(one: _Direction, rows: Sequence[AnyRow]) -> str:
    lead_of = leads(one.marks)
    earlier = [lead for row in rows if (lead := lead_of.get(copy_before(row), 0)) >= AT_ONCE]
    if not earlier:
        return "RACK, too, sees such a loss only when data sent later is acknowledged"
    most = f"{'up to ' if len(earlier) > 1 else ''}{duration(max(earlier))}"
    return f"{_RACK} would have sent {len(earlier):,} of them again {most} earlier"


def _all_or(count: int, total: int) -> str:
    return "all" if count == total else f"{count:,}"


def _without(spared: int, total: int) -> str:
    """What RACK-TLP would have done of `total` chunks, `spared` of which it never marked."""
    if spared == 0:
        return "have marked it too" if total == 1 else "have marked all of them too"
    if spared == total:
        return "not have sent it" if total == 1 else "have sent none of them"
    return f"not have sent {spared:,} of them"


def _were(rows: Sequence[AnyRow]) -> str:
    return "was" if len(rows) == 1 else "were"


def _times(rows: Sequence[AnyRow]) -> str:
    return "once" if len(rows) == 1 else f"{len(rows):,} times"
