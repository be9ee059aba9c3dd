# SPDX-License-Identifier: BSD-2-Clause
"""Nothing that can be seen is left out of an overview."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sctp_rack.plots.detail import reduced, tall
from sctp_rack.plots.graph import Layer, Look, Words
from sctp_rack.plots.screen import COLUMNS, LINES, MOST

ACROSS, UP = (0.0, 10.0), (0.0, 1000.0)


def bars(seed: int, count: int) -> Layer:
    random = np.random.default_rng(seed)
    low = random.uniform(0, 950, count)
    return Layer(
        *("bars", "bars", Look("#000000"), np.sort(random.uniform(0, 10, count)), low),
        y1=low + random.exponential(10, count).clip(0, 50),
    )


def painted(layer: Layer) -> set[tuple[int, int]]:
    """The pixels of an overview that bars cover."""
    assert layer.y1 is not None
    column = np.minimum((layer.x / 10 * COLUMNS).astype(int), COLUMNS - 1)
    bottom, top = ((part / 1000 * LINES) for part in (layer.y, layer.y1))
    return {
        (x, y)
        for x, low, high in zip(column.tolist(), bottom.tolist(), top.tolist(), strict=True)
        for y in range(int(low), min(int(high), LINES - 1) + 1)
    }


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_merged_bars_cover_the_pixels_that_the_bars_cover(seed: int) -> None:
    layer = bars(seed, 4000)

    drawn = reduced(layer, ACROSS, UP)

    assert drawn.y1 is not None
    # A merged bar ends at the upper edge of its last pixel, so shorten it by a hair.
    shortened = Layer(*("", "bars", Look(""), drawn.x, drawn.y + 1e-6), y1=drawn.y1 - 1e-6)
    assert painted(shortened) == painted(layer)
    counts = drawn.about[0]
    assert isinstance(counts, np.ndarray)
    assert counts.sum() == 4000


def test_symbols_that_hide_each_other_become_one_that_says_so() -> None:
    x = np.repeat([1.0, 5.0, 9.0], [2000, 1, 10])
    frames = np.arange(len(x))
    layer = Layer(
        *("lost", "points", Look("", "x"), x, np.full(len(x), 500.0)),
        hover="frame %{customdata[0]}",
        about=(frames,),
    )

    drawn = reduced(layer, ACROSS, UP)

    more = drawn.about[1]
    assert isinstance(more, Words)
    assert drawn.x.tolist() == [1, 5, 9]
    assert drawn.about[0].tolist() == [0, 2000, 2001]  # type: ignore[union-attr]
    assert more.taken(slice(None)).tolist() == [
        "<br>and 1,999 more here: zoom in",
        "",
        "<br>and 9 more here: zoom in",
    ]
    assert drawn.hover == "frame %{customdata[0]}%{customdata[1]}"


def test_spans_of_a_lane_cover_what_they_covered_to_a_pixel() -> None:
    """A long one that begins beside a short one is not left out."""
    many = np.arange(2998) / 1000.0
    begin, end = np.append(many, [3.2, 3.201]), np.append(many + 0.0005, [3.2005, 4.0])
    lanes = np.zeros(3000)
    layer = Layer("C", "spans", Look("#000000"), begin, lanes, x1=end, about=(lanes,))

    drawn = reduced(layer, (0, 10), (-0.5, 0.5))

    assert drawn.x1 is not None
    assert drawn.x.tolist() == [0, 3.2]
    assert drawn.x1.tolist() == pytest.approx([2.9975, 4.0])
    assert drawn.about[0].tolist() == [2998, 2]  # type: ignore[union-attr]


def test_spans_of_two_lanes_stay_apart() -> None:
    times = np.tile(np.arange(1500) / 150, 2)
    lanes = np.repeat([0.0, 1.0], 1500)
    layer = Layer("C", "spans", Look("#000000"), times, lanes, x1=times + 0.01)

    drawn = reduced(layer, (0, 10), (-0.5, 1.5))

    assert drawn.y.tolist() == [0, 1]
    assert drawn.about[0].tolist() == [1500, 1500]  # type: ignore[union-attr]


def test_a_line_keeps_its_extremes() -> None:
    y = np.zeros(100_000)
    y[54_321], y[60_000] = 7, -3
    layer = Layer("rtt", "steps", Look(""), np.arange(100_000) / 1e4, y)

    drawn = reduced(layer, ACROSS, UP)

    assert (drawn.y.max(), drawn.y.min()) == (7, -3)
    assert len(drawn) <= MOST["steps"]


@pytest.mark.parametrize("shape", ["bars", "points", "steps"])
def test_what_can_all_be_drawn_is_drawn_as_it_is(shape: str) -> None:
    layer = bars(1, 1000)
    few = Layer(layer.name, shape, layer.look, layer.x, layer.y, y1=layer.y1)  # type: ignore[arg-type]

    assert reduced(few, ACROSS, UP) is few


def test_bars_of_a_still_picture_are_a_pixel_high_at_least() -> None:
    x, low = np.arange(3.0), np.array([0.0, 100.0, 200.0])
    bars = Layer("DATA", "bars", Look("#000000"), x, low, y1=low + np.array([1.0, 2.0, 300.0]))

    drawn = tall(bars, (0, 1000))

    assert drawn.y1 is not None
    assert (drawn.y1 - drawn.y).tolist() == [2.0, 2.0, 300.0]
    assert ((drawn.y1 + drawn.y) / 2).tolist() == [0.5, 101.0, 350.0]
