# SPDX-License-Identifier: BSD-2-Clause
"""How far averages may be apart by chance: by hand, and of runs of which chance is all there is."""

from random import Random

import numpy as np
import pytest
from sctp_rack.what_if.chance import chance
from sctp_rack.what_if.student import student


def apart(*steps: tuple[float, float, bool]) -> float | None:
    """Of values, how long each lasts, and whether a recovery begins with it."""
    values, weights, begins = zip(*steps, strict=True)
    return chance(np.array(values), np.array(weights), np.array(begins)).apart


#: Chance is in two runs; and half of what it did to one cycle is in the next: three times as much,
#: which is what an average of cycles is off, and so much their spread around it is too small.
RUNS, CARRIED = 2, 3

#: Four cycles: Student's t of four values.
T = 3.182


def test_four_cycles_are_apart_by_how_far_each_is_from_the_average() -> None:
    steps = [(value, 5.0, True) for value in (1.0, 3.0, 1.0, 3.0)]

    # The average is 2, each cycle is 1 from it.
    error = (5**2 * 4 * 4 / (4 - CARRIED)) ** 0.5 / 20
    assert apart(*steps) == pytest.approx(T * (RUNS * CARRIED) ** 0.5 * error)


def test_what_lasts_longer_counts_for_more() -> None:
    steps = [(1.0, 6.0, True), (3.0, 2.0, True)] * 2

    # The average is 1.5: the first cycle has 3 less than that in all, the second 3 more.
    error = (4 * 3**2 * 4 / (4 - CARRIED)) ** 0.5 / 16
    assert apart(*steps) == pytest.approx(T * (RUNS * CARRIED) ** 0.5 * error)


def test_steps_up_to_the_next_recovery_are_one_cycle() -> None:
    ups_and_downs = ((1.0, 1.0, True), (3.0, 1.0, False))

    assert apart(*ups_and_downs * 4) == 0


def test_three_cycles_tell_nothing_and_one_of_no_time_is_none() -> None:
    three = [(1.0, 2.0, False), (3.0, 2.0, True), (1.0, 2.0, True)]

    assert apart(*three) is None
    assert apart((9.0, 0.0, True), *three) is None
    assert apart(*three, (1.0, 2.0, True)) is not None


def test_student_is_what_tables_have() -> None:
    assert (student(2), student(11), student(30), student(1000)) == (12.706, 2.228, 2.045, 2.045)


def sawtooth(random: Random) -> tuple[list[float], list[bool]]:
    """A window that grows by one each round and is halved where any of its packets is lost; 80
    rounds in which about a dozen are, behind 100 others."""
    window, held, begins = 10.0, [], []
    for _ in range(180):
        lost = random.random() < 1 - (1 - 0.015) ** window
        window = max(1.0, window / 2) if lost else window + 1
        held.append(window)
        begins.append(lost)
    return held[100:], begins[100:]


def test_averages_of_runs_that_chance_alone_makes_others_are_so_far_apart_at_most() -> None:
    random = Random(1)
    runs = [sawtooth(random) for _ in range(1000)]

    within = 0
    for (held, begins), (other, _) in zip(runs[::2], runs[1::2], strict=True):
        found = chance(np.array(held), np.ones(len(held)), np.array(begins)).apart
        within += found is not None and bool(abs(np.mean(held) - np.mean(other)) <= found)

    # With cycles that begin anew 78 %, with their own spread as it is 92.
    assert 0.93 <= within / 500 <= 0.96
