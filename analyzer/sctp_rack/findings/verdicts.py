# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know about loss recovery: waits that RACK-TLP ends, spurious repetitions.

Every rule but the last needs a retransmission with a verdict, so a capture in which nothing was
lost and nothing sent twice has no finding above a note.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sctp_rack.binding.told import MAX_ACK_DELAY
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.findings.say import say
from sctp_rack.names import Answer, Dir, Finding, Severity, Verdict
from sctp_rack.recovery.direction import SACK_DELAY, Recovery, Tally
from sctp_rack.recovery.retransmission import Group
from sctp_rack.recovery.retransmissions import Resends
from sctp_rack.recovery.timeouts import Timeout


@dataclass(frozen=True)
class _Direction:
    """What the rules look at."""

    figures: Recovery
    resends: Resends
    srtt_ns: int
    #: TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2), nanoseconds.
    max_ack_delay_ns: int


def verdict_findings(
    assoc: int,
    direction: str,
    figures: Recovery,
    tally: Tally,
    max_ack_delay_ns: int = MAX_ACK_DELAY,
) -> list[CaptureFinding]:
    """The findings on one direction, when all its rows were added."""
    if not tally.paths:
        return []
    one = _Direction(figures, tally.resends, tally.srtt_ns, max_ack_delay_ns)
    report = _Report(assoc, direction)
    return [finding for rule in _RULES for finding in rule(one, report)]


@dataclass(frozen=True)
class _Report:
    """Makes findings of one direction."""

    assoc: int
    dir: str

    def __call__(
        self,
        code: Finding,
        rows: Group,
        severity: Severity = Severity.WARNING,
        **values: int | str,
    ) -> CaptureFinding:
        way = "a to b" if self.dir == Dir.A2B else "b to a"
        text = say(code, where=f"Association {self.assoc}, {way}", **values)
        return CaptureFinding(severity, code, list(rows.frames), text, self.assoc, self.dir)


def _storms(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions of one timeout, most of them spurious (RFC 8985 section 3.5)."""
    resends = one.resends
    told = [(say("spurious_storm.one", frame=storm.frame), storm) for storm in resends.storms]
    if resends.more_storms:
        more = say("spurious_storm.more", timeouts=resends.more_storms)
        told.append((more, resends.other_storms))
    for which, storm in told:
        yield report(
            Finding.SPURIOUS_STORM,
            storm.resent,
            which=which,
            sent=storm.resent.count,
            spurious=_all_or(storm.spurious, storm.resent.count),
            bytes=storm.spurious_bytes,
            young=_young(storm),
        )


def _go_back_n(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """What a timeout marked though it had arrived, where that is no storm already."""
    calm = one.resends.calm
    if calm.arrived.count:
        yield report(
            Finding.GO_BACK_N_ARRIVED,
            calm.arrived,
            chunks=calm.arrived.count,
            young=_young(calm),
        )


def _young(timeout: Timeout) -> str:
    """What RACK's own timeout spares: what is younger than a round trip when it comes."""
    return say("timeout.young", young=timeout.young) if timeout.young else say("timeout.none_young")


def _lost_again(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """A retransmission was lost, which missing reports do not show (RFC 9260 section 7.2.4)."""
    rows = one.resends.lost_again
    if rows.count:
        yield report(
            Finding.LOST_RETRANSMISSION_TIMEOUT,
            rows,
            count=rows.count,
            waited=_for_t3(rows),
            rack=_rack_first(one.resends),
        )


def _tail(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies lost behind which nothing was acknowledged: only T3-rtx repairs them."""
    rows = one.resends.tail
    if not rows.count:
        return
    when = alone = ""
    if one.srtt_ns:
        when = say("tail_loss_timeout.when", after=2 * one.srtt_ns)
        if one.max_ack_delay_ns:
            alone = say("tail_loss_timeout.alone", delay=one.max_ack_delay_ns)
    yield report(
        Finding.TAIL_LOSS_TIMEOUT,
        rows,
        count=rows.packets,
        waited=_for_t3(rows),
        when=when,
        alone=alone,
    )


def _timer_too_short(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """A timer that expired before a SACK held back by the receiver could come."""
    rows = one.resends.too_soon
    if rows.count:
        # What a timer is held to: recovery/direction.py.
        delay_ns = max(one.figures.sack_delay_ns or 0, SACK_DELAY)
        seen = delay_ns == one.figures.sack_delay_ns
        timer = "PTO" if one.resends.too_soon_probes == rows.count else "RTO"
        held = "timer_before_sack.seen" if seen else "timer_before_sack.allowed"
        yield report(
            Finding.TIMER_BEFORE_SACK,
            rows,
            count=rows.packets,
            soonest=rows.shortest_ns,
            timer=timer,
            held=say(held, delay=delay_ns),
            cure=say(f"timer_before_sack.{timer.lower()}"),
        )


def _reordering(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies that missing reports or RACK called lost, and that came late."""
    rows = one.resends.reordered
    if rows.count:
        wrongly = one.figures.rack.false_marks
        yield report(
            Finding.REORDERING_RETRANSMITS,
            rows,
            count=rows.count,
            rack=_without(rows),
            wrongly=say("reordering_retransmits.wrongly", marks=wrongly) if wrongly else "",
        )


def _under_way(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions that were repeated before they could be answered."""
    rows = one.resends.under_way
    if rows.count:
        yield report(
            Finding.RESENT_UNDER_WAY,
            rows,
            count=rows.count,
            rack=_without(rows),
        )


def _no_reports(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    if any(way.dup_capable == Answer.NO for way in one.figures.paths):
        open_ = sum(one.figures.verdicts.get(Verdict.UNDETERMINED, {}).values())
        yield report(
            Finding.NO_DUPLICATE_REPORTS,
            Group(),
            Severity.NOTE,
            cost=say("no_duplicate_reports.cost", open=open_) if open_ else "",
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


def _for_t3(rows: Group) -> str:
    """How long the copies before waited: `1.00 s for T3-rtx`, or `up to 1.00 s …` of several."""
    if not rows.waits:
        return "for T3-rtx"
    return say("waited.t3", up_to="up to " if rows.waits > 1 else "", longest=rows.longest_ns)


def _rack_first(resends: Resends) -> str:
    if not resends.led:
        return say("lost_retransmission_timeout.same")
    return say(
        "lost_retransmission_timeout.earlier",
        led=resends.led,
        up_to="up to " if resends.led > 1 else "",
        lead=resends.longest_lead_ns,
    )


def _all_or(count: int, total: int) -> str:
    return "all" if count == total else f"{count:,}"


def _without(rows: Group) -> str:
    """What RACK-TLP would have done of them, some of which it never marked."""
    if rows.spared == 0:
        return say("feedback.too", count=rows.count)
    if rows.spared == rows.count:
        return say("feedback.spared", count=rows.count)
    return say("feedback.some", spared=rows.spared)
