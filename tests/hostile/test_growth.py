# SPDX-License-Identifier: BSD-2-Clause
"""What counts against a command: a byte that grows dearer, memory, a hang, a wrong status."""

from dataclasses import replace

from tests.hostile.commands import ANALYZE, BARE, PLUGIN, Command
from tests.hostile.growth import Growth
from tests.hostile.measure import Cost
from tests.hostile.shapes import BULK

START_S = 0.2


def _growth(small: float, large: float, command: Command = ANALYZE, **cost: object) -> Growth:
    ran = {"peak_mib": 50.0, "status": 0, "errors": ""} | cost
    costs = tuple(Cost(START_S + seconds, **ran) for seconds in (small, large))  # type: ignore[arg-type]
    return Growth(command, BULK, (500_000, 8_000_000), costs, START_S, 100, 0.1)


def test_sixteen_times_the_bytes_for_sixteen_times_the_cost_is_flat() -> None:
    assert _growth(0.1, 1.6).faults() == []


def test_a_cost_that_grows_with_the_square_is_a_fault() -> None:
    assert "16.0 times as much" in _growth(0.1, 25.65).faults()[0]


def test_a_cost_that_grows_with_the_square_is_a_fault_where_the_smallest_is_noise() -> None:
    assert "times as much" in _growth(0.004, 1.1).faults()[0]


def test_instructions_decide_where_seconds_doubt() -> None:
    doubted = _growth(0.02, 2.0)
    assert doubted.faults()
    assert replace(doubted, counted=(1000.0, 1400.0)).faults() == []
    assert "16.0 times" in replace(doubted, counted=(1000.0, 16000.0)).faults()[0]


def test_a_cost_that_is_flat_but_dear_is_a_fault() -> None:
    assert "a megabyte costs 6.00 s" in _growth(3.0, 48.0).faults()[0]


def test_what_is_not_told_from_noise_is_no_fault() -> None:
    assert _growth(0.0, 0.3).faults() == []


def test_memory_over_the_limit_is_a_fault() -> None:
    assert _growth(0.1, 1.6, peak_mib=101.0).faults() == ["101 MiB, at most 100"]


def test_a_hang_is_a_fault_and_so_is_any_other_end() -> None:
    assert "not done" in _growth(0.1, 1.6, status=-9).faults()[0]
    assert "status 3: why" in _growth(0.1, 1.6, status=3, errors="why").faults()[0]
    assert "Traceback" in _growth(0.1, 1.6, errors="Traceback").faults()[0]


def test_what_tshark_takes_by_itself_is_not_counted_against_us() -> None:
    """Setup: tshark with the plugin takes with the square, and so it does without."""
    with_it = _growth(0.1, 25.6, PLUGIN)
    alone = _growth(0.09, 25.5, BARE).costs
    bare = Growth(**{**vars(with_it), "bare": alone, "bare_start_s": START_S})
    assert with_it.faults()
    assert bare.faults() == []
