# SPDX-License-Identifier: BSD-2-Clause
"""What a SACK for each packet would give, also of an application that is idle at times."""

from typing import Any

import numpy as np
import pytest
from sctp_rack.limits.of_time import cut
from sctp_rack.limits.undelayed import undelayed
from sctp_rack.recovery.window import Window

MS = 1_000_000
ACKED = 100_000


def intervals(idle_ms: int, held_ms: int) -> list[dict[str, Any]]:
    """One of 800 ms for SACKs, then the application."""
    waited = {"limit": "delayed_sack", "begin_ns": 0, "end_ns": 800 * MS, "bytes": 1000}
    idle = {"limit": "application", "begin_ns": 800 * MS, "end_ns": (800 + idle_ms) * MS}
    both = [{**waited, "held_ns": held_ms * MS}, {**idle, "bytes": 0, "held_ns": 0}]
    return both if idle_ms else both[:1]


@pytest.mark.parametrize(
    ("idle_ms", "least_ms", "most_ms"),
    [(0, 200, 200), (100, 400, 300), (600, 1400, 800), (1000, 1800, 1200)],
)
def test_what_was_held_back_is_gained_but_for_an_application_that_goes_by_a_clock(
    idle_ms: int, least_ms: int, most_ms: int
) -> None:
    found = undelayed(intervals(idle_ms, 600), ACKED)

    assert found is not None and found.rate == found.least
    assert 8000 * ACKED / found.least == pytest.approx(least_ms)
    assert 8000 * ACKED / found.most == pytest.approx(most_ms)


def test_without_a_sack_that_was_held_back_nothing_is_predicted() -> None:
    assert undelayed(intervals(100, 0), ACKED) is None


def test_where_all_of_the_time_was_held_back_nothing_is_left_to_tell_a_rate_by() -> None:
    assert undelayed(intervals(0, 800), ACKED) is None
    idle = undelayed(intervals(100, 800), ACKED)
    assert idle is not None and 8000 * ACKED / idle.most == pytest.approx(100)


def test_of_a_part_of_the_time_as_large_a_part_was_held_back() -> None:
    (half,) = cut(intervals(0, 600), 400 * MS, None)
    assert half["held_ns"] == 300 * MS


def test_rows_of_the_core_are_cut_alike() -> None:
    wanted = {"begin_ns": 400 * MS, "end_ns": 800 * MS, "bytes": 500, "held_ns": 300 * MS}
    (row,) = intervals(0, 600)
    rows = np.zeros(1, [(name, "i8") for name in wanted])
    for name in wanted:
        rows[name] = row[name]
    (half,) = Window(400 * MS, None).cut(rows)
    assert {name: half[name] for name in wanted} == wanted
    (same,) = cut([row], 400 * MS, None)
    assert {name: same[name] for name in wanted} == wanted
