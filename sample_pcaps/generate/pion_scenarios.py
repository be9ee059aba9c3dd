# SPDX-License-Identifier: BSD-2-Clause
"""What pion is shown doing beyond its harness: tail loss probes, wrapped TSNs, closed windows."""

from dataclasses import replace

from .encapsulation import Encapsulation
from .link import MS, Path
from .loss import Independent, Nth, Tail
from .scenario import SECOND, Scenario, Stack
from .tap import TapOptions
from .workload import Pause, bulk, bursts

_TAIL_LOSS = Scenario(
    "pion-tail-loss",
    "bursts whose last packets are lost: tail loss probes, some of them spurious",
    Stack.PION,
    201,
    bursts(14, 8, 400, every_ns=1700 * MS),
    forth=Path(losses=(Tail(8, 2, 0.5),)),
    back=Path(losses=(Independent(0.05),)),
    mtu=512,
    middle=0.25,
    initial_tsn=71_000,
)

SCENARIOS = (
    _TAIL_LOSS,
    replace(
        _TAIL_LOSS,
        name="pion-tail-loss-dtls",
        about="the same run inside DTLS 1.2, as WebRTC has it, with the key log",
        encapsulation=Encapsulation.DTLS,
        pcapng=True,
    ),
    replace(
        _TAIL_LOSS,
        name="pion-tail-loss-no-rack",
        about="the same bursts without RACK: T3-rtx repairs them",
        stack=Stack.PION_NO_RACK,
    ),
    Scenario(
        "pion-nth-loss",
        "chosen chunks are lost, TSN above 2^31, so that pion never sees reordering",
        Stack.PION,
        202,
        bulk(130, 400, interval_ns=4 * MS),
        forth=Path(losses=(Nth(frozenset({20, 50, 51, 90})), Nth(frozenset({50}), copies=2))),
        mtu=512,
        initial_tsn=2_900_000_000,
        encapsulation=Encapsulation.UDP,
        pcapng=True,
    ),
    Scenario(
        "pion-tsn-wrap",
        "the TSN passes 2^32 while chunks are lost around it",
        Stack.PION,
        203,
        bulk(120, 400, interval_ns=4 * MS),
        forth=Path(losses=(Nth(frozenset({55, 58, 60, 61, 64})), Independent(0.01))),
        mtu=512,
        initial_tsn=2**32 - 60,
    ),
    Scenario(
        "pion-delay-spike",
        "the link stands still for longer than the RTO: a spurious timeout, all comes again",
        Stack.PION,
        204,
        bulk(120, 400, interval_ns=20 * MS),
        forth=Path(holds=((900 * MS, 3300 * MS),)),
        mtu=512,
        initial_tsn=500_000,
        encapsulation=Encapsulation.IP6,
    ),
    Scenario(
        "pion-zero-window",
        "b stops reading: its buffer fills, DATA beyond it is thrown away",
        Stack.PION,
        205,
        bulk(90, 600, interval_ns=20 * MS),
        pauses=(Pause("b", 300 * MS, 6 * SECOND),),
        rcvbuf=9000,
        mtu=700,
        initial_tsn=600_000,
    ),
    Scenario(
        "pion-hosts-and-taps",
        "hosts that take up to 5 ms, loss, reordering, taps that miss and repeat packets",
        Stack.PION,
        206,
        bursts(5, 24, 400, every_ns=700 * MS),
        forth=Path(losses=(Independent(0.03), Tail(24, 1, 0.6)), late=0.02, late_ns=12 * MS),
        mtu=512,
        middle=0.3,
        host_jitter_ns=5 * MS,
        hop_limits=(255, 128),
        tap=TapOptions(loss=0.01, duplicate=0.015),
        clock_offset_ns={"receiver": 700 * MS},
        initial_tsn=2_900_000_000,
    ),
    Scenario(
        "pion-pr-sctp",
        "chunks abandoned after one retransmission: FORWARD-TSN",
        Stack.PION,
        207,
        bulk(120, 400, interval_ns=6 * MS, rtx_limit=1),
        forth=Path(losses=(Independent(0.05), Nth(frozenset({30, 70, 71}), copies=3))),
        patience_ns=2 * SECOND,
        mtu=512,
        initial_tsn=700_000,
    ),
    Scenario(
        "pion-duplicates",
        "the network repeats packets, data both ways; pion reports no duplicates",
        Stack.PION,
        208,
        bulk(80, 400, interval_ns=6 * MS) + bulk(40, 250, side="b", interval_ns=9 * MS),
        forth=Path(losses=(Independent(0.02),), duplicate=0.05),
        back=Path(losses=(Independent(0.05),), duplicate=0.02),
        mtu=512,
        middle=0.7,
        initial_tsn=800_000,
    ),
)
