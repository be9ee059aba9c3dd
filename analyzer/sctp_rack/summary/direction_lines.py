# SPDX-License-Identifier: BSD-2-Clause
"""What the summary of an association says of loss and recovery in one direction, line by line."""

from collections.abc import Iterator, Mapping

from sctp_rack.names import Answer, Cause, Outcome, Probe, ToldWhat, Vantage, Verdict
from sctp_rack.recovery.delivery import Delivery
from sctp_rack.recovery.direction import Recovery, Way
from sctp_rack.summary.summary import Data
from sctp_rack.wording.causes import NOUN
from sctp_rack.wording.counted import many
from sctp_rack.wording.durations import duration
from sctp_rack.wording.rates import rate

#: How verdicts read.
VERDICT = {
    Verdict.NEEDED: "needed",
    Verdict.SPURIOUS: "spurious",
    Verdict.UNDETERMINED: "undetermined",
}

#: How places of the tap read; the unknown one is left out.
VANTAGE = {
    Vantage.SENDER: "at the sender",
    Vantage.MIDDLE: "in the network",
    Vantage.RECEIVER: "at the receiver",
}

PROBE = {Probe.RETRANSMISSION: "of a TSN sent before", Probe.NEW_DATA: "of new data"}

#: Stacks as they write their names.
PROFILE = {
    "rfc8985": "RACK-TLP (RFC 8985)",
    "rfc9260": "RFC 9260",
    "pion": "pion",
    "usrsctp": "usrsctp",
    "dcsctp": "dcSCTP",
    "linux": "Linux",
}

#: Paths of a direction that are described.
_PATHS = 4


def delivery_line(delivery: Delivery, recovery: Recovery | None) -> str:
    """Goodput, how long messages took, and the longest stall."""
    parts = [rate(delivery.goodput_bps)] if delivery.goodput_bps is not None else []
    if recovery and {way.vantage for way in recovery.paths} == {Vantage.RECEIVER}:
        parts.append("message latency not to be seen at the receiver")
    elif took := delivery.latency:
        parts.append(
            f"message latency median {duration(took.median_ns)}, p95 {duration(took.p95_ns)}, "
            f"p99 {duration(took.p99_ns)}, max {duration(took.max_ns)}"
        )
    if longest := delivery.longest:
        parts.append(f"longest stall {duration(longest.length_ns)}")
    elif parts:
        parts.append("no stall")
    return "; ".join(parts) or "nothing that was acknowledged"


def recovery_lines(
    name: str, data: Data, recovery: Recovery, *, timed: bool = False
) -> Iterator[tuple[str, str]]:
    """Label and text of each line on what side `name` sent; labels of one block on its first.

    Where it is `timed` that was in a time, of which the end of the capture tells nothing.
    """
    yield f"{name} lost", _lost(data, recovery)
    if recovery.retransmissions:
        yield f"{name} sent again", _causes(recovery)
        yield "", _verdicts(recovery)
        yield "", _rack(recovery)
    elif recovery.rack.marks:
        yield "", _rack(recovery)
    if recovery.probes:
        yield "", _probes(recovery)
    if round_trip := _round_trip(recovery, timed=timed):
        yield "round trip", round_trip
    if answers := _answers(recovery):
        yield "answers", answers
    if recovery.paths and (told := parameters(recovery.paths[0])):
        yield "parameters", told
    for way in recovery.paths[:_PATHS]:
        where = f"{way.path}: " if len(recovery.paths) > 1 else ""
        yield "tap", where + tap(way)
    if len(recovery.paths) > _PATHS:
        yield "", f"and {len(recovery.paths) - _PATHS:,} more paths; --json has all of them"


def _lost(data: Data, recovery: Recovery) -> str:
    share = 100 * recovery.lost / data.chunks
    unknown = recovery.outcomes.get(Outcome.UNRESOLVED, 0)
    given_up = recovery.outcomes.get(Outcome.ABANDONED, 0)
    text = (
        f"{recovery.lost:,} of {many(data.chunks, 'transmission')} ({share:.1f} %), "
        f"{recovery.lost_tsns:,} of {many(data.tsns, 'TSN')}"
        if recovery.lost
        else "nothing that passed this tap"
        if recovery.verdicts.get(Verdict.NEEDED)
        else "nothing that can be seen"
    )
    text += f"; {given_up:,} given up, fate unknown" if given_up else ""
    return text + (f"; the fate of {unknown:,} is not known" if unknown else "")


def _causes(recovery: Recovery) -> str:
    causes = ", ".join(
        f"{count:,} {_sure(NOUN[Cause(cause)], recovery.cause_classes[cause])}"
        for cause, count in recovery.causes.items()
    )
    return f"{recovery.retransmissions:,}: {causes}"


def _verdicts(recovery: Recovery) -> str:
    """Verdicts with their classes, the best class first."""
    texts = []
    for verdict, word in VERDICT.items():
        classes = recovery.verdicts.get(verdict)
        if not classes:
            continue
        texts.append(f"{sum(classes.values()):,} {word} ({_classes(classes)})")
    return ", ".join(texts)


def _sure(noun: str, classes: Mapping[int, int]) -> str:
    """With its classes, in the brackets that it may end with."""
    told = _classes(classes)
    return f"{noun[:-1]}, {told})" if noun.endswith(")") else f"{noun} ({told})"


def _classes(classes: Mapping[int, int]) -> str:
    """How many have each class, the best first; the class alone where all have it."""
    total = sum(classes.values())
    return ", ".join(
        f"class {confidence}" if count == total else f"{count:,} class {confidence}"
        for confidence, count in sorted(classes.items(), reverse=True)
    )


def _rack(recovery: Recovery) -> str:
    rack, spurious = recovery.rack, recovery.spurious
    which = "all" if rack.false_marks == rack.marks else f"{rack.false_marks:,}"
    wrong = f", {which} of them wrongly" if rack.false_marks else ""
    text = f"RACK-TLP would have marked {f'{rack.marks:,}' if rack.marks else 'none'} lost{wrong}"
    if rack.avoided:
        text += (
            f"; it would have made none of the {spurious:,} spurious ones"
            if rack.avoided == spurious
            else f"; it would not have made {rack.avoided:,} of the {spurious:,} spurious ones"
        )
    if rack.saved.timeouts:
        text += (
            f"; it comes before {many(rack.saved.timeouts, 'timeout')}, "
            f"by {duration(rack.saved.largest_ns)} at most"
        )
    return text


def _probes(recovery: Recovery) -> str:
    counted = ", ".join(f"{count:,} {PROBE[Probe(p)]}" for p, count in recovery.probes.items())
    return f"tail loss probes: {counted}"


def _round_trip(recovery: Recovery, *, timed: bool) -> str:
    rtt = recovery.rtt
    if not rtt:
        return ""
    if {way.vantage for way in recovery.paths} == {Vantage.RECEIVER}:
        return f"not to be seen at the receiver, which answers within {duration(rtt.max_ns)}"
    smoothed = [way.srtt_ns for way in recovery.paths if way.srtt_ns is not None]
    text = (
        f"{duration(rtt.min_ns)} to {duration(rtt.max_ns)}, median {duration(rtt.median_ns)}"
        f" from the tap ({many(rtt.samples, 'sample')})"
    )
    if len(smoothed) == 1 and not timed:
        text += f"; SRTT at the end {duration(smoothed[0])}"
    return text


def _answers(recovery: Recovery) -> str:
    texts = []
    if recovery.sack_delay_ns:
        texts.append(f"SACKs delayed by up to {duration(recovery.sack_delay_ns)}")
    capable = {way.dup_capable for way in recovery.paths}
    if Answer.YES in capable:
        texts.append("duplicates are reported")
    elif Answer.NO in capable:
        texts.append("duplicates are never reported")
    return "; ".join(texts)


def parameters(way: Way) -> str:
    """What is known of the timers of both hosts and of when they act, with how often it was seen.

    They are those of the hosts, the same on each path.
    """
    texts = [
        _bounds("RTO.Initial", way.rto_initial_lo_ns, way.rto_initial_hi_ns, way.rto_initial_count),
        _bounds("RTO.Min", way.rto_min_lo_ns, way.rto_min_hi_ns, way.rto_min_count),
        _bounds("RTO.Max", way.rto_max_lo_ns, way.rto_max_hi_ns, way.rto_max_count),
        _bounds("SACK delay", way.sack_delay_lo_ns, way.sack_delay_hi_ns, way.sack_delay_count),
    ]
    if way.rto_backoff_lo is not None and way.rto_backoff_hi is not None:
        texts.insert(
            3,
            f"back-off {way.rto_backoff_lo:.2f} to {way.rto_backoff_hi:.2f}"
            f" ({way.rto_backoff_count:,})",
        )
    if way.sack_frequency_lo is not None:
        packets = many(way.sack_frequency_lo, "packet")
        texts.append(f"a SACK for {packets} ({way.sack_frequency_count:,})")
    if way.missing_reports_lo is not None:
        reports = many(way.missing_reports_lo, "missing report")
        texts.append(f"sent again at {reports} ({way.missing_reports_count:,})")
    return "; ".join(filter(None, texts))


def _bounds(name: str, low_ns: int | None, high_ns: int | None, count: int) -> str:
    if low_ns is None and high_ns is None:
        return ""
    if low_ns is None:
        between = f"at most {duration(high_ns or 0)}"
    elif high_ns is None:
        between = f"at least {duration(low_ns)}"
    else:
        between = f"{duration(low_ns)} to {duration(high_ns)}"
    return f"{name} {between} ({count:,})"


def tap(way: Way) -> str:
    """Where the capture was taken and whose sender it shows, with how sure that is."""
    vantage = VANTAGE.get(Vantage(way.vantage))
    where = (
        f"{vantage} ({how_sure(way.vantage_class)})" if vantage else "where it is cannot be told"
    )
    return "; ".join(filter(None, [where, _fitted(way), _whose(way)]))


def _fitted(way: Way) -> str:
    """Where another loop to the sender than the measured one explains more (`--loop`)."""
    if way.loop_fitted_ns is None or way.loop_hi_ns is None:
        return ""
    after, measured = duration(way.loop_fitted_ns), duration(way.loop_hi_ns)
    return f"what was sent again fits a loop to the sender of {after}, not the {measured} measured"


def how_sure(vantage_class: int | None) -> str:
    """How the place of the tap is known: measured, or told by the user."""
    return f"class {vantage_class}" if vantage_class else "as told"


def _whose(way: Way) -> str:
    if way.profile and ToldWhat.PROFILE in way.told:
        explained = "" if way.profile_score is None else f" (explains {_share(way)})"
        return f"the sender, as told, is {PROFILE[way.profile]}{explained}"
    if way.profile is None or way.profile_score is None:
        return "nothing was sent again that would tell whose sender it is"
    if way.profile_score == 0:
        return "the sender fits no known profile"
    rack = {
        Answer.YES: ", marks by time (RACK)",
        Answer.NO: ", no RACK",
    }.get(Answer(way.sender_has_rack or Answer.UNKNOWN), "")
    looks = "looks like" if way.profile_score >= 0.5 else "is hardly like any, most like"
    if way.sender_known == Answer.NO:
        looks = (
            "is unknown, behaves like" if way.profile_score >= 0.5 else "is unknown, hardly like"
        )
    return f"the sender {looks} {PROFILE[way.profile]} (explains {_share(way)}){rack}"


def _share(way: Way) -> str:
    return f"{100 * (way.profile_score or 0):.0f} %"
