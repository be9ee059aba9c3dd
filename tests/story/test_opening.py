# SPDX-License-Identifier: BSD-2-Clause
"""The sentence that a summary opens with, from rows by hand."""

from typing import Any

import pytest
from sctp_rack.recovery.direction import Recovery, recovery
from sctp_rack.summary.opening import opening

from tests.story.rows import again, marked, sent, tally_of


def of(*rows: dict[str, Any], marks: tuple[dict[str, Any], ...] = ()) -> Recovery:
    return recovery(tally_of(rows, marks))


def sentence(*rows: dict[str, Any], marks: tuple[dict[str, Any], ...] = ()) -> str:
    return opening([of(*rows, marks=marks)])


def test_says_how_many_were_spurious_and_which_timeout_made_them() -> None:
    rows = [
        again(9, 1, "t3", "needed", 900),
        again(20, 2, "t3", "spurious", 2000),
        again(21, 3, "t3_gbn", "spurious", 2001),
        again(22, 4, "t3_gbn", "spurious", 2002, verdict_class=3),
        again(30, 5, "fast", "spurious", 3000),
    ]

    assert sentence(*rows) == (
        "4 of 5 retransmissions were spurious (3 very likely); 3 of them came from one timeout at "
        "frame 20."
    )


def test_says_how_sure_the_cause_of_the_spurious_ones_is() -> None:
    rows = [
        again(9, 1, "fast", "spurious", 900, cause_class=2),
        again(10, 2, "fast_deferred", "spurious", 901, cause_class=4),
        again(11, 3, "fast", "needed", 902, cause_class=5),
        again(12, 4, "t3", "spurious", 903, cause_class=1),
    ]

    assert sentence(*rows).endswith("; 2 of them were sent by fast retransmit (classes 2 to 4).")


def test_says_what_rack_saves_where_a_timeout_repaired_what_rack_had_marked() -> None:
    rows = [again(9, 1, "t3", "needed", 900), again(10, 2, "t3_gbn", "needed", 901)]
    marks = (marked(1, 1, 100, 800), marked(2, 1, 261, 640))

    assert sentence(*rows, marks=marks) == (
        "All 2 retransmissions were needed (very likely); RACK-TLP would have recovered 800 ms "
        "earlier than the timeout."
    )


def test_what_cwnd_held_back_after_the_timeout_is_no_saving() -> None:
    rows = [again(9, 1, "t3", "spurious", 900), again(20, 2, "t3_gbn", "needed", 2900)]

    assert "RACK" not in sentence(*rows, marks=(marked(2, 1, 1000, 1900),))


def test_sums_what_rack_saves_over_timeouts() -> None:
    rows = [again(9, 1, "t3", "needed", 900), again(19, 2, "t3", "needed", 1900, prev_frame=2)]
    marks = (marked(1, 1, 100, 800), marked(2, 2, 1400, 500))

    assert sentence(*rows, marks=marks).endswith(
        "; RACK-TLP would have saved 1.30 s of waiting for 2 timeouts."
    )


@pytest.mark.parametrize(
    "mark",
    [
        marked(1, 1, 100, 800, resolution="false_mark"),
        marked(1, 1, 100, 800, trigger="rto"),
        marked(1, 1, 100, 800, profile="pion"),
        marked(1, 1, 900, 0),
        marked(1, 1, 899.5, 0.5),
        marked(1, 4, 100, 800),
    ],
    ids=[
        "wrong",
        "its own timeout",
        "another profile",
        "not earlier",
        "as a host needs",
        "another copy",
    ],
)
def test_claims_no_saving_for_a_mark_that_does_not_show_one(mark: dict[str, Any]) -> None:
    text = sentence(again(9, 1, "t3", "needed", 900), marks=(mark,))

    assert text == "The only retransmission was needed (very likely)."


def test_claims_no_saving_where_no_timeout_was_waited_for() -> None:
    text = sentence(again(9, 1, "fast", "needed", 900), marks=(marked(1, 1, 100, 800),))

    assert "RACK" not in text


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        (["needed"], "The only retransmission was needed (very likely)."),
        (["spurious"], "The only retransmission was spurious (very likely)."),
        (["needed"] * 3, "All 3 retransmissions were needed (very likely)."),
        (["needed", "spurious"], "1 of 2 retransmissions was spurious (very likely)."),
        (
            ["undetermined"],
            "Whether the only retransmission was needed cannot be told from this capture.",
        ),
        (
            ["undetermined"] * 2,
            "Whether any of the 2 retransmissions was needed cannot be told from this capture.",
        ),
        (
            ["needed", "undetermined"],
            "1 of 2 retransmissions was needed (very likely), 1 undetermined.",
        ),
        (
            ["spurious", "spurious", "undetermined"],
            "2 of 3 retransmissions were spurious (very likely), 1 undetermined; both of the "
            "spurious ones were sent by fast retransmit (class 4).",
        ),
    ],
)
def test_says_only_what_is_known(verdicts: list[str], text: str) -> None:
    rows = [again(10 + at, at, "fast", verdict) for at, verdict in enumerate(verdicts)]

    assert sentence(*rows) == text


def test_names_no_cause_where_it_is_unknown_or_they_differ() -> None:
    unknown = [again(9, 1, "unknown", "spurious"), again(10, 2, "unknown", "spurious")]
    three = [again(9 + at, at, cause, "spurious") for at, cause in enumerate(("tlp", "rack", "t3"))]

    assert sentence(*unknown) == "All 2 retransmissions were spurious (very likely)."
    assert sentence(*three) == "All 3 retransmissions were spurious (very likely)."


def test_certain_is_what_nothing_else_explains() -> None:
    rows = [again(9 + at, at, "unknown", "spurious", verdict_class=5 - at) for at in range(3)]

    assert sentence(*rows[:1]) == "The only retransmission was spurious (certain)."
    assert sentence(*rows) == "All 3 retransmissions were spurious (1 certain, 1 very likely)."


def test_a_low_class_is_no_certainty() -> None:
    row = again(9, 1, "fast", "spurious", verdict_class=3)

    assert sentence(row) == "The only retransmission was spurious (probably)."


def test_what_was_only_lost_is_no_retransmission() -> None:
    one = of(sent(1, 1, outcome="lost"), again(9, 1, "fast", "needed"))

    assert (one.lost, one.lost_tsns, one.retransmissions) == (1, 1, 1)
