# SPDX-License-Identifier: BSD-2-Clause
"""Runs of usrsctp that differ in when the receiver acknowledges, and in nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path as File

import sctp_rack
from sctp_rack.what_if.held_sacks import HeldSacks
from sctp_rack.what_if.what_if import TABLES

from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import Message, bulk

#: Packets to a SACK, and milliseconds; None: not asked for.
Rule = tuple[int | None, int | None]

RULES: tuple[Rule, ...] = ((1, None), (3, None), (None, 20), (None, 100), (None, 400), (1, 100))

#: Of the receiver at first: usrsctp's own (RFC 9260 section 6.2).
TODAY = 2, 200


@dataclass(frozen=True)
class Shown:
    """What a run is, and what is said of it."""

    said: HeldSacks
    #: Since the first data: when each message left, or the last of them, summed.
    left_ns: int


@dataclass(frozen=True)
class OtherRule:
    """What the first run says of the second."""

    data: str
    rule: Rule
    first: Shown
    other: Shown

    @property
    def waited_ns(self) -> int:
        """With the receiver's rule at first."""
        return self.first.said.waited_ns

    @property
    def was_ns(self) -> int:
        """With the other, by what the stack sent when."""
        return self.waited_ns + self.other.left_ns - self.first.left_ns

    @property
    def error(self) -> float:
        """Of the waiting with the other rule."""
        return abs(self.first.said.would_wait_ns - self.was_ns) / self.was_ns

    @property
    def within(self) -> bool:
        """The bounds that are said hold, up to a millisecond for each wait."""
        said = self.first.said
        slack_ns = said.waits * MS
        least, most = said.would_wait_least_ns, said.would_wait_most_ns
        return least - slack_ns <= self.was_ns <= most + slack_ns


def _two_small(seed: int) -> tuple[Message, ...]:
    """The second waits for the SACK of the first (Nagle)."""
    apart_ns = (611 + 7 * (seed % 10)) * MS
    return tuple(Message("a", n * apart_ns + m * 2 * MS, 200) for n in range(30) for m in range(2))


#: Whether the application goes on by a clock, whatever it waits for, and what it sends. A last
#: fragment is small (Nagle); the buffer has room for one message.
KINDS: tuple[tuple[str, bool, int], ...] = (
    ("two small messages at a time, Nagle", True, 0),
    ("messages of two packets, Nagle", True, 0),
    ("send buffer of one packet", False, 1_500),
)


def scenario(kind: int, seed: int) -> Scenario:
    """One of `KINDS`."""
    about, nagle, sndbuf = KINDS[kind]
    way = Path(delay_ns=(10 + seed % 10) * MS)
    messages = (
        _two_small(seed),
        bulk(30, 1500, interval_ns=700 * MS),
        bulk(60, 1000),
    )[kind]
    return Scenario(
        f"rule-{kind}-{seed}",
        about,
        Stack.USRSCTP,
        seed,
        messages,
        forth=way,
        back=way,
        mtu=1200,
        nagle=nagle,
        sndbuf=sndbuf,
        sack_delay_ms=TODAY[1],
        sack_every=TODAY[0],
    )


def _shown(one: Scenario, rule: Rule, folder: File) -> Shown:
    run = Run(one)
    run.run()
    path = folder / f"{one.name}.pcap"
    write_pcap(path, one.encapsulation.link_type, run.taps["sender"].frames(run.start_ns))
    every, delay_ms = rule
    found = sctp_rack.read(path, tables=TABLES).what_if(
        nr_sack=False, rack=False, sack_every=every, sack_delay_ms=delay_ms, direction="a2b"
    )
    assert found.sack_rule is not None
    left_ns = [sent.time_ns for sent in run.sent if sent.side == "a" and sent.copy == 1]
    # By a clock each message waits for itself alone; else each for all before it.
    late = left_ns if one.nagle else left_ns[-1:]
    return Shown(found.sack_rule[0], sum(at - left_ns[0] for at in late))


def with_rule(one: Scenario, rule: Rule, folder: File) -> OtherRule:
    """Runs both."""
    every, delay_ms = rule
    other = replace(
        one, sack_every=every or TODAY[0], sack_delay_ms=TODAY[1] if delay_ms is None else delay_ms
    )
    return OtherRule(one.about, rule, _shown(one, rule, folder), _shown(other, rule, folder))


def other_rules(seeds: range, folder: File) -> Iterator[OtherRule]:
    """Each kind of data with each rule and each seed."""
    for kind, rule, seed in product(range(len(KINDS)), RULES, seeds):
        yield with_rule(scenario(kind, seed), rule, folder)
