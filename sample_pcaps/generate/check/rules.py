# SPDX-License-Identifier: BSD-2-Clause
"""The rules that a run must keep. Each yields what breaks it, with the file and the frame."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from ..run import TAPS
from .acknowledgements import (
    acknowledgements_agree_with_fates,
    duplicates_are_reported_only_where_copies_arrived,
    what_was_delivered_is_acknowledged_in_the_end,
)
from .checked import Checked, Fault, Record
from .given_up import what_is_abandoned_was_given_up

_LISTS = ("transmissions", "network_duplicates", "capture_duplicates")


def frames_are_as_many_as_told(run: Checked) -> Iterator[Fault]:
    """In each file."""
    for tap in TAPS:
        told, seen = run.document["frames"][tap], len(run.seen[tap])
        if told != seen:
            yield run.fault(tap, None, f"{seen} frames, truth says {told}")


def each_chunk_is_where_it_is_told(run: Checked) -> Iterator[Fault]:
    """And nowhere else."""
    for tap in TAPS:
        told = Counter(
            (record["frames"][tap], record["tsn"])
            for kind in _LISTS
            for record in run.document[kind]
            if record["frames"].get(tap) is not None
        )
        seen = Counter((frame.number, tsn) for frame in run.seen[tap] for tsn in frame.tsns)
        for frame, tsn in sorted((told - seen).keys()):
            yield run.fault(tap, frame, f"TSN {tsn} is not there")
        for frame, tsn in sorted((seen - told).keys()):
            yield run.fault(tap, frame, f"TSN {tsn} is there, and not in the truth")


def times_are_as_told(run: Checked) -> Iterator[Fault]:
    """At the hosts to the nanosecond, in the middle between them."""
    for record in run.transmissions:
        own, other = run.taps_of(record)
        for tap, at in record["frames"].items():
            if at is None or at > len(run.seen[tap]):
                continue
            seen_ns = run.seen[tap][at - 1].time_ns
            least_ns = run.as_written(tap, record["t_ns"])
            most_ns = least_ns
            if tap != own and record["arrive_ns"] is not None:
                most_ns = run.as_written(tap, record["arrive_ns"])
            if tap == other:
                least_ns = most_ns
            open_end = tap == "middle" and record["arrive_ns"] is None
            if seen_ns < least_ns or (seen_ns > most_ns and not open_end):
                told = f"{least_ns}" if least_ns == most_ns else f"{least_ns} to {most_ns}"
                yield run.fault(tap, at, f"TSN {record['tsn']} at {seen_ns}, truth says {told}")


def repetitions_come_later(run: Checked) -> Iterator[Fault]:
    """What the network or a tap repeats, after what it repeats."""
    first = {(r["dir"], r["tsn"], r["copy"]): r for r in run.transmissions}
    for kind in _LISTS[1:]:
        for record in run.document[kind]:
            original = first.get((record["dir"], record["tsn"], record["copy"]))
            for tap, at in record["frames"].items():
                before = record.get("first_frame") or (original and original["frames"][tap])
                if original is None or (at is not None and before is not None and before >= at):
                    yield run.fault(tap, at, f"TSN {record['tsn']} repeats nothing before it")


def what_passed_is_there(run: Checked) -> Iterator[Fault]:
    """At its sender's tap always, further on as its fate says, unless a tap did not capture it."""
    for record in run.transmissions:
        own, other = run.taps_of(record)
        fate, arrived = record["fate"], record["arrive_ns"] is not None
        passed: dict[str, bool | None] = {own: True, "middle": None, other: arrived}
        if fate in ("delivered", "discarded", "dropped_after_middle"):
            passed["middle"] = True
        if fate == "dropped_before_middle":
            passed["middle"] = False
        if fate != "in_flight" and arrived != (fate in ("delivered", "discarded")):
            yield run.fault(other, record["frames"][other], f"TSN {record['tsn']} {fate}, arrived")
        for tap, here in passed.items():
            at = record["frames"][tap]
            if here is False and at is not None:
                yield run.fault(tap, at, f"TSN {record['tsn']} is there, truth says {fate}")
            if here and at is None and not run.misses:
                yield run.fault(tap, None, f"TSN {record['tsn']} is missing, truth says {fate}")


def copies_and_spuriousness_agree(run: Checked) -> Iterator[Fault]:
    """Copies are counted, and one is spurious where an earlier one was accepted."""
    copies: Counter[tuple[str, int]] = Counter()
    fates: dict[tuple[str, int], set[str]] = {}
    for record in run.transmissions:
        who = record["dir"], record["tsn"]
        copies[who] += 1
        earlier = fates.setdefault(who, set())
        again = copies[who] > 1
        spurious: bool | None = None
        if again and "delivered" in earlier:
            spurious = True
        elif again and "in_flight" not in earlier:
            spurious = False
        told = record["copy"], record["retransmission"], record["spurious"]
        if told != (copies[who], again, spurious):
            tap = run.taps_of(record)[0]
            yield run.fault(
                tap,
                record["frames"][tap],
                f"TSN {record['tsn']} is copy {copies[who]}"
                f", spurious {spurious}; truth says {told}",
            )
        earlier.add(record["fate"])


RULES: tuple[Callable[[Checked], Iterator[Fault]], ...] = (
    frames_are_as_many_as_told,
    each_chunk_is_where_it_is_told,
    times_are_as_told,
    repetitions_come_later,
    what_passed_is_there,
    copies_and_spuriousness_agree,
    what_is_abandoned_was_given_up,
    acknowledgements_agree_with_fates,
    what_was_delivered_is_acknowledged_in_the_end,
    duplicates_are_reported_only_where_copies_arrived,
)


def broken(run: Checked) -> Iterator[Fault]:
    """All that breaks a rule."""
    for rule in RULES:
        yield from rule(run)


def captures_of(document: Record, folder: Path) -> dict[str, Path]:
    return {tap: folder / str(document["captures"][tap]) for tap in TAPS}
