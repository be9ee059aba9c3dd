# SPDX-License-Identifier: BSD-2-Clause
"""What the queue of one run holds over time: Figures 10 to 12."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sctp_rack.what_if.queue import QueueWalk, Step

from bench.nrsack.greedy_run import GreedyRun
from bench.nrsack.measured import captured
from bench.nrsack.paper import LOADS, REPORTED, TWO_PATHS, WARM_UP, Case
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.scenario import SECOND

#: The paper's: CMT, the heavy load on the first path, the smallest buffer.
CASE = Case(2, LOADS[-1], TWO_PATHS[0])
SEED = REPORTED[0]

_EVERY_NS = 10 * MS


@dataclass(frozen=True)
class Moment:
    """Bytes of user data."""

    acks: str
    time_s: float
    kept: int
    outstanding: int


def moments(*, nr_sack: bool) -> Iterator[Moment]:
    """Behind the warm-up."""
    run = GreedyRun(CASE.scenario(SEED, nr_sack=nr_sack), CASE.greedy)
    run.run()
    steps = QueueWalk(captured(run).associations[0].a2b).steps()
    acks = "NR-SACK" if nr_sack else "SACK"
    begin_ns, end_ns = WARM_UP * SECOND, CASE.end * SECOND
    for time_ns, step in sampled(steps, run.start_ns + begin_ns, run.start_ns + end_ns, _EVERY_NS):
        since_s = (time_ns - run.start_ns) / SECOND
        yield Moment(acks, round(since_s, 3), step.kept, step.outstanding)


def sampled(
    steps: Iterable[Step], begin_ns: int, end_ns: int, every_ns: int
) -> Iterator[tuple[int, Step]]:
    """The step that lasts at each of these times."""
    at = begin_ns
    for step in steps:
        while step.begin_ns <= at < min(step.end_ns, end_ns):
            yield at, step
            at += every_ns
