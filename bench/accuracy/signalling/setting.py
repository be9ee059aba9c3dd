# SPDX-License-Identifier: BSD-2-Clause
"""What a seed stands for: which applications, path, hosts and tap a capture has.

Seeds 1 to 999 are to look at, 1000 to 1999 to choose constants with, from 2000 on only to report.
"""

import math
from dataclasses import dataclass
from random import Random

MS, SECOND = 1_000_000, 1_000_000_000

#: What applications write and when; `shapes.py` has them.
SHAPES = ("periodic", "request and response", "bursts", "typing", "dialogues", "both ways")

#: How a host numbers its packets: one counter for all that it sends, one for each flow, one for a
#: socket with several associations, always zero (RFC 6864), at random, or not at all: IPv6.
IP_IDS = ("host", "flow", "socket", "zero", "random", "IPv6")

#: What a file has of the packets: all, not the first ones, only what a display filter for DATA lets
#: through, or those of one of two paths that the hosts use in turn.
KEPT = ("whole", "begun later", "DATA alone", "one path")

TAPS = ("sender", "middle", "receiver")

#: Timers of stacks: least RTOs and SACK delays, RTO.Initial and RTO.Min of RFC 9260 section 16.
TIMERS_NS = (200 * MS, 400 * MS, 1 * SECOND, 3 * SECOND)

FIRST_TO_LOOK_AT, FIRST_TO_CHOOSE_WITH, FIRST_TO_REPORT = 1, 1000, 2000


@dataclass(frozen=True)
class Setting:
    """One capture."""

    seed: int
    shape: str
    ip_id: str
    tap: str
    tsns: int  #: originals of both directions of all associations
    round_trip_ns: int
    jitter_ns: int  #: of a packet on its way; none overtakes another
    react_ns: int  #: most that a host takes
    place: float  #: of the tap on the way from a to b
    associations: int
    udp: bool  #: RFC 6951
    ethernet: bool
    kept: str  #: of `KEPT`
    begins: float  #: share of the packets that are before the capture
    nagle: bool
    sack_delay_ns: int
    tick_ns: int  #: of a host's timers
    other_packets: float  #: that a host's counter counts beside, a second
    clock_ns: int  #: resolution of the tap's clock


def setting(seed: int, tsns: int = 0) -> Setting:
    """Shapes, ways to number and taps take turns; `tsns` 0: some hundred."""
    random = Random(seed)
    turn, shape = divmod(seed, len(SHAPES))
    turn, ip_id = divmod(turn, len(IP_IDS))
    tap = TAPS[turn % len(TAPS)]
    round_trip_ns = int(_between(random, 1 * MS, 300 * MS))
    (kept,) = random.choices(KEPT, (5, 4, 1, 1))
    return Setting(
        seed=seed,
        shape=SHAPES[shape],
        ip_id=IP_IDS[ip_id],
        tap=tap,
        tsns=tsns or int(_between(random, 60, 1200)),
        round_trip_ns=round_trip_ns,
        jitter_ns=random.choice((0, round_trip_ns // 100, round_trip_ns // 10)),
        react_ns=int(_between(random, 0.02 * MS, 2 * MS)),
        place={"sender": 0.0, "middle": random.uniform(0.1, 0.9), "receiver": 1.0}[tap],
        associations=random.choice((1, 1, 1, 2, 4)),
        udp=random.random() < 0.2,
        ethernet=random.random() < 0.5,
        kept=kept,
        begins=random.uniform(0.1, 0.7) if kept == "begun later" else 0.0,
        nagle=random.random() < 0.3,
        sack_delay_ns=200 * MS,
        tick_ns=random.choice((0, 1 * MS, 4 * MS, 10 * MS)),
        other_packets=_between(random, 0.05, 500),
        clock_ns=random.choice((1, 1000)),
    )


def _between(random: Random, low: float, high: float) -> float:
    """As often in each decade."""
    return math.exp(random.uniform(math.log(low), math.log(high)))
