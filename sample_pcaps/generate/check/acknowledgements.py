# SPDX-License-Identifier: BSD-2-Clause
"""The rules of acknowledgements: what a receiver says, against what truth says that it accepted."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from .checked import Checked, Fault, Record
from .seen import Acknowledged
from .unsaid import leaves_out, repeats_reports, takes_back, waits_ns

_SHUTDOWN_COMPLETE = 14


@dataclass(frozen=True)
class _Answers:
    """What a host acknowledges, in the order of its own tap."""

    numbers: list[int]
    times_ns: list[int]
    said: list[Acknowledged]

    def reach(self, tsn: int) -> int:
        """How many say nothing of a TSN so high: none of them covers it."""
        return bisect_left(self._highest, self._order(tsn))

    def settle(self, tsn: int) -> int:
        """From which on all cover it cumulatively."""
        return bisect_left(self._lowest, self._order(tsn))

    def until(self, run: Checked, record: Record) -> int:
        """How many are sent before the copy comes."""
        tap = run.taps_of(record)[1]
        if (frame := record["frames"][tap]) is not None:
            return bisect_left(self.numbers, frame)
        return bisect_left(self.times_ns, run.as_written(tap, record["arrive_ns"]) - run.clock_ns)

    def _order(self, tsn: int) -> int:
        """Orders TSNs, also where they wrap."""
        return (tsn - self.said[0].cum_tsn + 2**31) % 2**32 if self.said else 0

    @cached_property
    def _highest(self) -> list[int]:
        """The highest TSN of all up to each."""
        ends = ((one.cum_tsn, *(end for _, end in one.blocks)) for one in self.said)
        return list(accumulate((max(map(self._order, some)) for some in ends), max))

    @cached_property
    def _lowest(self) -> list[int]:
        """The lowest cumulative TSN from each on."""
        backwards = (self._order(one.cum_tsn) for one in reversed(self.said))
        return list(accumulate(backwards, min))[::-1]


def _answers(run: Checked, host: str) -> _Answers:
    tap = run.tap_at(host)
    frames = [
        frame
        for frame in run.seen[tap]
        if frame.acknowledged is not None and run.host_of.get(frame.source) == host
    ]
    return _Answers(
        [frame.number for frame in frames],
        [frame.time_ns for frame in frames],
        [frame.acknowledged for frame in frames if frame.acknowledged is not None],
    )


def acknowledgements_agree_with_fates(run: Checked) -> Iterator[Fault]:
    """At the tap of the host that gets it a TSN is acknowledged after its first accepted copy, and
    not before, unless it is taken back or abandoned. A host that takes its time may send an older
    acknowledgement in between."""
    for host, other in ("ba", "ab"):
        tap, way, stack = run.tap_at(host), f"{other}2{host}", run.stack_of(host)
        answers, thrown_away = _answers(run, host), _first_thrown_away(run, way)
        for tsn, record in _first_accepted(run, way).items():
            before = answers.reach(tsn)
            early = answers.until(run, record) if record else len(answers.said)
            at = next((n for n in range(before, early) if answers.said[n].covers(tsn)), None)
            if at is not None and (way, tsn) not in run.abandoned:
                came = thrown_away.get(tsn)
                was_there = came is not None and answers.until(run, came) <= at
                if not (was_there and takes_back(stack, answers.said[at:early], tsn)):
                    when = "before it arrived" if record else "and never arrived"
                    yield run.fault(tap, answers.numbers[at], f"TSN {tsn} is acknowledged {when}")
            if record is None:
                continue
            late_ns = run.as_written(tap, record["arrive_ns"]) + run.takes_ns + waits_ns(stack)
            for n in range(bisect_left(answers.times_ns, late_ns), answers.settle(tsn)):
                one = answers.said[n]
                if not one.covers(tsn) and not leaves_out(stack, one, tsn):
                    number = answers.numbers[n]
                    yield run.fault(
                        tap, number, f"TSN {tsn} is not acknowledged, and was delivered"
                    )
                    break


def _first_accepted(run: Checked, way: str) -> dict[int, Record | None]:
    """By TSN; None where no copy was, none at all where it cannot be said."""
    first: dict[int, Record | None] = {}
    unclear = set()
    for record in run.transmissions:
        if record["dir"] != way:
            continue
        tsn = record["tsn"]
        first.setdefault(tsn, None)
        earlier = first[tsn]
        if record["fate"] == "in_flight":
            unclear.add(tsn)
        if record["fate"] == "delivered" and (
            earlier is None or record["arrive_ns"] < earlier["arrive_ns"]
        ):
            first[tsn] = record
    return {tsn: record for tsn, record in first.items() if record or tsn not in unclear}


def _first_thrown_away(run: Checked, way: str) -> dict[int, Record]:
    """By TSN the copy that came first of those that the receiver did not keep."""
    first: dict[int, Record] = {}
    for record in run.transmissions:
        if record["dir"] == way and record["fate"] == "discarded":
            earlier = first.setdefault(record["tsn"], record)
            if record["arrive_ns"] < earlier["arrive_ns"]:
                first[record["tsn"]] = record
    return first


def what_was_delivered_is_acknowledged_in_the_end(run: Checked) -> Iterator[Fault]:
    """Where a tap has everything up to an orderly shutdown."""
    if run.misses or run.document["keylog"] is not None:
        return
    for host, other in ("ba", "ab"):
        tap = run.tap_at(host)
        if not any(_SHUTDOWN_COMPLETE in frame.chunk_types for frame in run.seen[tap]):
            continue
        own = [f for f in run.seen[tap] if run.host_of.get(f.source) == host]
        said = [f.acknowledged for f in own if f.acknowledged][-1:]
        said += [f.shut_down for f in own if f.shut_down]
        for tsn, record in _first_accepted(run, f"{other}2{host}").items():
            if record is not None and not any(one.covers(tsn) for one in said):
                at = record["frames"][tap]
                yield run.fault(tap, at, f"TSN {tsn} was delivered and is never acknowledged")


def duplicates_are_reported_only_where_copies_arrived(run: Checked) -> Iterator[Fault]:
    """No more often than copies came after the first, or after a FORWARD-TSN that skips it."""
    arrived = Counter(
        (record["dir"][2], record["tsn"])
        for record in run.transmissions
        if record["arrive_ns"] is not None
    ) + Counter((record["dir"][2], record["tsn"]) for record in run.document["network_duplicates"])
    for host, other in ("ab", "ba"):
        tap, way = run.tap_at(host), f"{other}2{host}"
        reported: Counter[int] = Counter()
        for frame in run.seen[tap]:
            if run.host_of.get(frame.source) == host:
                reported.update(frame.duplicates)
        for tsn, count in reported.items():
            copies = arrived[host, tsn] - ((way, tsn) not in run.abandoned)
            most = math.inf if copies and repeats_reports(run.stack_of(host)) else copies
            if count > (1 + run.doubles) * most:
                yield run.fault(tap, None, f"TSN {tsn} is reported {count} times as a duplicate")
