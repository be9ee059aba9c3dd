# SPDX-License-Identifier: BSD-2-Clause
"""Runs of usrsctp in pairs that differ in how the receiver acknowledges, and in nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk

_FORTH = Path(delay_ns=30 * MS, losses=(Independent(0.03),))
_BACK = Path(delay_ns=30 * MS)
_STREAMS = 8
_MESSAGES = 400_000  #: bytes in all


@dataclass(frozen=True)
class Kind:
    """What pairs differ in, beside their seeds."""

    data: str
    #: The receiver promises what it has delivered alone.
    delivered_alone: bool = False
    #: Bytes of the send buffer; 0: room for all.
    sndbuf: int = 0
    unordered: bool = False
    interleaving: bool = False
    message: int = 500

    def __str__(self) -> str:
        promise = "delivered" if self.delivered_alone else "all"
        return f"{self.data.replace(' ', '-')}-{promise}-{self.sndbuf}"


#: Send buffers of 8,000 and 4,000 bytes are full at times. Of unordered data, what arrives is
#: delivered.
KINDS = (
    *(Kind("unordered", sndbuf=sndbuf, unordered=True) for sndbuf in (0, 8_000, 4_000)),
    *(Kind("ordered", alone, sndbuf) for alone in (False, True) for sndbuf in (0, 8_000, 4_000)),
    Kind("ordered, fragments", True, message=1_600),
    Kind("ordered, fragments, I-DATA", True, message=1_600, interleaving=True),
)


@dataclass(frozen=True)
class Pair:
    """The same messages over the same path, with SACKs and with NR-SACKs."""

    kind: Kind
    with_sacks: Scenario

    @property
    def with_nr_sacks(self) -> Scenario:
        """The other run."""
        return replace(self.with_sacks, nr_sack=True)


def pair(kind: Kind, seed: int) -> Pair:
    """One of a kind."""
    messages = bulk(
        _MESSAGES // kind.message, kind.message, streams=_STREAMS, unordered=kind.unordered
    )
    scenario = Scenario(
        f"whatif-{kind}-{seed}",
        "bulk over eight streams",
        Stack.USRSCTP,
        seed,
        messages,
        forth=_FORTH,
        back=_BACK,
        streams=_STREAMS,
        sndbuf=kind.sndbuf,
        drops=kind.delivered_alone,
        interleaving=kind.interleaving,
    )
    return Pair(kind, scenario)


def pairs(seeds: range) -> Iterator[Pair]:
    """Each kind with each seed."""
    for kind, seed in product(KINDS, seeds):
        yield pair(kind, seed)
