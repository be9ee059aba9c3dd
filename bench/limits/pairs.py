# SPDX-License-Identifier: BSD-2-Clause
"""How close the rate predicted for twice the peer's window is to that of the same run with it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as File
from random import Random

import sctp_rack
from sctp_rack.limits.shares import TABLES, LimitedDirection, limited_directions

from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk

STACKS = (Stack.USRSCTP, Stack.PION, Stack.DCSCTP)
COUNT = 40

#: Of what chooses the runs: those that the rules were made on, and those that are only reported.
LOOKED_AT, REPORTED = 4711, 4712

#: Of the rate, so much a prediction may be off.
NEAR = 0.1


@dataclass(frozen=True)
class Pair:
    """Bits per second: predicted from the first run, and measured in the second."""

    scenario: Scenario
    predicted: float | None
    measured: float

    @property
    def near(self) -> bool:
        """Whether the prediction was good."""
        return (
            self.predicted is not None
            and abs(self.predicted - self.measured) <= NEAR * self.measured
        )


def scenarios(count: int = COUNT, seed: int = REPORTED) -> Iterator[Scenario]:
    """Transfers over paths of many lengths, with receive buffers that are too small."""
    dice = Random(seed)
    for at in range(count):
        stack = STACKS[at % len(STACKS)]
        way = Path(delay_ns=dice.randint(12, 100) * MS, bits_per_s=50_000_000)
        buffer = dice.randint(16, 72) * 1000
        size = dice.choice((400, 1000, 1100))
        yield Scenario(
            f"pair-{at}",
            "a receive buffer that is too small",
            stack,
            9600 + at,
            bulk(dice.choice((25, 40)) * buffer // size, size),
            forth=way,
            back=way,
            mtu=1200,
            rcvbuf=buffer,
        )


def pair_of(scenario: Scenario, folder: File) -> Pair:
    """The run, and the same with twice the buffer."""
    before = limits_of(scenario, folder)
    after = limits_of(replace(scenario, rcvbuf=2 * scenario.rcvbuf), folder)
    return Pair(scenario, before.mean_rate_doubled, after.mean_rate)


def limits_of(scenario: Scenario, folder: File) -> LimitedDirection:
    """What is said of a run at its sender."""
    run = Run(scenario)
    run.run()
    path = folder / f"{scenario.name}.pcap"
    write_pcap(path, scenario.encapsulation.link_type, run.taps["sender"].frames(run.start_ns))
    capture = sctp_rack.read(path, tables=TABLES)
    (direction,) = limited_directions(capture, direction="a2b")
    return direction
