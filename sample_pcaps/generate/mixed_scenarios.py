# SPDX-License-Identifier: BSD-2-Clause
"""Pairs of different stacks, each as the sender: the usual WebRTC call between unlike ends."""

from dataclasses import replace
from itertools import permutations

from .encapsulation import Encapsulation
from .link import MS, Path
from .loss import Independent, Tail
from .scenario import SECOND, Scenario, Stack
from .workload import Pause, bulk, bursts

_STACKS = (Stack.USRSCTP, Stack.PION, Stack.DCSCTP)
_NAMES = {Stack.USRSCTP: "usrsctp", Stack.PION: "pion", Stack.DCSCTP: "dcsctp"}


def _scenarios(sender: Stack, receiver: Stack, seed: int) -> tuple[Scenario, ...]:
    who = f"{_NAMES[sender]}-to-{_NAMES[receiver]}"
    loss = Scenario(
        f"{who}-loss",
        "bulk data, loss of 4 %, reordering",
        sender,
        seed,
        bulk(110, 400, interval_ns=5 * MS),
        forth=Path(losses=(Independent(0.04),), late=0.02, late_ns=12 * MS),
        back=Path(losses=(Independent(0.03),)),
        peer_stack=receiver,
        mtu=512,
        encapsulation=Encapsulation.UDP,
    )
    return (
        loss,
        replace(
            loss,
            name=f"{who}-tail-loss",
            about="bursts whose last packets are lost",
            messages=bursts(10, 8, 400, every_ns=1900 * MS),
            forth=Path(losses=(Tail(8, 2, 0.5),)),
            encapsulation=Encapsulation.IP,
            seed=seed + 1,
        ),
        replace(
            loss,
            name=f"{who}-zero-window",
            about="the receiver stops reading: its window closes",
            messages=bulk(60, 600, interval_ns=20 * MS),
            pauses=(Pause("b", 300 * MS, 4 * SECOND),),
            forth=Path(losses=(Independent(0.01),)),
            rcvbuf=9000,
            mtu=700,
            seed=seed + 2,
        ),
        replace(
            loss,
            name=f"{who}-both-ways",
            about="data both ways, b asked for the association; the network repeats packets",
            messages=bulk(60, 400, side="b", interval_ns=7 * MS)
            + bulk(40, 250, interval_ns=11 * MS),
            main="b",
            forth=Path(losses=(Independent(0.05),)),
            back=Path(losses=(Independent(0.03),), duplicate=0.04),
            seed=seed + 3,
        ),
    )


SCENARIOS = tuple(
    scenario
    for number, (sender, receiver) in enumerate(permutations(_STACKS, 2))
    for scenario in _scenarios(sender, receiver, 401 + 10 * number)
)
