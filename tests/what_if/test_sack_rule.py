# SPDX-License-Identifier: BSD-2-Clause
"""When a SACK comes by a rule of RFC 9260 section 6.2, and how many there are."""

import pytest
from sctp_rack.what_if.sack_rule import Packet, SackRule, acknowledged_ns, sacks_of

from tests.what_if.packets import MS, packets


@pytest.mark.parametrize(
    ("every", "counted", "arrivals", "expected"),
    [
        (1, 0, [0, 5], 5),
        (2, 0, [0, 5], 5),
        (2, 0, [0], 200),
        (2, 1, [0], 0),
        (2, 0, [0, 1, 2], 202),
        (2, 1, [0, 1, 2], 2),
        (3, 0, [0, 1], 200),
        (3, 1, [0, 1], 1),
    ],
)
def test_the_packet_that_completes_the_number_is_answered_at_once_and_others_by_the_delay(
    every: int, counted: int, arrivals: list[int], expected: int
) -> None:
    times = [time * MS for time in arrivals]

    told = acknowledged_ns(SackRule(every, 200 * MS), times, len(times) - 1, counted)

    assert told == expected * MS


def test_what_comes_behind_the_last_completes_the_number_if_the_delay_is_not_over() -> None:
    rule = SackRule(2, 20 * MS)

    assert acknowledged_ns(rule, [0, 19 * MS], 0) == 19 * MS
    assert acknowledged_ns(rule, [0, 21 * MS], 0) == 20 * MS


def test_the_timer_that_is_over_lets_the_number_begin_anew() -> None:
    rule = SackRule(2, 20 * MS)

    assert acknowledged_ns(rule, [0, 21 * MS], 1) == 41 * MS


def test_of_packets_in_order_each_second_one_and_the_last_get_a_sack() -> None:
    assert sacks_of(SackRule(2, 200 * MS), packets(1, 2, 3, 4, 5), 1) == 3
    assert sacks_of(SackRule(1, 200 * MS), packets(1, 2, 3, 4, 5), 1) == 5
    assert sacks_of(SackRule(9, 200 * MS), packets(1, 2, 3, 4, 5), 1) == 1


def test_packets_farther_apart_than_the_delay_get_one_each() -> None:
    assert sacks_of(SackRule(2, 9 * MS), packets(1, 2, 3, 4, apart_ns=10 * MS), 1) == 4
    assert sacks_of(SackRule(2, 10 * MS), packets(1, 2, 3, 4, apart_ns=10 * MS), 1) == 2


def test_a_gap_is_reported_at_once_and_so_is_what_fills_it_and_a_duplicate() -> None:
    rule = SackRule(9, 200 * MS)

    assert sacks_of(rule, packets(1, 3, 4, 2), 1) == 3
    assert sacks_of(rule, packets(1, 2, 2), 1) == 1
    assert sacks_of(rule, packets(1, 1, 2), 1) == 2


def test_the_i_bit_is_answered_at_once() -> None:
    asked = Packet(1, 0, (1,), immediate=True)

    assert sacks_of(SackRule(2, 200 * MS), [asked, *packets(2)], 1) == 2


def test_what_waited_for_the_sack_completes_no_number_with_what_came_before() -> None:
    rule, sent = SackRule(2, 400 * MS), packets(1, 2, apart_ns=220 * MS)

    assert sacks_of(rule, sent, 1) == 1
    assert sacks_of(rule, sent, 1, {220 * MS}) == 2
