# SPDX-License-Identifier: BSD-2-Clause
"""Every vector of tests/vectors, replayed by the C model: marks, expectations, probes, states."""

from pathlib import Path
from typing import Any

import pytest
from sctp_rack.reference.events import Mark
from sctp_rack.reference.retransmission_queue import RetransmissionQueue
from sctp_rack.reference.timeline import ms
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import milliseconds
from sctp_rack.reference.vector import DEFAULT_PATH, Run, load

from tests.model.core_model import CoreModel

FOLDER = Path(__file__).parents[1] / "vectors"
# T41 has no run: what it decides is the judgement's.
NAMES = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "T41")
DURATIONS = (
    *("srtt", "rttvar", "rto", "min_rtt", "rack_rtt", "rack_xmit"),
    *("reo_wnd", "t3", "pto", "reo"),
)


@pytest.mark.parametrize("name", NAMES)
def test_the_c_model_does_what_the_vector_says(name: str) -> None:
    for number, run in enumerate(load(name, FOLDER).runs):
        where = f"{name} run {number} ({run.profile})"
        replayed = _replay(run, where)
        # How each copy ended is a matter of the reference's books; the rest is compared.
        expected = {k: v for k, v in run.expected.items() if k not in ("until", "checks", "ends")}

        assert {key: replayed[key] for key in expected} == expected, where


def _replay(run: Run, where: str) -> dict[str, Any]:
    model = CoreModel([run.parameters])
    for start in run.warm:
        model.warm(start)
    checks = list(run.expected.get("checks", []))
    for event in run.events:
        _check_before(model, checks, event.time_ns, where)
        model.feed(event)
    until_ns = run.until_ns or max(event.time_ns for event in run.events)
    _check_before(model, checks, until_ns + 1, where)
    model.time_passed(until_ns)
    model.finish()
    paths = model.path_count > 1
    return {
        "marks": [_mark(mark, "path" if paths else None) for mark in model.marks[0]],
        "expectations": [
            {"action": e.action, "at": ms(e.time_ns), "tsn": e.tsn.value}
            for e in model.expectations[0]
        ],
        "probes": [
            {
                "tsn": p.tsn.value,
                "kind": p.kind,
                "expected": ms(p.expected_ns),
                "sent": ms(p.sent_ns),
                "outcome": p.outcome,
            }
            for p in model.probes(0)
        ],
        "reneged": [{"at": ms(ns), "tsn": tsn.value} for ns, tsn in model.reneged[0]],
        "broken_promises": [{"at": ms(ns), "tsn": t.value} for ns, t in model.broken_promises[0]],
        "queue": _queue(model, run.expected.get("queue", {})),
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


def _queue(model: CoreModel, asked: dict[str, Any]) -> dict[str, Any]:
    queue = RetransmissionQueue()
    queue.steps = model.queue_steps[0]
    steps = {ms(step.time_ns): step for step in queue.steps}
    answer: dict[str, Any] = {}
    if "utilisation_ppm" in asked:
        answer["utilisation_ppm"] = [
            {
                **ask,
                "value": queue.utilisation_ppm(milliseconds(ask["from"]), milliseconds(ask["to"])),
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


def _check_before(model: CoreModel, checks: list[dict[str, Any]], time_ns: int, where: str) -> None:
    """Make the checks that come before a time, when all that is due by the check has happened."""
    while checks and milliseconds(checks[0]["at"]) < time_ns:
        check = checks.pop(0)
        model.time_passed(milliseconds(check["at"]))
        expected = {key: value for key, value in check.items() if key not in ("at", "path")}

        assert _state(model, check) == expected, f"{where} at {check['at']} ms"


def _state(model: CoreModel, check: dict[str, Any]) -> dict[str, Any]:
    snapshot = model.snapshot(0, check.get("path", DEFAULT_PATH))
    state: dict[str, Any] = {
        key: None if (ns := getattr(snapshot, f"{key}_ns")) is None else ms(ns) for key in DURATIONS
    }
    for key in ("reo_wnd_mult", "reordering_seen", "in_recovery", "flight_bytes"):
        state[key] = getattr(snapshot, key)
    probes = model.probes(0)
    state["probe_outcome"] = probes[-1].outcome if probes else None
    state["rack_tsn"] = snapshot.rack_tsn.value if snapshot.rack_tsn else None
    state["states"] = {t: model.state_of(0, Tsn(int(t))) for t in check.get("states", {})}
    state["misses"] = {t: model.misses(0, Tsn(int(t))) for t in check.get("misses", {})}
    return {key: state[key] for key in check if key not in ("at", "path")}
