# SPDX-License-Identifier: BSD-2-Clause
"""Round trips in bounded memory: exact but for the median of very many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.recovery import round_trips
from sctp_rack.recovery.round_trips import RoundTrips

PARTS = st.lists(st.lists(st.integers(0, 10**12), min_size=1, max_size=40), min_size=1, max_size=8)


def of(parts: list[list[int]]) -> RoundTrips:
    some = RoundTrips()
    for part in parts:
        some.add(np.array(part, np.int64))
    return some


@given(PARTS)
def test_few_are_all_kept(parts: list[list[int]]) -> None:
    every = [rtt for part in parts for rtt in part]
    some = of(parts)

    assert (some.count, some.least, some.most) == (len(every), min(every), max(every))
    assert RoundTrips.median([some]) == int(np.median(every))


@given(PARTS, PARTS)
def test_of_many_those_at_even_distances_are_kept(
    parts: list[list[int]], others: list[list[int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(round_trips, "MOST", 8)
        kinds = [of(parts), of(others)]
    lists = [[rtt for part in some for rtt in part] for some in (parts, others)]
    every = 1
    while any(-(-len(one) // every) > 8 for one in lists):
        every *= 2

    assert [one.count for one in kinds] == [len(one) for one in lists]
    assert [one.most for one in kinds] == [max(one) for one in lists]
    assert RoundTrips.median(kinds) == int(np.median(lists[0][::every] + lists[1][::every]))


def test_the_median_of_a_million_is_near() -> None:
    rtts = np.random.default_rng(7).exponential(4e7, 1_000_000).astype(np.int64)
    some = of([part.tolist() for part in np.array_split(rtts, 5)])

    assert abs(RoundTrips.median([some]) / np.median(rtts) - 1) < 0.01
