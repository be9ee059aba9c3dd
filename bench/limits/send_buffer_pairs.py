# SPDX-License-Identifier: BSD-2-Clause
"""How close the rate predicted for a larger send buffer is to that of the same run with it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as File
from random import Random

from bench.limits.pairs import COUNT, REPORTED, STACKS, Pair, limits_of
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk

#: So much is sent: the last acknowledgement, which a receiver may hold back, hardly counts.
_BUFFERS = 100


def scenarios(count: int = COUNT, seed: int = REPORTED) -> Iterator[Scenario]:
    """Transfers over paths of many lengths, with send buffers that are too small."""
    dice = Random(seed)
    for at in range(count):
        stack = STACKS[at % len(STACKS)]
        way = Path(delay_ns=dice.randint(12, 100) * MS, bits_per_s=50_000_000)
        buffer = dice.randint(8, 40) * 1000
        size = dice.choice((400, 1000, 1100))
        own = stack is Stack.USRSCTP
        yield Scenario(
            f"send-buffer-pair-{at}",
            "a send buffer that is too small",
            stack,
            9700 + at,
            bulk(_BUFFERS * buffer // size, size),
            forth=way,
            back=way,
            mtu=1200,
            rcvbuf=4_000_000,
            sndbuf=buffer if own else 0,
            undelivered=0 if own else buffer,
            undelivered_low=0 if own else dice.choice((buffer // 2, buffer - size)),
        )


def pair_of(scenario: Scenario, folder: File) -> Pair:
    """The run, and the same with as much more of a buffer as the advice has."""
    before = limits_of(scenario, folder)
    level = next((one.outstanding_bytes for one in before.limits if one.limit == "send_buffer"), 0)
    more = (before.send_buffer or 2 * level) - level
    half = 2 * scenario.undelivered_low == scenario.undelivered
    larger = replace(
        scenario,
        sndbuf=scenario.sndbuf and scenario.sndbuf + more,
        undelivered=scenario.undelivered and scenario.undelivered + more,
        undelivered_low=scenario.undelivered_low
        and scenario.undelivered_low + (more // 2 if half else more),
    )
    after = limits_of(larger, folder)
    return Pair(scenario, before.mean_rate_buffered, after.mean_rate)
