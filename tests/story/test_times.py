# SPDX-License-Identifier: BSD-2-Clause
"""Times of many kinds are those that each kind alone would have."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.recovery import times
from sctp_rack.recovery.round_trips import RoundTrips
from sctp_rack.recovery.times import Times

PARTS = st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99)), max_size=9), max_size=9)


@given(PARTS)
def test_of_each_kind_all_are_known_whether_it_has_few_or_many(
    parts: list[list[tuple[int, int]]],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(times, "_FEW", 3)
        patch.setattr(times, "_WAITING", 4)
        every = Times()
        for part in parts:
            kinds, values = np.array(part, np.int64).reshape(-1, 2).T
            every.add(kinds, values)
        found = every.between(1, 5)
    expected = [
        [value for part in parts for kind, value in part if kind == wanted]
        for wanted in range(1, 5)
    ]

    assert set(found) == {kind for kind, values in enumerate(expected, 1) if values}
    for kind, some in found.items():
        those = expected[kind - 1]
        assert (some.count, some.least, some.most) == (len(those), min(those), max(those))
        assert RoundTrips.median([some]) == int(np.median(those))


@given(st.lists(st.integers(0, 99), min_size=1, max_size=50))
def test_quantiles_are_the_nearest_ranks(values: list[int]) -> None:
    shares = [0.5, 0.95, 0.99]
    expected = np.quantile(values, shares, method="inverted_cdf").tolist()

    assert RoundTrips(values).quantiles(*shares) == expected


def test_a_time_of_a_kind_with_few_takes_little_room() -> None:
    tracemalloc.start()
    every = Times()
    for at in range(200):
        every.add(np.arange(at * 1000, at * 1000 + 1000), np.full(1000, 7))
    every.between(0, 1)
    now, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert now < 200_000 * 14
