# SPDX-License-Identifier: BSD-2-Clause
"""Every vector of tests/vectors, replayed: marks, expectations, probes, timers, states, queue."""

import json
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.names import Cause, Kind, Outcome, Probe, Verdict
from sctp_rack.reference.events import Feedback, Mark
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.timeline import ms
from sctp_rack.reference.tsn import Tsn, tsn_at
from sctp_rack.reference.variants import milliseconds
from sctp_rack.reference.vector import (
    CHUNK_KEYS,
    DEFAULT_PATH,
    EVENT_KEYS,
    EVERY_EVENT,
    PATH_KEYS,
    RUN_KEYS,
    VECTOR_KEYS,
    Run,
    feed,
    load,
)

FOLDER = Path(__file__).parents[1] / "vectors"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
WORDS = {
    "cause": Cause,
    "verdict": Verdict,
    "outcome": Outcome,
    "kind": Kind,
    "probe": Probe,
}
CLASSES = ("cause_class", "verdict_class", "probe_class", "cause_class_at_most")
ROW_KEYS = {
    *("tsn", "copy", "evidence", "alternatives", "not_cause", "verdict_may_be", "early_ack"),
    *("reason", *WORDS, *CLASSES),
}
# What these decide is the judgement's, not the model's.
WITHOUT_RUNS = {"T41"}
# The rows of the tables of evidence: S for the verdict, K for the cause.
EVIDENCE = {f"S{n}" for n in range(1, 20)} | {f"K{n}" for n in range(1, 17)}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_RUNS])
def test_the_model_does_what_the_vector_says(name: str) -> None:
    vector = load(name, FOLDER)
    for number, run in enumerate(vector.runs):
        replayed = _replay(run, f"{name} run {number} ({run.profile})")
        expected = {key: value for key, value in run.expected.items() if key in replayed}
        assert {"marks", "expectations"} <= set(expected)

        assert {key: replayed[key] for key in expected} == expected, f"{name} run {number}"
        assert set(run.expected) <= {*replayed, "until", "checks"}


@pytest.mark.parametrize("name", NAMES)
def test_the_vector_says_what_it_is_and_what_is_not_checked(name: str) -> None:
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))

    assert data["id"] == name
    assert all(data[key] for key in ("title", "story", "source", "events", "not_checked"))
    assert bool(data["runs"]) is (name not in WITHOUT_RUNS)
    for row in data["verdicts"]["transmissions"]:
        assert {"tsn", "copy"} <= set(row) <= ROW_KEYS, row
        assert set(row.get("evidence", [])) <= EVIDENCE, row
        assert set(row.get("alternatives", [])) | {row.get("not_cause", "t3")} <= set(Cause), row
        assert row.get("verdict_may_be", Verdict.NEEDED) in set(Verdict), row
        for column, words in WORDS.items():
            assert column not in row or row[column] in set(words)
        for column in CLASSES:
            assert row.get(column, 1) in range(1, 6)


def test_all_vectors_are_there() -> None:
    numbered = {f"T{number:02}" for number in range(1, 53)} - {"T05"}
    variants = {"T05a", "T05b", "T34b", "T34c", "T35b", "T35c"}
    measured = {f"P{number}" for number in range(1, 7)} | {f"N{number}" for number in range(1, 8)}

    assert set(NAMES) == numbered | variants | measured


def test_the_readme_lists_every_key() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    keys = VECTOR_KEYS | RUN_KEYS | PATH_KEYS | CHUNK_KEYS | EVERY_EVENT | set(EVENT_KEYS)
    keys = keys.union(*EVENT_KEYS.values()) | ROW_KEYS | {"summary", "probe_outcome"}
    keys |= {"vantage", "loop_ms", "snaplen", "clock_step_ms"}

    assert (
        sorted(key for key in keys if f"`{key}`" not in readme and f'"{key}"' not in readme) == []
    )


def _replay(run: Run, where: str) -> dict[str, Any]:
    model, marks = run.model(), list[Mark]()
    checks = list(run.expected.get("checks", []))
    for event in run.events:
        _check_before(model, checks, event.time_ns, where)
        feed(model, event)
        marks += model.take_marks()
    until_ns = run.until_ns or max(event.time_ns for event in run.events)
    _check_before(model, checks, until_ns + 1, where)
    assert not checks, f"{where}: a check lies after the last event"
    model.time_passed(until_ns)
    marks += model.take_marks()
    queue = _queue(model, run.expected.get("queue", {}))
    model.finish()
    paths = len(model.sender.paths) > 1
    return {
        "marks": [_mark(mark, "path" if paths else None) for mark in marks],
        "expectations": [
            {"action": e.action, "at": ms(e.time_ns), "tsn": e.tsn.value}
            for e in model.expectations
        ],
        "probes": [
            {
                "tsn": p.tsn.value,
                "kind": p.kind,
                "expected": ms(p.expected_ns),
                "sent": ms(p.sent_ns),
                "outcome": p.outcome,
            }
            for p in model.probes
        ],
        "reneged": [{"at": ms(ns), "tsn": tsn.value} for ns, tsn in model.reneged],
        "broken_promises": [{"at": ms(ns), "tsn": t.value} for ns, t in model.broken_promises],
        "ends": _ends(model, run.expected.get("ends", [])),
        "queue": queue,
    }


def _mark(mark: Mark, path: str | None) -> dict[str, Any]:
    words = {
        "tsn": mark.tsn.value,
        "copy": mark.copy,
        "at": ms(mark.time_ns),
        "trigger": mark.trigger,
        "by_frame": mark.by_frame,
    }
    return {**words, "path": mark.path} if path else words


def _ends(model: RecoveryModel, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ends = {(tsn_at(seq).value, copy): end for (seq, copy), end in model.sender.board.ends.items()}
    return [{**ask, "end": ends.get((ask["tsn"], ask["copy"]))} for ask in asked]


def _queue(model: RecoveryModel, asked: dict[str, Any]) -> dict[str, Any]:
    steps = {ms(step.time_ns): step for step in model.queue.steps}
    answer: dict[str, Any] = {}
    if "utilisation_ppm" in asked:
        answer["utilisation_ppm"] = [
            {
                **ask,
                "value": model.queue.utilisation_ppm(
                    milliseconds(ask["from"]), milliseconds(ask["to"])
                ),
            }
            for ask in asked["utilisation_ppm"]
        ]
    if "steps" in asked:
        answer["steps"] = [
            {
                "at": ask["at"],
                "chunks": steps[ask["at"]].chunks,
                "necessary_chunks": steps[ask["at"]].necessary_chunks,
            }
            for ask in asked["steps"]
        ]
    return answer


def _check_before(
    model: RecoveryModel, checks: list[dict[str, Any]], time_ns: int, where: str
) -> None:
    """Make the checks that come before a time, when all that is due by the check has happened."""
    while checks and milliseconds(checks[0]["at"]) < time_ns:
        check = checks.pop(0)
        model.time_passed(milliseconds(check["at"]))
        expected = {key: value for key, value in check.items() if key not in ("at", "path")}

        assert _state(model, check) == expected, f"{where} at {check['at']} ms"


def _state(model: RecoveryModel, check: dict[str, Any]) -> dict[str, Any]:
    snapshot = model.snapshot(check.get("path", DEFAULT_PATH))
    durations = (
        *("srtt", "rttvar", "rto", "min_rtt", "rack_rtt", "rack_xmit"),
        *("reo_wnd", "t3", "pto", "reo"),
    )
    state: dict[str, Any] = {
        key: None if (ns := getattr(snapshot, f"{key}_ns")) is None else ms(ns) for key in durations
    }
    for key in ("reo_wnd_mult", "reordering_seen", "in_recovery", "flight_bytes"):
        state[key] = getattr(snapshot, key)
    state["probe_outcome"] = model.probes[-1].outcome if model.probes else None
    state["rack_tsn"] = snapshot.rack_tsn.value if snapshot.rack_tsn else None
    state["states"] = {t: model.state_of(Tsn(int(t))) for t in check.get("states", {})}
    state["misses"] = {t: model.misses(Tsn(int(t))) for t in check.get("misses", {})}
    return {key: state[key] for key in check if key not in ("at", "path")}


def test_a_check_follows_feedback_of_the_same_moment() -> None:
    run = load("T01", FOLDER).runs[0]

    assert any(isinstance(event, Feedback) for event in run.events)
    assert [c["at"] for c in run.expected["checks"]] == ["0", "100", "300", "400", "500.2", "600.3"]
