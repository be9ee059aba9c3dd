# SPDX-License-Identifier: BSD-2-Clause
"""TSNs on a straight line, and where they are on an axis."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.plots.sequence import Scale, beside, unwrapped

steps = st.lists(st.integers(-(2**31) + 1, 2**31 - 1), max_size=50)


@given(st.integers(0, 2**32 - 1), steps)
def test_steps_of_less_than_half_the_circle_are_found_again(first: int, walked: list[int]) -> None:
    places = np.cumsum([0, *walked])
    tsns = ((first + places) % 2**32).astype(np.uint32)

    assert unwrapped(tsns).tolist() == places.tolist()


@given(
    st.integers(0, 2**32 - 1), st.integers(-(2**31) + 1, 2**31 - 1), st.integers(-(2**40), 2**40)
)
def test_a_tsn_is_placed_the_nearest_way_round_its_neighbour(
    near_tsn: int, apart: int, near: int
) -> None:
    tsn = np.array([(near_tsn + apart) % 2**32], dtype=np.uint32)

    placed = beside(tsn, np.array([near_tsn], dtype=np.uint32), np.array([near]))

    assert placed.tolist() == [near + apart]


def test_in_bytes_a_tsn_is_as_high_as_its_user_data() -> None:
    """TSN 2 was never seen and counts as the mean; 1 was sent twice and counts once."""
    scale = Scale(np.array([0, 1, 1, 3]), np.array([100, 500, 500, 300]), in_bytes=True)

    edges = scale(np.array([0, 1, 2, 3, 4, 5]))

    assert edges.tolist() == [0, 100, 600, 900, 1200, 1500]


def test_in_tsns_the_axis_counts_tsns() -> None:
    scale = Scale(np.array([0, 1]), np.array([100, 500]), in_bytes=False)

    assert scale(np.array([0, 1, 7])).tolist() == [0, 1, 7]
