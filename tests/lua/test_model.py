# SPDX-License-Identifier: BSD-2-Clause
"""The model in lua/sctp_rack.lua says what the reference says: over the vectors, and at random."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.names import Profile
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import Parameters, rfc8985, rfc9260
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import milliseconds, varied
from sctp_rack.reference.vector import Run, feed, load

from tests.captures import SAMPLE
from tests.lua import drop_in
from tests.lua.lua_model import (
    DROP_IN,
    INTERPRETERS,
    REPLAY,
    Check,
    LuaRun,
    answers,
    write_runs,
)
from tests.reference.histories import BULK, FIRSTS, KINDS, RECEIVERS, Does, History, at_random

FOLDER = Path(__file__).parents[1] / "vectors"
# Split paths are CMT, which the drop-in does not know.
NOT_IN_LUA = {"split_paths"}
SENDERS: list[Parameters] = [
    rfc8985(),
    rfc9260(),
    rfc8985(robust_rtt=True),
    varied(rfc8985(), {"sacked_in": "chunks", "max_ack_delay": "0"}),
    varied(rfc8985(), {"tlp": "off"}),
]


def _vector_runs() -> list[tuple[str, Run]]:
    runs = [
        (f"{path.stem} run {number}", run)
        for path in sorted(FOLDER.glob("*.json"))
        for number, run in enumerate(load(path.stem, FOLDER).runs, 1)
    ]
    known = (Profile.RFC8985, Profile.RFC9260)
    return [
        (name, run)
        for name, run in runs
        if run.profile in known and not NOT_IN_LUA & set(run.changes)
    ]


def vector_runs() -> list[LuaRun]:
    """What the vectors replay."""
    return [_of_vector(run) for _, run in _vector_runs()]


def assert_vectors(said: list[dict[str, Any]]) -> None:
    """The model says of each what the reference and the vector say."""
    for (name, run), answer in zip(_vector_runs(), said, strict=True):
        assert answer == _reference(_of_vector(run)), name
        assert _marks(run.expected["marks"]) == _marks(answer["marks"], ns=True), name


def test_most_vectors_are_replayed() -> None:
    assert len({name.split()[0] for name, _ in _vector_runs()}) >= 50


@pytest.mark.parametrize("lua", INTERPRETERS)
def test_the_vectors(lua: str, tmp_path: Path) -> None:
    assert_vectors(answers(lua, vector_runs(), tmp_path))


def test_the_vectors_inside_tshark(tmp_path: Path) -> None:
    runs = write_runs(vector_runs(), tmp_path)
    arguments = [word for path in (DROP_IN, runs) for word in ("-X", f"lua_script1::{path}")]
    done = drop_in.tshark(SAMPLE, "-q", "-c", "1", *arguments, script=REPLAY)

    assert_vectors([json.loads(line) for line in done.stdout.splitlines()])


@pytest.mark.parametrize("lua", INTERPRETERS)
def test_random_histories(lua: str, tmp_path: Path) -> None:
    _agree(lua, range(200), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(1, 6))
def test_many_more_random_histories(batch: int, tmp_path: Path) -> None:
    _agree(INTERPRETERS[batch % 2], range(batch * 600, (batch + 1) * 600), tmp_path)


@pytest.mark.parametrize("lua", INTERPRETERS)
def test_where_much_is_outstanding(lua: str, tmp_path: Path) -> None:
    runs = [_at_random(seed, BULK, longest=1500) for seed in range(2)]
    for run, answer in zip(runs, answers(lua, runs, tmp_path), strict=True):
        assert answer == _reference(run)


def _agree(lua: str, seeds: range, folder: Path) -> None:
    runs = [_at_random(seed, KINDS[seed // 7 % len(KINDS)]) for seed in seeds]
    for seed, run, answer in zip(seeds, runs, answers(lua, runs, folder), strict=True):
        assert answer == _reference(run), f"seed {seed}"


def _at_random(seed: int, kinds: tuple[Does, ...], longest: int = 80) -> LuaRun:
    receiver = RECEIVERS[seed % len(RECEIVERS)]
    parameters = dataclasses.replace(SENDERS[seed % len(SENDERS)], receiver=receiver)
    model = RecoveryModel(parameters)
    history = History(FIRSTS[seed % len(FIRSTS)], next_timer_ns=model.next_timer_ns)
    checks: list[Check] = []
    for command in at_random(seed, kinds, longest):
        before = len(history.events)
        history.apply(command)
        for event in history.events[before:]:
            feed(model, event)
        if len(history.events) > before:
            path = next(iter(model.sender.paths), "p")
            tsns = tuple(c.seq % (1 << 32) for c in list(model.sender.board)[:8])
            checks.append(Check(history.events[-1].time_ns, path, tsns, tsns))
    return LuaRun(parameters, history.events, history.now_ns, checks=tuple(checks))


def _of_vector(run: Run) -> LuaRun:
    checks = tuple(
        Check(
            milliseconds(check["at"]),
            check.get("path", "p0"),
            tuple(int(tsn) for tsn in check.get("states", {})),
            tuple(int(tsn) for tsn in check.get("misses", {})),
        )
        for check in run.expected.get("checks", [])
    )
    until_ns = run.until_ns or max(event.time_ns for event in run.events)
    return LuaRun(run.parameters, run.events, until_ns, tuple(run.warm), checks)


def _marks(marks: list[dict[str, Any]], *, ns: bool = False) -> list[tuple[Any, ...]]:
    return [
        (
            m["tsn"],
            m["copy"],
            m["time_ns"] if ns else milliseconds(m["at"]),
            m["trigger"],
            m.get("by_frame"),
        )
        for m in marks
    ]


def _reference(run: LuaRun) -> dict[str, Any]:
    """Replay a run in the reference, and say it in the words of the drop-in."""
    model = RecoveryModel(run.parameters)
    for start in run.warm:
        model.warm(start)
    said, checks = list[dict[str, Any]](), list(run.checks)
    for event in run.events:
        _check_before(model, checks, event.time_ns, said)
        feed(model, event)
    _check_before(model, checks, run.until_ns + 1, said)
    model.time_passed(run.until_ns)
    model.finish()
    return {
        "marks": [
            _without_none(
                {
                    "path": m.path,
                    "tsn": m.tsn.value,
                    "copy": m.copy,
                    "frame": m.frame,
                    "by_frame": m.by_frame,
                    "time_ns": m.time_ns,
                    "trigger": str(m.trigger),
                    "reo_wnd_ns": m.reo_wnd_ns,
                    "rack_rtt_ns": m.rack_rtt_ns,
                    "min_rtt_ns": m.min_rtt_ns,
                }
            )
            for m in model.take_marks()
        ],
        "expectations": [
            {
                "action": str(e.action),
                "path": e.path,
                "time_ns": e.time_ns,
                "tsn": e.tsn.value,
                "armed_ns": e.armed_ns,
            }
            for e in model.expectations
        ],
        "probes": [
            _without_none(
                {
                    "path": p.path,
                    "tsn": p.tsn.value,
                    "frame": p.frame,
                    "kind": str(p.kind),
                    "armed_ns": p.armed_ns,
                    "expected_ns": p.expected_ns,
                    "sent_ns": p.sent_ns,
                    "outcome": None if p.outcome is None else str(p.outcome),
                }
            )
            for p in model.probes
        ],
        "reneged": [[ns, tsn.value] for ns, tsn in model.reneged],
        "broken_promises": [[ns, tsn.value] for ns, tsn in model.broken_promises],
        "checks": said,
    }


def _check_before(
    model: RecoveryModel, checks: list[Check], time_ns: int, said: list[dict[str, Any]]
) -> None:
    while checks and checks[0].at_ns < time_ns:
        check = checks.pop(0)
        model.time_passed(check.at_ns)
        snapshot = model.snapshot(check.path)
        state = {name: getattr(snapshot, name) for name in snapshot.__slots__}
        state["rack_tsn"] = snapshot.rack_tsn.value if snapshot.rack_tsn else None
        outcome = model.probes[-1].outcome if model.probes else None
        state["probe_outcome"] = None if outcome is None else str(outcome)
        state["states"] = {str(t): model.state_of(Tsn(t)) for t in check.states}
        state["misses"] = {str(t): model.misses(Tsn(t)) for t in check.misses}
        said.append(_without_none(state))


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _without_none(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if value is not None
    }
