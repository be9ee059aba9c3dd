# SPDX-License-Identifier: BSD-2-Clause
"""How large buffers are that grow, and what is taken from what `limits` says."""

import pytest

from bench.buffers.cases import CHUNK, FIXED, LASTS_S, Case
from bench.buffers.measured import Transfer, advised_by, last_rate, more_of, rate_of
from bench.buffers.tuned_run import ReceiveRule, SendRule, Tuning
from sample_pcaps.generate.encapsulation import Addresses
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.run import Sent
from sample_pcaps.generate.scenario import SECOND, Stack

TUNING = Tuning(send=16_384, receive=40_000, largest=100_000)
TRIP_NS = 10 * MS


def test_the_send_buffer_is_twice_the_congestion_window_and_only_grows() -> None:
    rule = SendRule(TUNING)

    told = [(rule.hear(cwnd), rule.size) for cwnd in (8000, 8193, 20_000, 4000, 60_000, 70_000)]

    assert told == [
        *((False, 16_384), (True, 16_386), (True, 40_000), (False, 40_000)),
        *((True, 100_000), (False, 100_000)),
    ]


def test_the_receive_buffer_is_twice_what_came_in_a_round_trip_and_only_grows() -> None:
    rule = ReceiveRule(TUNING)

    assert not rule.deliver(99_000, 0, TRIP_NS)  # begins the first
    assert not rule.deliver(25_000, TRIP_NS - 1, TRIP_NS)
    assert rule.deliver(5000, TRIP_NS, TRIP_NS) and rule.size == 60_000
    assert not rule.deliver(20_000, 2 * TRIP_NS, TRIP_NS) and rule.size == 60_000
    assert rule.deliver(80_000, 3 * TRIP_NS, TRIP_NS) and rule.size == 100_000


def test_without_a_round_trip_the_receive_buffer_stays() -> None:
    rule = ReceiveRule(TUNING)

    assert not any(rule.deliver(90_000, at * MS, 0) for at in range(9))
    assert rule.size == TUNING.receive


def test_the_window_of_the_handshake_is_the_first_ssthresh() -> None:
    assert TUNING.told_at_first == TUNING.largest // 2
    assert Tuning(1, 40_000, 100_000, ssthresh=False).told_at_first == 40_000


def sent(time_s: float, copy: int = 1) -> Sent:
    ends = Addresses("192.0.2.1", "192.0.2.2")
    one = Sent("a", 1, 7, copy, CHUNK, 0, ends, None, None)
    one.arrive_ns = int(time_s * SECOND)
    return one


def test_the_last_rate_is_of_what_arrives_first_in_the_last_second() -> None:
    within = LASTS_S - 0.5

    assert last_rate([sent(within), sent(within, copy=2), sent(LASTS_S - 1.5)]) == 8 * CHUNK


def test_the_buffer_that_is_named_is_what_a_reader_would_set() -> None:
    assert advised_by("at most 9 bytes; 4,096 KiB would allow what the path gave") == 4 << 20
    assert advised_by("twice that predicts 9 Mbit/s") is None


def test_a_rate_is_of_as_much_as_is_compared() -> None:
    acked = [(1000, 0), (2000, 600), (3000, 600), (9000, 600)]

    assert rate_of(acked, 1000, 1200) == rate_of(acked, 1000, 1100) * 12 / 11 == 8e9 * 1200 / 2000
    with pytest.raises(ValueError, match="1 bytes"):
        rate_of(acked, 1000, 1801)


def transfer(twice: float | None, advised: int | None) -> Transfer:
    numbers = {"delay_ms": 10, "send": FIXED, "receive": FIXED, "lost": 0, "resent": 0}
    rates = {"acked": 9 * CHUNK, "rate": 9e5, "last_rate": 9e5, "share": 0.9, "outstanding": 9}
    none = dict.fromkeys(
        ("timeouts", "next_limit", "next_share", "round_trip_ms", "best_rate"),
    )
    words = {"stack": "pion", "kind": "fixed", "limit": "peer_window", "says": ""}
    bounds = {"twice": twice, "twice_least": twice, "twice_most": twice, "advised": advised}
    return Transfer(**numbers, **rates, **none, **words, **bounds)  # type: ignore[arg-type]


def test_a_fixed_run_is_repeated_with_what_is_said_of_it() -> None:
    fixed, tuned = (Case(Stack.PION, 10, kind) for kind in ("fixed", "tuned"))

    assert more_of(fixed, transfer(1e6, 4 << 20)) == [
        Case(Stack.PION, 10, "twice", 2 * FIXED, amount=9 * CHUNK),
        Case(Stack.PION, 10, "advised", 4 << 20),
    ]
    assert more_of(fixed, transfer(None, None)) == more_of(tuned, transfer(1e6, 4 << 20)) == []
