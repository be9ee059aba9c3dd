# SPDX-License-Identifier: BSD-2-Clause
"""Which runs there are: the paper's loads, send buffers and paths, and what they are here."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from bench.nrsack.greedy_run import Greedy
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Bursts, Independent, Loss
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack

#: Seeds to look at while this is made, and those of the tables; 30 runs as in the paper.
LOOKED_AT, REPORTED = range(100, 102), range(104, 134)

#: Since the start of a run, seconds. It goes on for a while, so that feedback tells of the end.
WARM_UP, END, END_TWO_PATHS, GOES_ON = 3, 11, 9, 1

#: Of a DATA chunk: with 16 bytes of it, 12 of SCTP and 20 of IP that is nearly 1500.
CHUNK, MTU = 1440, 1480

#: The paper's router: so long a queue, so long a way without one. The flow's share of the rate.
_QUEUE_NS, _ONE_WAY_NS, _BITS_PER_S = 100 * MS, 30 * MS, 10_000_000

#: Packets in a burst of losses, on average.
BURST = 3

#: Of ordered data.
_STREAMS = 8

#: As nothing fills (`SEND_BUFFER` of the host's association.c, 16 MiB).
_MESSAGES = 11_000


@dataclass(frozen=True)
class Load:
    """Of a bottleneck: how full its queue is on average, and which part of the packets is lost."""

    name: str
    queue: float
    loss: float


LOW = Load("low", 0.15, 0.001)
LOADS = (LOW, Load("mild", 0.45, 0.015), Load("medium", 0.60, 0.035), Load("heavy", 0.85, 0.085))

ONE_PATH = (32 << 10, 64 << 10, 0)
TWO_PATHS = (128 << 10, 256 << 10, 0)


@dataclass(frozen=True)
class Case:
    """What runs differ in, beside their seeds and how the receiver acknowledges."""

    paths: int
    load: Load
    #: Bytes; 0: no limit.
    sndbuf: int
    #: Else over eight streams, and NR-SACKs tell of what was delivered alone.
    unordered: bool = True
    bursts: bool = False

    def scenario(self, seed: int, *, nr_sack: bool) -> Scenario:
        """With SACKs or NR-SACKs."""
        way = path(self.load, bursts=self.bursts)
        other = path(LOW)
        return Scenario(
            f"nrsack-{self.paths}-{self.load.name}-{self.sndbuf}-{seed}",
            "a sender that always has data",
            Stack.USRSCTP,
            seed,
            (),
            forth=way,
            back=way,
            second=(other, other) if self.paths == 2 else None,
            cmt=self.paths == 2,
            streams=1 if self.unordered else _STREAMS,
            mtu=MTU,
            rcvbuf=8_000_000,
            sndbuf=self.sndbuf,
            drops=not self.unordered,
            nr_sack=nr_sack,
            cut_off_ns=(self.end + GOES_ON) * SECOND,
        )

    @property
    def end(self) -> int:
        """Of what is measured: seconds since the start of the run."""
        return END_TWO_PATHS if self.paths == 2 else END

    @property
    def greedy(self) -> Greedy:
        """The application."""
        return Greedy(CHUNK, _MESSAGES, unordered=self.unordered)


def path(load: Load, *, bursts: bool = False) -> Path:
    """One direction of a bottleneck with this load."""
    loss: Loss = _bursts(load.loss) if bursts else Independent(load.loss)
    return Path(
        delay_ns=_ONE_WAY_NS + int(load.queue * _QUEUE_NS),
        losses=(loss,),
        bits_per_s=_BITS_PER_S,
        queue=int(_QUEUE_NS / SECOND * _BITS_PER_S / 8 / 1500),
    )


def _bursts(loss: float) -> Bursts:
    """Spells of `BURST` packets on average, in which that part of all packets is."""
    end = 1 / BURST
    return Bursts(begin=loss * end / (1 - loss), end=end)


def cases() -> Iterator[Case]:
    """All, those of the paper first."""
    for load, sndbuf in product(LOADS, ONE_PATH):
        yield (one := Case(1, load, sndbuf))
        if load is not LOW:
            yield replace(one, bursts=True)
            yield replace(one, unordered=False)
    for load, sndbuf in product(LOADS, TWO_PATHS):
        yield Case(2, load, sndbuf)


#: Those of which what is said of two paths is held against the stack, and of how many seeds.
CHECKED = tuple(Case(2, load, TWO_PATHS[0]) for load in LOADS)
CHECKED_SEEDS = 3
