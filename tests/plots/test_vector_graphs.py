# SPDX-License-Identifier: BSD-2-Clause
"""The slides' example and the NR-SACK paper's figures, from their vectors."""

import pytest
from sctp_rack.names import Profile
from sctp_rack.plots.vector_graphs import sequence, story
from sctp_rack.plots.vector_ladder import buffers, ladder
from sctp_rack.reference.vector import load


@pytest.mark.parametrize(("name", "rate"), [("T01", "4 / 4 = 100 %"), ("T09", "8 / 4 = 200 %")])
def test_the_slides_examples_say_their_loss_rate(name: str, rate: str) -> None:
    assert rate in sequence(load(name)).layout.title.subtitle.text


def test_marks_are_those_that_the_vector_expects() -> None:
    vector = load("T01")

    found = [(m.tsn.value, m.copy, m.time_ns / 1e6) for m in story(vector).marks]

    expected = vector.data["runs"][0]["expected"]["marks"]
    assert found == [(mark["tsn"], mark["copy"], float(mark["at"])) for mark in expected]


def test_only_what_came_before_an_instant_is_drawn() -> None:
    names = {one.name for one in sequence(load("T01"), until_ms=350).data}

    assert "Needed, sent again as tail loss probe (P)" in names
    assert "Needed, sent again by RACK (K)" not in names


def test_a_profile_without_a_run_is_an_error() -> None:
    with pytest.raises(ValueError, match="T01 has no run of linux"):
        story(load("T01"), Profile.LINUX)


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("N6", {700: (8, 0), 1100: (7, 1), 1300: (5, 3), 1700: (1, 7), 2300: (4, 0)}),
        ("N7", {700: (8, 0), 1100: (8, 0), 1200: (8, 0), 1300: (7, 0), 2300: (5, 0)}),
    ],
)
def test_the_send_buffer_is_as_in_the_papers_figures(
    name: str, states: dict[float, tuple[int, int]]
) -> None:
    found = {one.at: (len(one.needed), len(one.kept)) for one in buffers(load(name))}

    assert {at: found[at] for at in states} == states


def test_acknowledgements_are_written_as_in_the_paper() -> None:
    texts = [text for one in ladder(load("N7")).data if one.mode == "text" for text in one.text]

    assert {"N:10;2-2", "N:10;2-10", "N:20", "<b>11 F</b>", "24 25"} <= set(texts)
