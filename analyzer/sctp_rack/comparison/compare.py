# SPDX-License-Identifier: BSD-2-Clause
"""Captures compared line by line, the first with each of the others, and what to beware of."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sctp_rack.capture import Capture
from sctp_rack.comparison.comparison import Change, Comparison, Line, Value
from sctp_rack.comparison.measures import Measures, Quantiles, directions_of, measures_of
from sctp_rack.comparison.most import NOTABLE, changed
from sctp_rack.errors import UsageError
from sctp_rack.limits.words import NOUNS
from sctp_rack.names import Limit, Vantage
from sctp_rack.summary.direction_lines import VANTAGE
from sctp_rack.summary.only import no_data
from sctp_rack.summary.show import time_of_each
from sctp_rack.summary.summary import Summary
from sctp_rack.wording.durations import duration
from sctp_rack.wording.rates import (
    percent,
    rate,
    signed_count,
    signed_percent,
    signed_points,
)


@dataclass(frozen=True)
class _Kind:
    """How values of a line read, and their differences."""

    text: Callable[[float], str]
    change: Callable[[float, float], str]
    #: What is as good as nothing (`most.changed`).
    least: float = 0


def _relative(before: float, after: float) -> str:
    if before:
        return signed_percent(after / before - 1)
    return "new" if after else ""


def _difference(before: float, after: float) -> str:
    return signed_count(int(after) - int(before))


_RATE = _Kind(rate, _relative)
_TIME = _Kind(lambda time_ns: duration(int(time_ns)) if time_ns else "0", _relative)
_COUNT = _Kind(lambda count: f"{int(count):,}", _difference, least=1)
_SHARE = _Kind(percent, lambda before, after: signed_points(after - before), least=0.05)
_RATIO = _Kind(lambda ratio: f"{ratio:.3f}", _relative)
_AMOUNT = _Kind(lambda count: f"{int(count):,}", _relative)


def compare(
    captures: Mapping[str, Capture] | Iterable[tuple[str, Capture]],
    *,
    assoc: int | None = None,
    direction: str | None = None,
) -> Comparison:
    """Captures and their names; the first is what the others are measured by.

    They must have the tables `transmissions`, `sacks` and `messages`. `assoc` and `direction`
    (`a2b`, `b2a`) leave out the others; of a time are those that are (`Capture.between`). Raises
    `UsageError` where there are no captures, or one has no data there.
    """
    measures = []
    named = list(captures.items() if isinstance(captures, Mapping) else captures)
    if not named:
        raise UsageError("no capture to compare")
    for name, capture in named:
        directions = directions_of(capture, assoc=assoc, direction=direction)
        if not directions:
            raise no_data(name, capture.summary, assoc, direction)
        measures.append(measures_of(directions))
    compared = comparison_of([name for name, _ in named], measures)
    return replace(compared, time=_time(named[0][1].summary))


def _time(summary: Summary) -> str:
    time, first_ns = summary.of_time, summary.first_time_ns
    return "" if time is None or first_ns is None else time_of_each(time, first_ns)


def comparison_of(names: Sequence[str], measures: Sequence[Measures]) -> Comparison:
    """Of figures that are there already."""
    lines = list(_lines(measures))
    verdicts = [_verdict(measures[0], one) for one in measures[1:]]
    cautions = list(_cautions(names, measures))
    return Comparison(list(names), list(measures), lines, verdicts, cautions, _most(lines))


#: Figures that are told as those that changed most, and how many of a group.
_MOST, _OF_A_GROUP = 4, 2


def _most(lines: Sequence[Line]) -> list[Change]:
    """At most so many, and few of a group: percentiles of a latency change together."""
    ranked = sorted(
        (
            (-line.changed[at], line.group, line, at)
            for line in lines
            for at, better in enumerate(line.better)
            if better is not None and line.changed[at] > NOTABLE
        ),
        key=lambda one: one[0],
    )
    found, groups = list[Change](), Counter[str]()
    for _, group, line, at in ranked:
        groups[group] += 1
        if groups[group] <= _OF_A_GROUP and len(found) < _MOST:
            texts = line.texts[0], line.texts[at], line.changes[at]
            found.append(Change(at, group, line.label, *texts, line.better[at]))
    return found


@dataclass(frozen=True)
class _Figure:
    label: str
    kind: _Kind
    of: Callable[[Measures], Value]
    #: True where more is better, False where less is.
    more: bool | None = False
    #: Left out where it is nothing in all captures.
    seldom: bool = False


def _quantile(which: str, over: Callable[[Measures], Quantiles]) -> Callable[[Measures], Value]:
    return lambda measures: getattr(over(measures), which)


def _latency(of: str, over: Callable[[Measures], Quantiles]) -> Iterator[_Figure]:
    for label, which in (("p50", "p50_ns"), ("p90", "p90_ns"), ("p99", "p99_ns")):
        yield _Figure(f"{label} of {of}", _TIME, _quantile(which, over))


#: What the causes follow.
_RETRANSMISSIONS = "retransmissions"

#: What the limits follow.
_LIMITS = "What the senders waited for, share of their time"

_GROUPS: dict[str, list[_Figure]] = {
    "Conditions": [
        _Figure("round trip, median", _TIME, lambda one: one.rtt_ns, None),
        _Figure("transmissions lost", _SHARE, lambda one: one.lost_share, None),
        _Figure("user data acknowledged, bytes", _AMOUNT, lambda one: one.useful_bytes, None),
    ],
    "Speed": [
        _Figure("duration", _TIME, lambda one: one.duration_ns),
        _Figure("goodput", _RATE, lambda one: one.goodput_bps, True),
    ],
    _LIMITS: [],
    "Delivery latency": [
        *_latency("TSNs", lambda one: one.tsn_latency),
        *_latency("messages", lambda one: one.message_latency),
        _Figure("messages not delivered", _COUNT, lambda one: one.messages_pending),
        _Figure("messages given up", _COUNT, lambda one: one.messages_given_up, None, seldom=True),
    ],
    "Recovery": [
        _Figure("recoveries", _COUNT, lambda one: one.recoveries, None),
        _Figure("driven by timeouts", _COUNT, lambda one: one.timeout_recoveries),
        _Figure("time in recovery", _TIME, lambda one: one.in_recovery_ns),
        _Figure("share of all directions' time", _SHARE, lambda one: one.recovery_share),
        _Figure("waited for T3-rtx", _TIME, lambda one: one.waited_ns),
    ],
    "Cost": [
        _Figure(_RETRANSMISSIONS, _COUNT, lambda one: one.retransmissions),
        _Figure("spurious, of those judged", _SHARE, lambda one: one.spurious_share),
        _Figure("undetermined", _COUNT, lambda one: one.undetermined, None, seldom=True),
        _Figure("tail loss probes, also of new data", _COUNT, lambda one: one.probes, None),
        _Figure("bytes sent per useful byte", _RATIO, lambda one: one.bytes_per_useful),
    ],
}


def _lines(measures: Sequence[Measures]) -> Iterator[Line]:
    for group, figures in _GROUPS.items():
        if group == _LIMITS:
            yield from _limit_lines(measures)
        for figure in figures:
            if not figure.seldom or any(figure.of(one) for one in measures):
                yield _line(group, figure, measures)
            if figure.label == _RETRANSMISSIONS:
                for family in dict.fromkeys(name for one in measures for name in one.causes):
                    yield _line(group, _by_cause(family), measures)


def _limit_lines(measures: Sequence[Measures]) -> Iterator[Line]:
    """Of each limit there is, longest first in the capture that the others are measured by."""
    there = [limit for limit in Limit if any(one.limits_ns.get(limit) for one in measures)]
    for limit in sorted(there, key=lambda limit: -measures[0].limit_share(limit)):
        yield _line(_LIMITS, _by_limit(limit), measures)


def _by_limit(limit: Limit) -> _Figure:
    return _Figure(NOUNS[limit], _SHARE, lambda one: one.limit_share(limit), None)


def _by_cause(family: str) -> _Figure:
    return _Figure(family, _COUNT, lambda one: one.causes.get(family, 0), None)


def _line(group: str, figure: _Figure, measures: Sequence[Measures]) -> Line:
    values = [figure.of(one) for one in measures]
    changes, better = [""], [_better(figure, None, None)]
    for value in values[1:]:
        before = values[0]
        changes.append("" if before is None or value is None else figure.kind.change(before, value))
        better.append(_better(figure, before, value))
    texts = ["–" if value is None else figure.kind.text(value) for value in values]
    much = [changed(values[0], value, figure.kind.least) for value in values]
    return Line(group, figure.label, values, texts, changes, better, much)


def _better(figure: _Figure, before: Value, after: Value) -> bool | None:
    if figure.more is None or before is None or after is None or before == after:
        return None
    return (after > before) is figure.more


def _verdict(before: Measures, after: Measures) -> str:
    """What changed most first."""
    old, new = before.message_latency, after.message_latency
    clauses = [
        (changed(before.goodput_bps, after.goodput_bps), _speed(before, after)),
        (
            max(changed(old.p50_ns, new.p50_ns), changed(old.p99_ns, new.p99_ns)),
            _latencies(before, after),
        ),
        (changed(before.timeouts, after.timeouts, 1), _timeouts(before, after)),
        (changed(before.spurious, after.spurious, 1), _spurious(before, after)),
    ]
    clauses.sort(key=lambda one: -one[0])
    text = "; ".join(clause for _, clause in clauses if clause)
    return f"{text[0].upper()}{text[1:]}."


def _speed(before: Measures, after: Measures) -> str:
    if not before.goodput_bps or after.goodput_bps is None:
        return "no goodput to compare"
    change = after.goodput_bps / before.goodput_bps - 1
    if abs(change) < NOTABLE:
        return f"as much goodput ({rate(after.goodput_bps)})"
    return (
        f"{signed_percent(change)} goodput ({rate(before.goodput_bps)} → {rate(after.goodput_bps)})"
    )


def _latencies(before: Measures, after: Measures) -> str:
    old, new = before.message_latency, after.message_latency
    parts = [
        (changed(was, now), f"the {which} {_longer(was, now)}")
        for which, was, now in (
            ("median message", old.p50_ns, new.p50_ns),
            ("slowest hundredth of messages", old.p99_ns, new.p99_ns),
        )
        if was and now
    ]
    parts.sort(key=lambda one: -one[0])
    return ", ".join(text for _, text in parts)


def _longer(before_ns: int, after_ns: int) -> str:
    change = after_ns / before_ns - 1
    if abs(change) < NOTABLE:
        return f"as long ({duration(after_ns)})"
    return f"{signed_percent(change)} ({duration(before_ns)} → {duration(after_ns)})"


def _timeouts(before: Measures, after: Measures) -> str:
    if not before.timeouts and not after.timeouts:
        return ""
    return f"T3-rtx timeouts {before.timeouts:,} → {after.timeouts:,}"


def _spurious(before: Measures, after: Measures) -> str:
    return (
        f"spurious retransmissions {_of(before)} → {_of(after)}"
        if before.retransmissions or after.retransmissions
        else "nothing was sent again"
    )


def _of(one: Measures) -> str:
    return f"{one.spurious:,} of {one.retransmissions:,}"


#: Below so many messages the slowest hundredth is the slowest one or two.
_FEW = 200


def _cautions(names: Sequence[str], measures: Sequence[Measures]) -> Iterator[str]:
    taps = {tuple(one.vantages) for one in measures}  # of the directions that latencies are of
    if len(taps) > 1 or any(len(tap) > 1 for tap in taps):
        where = "; ".join(f"{name} {_tap(one)}" for name, one in zip(names, measures, strict=True))
        yield f"The captures were not taken at the same place ({where}): latencies differ by it."
    elif taps == {(Vantage.RECEIVER.value,)}:
        yield (
            "The captures were taken at the receiver: a TSN counts from its first copy that "
            "arrived there, so latencies leave losses out."
        )
    trips = [one.rtt_ns for one in measures if one.rtt_ns]
    if trips and max(trips) > 1.25 * min(trips):
        yield (
            "Round trips differ by more than a quarter: part of what differs is the network, "
            "or the queue that the senders fill."
        )
    losses = [one.lost for one in measures]
    if max(losses) > 10 + 2 * min(losses):
        yield "One capture has more than twice the losses of another."
    few = min(one.message_latency.count for one in measures)
    if few < _FEW:
        yield (
            f"With {few:,} messages the slowest hundredth is one or two of them: one loss in "
            "another place changes it."
        )
    if any(one.undetermined for one in measures):
        yield "Shares of spurious retransmissions leave out those that are undetermined."


def _tap(one: Measures) -> str:
    places = [VANTAGE.get(Vantage(word), "where it cannot be told") for word in one.vantages]
    return " and ".join(places) or "nowhere to be told"
