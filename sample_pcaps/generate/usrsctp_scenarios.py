# SPDX-License-Identifier: BSD-2-Clause
"""What usrsctp is shown doing: miss-counted fast retransmission, T3-rtx, NR-SACK, PR-SCTP."""

from dataclasses import replace
from typing import Any

from .encapsulation import Encapsulation
from .link import MS, Path
from .loss import Bursts, Independent, Nth, Tail
from .scenario import SECOND, Scenario, Stack
from .tap import TapOptions
from .workload import Answer, Message, Pause, bulk, bursts

_U = Stack.USRSCTP

SCENARIOS = (
    Scenario(
        "usrsctp-bulk-loss",
        "bulk data, independent loss of 4 %: fast retransmission after three missing reports",
        _U,
        101,
        bulk(130, 400, interval_ns=4 * MS),
        forth=Path(losses=(Independent(0.04),)),
        mtu=512,
    ),
    Scenario(
        "usrsctp-nth-loss",
        "chosen chunks are lost, two of them twice",
        _U,
        102,
        bulk(130, 400, interval_ns=4 * MS),
        forth=Path(losses=(Nth(frozenset({20, 50, 51, 90})), Nth(frozenset({50, 51}), copies=2))),
        mtu=512,
    ),
    Scenario(
        "usrsctp-burst-loss-nr-sack",
        "unordered data, NR-SACK, loss in bursts",
        _U,
        103,
        bulk(130, 400, interval_ns=3 * MS, unordered=True),
        forth=Path(delay_ns=30 * MS, losses=(Bursts(0.03, 0.4),)),
        nr_sack=True,
        mtu=512,
        middle=0.3,
        encapsulation=Encapsulation.ETHERNET,
        pcapng=True,
    ),
    Scenario(
        "usrsctp-tail-loss",
        "bursts whose last packets are lost: only T3-rtx repairs them",
        _U,
        104,
        bursts(12, 8, 400, every_ns=2500 * MS),
        forth=Path(losses=(Tail(8, 2, 0.5),)),
        mtu=512,
        middle=0.25,
    ),
    Scenario(
        "usrsctp-request-response",
        "a asks, b answers with eight messages; answers and SACKs are lost",
        _U,
        105,
        bulk(14, 100, interval_ns=700 * MS),
        back=Path(losses=(Independent(0.04),)),
        forth=Path(losses=(Independent(0.25, sacks_only=True),)),
        main="b",
        answer=Answer("b", 8, 450),
        mtu=520,
    ),
    Scenario(
        "usrsctp-reorder",
        "packets overtaken by more than three: spurious fast retransmissions, duplicates reported",
        _U,
        106,
        bulk(130, 400, interval_ns=2 * MS),
        forth=Path(late=0.08, late_ns=16 * MS),
        mtu=512,
        middle=0.2,
        encapsulation=Encapsulation.IP6,
    ),
    Scenario(
        "usrsctp-delay-spike",
        "the link stands still for longer than the RTO: a spurious timeout and what follows",
        _U,
        107,
        bulk(110, 400, interval_ns=20 * MS),
        forth=Path(holds=((800 * MS, 4600 * MS),)),
        mtu=512,
        encapsulation=Encapsulation.UDP,
    ),
    Scenario(
        "usrsctp-zero-window",
        "b stops reading: zero window, window probes, one of them thrown away three times",
        _U,
        108,
        bulk(90, 600, interval_ns=20 * MS),
        forth=Path(losses=(Independent(0.01),)),
        pauses=(Pause("b", 300 * MS, 6 * SECOND),),
        rcvbuf=9000,
        mtu=700,
    ),
    Scenario(
        "usrsctp-i-data-pr-sctp",
        "I-DATA on four streams, chunks abandoned after one retransmission: I-FORWARD-TSN",
        _U,
        109,
        bulk(120, 400, interval_ns=6 * MS, streams=4, rtx_limit=1),
        forth=Path(losses=(Independent(0.06), Nth(frozenset({30, 31, 70, 100}), copies=3))),
        interleaving=True,
        patience_ns=2 * SECOND,
        mtu=512,
        encapsulation=Encapsulation.ETHERNET,
    ),
    Scenario(
        "usrsctp-both-ways",
        "data both ways, SACK loss, the network repeats packets",
        _U,
        110,
        bulk(80, 400, interval_ns=6 * MS) + bulk(50, 250, side="b", interval_ns=9 * MS),
        forth=Path(losses=(Independent(0.03),), duplicate=0.04),
        back=Path(losses=(Independent(0.06),)),
        mtu=512,
        middle=0.7,
    ),
    Scenario(
        "usrsctp-queue",
        "a slow link with a short queue loses what does not fit",
        _U,
        111,
        bulk(140, 400),
        forth=Path(bits_per_s=1_000_000, queue=12, delay_ns=25 * MS),
        mtu=512,
    ),
    Scenario(
        "usrsctp-rtt-step",
        "the delay grows from 20 ms to 150 ms and falls again",
        _U,
        112,
        bulk(110, 400, interval_ns=15 * MS),
        forth=Path(
            delay_steps=((600 * MS, 150 * MS), (1200 * MS, 20 * MS)), losses=(Independent(0.02),)
        ),
        mtu=512,
    ),
    Scenario(
        "usrsctp-hosts-and-taps",
        "hosts take up to 6 ms, IP-ID 0, taps miss and repeat packets and disagree on time",
        _U,
        113,
        bursts(10, 12, 400, every_ns=900 * MS),
        forth=Path(losses=(Independent(0.04),)),
        mtu=512,
        middle=0.6,
        host_jitter_ns=6 * MS,
        ip_id_zero=True,
        hop_limits=(64, 255),
        tap=TapOptions(loss=0.01, duplicate=0.015, clock_ns=1000),
        clock_offset_ns={"middle": 35 * MS, "receiver": -1200 * MS},
        encapsulation=Encapsulation.ETHERNET,
        pcapng=True,
    ),
    Scenario(
        "usrsctp-lifetime",
        "messages that live for 90 ms: what is lost late is abandoned, FORWARD-TSN",
        _U,
        114,
        tuple(Message("a", n * 10 * MS, 400, unordered=True, lifetime_ms=90) for n in range(110)),
        forth=Path(losses=(Bursts(0.04, 0.3),), delay_ns=40 * MS),
        patience_ns=2 * SECOND,
        mtu=512,
    ),
    Scenario(
        "usrsctp-tsn-wrap",
        "the TSN passes 2^32 while chunks are lost around it; SACK loss",
        _U,
        115,
        bulk(110, 400, interval_ns=4 * MS),
        forth=Path(losses=(Nth(frozenset({45, 48, 50, 51, 54, 80})),)),
        back=Path(losses=(Independent(0.04),)),
        mtu=512,
        initial_tsn=2**32 - 50,
    ),
    Scenario(
        "usrsctp-multihoming",
        "two addresses each: the first path fails for a while, the second takes over",
        _U,
        116,
        bulk(130, 400, interval_ns=70 * MS),
        forth=Path(outages=((1500 * MS, 4500 * MS),), losses=(Independent(0.02),)),
        back=Path(outages=((1500 * MS, 4500 * MS),)),
        second=(Path(delay_ns=45 * MS, losses=(Independent(0.05),)), Path(delay_ns=45 * MS)),
        mtu=512,
    ),
    Scenario(
        "usrsctp-telecom-timers",
        "RTO.Min of 100 ms, as telephony sets it: timeouts, some of them before the delayed SACK",
        _U,
        117,
        bulk(40, 200, interval_ns=400 * MS),
        forth=Path(losses=(Independent(0.12),)),
        back=Path(losses=(Independent(0.08),)),
        mtu=512,
        rto_min_ms=100,
    ),
)

_BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def of_usrsctp(case: str, stack: Stack, seed: int, **others: Any) -> Scenario:
    """A scenario of usrsctp's for another stack: all is the same but for `others`."""
    name = f"{stack.value[0]}-{case}"
    return replace(_BY_NAME[f"usrsctp-{case}"], name=name, stack=stack, seed=seed, **others)
