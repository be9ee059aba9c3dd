# SPDX-License-Identifier: BSD-2-Clause
"""The arithmetic of bench/nrsack, each piece by hand."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from sctp_rack.what_if.queue import Step

from bench.nrsack.evolution import sampled
from bench.nrsack.greedy_run import Greedy, Held, sent_and_held
from bench.nrsack.interval import half_width, mean_and_half_width, time_average
from bench.nrsack.measured import arrived_bytes, blocked_share, others_share, timeouts
from bench.nrsack.paper import BURST, LOADS, REPORTED, Case, cases, path
from sample_pcaps.generate.encapsulation import Addresses
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.loss import Passenger
from sample_pcaps.generate.run import Sent

SENT = Sent("a", 1, 7, 1, 1000, 0, Addresses("192.0.2.1", "192.0.2.2"), None, None)


def test_an_interval_of_three_values_is_that_of_student() -> None:
    # Standard deviation 1, over the root of 3, times 4.303.
    middle, half = mean_and_half_width([1.0, 2.0, 3.0])

    assert middle == 2
    assert half == pytest.approx(4.303 / 3**0.5)


def test_thirty_values_have_29_degrees_of_freedom_and_one_has_no_interval() -> None:
    values = [0.0, 1.0] * 15

    assert half_width(values) == pytest.approx(2.045 * (0.25 * 30 / 29) ** 0.5 / 30**0.5)
    assert half_width([5.0]) == 0


def test_an_average_over_time_begins_with_what_held_before_and_ends_in_time() -> None:
    steps = [(0, 4.0), (20, 8.0), (99, 1000.0)]

    assert time_average(steps, 10, 30) == (10 * 4 + 10 * 8) / 20
    assert time_average([], 10, 30) == 0


def test_what_was_sent_is_what_is_in_use_without_what_waits_and_without_headers() -> None:
    # Of 10,000 bytes 1,000 were refused and 4,000 never sent; two chunks of 500 are held.
    held = 2 * (500 + 16)

    assert sent_and_held(5_000 + held, 1_000, 10_000, 4_000, 500) == 1_000


def test_bytes_arrive_once_and_when_their_first_copy_does() -> None:
    again = replace(SENT, copy=2, arrive_ns=10 * MS)
    late, other = replace(SENT, arrive_ns=90 * MS), replace(SENT, tsn=8, arrive_ns=50 * MS)
    lost, answer = replace(SENT, tsn=9), replace(SENT, side="b", tsn=10, arrive_ns=50 * MS)
    sent = [late, other, again, lost, answer]

    assert arrived_bytes(sent, 0, 100 * MS) == 2000
    assert arrived_bytes(sent, 20 * MS, 100 * MS) == 1000


def test_a_timeout_counts_once_however_much_it_sends_again() -> None:
    causes = ("fast", "t3", "t3_gbn", "t3_gbn", "fast", "t3_gbn", "t3", None)
    sent = [SENT, *(replace(SENT, copy=2, cause=cause) for cause in causes)]

    assert timeouts(sent) == 3


def test_blocked_is_a_full_buffer_of_an_application_that_has_more() -> None:
    held = [Held(0, 5_000, True), Held(10, 31_680, True), Held(20, 31_680, False)]

    assert blocked_share(held, 32 << 10, 0, 40) == 0.25


def test_other_packets_may_leave_behind_a_moment_and_of_all_of_a_time_behind_it() -> None:
    assert others_share(25, 20, 40) == 0.75
    assert others_share(10, 20, 40) == 1
    assert others_share(None, 20, 40) == 0


def test_each_load_loses_as_much_in_bursts_and_by_itself() -> None:
    packet = Passenger(((0, 1),), False)
    for load in LOADS:
        (loss,) = path(load, bursts=True).losses
        process, random = loss.process(), Random(1)
        drops = [bool(process.drops(packet, random)) for _ in range(300_000)]

        begins = sum(now and not before for before, now in pairwise(drops))
        assert sum(drops) / len(drops) == pytest.approx(load.loss, rel=0.15)
        assert sum(drops) / begins == pytest.approx(BURST, rel=0.15)


def test_the_way_is_the_papers_with_its_mean_queue() -> None:
    heavy = path(LOADS[-1])

    assert heavy.delay_ns == (30 + 85) * MS
    assert heavy.queue * 1500 * 8 / heavy.bits_per_s == pytest.approx(0.1, abs=0.002)


def test_there_are_30_runs_of_each_and_the_second_path_is_of_the_low_load() -> None:
    assert len(REPORTED) == 30
    assert len(set(cases())) == len(list(cases()))
    two = Case(2, LOADS[-1], 128 << 10).scenario(1, nr_sack=True)
    assert two.second == (path(LOADS[0]), path(LOADS[0])) and two.cmt and two.nr_sack
    assert Case(1, LOADS[1], 0).scenario(1, nr_sack=False).second is None
    assert Greedy(1440, 3, unordered=True).command == "send 0 1440 1 -1 -1 0 3"


def test_the_step_that_lasts_is_the_one_that_is_drawn() -> None:
    def steps() -> Iterator[Step]:
        for begin_ns, end_ns, kept in ((0, 15, 1), (15, 16, 2), (16, 40, 3)):
            yield Step(begin_ns, end_ns, kept, 0, 0, 0, False, False, None)

    drawn = [(at, step.kept) for at, step in sampled(steps(), 5, 35, 10)]
    assert drawn == [(5, 1), (15, 2), (25, 3)]
