# SPDX-License-Identifier: BSD-2-Clause
"""Runs of real stacks in virtual time, each limited by one thing for most of its time."""

from collections.abc import Iterator
from dataclasses import replace

from bench.limits.burst_limits import burst_limits
from bench.limits.send_buffers import send_buffers
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent, Nth, Tail
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import Dialogue, Message, Pause, bulk, bursts

_STACKS = (Stack.USRSCTP, Stack.PION, Stack.DCSCTP, Stack.LINUX)
_THREE = (Stack.USRSCTP, Stack.PION, Stack.LINUX)
_SEEDS = (9100, 9200, 9350, 9380)
_ALSO_SLOW = ("peer-window", "congestion-window", "avoidance", "recovery")
_FAT = Path(delay_ns=60 * MS, bits_per_s=200_000_000)
_NEAR = Path(delay_ns=17 * MS)


def _word(stack: Stack) -> str:
    return stack.value[0]


def _of(stack: Stack, seed: int) -> tuple[Scenario, ...]:
    word = _word(stack)
    return (
        Scenario(
            f"{word}-application-paced",
            "a message each 37 ms",
            stack,
            seed,
            bulk(120, 700, interval_ns=37 * MS),
            forth=_NEAR,
            back=_NEAR,
            mtu=1200,
        ),
        Scenario(
            f"{word}-application-fast",
            "a message each 1.7 ms, far less than the path takes",
            stack,
            seed + 1,
            bulk(900, 900, interval_ns=1_700_000),
            forth=_NEAR,
            back=_NEAR,
            mtu=1200,
        ),
        Scenario(
            f"{word}-application-pauses",
            "bursts of five packets, twice a second",
            stack,
            seed + 2,
            bursts(12, 5, 1000, every_ns=503 * MS),
            forth=_NEAR,
            back=_NEAR,
            mtu=1200,
        ),
        Scenario(
            f"{word}-dialogue",
            "requests and answers, each the reason for the next",
            stack,
            seed + 3,
            (),
            forth=_NEAR,
            back=_NEAR,
            dialogue=Dialogue((3 * MS, 90 * MS) * 15, 5 * MS, 300, 900),
            mtu=1200,
        ),
        Scenario(
            f"{word}-peer-window",
            "a small receive buffer on a long path",
            stack,
            seed + 4,
            bulk(400, 1000),
            forth=_FAT,
            back=_FAT,
            mtu=1200,
            rcvbuf=24_000,
        ),
        Scenario(
            f"{word}-peer-closes",
            "the receiving application does not read for three seconds",
            stack,
            seed + 5,
            bulk(200, 1000),
            forth=_NEAR,
            back=_NEAR,
            mtu=1200,
            rcvbuf=24_000,
            pauses=(Pause("b", 200 * MS, 3 * SECOND),),
        ),
        Scenario(
            f"{word}-congestion-window",
            "a large transfer over a long fat path, from slow start on",
            stack,
            seed + 6,
            bulk(1500, 1100),
            forth=_FAT,
            back=_FAT,
            mtu=1200,
            rcvbuf=4_000_000,
        ),
        Scenario(
            f"{word}-avoidance",
            "a large transfer after a loss: congestion avoidance",
            stack,
            seed + 7,
            bulk(900, 1100),
            forth=Path(delay_ns=60 * MS, bits_per_s=200_000_000, losses=(Nth(frozenset({90})),)),
            back=_FAT,
            mtu=1200,
            rcvbuf=4_000_000,
        ),
        Scenario(
            f"{word}-recovery",
            "losses that feedback tells of, one after the other",
            stack,
            seed + 8,
            bulk(500, 1100, interval_ns=2 * MS),
            forth=Path(delay_ns=30 * MS, losses=(Independent(0.03),)),
            back=Path(delay_ns=30 * MS),
            mtu=1200,
            rcvbuf=4_000_000,
        ),
    )


def _delayed(stack: Stack, peer: Stack, seed: int) -> Scenario:
    return Scenario(
        f"{_word(stack)}-to-{_word(peer)}-delayed-sack",
        "two small messages at a time: the second waits for the SACK of the first (Nagle)",
        stack,
        seed,
        tuple(Message("a", n * 611 * MS + m * 2 * MS, 200) for n in range(12) for m in range(2)),
        forth=_NEAR,
        back=_NEAR,
        mtu=1200,
        nagle=True,
        peer_stack=peer,
    )


def _tail(stack: Stack, seed: int) -> Scenario:
    return Scenario(
        f"{_word(stack)}-timeout",
        "bursts whose last packets are lost, and nothing behind them",
        stack,
        seed,
        bursts(8, 6, 900, every_ns=2700 * MS),
        forth=Path(delay_ns=17 * MS, losses=(Tail(6, 2, 0.8),)),
        back=_NEAR,
        mtu=1200,
    )


def _failure(stack: Stack, seed: int, from_ns: int) -> Scenario:
    fails = Path(outages=((from_ns, from_ns + 3 * SECOND),))
    away = Path(delay_ns=45 * MS)
    return Scenario(
        f"{_word(stack)}-path-failure",
        "the first of two paths fails for some seconds",
        stack,
        seed,
        bulk(130, 400, interval_ns=70 * MS),
        forth=fails,
        back=fails,
        second=(away, away),
        mtu=512,
    )


def _slow_hosts(scenarios: tuple[Scenario, ...]) -> Iterator[Scenario]:
    """Likewise, and hosts take up to 6 ms to react."""
    for one in scenarios:
        if one.name.split("-", 1)[1] in _ALSO_SLOW:
            yield replace(one, name=f"{one.name}-slow-hosts", host_jitter_ns=6 * MS)


def _held(stack: Stack, seed: int) -> Iterator[Scenario]:
    yield Scenario(
        f"{_word(stack)}-held-shortly",
        "a message each 10 ms, and twice the link stands still for less than the RTO",
        stack,
        seed,
        bulk(300, 400, interval_ns=10 * MS),
        forth=Path(holds=((800 * MS, 1100 * MS), (2000 * MS, 2250 * MS))),
        mtu=1200,
    )
    yield Scenario(
        f"{_word(stack)}-held-long",
        "a message each 20 ms, and the link stands still for longer than the RTO",
        stack,
        seed + 1,
        bulk(300, 400, interval_ns=20 * MS),
        forth=Path(holds=((800 * MS, 4600 * MS),)),
        mtu=1200,
    )


def _mixed(stack: Stack, seed: int) -> Scenario:
    """One thing after the other."""
    away = 30 * MS
    messages = (
        *bulk(200, 1000),
        *(
            replace(one, at_ns=one.at_ns + 2 * SECOND)
            for one in bulk(400, 1000, interval_ns=4 * MS)
        ),
        *(
            replace(one, at_ns=one.at_ns + 6 * SECOND)
            for one in bursts(5, 30, 1000, every_ns=600 * MS)
        ),
    )
    return Scenario(
        f"{_word(stack)}-mixed",
        "a transfer, a stream and bursts, with a small receive buffer and losses",
        stack,
        seed,
        messages,
        forth=Path(delay_ns=away, losses=(Independent(0.01),)),
        back=Path(delay_ns=away),
        mtu=1200,
        rcvbuf=48_000,
    )


def _send_queue(seed: int) -> Scenario:
    """What dcSCTP calls its send buffer has what was not sent yet: nothing waits for it alone."""
    return Scenario(
        "dcsctp-small-send-queue",
        "a large transfer over a long fat path, with a small send queue",
        Stack.DCSCTP,
        seed,
        bulk(1500, 1100),
        forth=_FAT,
        back=_FAT,
        mtu=1200,
        rcvbuf=4_000_000,
        sndbuf=11_000,
    )


ONE_EACH = {stack: _of(stack, _SEEDS[at]) for at, stack in enumerate(_STACKS)}

SCENARIOS = (
    *(one for scenarios in ONE_EACH.values() for one in scenarios),
    _delayed(Stack.USRSCTP, Stack.USRSCTP, 9300),
    _delayed(Stack.USRSCTP, Stack.PION, 9301),
    _delayed(Stack.LINUX, Stack.LINUX, 9395),
    _tail(Stack.USRSCTP, 9302),
    _tail(Stack.PION_NO_RACK, 9303),
    _tail(Stack.LINUX, 9396),
    _failure(Stack.USRSCTP, 9304, 1500 * MS),
    _failure(Stack.LINUX, 9397, 4500 * MS),  # until its HEARTBEAT is answered it has no other
    *(one for stack in _THREE for one in _slow_hosts(ONE_EACH[stack])),
    *(one for stack in _THREE for one in _held(stack, 9320)),
    *(_mixed(stack, 9330) for stack in _THREE),
    *send_buffers(),
    _send_queue(9341),
    *burst_limits(),
)
