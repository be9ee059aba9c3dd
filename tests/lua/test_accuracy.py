# SPDX-License-Identifier: BSD-2-Clause
"""The drop-in is right as often as its classes promise, and the page says how often."""

import pytest

from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS, runs_in
from bench.lua_accuracy import BEGIN, COLUMNS, DOCUMENT, END, PROMISED, tally_of
from tests.captures import BUNDLED


def _short_of(tally: Tally) -> dict[tuple[str, int], float]:
    """The classes whose claims are right less often than promised."""
    shares = {
        (column, level): tally.calibration[column, level].value
        for column in COLUMNS
        for level in PROMISED
        if (column, level) in tally.calibration
    }
    return {
        key: value
        for key, value in shares.items()
        if value is not None and value < PROMISED[key[1]]
    }


@pytest.mark.long
@pytest.mark.parametrize("tap", TAPS)
def test_each_class_is_right_as_often_as_it_promises(tap: str) -> None:
    tally = total([tally_of(run, tap) for run in runs_in(BUNDLED)])

    assert not _short_of(tally)
    assert tally.calibration["verdict", 5].of > 40
    assert tally.calibration["cause", 3].of > 100


def test_a_sender_like_pion_is_told_by_its_handshake() -> None:
    """Its stack has RACK and probes, which no other does: the cause is not called `fast`."""
    runs = {run.name: run for run in runs_in(BUNDLED)}
    bulk, tail = runs["pion-reorder-low"], runs["pion-tail-loss"]

    assert tally_of(bulk, "middle").causes["rack", "rack"] > 50
    assert tally_of(tail, "middle").causes["tlp", "tlp"] == 17


def test_the_page_has_what_was_measured() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")

    assert page.count(BEGIN) == page.count(END) == 1
    assert "of the committed samples" in page.split(BEGIN)[1].split(END)[0]
