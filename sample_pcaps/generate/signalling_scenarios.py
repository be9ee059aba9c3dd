# SPDX-License-Identifier: BSD-2-Clause
"""Signalling with one loss in a hundred: pauses of users, and pauses of timers among them."""

import math
from dataclasses import replace
from random import Random

from .link import MS, Path
from .loss import Independent
from .scenario import SECOND, Scenario, Stack
from .workload import Dialogue, Message, reports

_LOSS = (Independent(0.01),)


def _way(delay_ns: int) -> Path:
    return Path(delay_ns=delay_ns, losses=_LOSS)


def _thinks(count: int) -> tuple[int, ...]:
    """From 1 ms to 10 s, as often in each decade."""
    random = Random("thinks")
    low, high = math.log(1 * MS), math.log(10 * SECOND)
    return tuple(int(math.exp(random.uniform(low, high))) for _ in range(count))


def _bursts_near_timers(count: int, round_trip_ns: int) -> tuple[Message, ...]:
    """Bursts of one to six, and pauses nearly as long as timers of some stack."""
    random = Random("bursts")
    timers_ns = (200 * MS, 400 * MS, 1 * SECOND, 3 * SECOND, 2 * round_trip_ns + 200 * MS)
    messages: list[Message] = []
    now_ns = 0
    for _ in range(count):
        messages += [Message("a", now_ns, 150)] * random.randint(1, 6)
        since_ns = random.choice((0, round_trip_ns))  # data, or its feedback
        now_ns += random.choice(timers_ns) + since_ns + random.randint(-10 * MS, 10 * MS)
    return tuple(messages)


_COUNTED = (
    Scenario(
        "usrsctp-signalling-requests",
        "requests and responses with think times of 1 ms to 10 s, loss of 1 %",
        Stack.USRSCTP,
        301,
        (),
        _way(20 * MS),
        _way(20 * MS),
        dialogue=Dialogue(_thinks(300), 5 * MS, 120, 300),
        mtu=1400,
    ),
    Scenario(
        "usrsctp-signalling-reports",
        "reports each 20 ms, 100 ms, 400 ms, 1 s and 3 s, loss of 1 %",
        Stack.USRSCTP,
        302,
        reports(
            (
                *((20 * MS, 300), (100 * MS, 200), (400 * MS, 150)),
                *((1 * SECOND, 120), (3 * SECOND, 40)),
            ),
            200,
        ),
        _way(15 * MS),
        _way(15 * MS),
        mtu=1400,
    ),
    Scenario(
        "usrsctp-signalling-bursts",
        "bursts of one to six with pauses nearly as long as timers of stacks, loss of 1 %",
        Stack.USRSCTP,
        303,
        _bursts_near_timers(220, 80 * MS),
        _way(40 * MS),
        _way(40 * MS),
        mtu=1400,
    ),
)

SCENARIOS = tuple(
    one
    for counted in _COUNTED
    for one in (
        counted,
        replace(
            counted,
            name=f"{counted.name}-no-ip-id",
            about=f"{counted.about}; the IP-ID is always zero",
            ip_id_zero=True,
        ),
    )
)
