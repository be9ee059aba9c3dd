# SPDX-License-Identifier: BSD-2-Clause
"""The counting rules: truth itself scores 1, silence 0, and each rule by a case of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy.count import Row, count
from bench.accuracy.late import late_originals
from bench.accuracy.mistakes import mechanisms_table, mistakes_table
from bench.accuracy.tally import Mistake, Share, Tally, total
from bench.accuracy.truths import TAPS, Run, is_lost, runs_in
from tests.captures import BUNDLED

RUNS = list(runs_in(BUNDLED))
SHARES_OF_WHAT_IS_WRONG = ("undetermined", "left_open", "invented")
NO_QUESTION = ("tried",)
ONCE = ("original", "late original", "network_duplicate", "capture_duplicate")
#: What is true where the truth itself is said.
RIGHT = {
    "spurious": ("spurious",),
    "needed": ("needed",),
    "undetermined": ("not certain",),
    "none": ONCE,
}


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
        for name in tally.shares.keys() - NO_QUESTION:
            share = tally.shares[name]
            assert share.value == (0 if name in SHARES_OF_WHAT_IS_WRONG else 1)
        assert all(true.split(",")[0] in RIGHT[said] for true, said in tally.verdicts)
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


CLAIMS = {"verdict": "needed", "cause": "rack", "probe": "retransmission"}


@pytest.mark.parametrize(("column", "word"), CLAIMS.items())
def test_a_claim_on_an_original_counts_against_its_class(column: str, word: str) -> None:
    tally = asked({}, **{column: word, f"{column}_class": 4})

    assert tally.calibration[column, 4] == Share(0, 1)
    assert tally.claims(column) == Share(0, 1)


@pytest.mark.parametrize("kind", ["network_duplicate", "capture_duplicate"])
@pytest.mark.parametrize(("column", "word"), CLAIMS.items())
def test_a_claim_on_what_is_repeated_counts_against_its_class(
    kind: str, column: str, word: str
) -> None:
    repeated = {"dir": "a2b", "tsn": 7, "copy": 1, "frames": {"sender": 4}}
    run = Run(Path(), document() | {f"{kind}s": [repeated]})
    tally = count(run, "sender", [row(3, 7), row(4, 7, kind=kind, **{column: word})])

    assert tally.calibration[column, 5] == Share(0, 1)
    assert tally.verdicts[kind, "needed" if column == "verdict" else "none"] == 1


@pytest.mark.parametrize(("column", "word"), CLAIMS.items())
def test_a_claim_on_what_truth_does_not_know_counts_against_its_class(
    column: str, word: str
) -> None:
    tally = count(Run(Path(), document()), "sender", [row(3, 7), row(9, 9, **{column: word})])

    assert tally.extra == 1
    assert tally.calibration[column, 5] == Share(0, 1)


@pytest.mark.parametrize("said", ["unknown", None])
def test_no_cause_is_no_claim(said: str | None) -> None:
    assert asked({}, cause=said).claims("cause") == Share(0, 0)


def test_a_verdict_whose_truth_is_not_certain_is_not_judged() -> None:
    tally = asked(AGAIN, kind="retransmission", verdict="needed")

    assert tally.claims("verdict") == Share(0, 0)
    assert tally.verdicts == {("not certain", "needed"): 1}


def test_an_original_that_is_said_to_be_sent_again_is_invented() -> None:
    assert asked({}, kind="retransmission").shares["invented"] == Share(1, 1)
    assert asked({}, kind="reordered").shares["invented"] == Share(0, 1)
    assert asked(AGAIN, kind="retransmission").shares["invented"] == Share(0, 0)


@pytest.mark.parametrize(("said", "asked_for"), [("original", 0), ("reordered", 0), ("missing", 1)])
def test_what_nobody_can_know_to_be_sent_before_may_be_called_new(
    said: str, asked_for: int
) -> None:
    hidden = {"sender": False}
    truth = {**AGAIN, "spurious": False, "cause": "tlp", "knowable": hidden}
    tally = asked({**truth, "knowable_kind": hidden}, kind=said)

    assert tally.questions["retransmission"].missed == asked_for
    assert tally.questions["probe"].missed == asked_for
    assert tally.shares["kind"].of == tally.shares["cause"].of == asked_for
    assert tally.shares["left_open"] == Share(1, 1)
    assert asked(truth, kind=said).questions["retransmission"].missed == 1


@pytest.mark.parametrize(
    ("knowable", "tried"), [({"sender": False}, 1), ({"sender": True}, 1), ({"sender": None}, 0)]
)
def test_it_is_counted_where_it_was_tried_what_can_be_known(
    knowable: dict[str, bool | None], tried: int
) -> None:
    truth = {**AGAIN, "spurious": True, "knowable": knowable}

    assert asked(truth, verdict="spurious").shares["tried"] == Share(tried, 1)


@pytest.mark.parametrize(
    ("knowable", "tried"), [({"sender": False}, 1), ({"sender": True}, 1), ({"sender": None}, 0)]
)
@pytest.mark.parametrize("said", ["spurious", "undetermined"])
def test_what_is_found_is_asked_where_it_was_tried_alone_of_a_run_that_tried_a_share(
    knowable: dict[str, bool | None], tried: int, said: str
) -> None:
    truth = {**AGAIN, "spurious": True, "knowable": knowable, "knowable_outcome": knowable}
    can_be_known = knowable["sender"] is not False
    truth = document(**truth, fate="dropped")
    claims = [row(3, 7, kind="retransmission", verdict=said, outcome="lost")]
    for run, asked_for in (
        (Run(Path(), truth), can_be_known),
        (Run(Path(), {**truth, "knowable_share": 0.2}), tried * can_be_known),
    ):
        tally = count(run, "sender", claims)
        verdict, loss = tally.questions["spurious"], tally.questions["loss"]

        assert verdict.cases == loss.cases == loss.found == asked_for
        assert verdict.found == asked_for * (said == "spurious")
        assert verdict.right == can_be_known * (said == "spurious")
        assert loss.right == can_be_known
        assert tally.shares["undetermined"].of == asked_for


def test_what_nobody_can_know_is_confused_apart() -> None:
    truth = {**AGAIN, "spurious": True, "knowable": {"sender": False}}
    tally = asked(truth, kind="retransmission", verdict="undetermined")

    assert tally.verdicts == {("spurious, unknowable", "undetermined"): 1}


def of_frames(*frames_and_tsns: tuple[int, int], again: bool = False) -> list[dict[str, Any]]:
    return [
        {"dir": "a2b", "tsn": tsn, "frames": {"sender": frame}, "retransmission": again}
        for frame, tsn in frames_and_tsns
    ]


def test_an_original_is_late_behind_a_higher_tsn_also_around_the_end_of_the_numbers() -> None:
    last = (1 << 32) - 1
    sent = of_frames((1, last - 1), (3, last), (2, 0), (4, 1))

    assert late_originals(sent, "sender") == {(3, last)}
    assert late_originals(sent, "receiver") == set()


def test_chunks_of_a_packet_and_resends_are_not_late() -> None:
    assert late_originals(of_frames((1, 8), (1, 7)), "sender") == set()
    resent = of_frames((2, 7), again=True)
    assert late_originals([*of_frames((1, 8)), *resent], "sender") == set()
    other_way = [{**one, "dir": "b2a"} for one in of_frames((2, 7))]
    assert late_originals([*of_frames((1, 8)), *other_way], "sender") == set()


def test_ways_to_be_wrong_come_by_how_often_they_do_with_one_example() -> None:
    rare = Mistake("a.pcap", "verdict", 1, 7, "needed", "spurious (4/5)", "copy 1 lost", ("S2",))
    often = Mistake("b.pcap", "cause", 5, 8, "rack", "fast (3/5)", "", ("K1", "S2"))
    unseen = Mistake("c.pcap", "verdict", 2, 9, "needed", "nothing", "copy 1 x, not seen here")
    lines = mechanisms_table([rare, often, often, unseen], most=2).splitlines()

    assert lines[2] == "| 2 | cause | rack | fast (3/5) | K1 |  | `b.pcap` 5 |"
    assert lines[3].startswith("| 1 | verdict | needed | nothing |  | an earlier copy not seen")
    assert lines[5] == "1 more, in 1 rarer ways."
    assert mechanisms_table([], most=2) == "Nothing.\n"
