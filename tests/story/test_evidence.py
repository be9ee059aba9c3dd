# SPDX-License-Identifier: BSD-2-Clause
"""Evidence in sentences, with the numbers of hand-made copies."""

import dataclasses
from typing import Any

import pytest
from sctp_rack.names import Evidence
from sctp_rack.story.acknowledgements import Feedback, TsnFeedback
from sctp_rack.story.alternatives import ruled_out
from sctp_rack.story.evidence import Case, cause_sentences, of_cause, of_verdict, sentences

from tests.story.rows import MS, again, row_of, sent

ACKED: dict[str, Any] = {"acked_frame": 30, "acked_time_ns": int(103.2 * MS)}
FIRST = sent(1, 7, 0, **ACKED)
PATH = row_of("paths", rto_ns=1000 * MS, min_rtt_ns=int(40.1 * MS), sender_has_rack="no")


def left_out(frame: int, at_ms: float, news: bool = True) -> Feedback:
    return Feedback(frame, int(at_ms * MS), "sack", 6, True, news, 0)


def duplicate(frame: int) -> Feedback:
    return Feedback(frame, 140 * MS, "sack", 9, False, False, 1)


def case(
    verdict: str,
    *codes: str,
    feedback: tuple[Feedback, ...] = (),
    cause: str = "fast",
    **values: Any,
) -> Case:
    known = {"evidence": list(codes), **ACKED, **values}
    row = again(20, 7, cause, verdict, 100, **known)
    return Case(row, FIRST, None, 2, TsnFeedback(feedback), int(40.1 * MS))


def test_too_early_an_acknowledgement_says_that_an_earlier_copy_had_arrived() -> None:
    assert sentences(case("spurious", "S8")) == [
        "It was acknowledged in frame 30, 3.2 ms after this copy passed the tap, sooner than the "
        "40.1 ms that a round trip from the tap takes at least: an earlier copy had arrived."
    ]


def test_too_early_for_a_later_copy_speaks_for_this_one() -> None:
    one = case("needed", "S8")
    later = again(25, 7, "fast", "spurious", 102, copy=3, **ACKED)

    (text,) = sentences(dataclasses.replace(one, last=later, copies=3))
    assert "1.2 ms after copy 3, sooner than the 40.1 ms" in text
    assert text.endswith("the answer is to this copy, not to a later one.")


def test_an_acknowledgement_before_the_copy_is_said_to_come_before() -> None:
    early: dict[str, Any] = {"acked_frame": 19, "acked_time_ns": 90 * MS}
    (text,) = sentences(case("spurious", "S2", **early))

    assert text.startswith("It was acknowledged in frame 19, 10.0 ms before this copy passed")


def test_duplicate_reports_are_counted_and_named() -> None:
    (text,) = sentences(case("spurious", "S3", feedback=(duplicate(33),)))

    assert text == (
        "The receiver sent 1 duplicate report (frame 33) of the TSN, which was sent 2 times: both "
        "copies arrived."
    )


@pytest.mark.parametrize(
    ("verdict", "verdict_class", "end"),
    [
        ("spurious", 4, "that one before this copy did."),
        ("spurious", 3, "that one before this copy most likely did."),
        ("undetermined", 2, "some were spurious, and which is a matter of timing."),
    ],
)
def test_fewer_reports_than_copies_speak_of_an_earlier_copy(
    verdict: str, verdict_class: int, end: str
) -> None:
    one = case(verdict, "S5", feedback=(duplicate(33),), verdict_class=verdict_class)
    (text,) = sentences(dataclasses.replace(one, copies=5))

    assert text.startswith("The receiver sent 1 duplicate report (frame 33) for 5 copies: ")
    assert text.endswith(end)


def test_a_needed_one_says_how_long_the_copy_before_stayed_missing() -> None:
    feedback = (left_out(11, 60), left_out(12, 90))

    assert sentences(case("needed", feedback=feedback)) == [
        "2 acknowledgements up to frame 12, 90.0 ms after copy 1, still left the TSN out although "
        "later data had arrived: copy 1 had not."
    ]


def test_feedback_within_a_round_trip_proves_nothing() -> None:
    (text,) = sentences(case("needed", feedback=(left_out(11, 40),)))

    assert "left the TSN out" not in text


@pytest.mark.parametrize(
    ("verdict", "end"),
    [
        ("needed", "reorder: the copy before was lost."),
        ("spurious", "arrived only after the TSN had: an earlier copy had brought it."),
        ("undetermined", "tells which of the copies arrived first."),
    ],
)
def test_without_a_code_the_order_tells_or_nothing_does(verdict: str, end: str) -> None:
    (text,) = sentences(case(verdict))

    assert text.endswith(end)


def test_a_copy_with_a_wrong_checksum_is_not_told_by_order() -> None:
    one = case("needed")
    (text,) = sentences(dataclasses.replace(one, before={**FIRST, "crc": "bad"}))

    assert text == "The copy before came with a wrong checksum, so the receiver discarded it."


def test_what_was_never_acknowledged_is_said_to_be_open() -> None:
    (text,) = sentences(case("undetermined", acked_frame=None, acked_time_ns=None))

    assert text.startswith("The capture ends, or the TSN was given up")


@pytest.mark.parametrize("code", list(Evidence))
@pytest.mark.parametrize("verdict", ["spurious", "needed", "undetermined"])
def test_every_code_has_a_sentence(code: Evidence, verdict: str) -> None:
    one = case(verdict, code.value, bytes=1000)
    text = [*cause_sentences(one), *sentences(one)][0]

    assert text[0].isupper() and text.endswith(".") and "None" not in text


def test_what_speaks_for_the_cause_is_told_apart_from_what_speaks_for_the_verdict() -> None:
    one = case("spurious", "S8", "K1", trigger_frame=19)

    assert cause_sentences(one) == [
        "Frame 19 brought the third missing report; RACK would not have marked it yet."
    ]
    assert len(sentences(one)) == 1 and sentences(one) == sentences(case("spurious", "S8"))
    assert (of_verdict(one.row["evidence"]), of_cause(one.row["evidence"])) == (["S8"], ["K1"])


def test_other_causes_are_ruled_out_by_numbers() -> None:
    feedback = (left_out(11, 60), left_out(12, 90), left_out(13, 95, news=False))
    one = case("needed", feedback=feedback, cause="tlp")

    assert ruled_out(one, PATH) == [
        "Not T3-rtx: copy 1 was 100 ms old, and RTO from these round trips and the limits of RFC "
        "9260 is 1.00 s.",
        "Not fast retransmit: 2 missing reports of the 3 that it takes had come.",
        "Not RACK: this sender marks nothing by time where RACK would.",
    ]


def test_no_cause_rules_itself_out() -> None:
    assert not any("fast" in text for text in ruled_out(case("needed", cause="fast"), PATH))
    assert not any("T3" in text for text in ruled_out(case("needed", cause="t3"), PATH))
    assert not any("RACK" in text for text in ruled_out(case("needed", cause="rack"), PATH))
    assert not any("probe" in text for text in ruled_out(case("needed", cause="tlp"), PATH))
