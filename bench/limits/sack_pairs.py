# SPDX-License-Identifier: BSD-2-Clause
"""How close the rate predicted for a SACK for each packet is to that of the same run with it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as File
from random import Random

from bench.limits.pairs import STACKS, Pair, limits_of
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import Message, bulk

COUNT = 20

#: Of what chooses the runs: those that the rules were made on, and those that are only reported.
LOOKED_AT, REPORTED = 4731, 4732

_MESSAGES = 60


def scenarios(count: int = COUNT, seed: int = REPORTED) -> Iterator[Scenario]:
    """Senders that wait for SACKs which usrsctp holds back, of the stacks that let it be chosen.

    Of four three have room for one message in their buffer; the fourth sends two small messages by
    a clock, of which the second waits for the SACK of the first (Nagle).
    """
    dice = Random(seed)
    for at in range(count):
        kind = at % (len(STACKS) + 1)
        nagle = kind == len(STACKS)
        stack = Stack.USRSCTP if nagle else STACKS[kind]
        own = stack is Stack.USRSCTP
        way = Path(delay_ns=dice.randint(5, 60) * MS, bits_per_s=50_000_000)
        size = dice.choice((200, 500)) if nagle else dice.choice((400, 1000, 1100))
        held_ms = dice.choice((20, 40, 100, 200, 400))
        apart_ns = (2 * held_ms + dice.randint(200, 700)) * MS
        pairs = (
            Message("a", n * apart_ns + m * 2 * MS, size)
            for n in range(_MESSAGES // 2)
            for m in range(2)
        )
        room = 0 if nagle else size + size // 2
        yield Scenario(
            f"sack-pair-{at}",
            "SACKs that are held back",
            stack,
            9800 + at,
            tuple(pairs) if nagle else bulk(_MESSAGES, size),
            forth=way,
            back=way,
            mtu=1200,
            nagle=nagle,
            rcvbuf=4_000_000,
            sndbuf=room if own else 0,
            undelivered=0 if own else room,
            undelivered_low=0 if own else size // 2,
            sack_delay_ms=held_ms,
            peer_stack=Stack.USRSCTP,
        )


def pair_of(scenario: Scenario, folder: File) -> Pair:
    """The run, and the same with a SACK for each packet."""
    before = limits_of(scenario, folder)
    after = limits_of(replace(scenario, sack_every=1), folder)
    return Pair(scenario, before.mean_rate_undelayed, after.mean_rate)
