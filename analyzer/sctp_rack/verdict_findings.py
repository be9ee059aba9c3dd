# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know about loss recovery: waits that RACK-TLP ends, spurious repetitions.

Every rule but the last needs a retransmission with a verdict, so a capture in which nothing was
lost and nothing sent twice has no finding above a note.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sctp_rack.counted import many
from sctp_rack.durations import duration
from sctp_rack.finding import CaptureFinding
from sctp_rack.names import Answer, Dir, Finding, Severity, Verdict
from sctp_rack.recovery import SACK_DELAY, Recovery, Tally
from sctp_rack.resends import Resends
from sctp_rack.resent import Group
from sctp_rack.session import MAX_ACK_DELAY
from sctp_rack.timeouts import Timeout

_RACK = "RACK-TLP (RFC 8985)"


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
        text: str,
        severity: Severity = Severity.WARNING,
    ) -> CaptureFinding:
        way = "a to b" if self.dir == Dir.A2B else "b to a"
        text = f"Association {self.assoc}, {way}: {text}"
        return CaptureFinding(severity, code, rows.frames, text, self.assoc, self.dir)


def _storms(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions of one timeout, most of them spurious (RFC 8985 section 3.5)."""
    resends = one.resends
    told = [(f"the timeout at frame {storm.frame}", storm) for storm in resends.storms]
    if resends.more_storms:
        more = f"{many(resends.more_storms, 'more timeout')}, not listed one by one,"
        told.append((more, resends.other_storms))
    for which, storm in told:
        yield report(
            Finding.SPURIOUS_STORM,
            storm.resent,
            f"{which} sent {storm.resent.count:,} chunks again, "
            f"{_all_or(storm.spurious, storm.resent.count)} of them spuriously "
            f"({storm.spurious_bytes:,} bytes): look for what held "
            f"the answers back. F-RTO (RFC 5682) stops after the first; {_young(storm)}.",
        )


def _go_back_n(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """What a timeout marked though it had arrived, where that is no storm already."""
    calm = one.resends.calm
    if calm.arrived.count:
        yield report(
            Finding.GO_BACK_N_ARRIVED,
            calm.arrived,
            f"{many(calm.arrived.count, 'chunk')} that had arrived {_were(calm.arrived)} sent "
            "again after a timeout (go-back-N): the first answer would have told; "
            f"{_young(calm)}.",
        )


def _young(timeout: Timeout) -> str:
    """What RACK's own timeout spares: what is younger than a round trip when it comes."""
    return (
        f"{_RACK} probes with one chunk first, and at its timeout leaves alone what is younger "
        f"than a round trip (section 6.3): {timeout.young:,} of them"
    )


def _lost_again(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """A retransmission was lost, which missing reports do not show (RFC 9260 section 7.2.4)."""
    rows = one.resends.lost_again
    if rows.count:
        yield report(
            Finding.LOST_RETRANSMISSION_TIMEOUT,
            rows,
            f"{many(rows.count, 'retransmission')} {_were(rows)} lost too and waited "
            f"{_for_t3(rows)}; {_rack_first(one.resends)}.",
        )


def _tail(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies lost behind which nothing was acknowledged: only T3-rtx repairs them."""
    rows = one.resends.tail
    if not rows.count:
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
    rows = one.resends.too_soon
    if rows.count:
        seen = one.figures.sack_delay_ns
        timer = "PTO" if one.resends.too_soon_probes == rows.count else "RTO"
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
            f"{many(rows.count, 'timer')} expired spuriously, the soonest after "
            f"{duration(rows.shortest_ns)}: "
            f"{timer} is shorter than a round trip and the delay of the receiver's SACK ({held}); "
            f"{cure}.",
        )


def _reordering(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """First copies that missing reports or RACK called lost, and that came late."""
    rows = one.resends.reordered
    if rows.count:
        wrongly = one.figures.rack.false_marks
        more = f", and have marked {wrongly:,} wrongly in all" if wrongly else ""
        yield report(
            Finding.REORDERING_RETRANSMITS,
            rows,
            f"{many(rows.count, 'chunk')} {_were(rows)} sent again by feedback although "
            f"{'it' if rows.count == 1 else 'they'} only came late: the path reorders. {_RACK} "
            f"would {_without(rows)}{more}.",
        )


def _under_way(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    """Retransmissions that were repeated before they could be answered."""
    rows = one.resends.under_way
    if rows.count:
        yield report(
            Finding.RESENT_UNDER_WAY,
            rows,
            f"{many(rows.count, 'chunk')} {_were(rows)} sent again while the retransmission before "
            "was still to be answered: the sender counts missing reports that are older than it. "
            f"{_RACK} would {_without(rows)}.",
        )


def _no_reports(one: _Direction, report: _Report) -> Iterator[CaptureFinding]:
    if any(way.dup_capable == Answer.NO for way in one.figures.paths):
        open_ = sum(one.figures.verdicts.get(Verdict.UNDETERMINED, {}).values())
        cost = f"; {many(open_, 'retransmission')} cannot be judged for it" if open_ else ""
        yield report(
            Finding.NO_DUPLICATE_REPORTS,
            Group(),
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


def _for_t3(rows: Group) -> str:
    """How long the copies before waited: `1.00 s for T3-rtx`, or `up to 1.00 s …` of several."""
    up_to = "up to " if rows.waits > 1 else ""
    longest = f"{up_to}{duration(rows.longest_ns)} " if rows.waits else ""
    return f"{longest}for T3-rtx"


def _rack_first(resends: Resends) -> str:
    if not resends.led:
        return "RACK, too, sees such a loss only when data sent later is acknowledged"
    most = f"{'up to ' if resends.led > 1 else ''}{duration(resends.longest_lead_ns)}"
    return f"{_RACK} would have sent {resends.led:,} of them again {most} earlier"


def _all_or(count: int, total: int) -> str:
    return "all" if count == total else f"{count:,}"


def _without(rows: Group) -> str:
    """What RACK-TLP would have done of them, some of which it never marked."""
    if rows.spared == 0:
        return "have marked it too" if rows.count == 1 else "have marked all of them too"
    if rows.spared == rows.count:
        return "not have sent it" if rows.count == 1 else "have sent none of them"
    return f"not have sent {rows.spared:,} of them"


def _were(rows: Group) -> str:
    return "was" if rows.count == 1 else "were"


def _times(rows: Group) -> str:
    return "once" if rows.count == 1 else f"{rows.count:,} times"
