# SPDX-License-Identifier: BSD-2-Clause
"""The counting rules: truth itself scores 1, silence 0, and each rule by a case of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy.count import Row, count
from bench.accuracy.mistakes import mistakes_table
from bench.accuracy.page import page
from bench.accuracy.tally import Tally, total
from bench.accuracy.truths import TAPS, Run, is_lost, runs_in
from tests.captures import BUNDLED

RUNS = list(runs_in(BUNDLED))


def oracle(run: Run, tap: str) -> Iterator[Row]:
    """Truth as rows."""
    verdicts = {True: "spurious", False: "needed", None: "undetermined"}
    for record in run.document["transmissions"]:
        again = record["retransmission"]
        yield row(
            record["frames"][tap],
            record["tsn"],
            kind="retransmission" if again else "original",
            cause=(record["cause"] or "unknown") if again else None,
            probe="retransmission" if record["cause"] == "tlp" else None,
            verdict=verdicts[record["spurious"]] if again else None,
            outcome="lost" if is_lost(record) else "acked",
        )
    for record, kind in run.repeated:
        yield row(record["frames"].get(tap), record["tsn"], kind=kind)


def row(frame: int | None, tsn: int, **values: Any) -> Row:
    plain = {"cause": None, "probe": None, "verdict": None, "outcome": "acked", "kind": "original"}
    classes = {f"{name}_class": 5 for name in plain}
    return {"frame": frame, "tsn": tsn, "evidence": [], **plain, **classes, **values}


def seen(rows: Iterator[Row]) -> list[Row]:
    return [one for one in rows if one["frame"]]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_truth_itself_is_right_in_every_respect(run: Run) -> None:
    for tap in TAPS:
        tally = count(run, tap, seen(oracle(run, tap)))

        assert (tally.missing, tally.extra, tally.mistakes) == (0, 0, [])
        for question in tally.questions.values():
            assert question.wrong == question.missed == 0
        for name, share in tally.shares.items():
            assert share.value == (0 if name in ("undetermined", "left_open") else 1)
        assert all(share.value == 1 for share in tally.calibration.values())


def test_silence_finds_nothing_and_claims_nothing() -> None:
    tallies = []
    for run in RUNS:
        said = {"kind": "original", "cause": None, "verdict": None, "outcome": "unresolved"}
        rows = [{**one, **said, "probe": None} for one in seen(oracle(run, "sender"))]
        tallies.append(count(run, "sender", rows))
    together = total(tallies)

    for name in ("retransmission", "spurious", "needed", "probe", "loss"):
        question = together.questions[name]
        assert (question.precision, question.recall) == (None, 0)
    assert together.shares["cause_answered"].part == 0
    assert together.shares["undetermined"].value == 1


def test_missing_rows_are_wrong_and_no_abstention() -> None:
    run = next(run for run in RUNS if run.name == "usrsctp-nth-loss")
    tally = count(run, "sender", [])

    assert tally.missing == tally.rows > 0
    assert tally.shares["kind"].part == tally.shares["undetermined"].part == 0
    assert tally.questions["needed"].recall == 0


def document(**transmission: Any) -> dict[str, Any]:
    usual = {
        "dir": "a2b",
        "tsn": 7,
        "copy": 1,
        "frames": {"sender": 3},
        "fate": "delivered",
        "why": "",
        "retransmission": False,
        "spurious": None,
        "cause": None,
    }
    return {
        "name": "one",
        "stack": "usrsctp",
        "stack_version": "1",
        "captures": {"sender": "one.pcap"},
        "transmissions": [{**usual, **transmission}],
    }


def asked(transmission: dict[str, Any], **said: Any) -> Tally:
    run = Run(Path(), document(**transmission))
    return count(run, "sender", [row(3, 7, **said)])


AGAIN = {"retransmission": True, "copy": 2}


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("spurious", (0, 0, 0)), ("needed", (0, 1, 0)), ("undetermined", (0, 0, 0))],
)
def test_where_nobody_can_know_only_a_wrong_claim_counts(
    verdict: str, expected: tuple[int, int, int]
) -> None:
    truth = {**AGAIN, "spurious": True, "knowable": {"sender": False}}
    tally = asked(truth, kind="retransmission", verdict=verdict)
    counted = [tally.questions["spurious"], tally.questions["needed"]]

    assert sum(one.right for one in counted) == expected[0]
    assert sum(one.wrong for one in counted) == expected[1]
    assert sum(one.missed for one in counted) == expected[2]
    assert tally.shares["left_open"].part == (verdict == "undetermined")


def test_a_verdict_on_an_original_is_a_wrong_claim() -> None:
    assert asked({}, verdict="spurious").questions["spurious"].wrong == 1


def test_a_late_original_is_an_original() -> None:
    assert asked({}, kind="reordered").shares["kind"].value == 1


@pytest.mark.parametrize(("level", "wrong"), [(1, 0), (2, 0), (3, 1)])
def test_a_doubtful_probe_with_new_data_is_no_claim(level: int, wrong: int) -> None:
    assert asked({}, probe="new_data", probe_class=level).questions["probe"].wrong == wrong


def test_a_cause_of_the_same_family_is_not_the_cause() -> None:
    shares = asked({**AGAIN, "cause": "t3"}, kind="retransmission", cause="t3_gbn").shares

    assert shares["cause"].value == 0
    assert shares["cause_answered"].value == shares["cause_family"].value == 1


@pytest.mark.parametrize(
    ("fate", "outcome"), [("in_flight", "lost"), ("delivered", "abandoned"), ("discarded", "acked")]
)
def test_losses_that_are_not_asked_for_and_one_that_is(fate: str, outcome: str) -> None:
    question = asked({"fate": fate}, outcome=outcome).questions["loss"]

    assert question.missed == (fate == "discarded")
    assert question.right == question.wrong == 0


def test_mistakes_that_are_alike_share_a_line() -> None:
    tally = asked({**AGAIN, "spurious": False}, kind="retransmission", verdict="spurious")
    tally.add(tally)
    lines = mistakes_table(tally.mistakes).splitlines()

    assert lines[2] == "| verdict | one.pcap | needed | spurious (5/5) |  | 3, 3 |"
    assert mistakes_table([]) == "Nothing.\n"


def test_a_page_without_captures_has_no_figures() -> None:
    assert "1.000" not in page([("none", [])], "TShark")
