# SPDX-License-Identifier: BSD-2-Clause
"""How close the congestion window of the table `windows` is to the stack's own, each round trip."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import sctp_rack

from bench.limits.observed import ObservedRun
from bench.limits.scenarios import ONE_EACH
from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.scenario import Scenario
from sample_pcaps.generate.workload import Message

_LIMITED_BY = (
    *("peer-window", "congestion-window", "avoidance", "recovery"),
    *("application-fast", "application-paced"),
)
#: A probe and a HEARTBEAT of Linux make its window another, of other stacks they do not.
_ALSO = "linux-peer-closes"
_MESSAGE = 6000  #: bytes: its packets are full but the last, so that the MTU shows

#: What happens at the same time on the capture's clock, whose times are whole microseconds.
_SAME_NS = 2000


@dataclass(frozen=True)
class Closeness:
    """Round trips of a run: all, those with an estimate, and those where it is within one MTU."""

    all: int
    told: int
    close: int


def scenarios() -> Iterator[Scenario]:
    """Runs of each stack that tells its windows, with messages of several packets."""
    for one in (one for each in ONE_EACH.values() for one in each):
        if one.name.split("-", 1)[1] in _LIMITED_BY or one.name == _ALSO:
            yield replace(one, name=f"{one.name}-full-packets", messages=_larger(one))


def _larger(scenario: Scenario) -> tuple[Message, ...]:
    """As much, as evenly, in larger messages."""
    first, second = scenario.messages[:2]
    size = sum(one.size for one in scenario.messages)
    count = max(1, size // _MESSAGE)
    every_ns = (second.at_ns - first.at_ns) * len(scenario.messages) // count
    return tuple(replace(first, at_ns=at * every_ns, size=_MESSAGE) for at in range(count))


def closeness_of(scenario: Scenario, folder: Path) -> Closeness:
    """At the sender's tap, its stack told."""
    run = ObservedRun(scenario)
    run.run()
    path = folder / f"{scenario.name}.pcap"
    write_pcap(path, scenario.encapsulation.link_type, run.taps["sender"].frames(run.start_ns))
    capture = sctp_rack.read(path, tables=["windows"], profile=scenario.stack.value[0])
    direction = "a2b" if scenario.main == "a" else "b2a"
    rows = [row for row in capture.table("windows") if row["dir"] == direction]
    first_ns = next(one.time_ns for one in run.sent if one.side == scenario.main)
    told = close = at = 0
    for row in rows:
        end_ns = row["end_ns"] - rows[0]["begin_ns"] + first_ns + _SAME_NS
        while at + 1 < len(run.windows) and run.windows[at + 1].time_ns <= end_ns:
            at += 1
        if row["cwnd_least"] is None:
            continue
        told += 1
        near = row["cwnd_least"] - scenario.mtu, row["cwnd_most"] + scenario.mtu
        close += near[0] <= run.windows[at].cwnd <= near[1]
    return Closeness(len(rows), told, close)
