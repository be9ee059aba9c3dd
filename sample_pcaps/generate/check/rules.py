# SPDX-License-Identifier: BSD-2-Clause
"""The rules that a run must keep. Each yields what breaks it, with the file and the frame."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from ..run import TAPS
from .seen import Acknowledged, Frame

Record = dict[str, Any]
_SHUTDOWN_COMPLETE = 14
_DOUBLED_WITHIN_NS = 25_000  #: a little more than a tap takes to have a packet again
_LISTS = ("transmissions", "network_duplicates", "capture_duplicates")


@dataclass(frozen=True)
class Fault:
    """A rule is broken."""

    file: str
    frame: int | None
    what: str

    def __str__(self) -> str:
        return f"{self.file}{'' if self.frame is None else f' frame {self.frame}'}: {self.what}"


@dataclass(frozen=True)
class Checked:
    """A run: its truth, and at each tap what tshark sees."""

    document: Record
    seen: dict[str, list[Frame]]

    @cached_property
    def transmissions(self) -> list[Record]:
        return list(self.document["transmissions"])

    @cached_property
    def clock_ns(self) -> int:
        return int(self._options.get("clock_ns", 1))

    @cached_property
    def misses(self) -> bool:
        """Whether something that passed a tap may not be in its file."""
        return bool({"capture_loss", "skip_ms", "snaplen"} & self._options.keys())

    @cached_property
    def doubles(self) -> bool:
        return "capture_dup" in self._options

    @cached_property
    def host_of(self) -> dict[str, str]:
        """Of an address."""
        if "addresses" in self.document:
            told = self.document["addresses"].items()
            return {address: host for host, addresses in told for address in addresses}
        found: dict[str, str] = {}
        for record in self.transmissions:
            for tap, at in record["frames"].items():
                if at is not None and at <= len(self.seen[tap]):
                    found.setdefault(self.seen[tap][at - 1].source, record["dir"][0])
            if len(found) == 2:
                break
        if len(found) == 1:  # data goes one way
            (address, host), other = *found.items(), {"a": "b", "b": "a"}
            sources = {frame.source for frames in self.seen.values() for frame in frames}
            found |= dict.fromkeys(sources - {address}, other[host])
        return found

    @property
    def _options(self) -> Record:
        return dict(self.document["capture_options"])

    def stack_of(self, host: str) -> str:
        """The stack's name."""
        main = self.document["tap_at"]["sender"]
        own = str(self.document["stack"])
        return own if host == main else str(self.document.get("receiver_stack", own))

    def tap_at(self, host: str) -> str:
        return next(str(tap) for tap, at in self.document["tap_at"].items() if at == host)

    def offset_ns(self, tap: str) -> int:
        return int(self.document["clock_offset_ns"].get(tap, 0))

    def as_written(self, tap: str, time_ns: int) -> int:
        """By the tap's own clock."""
        return (time_ns + self.offset_ns(tap)) // self.clock_ns * self.clock_ns

    def fault(self, tap: str, frame: int | None, what: str) -> Fault:
        return Fault(str(self.document["captures"][tap]), frame, what)

    def taps_of(self, record: Record) -> tuple[str, str]:
        """At the host that sends it, and at the other."""
        sender, receiver = record["dir"][0], record["dir"][2]
        return self.tap_at(sender), self.tap_at(receiver)


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
    not before. A host that takes its time may send an older acknowledgement in between."""
    takes_ns = 2000 * (int(run.document["scenario"]["host_jitter_us"]) + 1)
    takes_ns += _DOUBLED_WITHIN_NS if run.doubles else 0
    for host, other in ("ba", "ab"):
        tap, answers = run.tap_at(host), _answers(run, host)
        said = list(zip(answers.numbers, answers.said, strict=True))
        skipped = skipped_to(run, other)
        first = _first_accepted(run, f"{other}2{host}")
        for tsn, record in first.items():
            first_said = answers.reach(tsn)
            if record is None:
                at = next((n for n, one in said[first_said:] if one.covers(tsn)), None)
                if at is not None and not is_below(tsn, skipped):
                    yield run.fault(tap, at, f"TSN {tsn} is acknowledged and never arrived")
                continue
            begins = run.as_written(tap, record["arrive_ns"])
            frame = record["frames"][tap]
            early = bisect_left(answers.times_ns, begins - run.clock_ns)
            if frame is not None:
                early = bisect_left(answers.numbers, frame)
            for n, one in said[first_said:early]:
                if one.covers(tsn) and not is_below(tsn, skipped):
                    yield run.fault(tap, n, f"TSN {tsn} is acknowledged before it arrived")
                    break
            late = bisect_left(answers.times_ns, begins + takes_ns + run.clock_ns)
            for n, one in said[late : answers.settle(tsn)]:
                if not one.covers(tsn) and not _is_left_out(run, host, one, tsn):
                    yield run.fault(tap, n, f"TSN {tsn} is not acknowledged, and was delivered")
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


def skipped_to(run: Checked, sender: str) -> int | None:
    """The highest TSN that a FORWARD-TSN of a host tells to skip, at any tap."""
    highest: int | None = None
    for frames in run.seen.values():
        for frame in frames:
            for tsn in frame.forward:
                if run.host_of.get(frame.source) == sender and not is_below(tsn, highest):
                    highest = tsn
    return highest


def is_below(tsn: int, highest: int | None) -> bool:
    return highest is not None and (highest - tsn) % 2**32 < 2**31


def _is_left_out(run: Checked, host: str, said: Acknowledged, tsn: int) -> bool:
    """usrsctp 0.9.5.0 counts one TSN too few where its map spans TSN 0 (sctp_send_sack), and so
    forgets the newest at a byte's end."""
    return run.stack_of(host) == "usrsctp" and said.cum_tsn > tsn


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
    for host in "ab":
        tap, skipped = run.tap_at(host), skipped_to(run, "b" if host == "a" else "a")
        reported: Counter[int] = Counter()
        for frame in run.seen[tap]:
            if run.host_of.get(frame.source) == host:
                reported.update(frame.duplicates)
        for tsn, count in reported.items():
            copies = arrived[host, tsn] - (not is_below(tsn, skipped))
            if count > (1 + run.doubles) * copies:
                yield run.fault(tap, None, f"TSN {tsn} is reported {count} times as a duplicate")


RULES: tuple[Callable[[Checked], Iterator[Fault]], ...] = (
    frames_are_as_many_as_told,
    each_chunk_is_where_it_is_told,
    times_are_as_told,
    repetitions_come_later,
    what_passed_is_there,
    copies_and_spuriousness_agree,
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
