# SPDX-License-Identifier: BSD-2-Clause
"""Our counts are those of the scorer of the collection, where it is present."""

import importlib.util
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.accuracy.answers import by_package
from bench.accuracy.count import Row, count
from bench.accuracy.marks import count_marks
from bench.accuracy.tally import Tally
from bench.accuracy.truths import TAPS, Run, runs_in
from tests.captures import BUNDLED, COLLECTION

SCORER = COLLECTION.parent / "score" / "score.py"
RUNS = [*runs_in(BUNDLED), *runs_in(COLLECTION / "truth")]
KEYS = {"retransmission": "rt", "spurious": "sp", "needed": "ne", "probe": "pr", "loss": "lo"}

pytestmark = pytest.mark.skipif(
    not SCORER.is_file(), reason="the scorer is not present beside the project"
)


@pytest.fixture(scope="module")
def scorer() -> Any:
    sys.path.insert(0, str(SCORER.parent))
    try:
        specification = importlib.util.spec_from_file_location("score", SCORER)
        assert specification is not None
        assert specification.loader is not None
        module: Any = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        module.ALL_CLAIMS = True
    finally:
        sys.path.remove(str(SCORER.parent))
    return module


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_every_count_is_the_scorers(run: Run, scorer: Any) -> None:
    for tap in TAPS:
        rows, marks, _ = by_package(run, tap)
        theirs = scorer.count(run.document, tap, rows)
        ours = count(as_the_scorer_has_it(run), tap, rows)

        assert (ours.rows, ours.missing, ours.extra) == tuple(
            theirs[name] for name in ("rows", "missing", "extra")
        )
        for name, key in KEYS.items():
            same_question(ours, name, theirs, key)
        for name, part, of in (
            ("kind", "kind_ok", "kind_n"),
            ("undetermined", "sp_abstain", "sp_n"),
            ("left_open", "un_open", "un_n"),
            *((f"cause{more}", f"ca_{key}", "ca_n") for more, key in CAUSE_SHARES),
        ):
            assert (ours.shares[name].part, ours.shares[name].of) == (theirs[part], theirs[of])
        assert {
            ("cal_n", what, str(level)): share.of
            for (what, level), share in ours.calibration.items()
        } == tables(theirs + unfounded_causes(run, tap, rows), "cal_n")
        assert {("cause", *pair): n for pair, n in ours.causes.items()} == tables(theirs, "cause")
        figures = scorer.figures(theirs)
        assert ours.mean_cause_recall == scorer.ratio(figures["cause.mean_recall"])
        if tap == "sender" and scorer.has_profile(run.document):
            assert run.profile is not None
            same_question(
                count_marks(run, marks), "marks", scorer.count_marks(run.document, marks), "ma"
            )


def as_the_scorer_has_it(run: Run) -> Run:
    """Which does not ask what can be known of the kind."""
    transmissions = [
        {key: value for key, value in one.items() if key != "knowable_kind"}
        for one in run.document["transmissions"]
    ]
    return replace(run, document=run.document | {"transmissions": transmissions})


def unfounded_causes(run: Run, tap: str, rows: list[Row]) -> Counter[Any]:
    """On what was not sent again: the scorer does not count them, we do."""
    again = {
        (one["frames"][tap], one["tsn"])
        for one in run.document["transmissions"]
        if one["retransmission"]
    }
    return Counter(
        ("cal_n", "cause", str(row["cause_class"]))
        for row in rows
        if row["cause"] not in (None, "unknown") and (row["frame"], row["tsn"]) not in again
    )


CAUSE_SHARES = (("", "ok"), ("_answered", "answered"), ("_family", "family"))


def same_question(ours: Tally, name: str, theirs: Any, key: str) -> None:
    question = ours.questions[name]
    assert (question.right, question.wrong, question.missed) == tuple(
        theirs[f"{key}_{what}"] for what in ("tp", "fp", "fn")
    ), name


def tables(theirs: Any, first: str) -> dict[Any, int]:
    return {key: n for key, n in theirs.items() if isinstance(key, tuple) and key[0] == first and n}


def test_labels_are_the_scorers(scorer: Any) -> None:
    known = [run for run in RUNS if run.document["stack"] in scorer.RECEIVER]
    assert [(run.stack, run.receiver) for run in known] == [
        scorer.label(run.document) for run in known
    ]
    assert Path(SCORER).is_file()
