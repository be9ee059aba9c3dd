# SPDX-License-Identifier: BSD-2-Clause
"""What can be known at a tap: a run is made again with another truth; does the tap see it?"""

from dataclasses import replace
from typing import Literal

from .first_time import FirstTimes
from .link import MS, Carrier, Passage
from .loss import Passenger
from .run import TAPS, Carried, Run, Sent
from .scenario import SECOND, Scenario
from .wire import acknowledgement_of

Change = dict[int, Literal["drop", "deliver"]]  #: by number of the packet
Known = dict[str, bool | None]

_SAME_NS = MS // 10  #: what a tap cannot tell apart
_AT_MOST_NS = 3 * SECOND
_ACKNOWLEDGEMENTS = 3  #: the first that covers the TSN, and two more


class Twins:
    """Answers for one run, which must be over."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._carried = {carried.packet: carried for carried in run.carried}
        self._copies: dict[tuple[str, int], list[Sent]] = {}
        for sent in run.sent:
            self._copies.setdefault((sent.side, sent.tsn), []).append(sent)
        self._first_times = FirstTimes(run)
        self._alike: dict[tuple[tuple[int, str], ...], dict[str, bool]] = {}

    @property
    def count(self) -> int:
        """How many twins were made."""
        return len(self._alike)

    @staticmethod
    def can(scenario: Scenario) -> bool:
        """Hosts that take their time and taps that miss packets have dice of their own."""
        return not scenario.host_jitter_ns and not scenario.tap.loss and not scenario.tap.duplicate

    def verdict(self, sent: Sent) -> Known:
        """Can it be known whether this retransmission was needed?"""
        earlier = self._copies[sent.side, sent.tsn][: sent.copy - 1]
        accepted = [copy for copy in earlier if copy.accepted]
        lost = [copy for copy in earlier if copy.lost]
        changes: list[Change] = [{copy.packet: "deliver"} for copy in lost]
        if accepted:
            changes = [{copy.packet: "drop" for copy in accepted}]
        known = self._knowable(sent, changes)
        return {
            tap: False if known[tap] and self._first_times.looks_first(sent, tap) else known[tap]
            for tap in TAPS
        }

    def outcome(self, sent: Sent) -> Known:
        """Can it be known whether this copy arrived?"""
        if len(self._copies[sent.side, sent.tsn]) == 1 and sent.accepted:
            return self._known_at_its_taps(sent, dict.fromkeys(TAPS, True))
        changes: list[Change] = []
        if sent.lost:
            changes = [{sent.packet: "deliver"}]
        elif sent.accepted:
            changes = [{sent.packet: "drop"}]
        return self._knowable(sent, changes)

    def _knowable(self, sent: Sent, changes: list[Change]) -> Known:
        """One twin that looks the same is enough for not knowable; no twin: it was not tried."""
        if not changes:
            return dict.fromkeys(TAPS)
        alike = [self.looks_alike(change, sent) for change in changes]
        known = {tap: not any(twin[tap] for twin in alike) for tap in TAPS}
        return self._known_at_its_taps(sent, known)

    def _known_at_its_taps(self, sent: Sent, known: dict[str, bool]) -> Known:
        there = {
            self._run.tap_of(sent.side): True,
            "middle": sent.passed_middle,
            self._run.tap_of("b" if sent.side == "a" else "a"): sent.arrive_ns is not None,
        }
        return {tap: known[tap] if there[tap] else None for tap in TAPS}

    def looks_alike(self, change: Change, sent: Sent) -> dict[str, bool]:
        """Whether each tap sees the same, as long as answers to `sent` may differ."""
        until_ns = self._until(change, sent)
        key = (*sorted(change.items()), (until_ns, ""))
        if key not in self._alike:
            links: dict[str, Carrier] = {
                side: _Again([c for c in self._run.carried if c.side == side], change)
                for side in "ab"
            }
            twin = Run(self._run.scenario, links, self._run.closing_ns)
            twin.run(until_ns + SECOND // 10)
            self._alike[key] = {tap: _same(self._run, twin, tap, until_ns) for tap in TAPS}
        return self._alike[key]

    def _until(self, change: Change, sent: Sent) -> int:
        """Until when taps are compared: as long as the receiver's answers may differ."""
        packets = [self._carried[packet].passage for packet in (*change, sent.packet)]
        arrived_ns = max(passage.unless_lost[1] for passage in packets)
        answers = [
            carried.time_ns
            for carried in self._run.carried
            if carried.side != sent.side
            and carried.time_ns >= arrived_ns
            and carried.passage.end_ns is not None
            and (acknowledgement := acknowledgement_of(carried.sctp)) is not None
            and acknowledgement.covers(sent.tsn)
        ][:_ACKNOWLEDGEMENTS]
        ways_back = self._run.scenario.ways["b" if sent.side == "a" else "a"]
        latest_ns = arrived_ns + _AT_MOST_NS
        if not answers:
            return latest_ns
        return min(
            latest_ns, answers[-1] + 2 * max(way.delay_ns + way.jitter_ns for way in ways_back)
        )


class _Again:
    """A link on which each packet fares as it did, but for those that are changed."""

    def __init__(self, carried: list[Carried], change: Change) -> None:
        self._then: dict[bytes, list[Carried]] = {}
        self._change = change
        for one in carried:
            self._then.setdefault(one.sctp, []).append(one)

    def carry(self, time_ns: int, packet: bytes, passenger: Passenger) -> Passage:
        """Of equal packets it is the one sent at that time; what was not sent is lost at once."""
        equal = self._then.get(packet)
        if not equal:
            return Passage(packet)
        then = min(equal, key=lambda one: abs(one.time_ns - time_ns))
        equal.remove(then)
        later = time_ns - then.time_ns
        passage = _shifted(then.passage, later)
        match self._change.get(then.packet):
            case "drop":
                passage = replace(passage, end_ns=None, again=[])
            case "deliver":
                middle_ns, end_ns = then.passage.unless_lost
                passage = replace(passage, middle_ns=middle_ns + later, end_ns=end_ns + later)
        return passage


def _shifted(passage: Passage, later: int) -> Passage:
    return replace(
        passage,
        middle_ns=None if passage.middle_ns is None else passage.middle_ns + later,
        end_ns=None if passage.end_ns is None else passage.end_ns + later,
        again=[_shifted(again, later) for again in passage.again],
    )


def _same(run: Run, twin: Run, tap: str, until_ns: int) -> bool:
    """Whether both taps have the same SCTP packets at the same times; the IP-ID, which counts all
    that a host sends, is no evidence about this association."""
    ours = [seen for seen in run.taps[tap].in_order() if seen.time_ns <= until_ns]
    theirs = twin.taps[tap].in_order()
    if len(theirs) < len(ours) or any(
        seen.time_ns < until_ns - _SAME_NS for seen in theirs[len(ours) :]
    ):
        return False
    return all(
        ours_seen.sctp == seen.sctp and abs(ours_seen.time_ns - seen.time_ns) <= _SAME_NS
        for ours_seen, seen in zip(ours, theirs, strict=False)
    )
