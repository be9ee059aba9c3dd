# SPDX-License-Identifier: BSD-2-Clause
"""TSN arithmetic: RFC 9260 section 1.6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.reference.tsn import HALF, MODULUS, Tsn, TsnLine, tsn_at

TSNS = st.integers(0, MODULUS - 1).map(Tsn)


def test_a_tsn_follows_across_the_wrap() -> None:
    assert Tsn(0).follows(Tsn(MODULUS - 1))
    assert not Tsn(MODULUS - 1).follows(Tsn(0))
    assert not Tsn(7).follows(Tsn(7))


def test_a_tsn_half_the_space_away_follows_in_neither_direction() -> None:
    assert not Tsn(HALF).follows(Tsn(0))
    assert not Tsn(0).follows(Tsn(HALF))


def test_tsns_cannot_be_compared_as_numbers() -> None:
    with pytest.raises(TypeError):
        assert Tsn(1) < Tsn(2)  # type: ignore[operator]


def test_a_number_outside_32_bits_is_no_tsn() -> None:
    for value in (-1, MODULUS):
        with pytest.raises(ValueError, match="2\\^32"):
            Tsn(value)


@given(TSNS, st.integers(1, HALF - 1))
def test_following_is_what_the_line_says(first: Tsn, ahead: int) -> None:
    line = TsnLine(first)
    later = first.plus(ahead)

    assert later.follows(first)
    assert line.seq(later) - line.seq(first) == ahead
    assert tsn_at(line.seq(later)) == later


@given(TSNS, st.lists(st.integers(0, HALF - 1), max_size=20))
def test_the_line_unwraps_any_number_of_wraps(first: Tsn, steps: list[int]) -> None:
    line, tsn, seq = TsnLine(first), first, first.value
    for step in steps:
        tsn, seq = tsn.plus(step), seq + step

        assert line.seq(tsn) == seq
        line.move_reference(seq)
