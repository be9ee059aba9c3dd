# SPDX-License-Identifier: BSD-2-Clause
"""Decides how runs are given to the model in Lua, and how its answers read."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.names import Answer
from sctp_rack.reference.events import (
    Event,
    Feedback,
    ForwardTsn,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.rack import robust
from sctp_rack.reference.snapshot import WarmStart

ROOT = Path(__file__).parents[2]
DROP_IN = ROOT / "lua" / "sctp_rack.lua"
REPLAY = Path(__file__).parent / "replay.lua"
# Wireshark has one of these inside: 5.2 up to 4.2, 5.4 from 4.4 on.
INTERPRETERS = ("lua5.2", "lua5.4")


def interpreter(name: str) -> str:
    """Return the path of an interpreter; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    return found


@dataclass(frozen=True)
class Check:
    """What is asked of the model when all that is due by a time has happened."""

    at_ns: int
    path: str
    states: tuple[int, ...] = ()
    misses: tuple[int, ...] = ()


@dataclass(frozen=True)
class LuaRun:
    """One replay."""

    parameters: Parameters
    events: list[Event]
    until_ns: int
    warm: tuple[WarmStart, ...] = ()
    checks: tuple[Check, ...] = ()


def in_lua(value: object) -> str:
    """Return a value as it is written in Lua; TSNs and enums as numbers and strings."""
    if value is None or isinstance(value, bool):
        return {None: "nil", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(str(value))
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}={in_lua(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "{" + ",".join(map(in_lua, value)) + "}"
    raise TypeError(f"{value!r} has no form in Lua")


def options(parameters: Parameters) -> dict[str, Any]:
    """Return the options of a sender of profile rfc8985 or rfc9260."""
    rack, receiver = parameters.rack, parameters.receiver
    return {
        "rack": rack is not None,
        "tlp": parameters.tlp is not None,
        "misses": parameters.misses is not None,
        "robust_rtt": rack is not None and rack.spurious_floor is robust,
        "sacked_in_chunks": rack is not None and not rack.sacked_in_packets,
        "max_ack_delay_ns": parameters.tlp.max_ack_delay_ns if parameters.tlp else None,
        "gap_block_cap": receiver.gap_block_cap,
        "reports_duplicates": receiver.reports_duplicates is Answer.YES,
    }


def answers(lua: str, runs: list[LuaRun], folder: Path) -> list[dict[str, Any]]:
    """Replay the runs with an interpreter and return what the model said of each."""
    script = write_runs(runs, folder)
    done = subprocess.run(
        [interpreter(lua), REPLAY, DROP_IN, script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_runs(runs: list[LuaRun], folder: Path) -> Path:
    """Write the runs as replay.lua reads them."""
    script = folder / "runs.lua"
    script.write_text(f"return {{{','.join(_run(run) for run in runs)}}}\n", encoding="utf-8")
    return script


def _run(run: LuaRun) -> str:
    return in_lua(
        {
            "options": options(run.parameters),
            "warm": [_warm(start) for start in run.warm],
            "events": [_event(event) for event in run.events],
            "checks": [vars(check) for check in run.checks],
            "until_ns": run.until_ns,
        }
    )


def _warm(start: WarmStart) -> dict[str, Any]:
    return {name: getattr(start, name) for name in WarmStart.__slots__}


def _event(event: Event) -> dict[str, Any]:
    at = {"time_ns": event.time_ns}
    match event:
        case Transmission():
            chunks = [
                {"tsn": c.tsn.value, "bytes": c.size_bytes, "ack_now": c.ack_now}
                for c in event.chunks
            ]
            sent = {"frame": event.frame, "path": event.path, "chunks": chunks}
            return {"does": "data_sent", **at, **sent}
        case Feedback():
            return {"does": "feedback_arrived", **at, **_feedback(event)}
        case ForwardTsn():
            return {"does": "forward_tsn_sent", **at, "new_cum_tsn": event.new_cum_tsn.value}
        case RttMeasurement():
            path = {"path": event.path, "rtt_ns": event.rtt_ns, "tag": event.tag}
            return {"does": "rtt_measured", **at, **path}
        case TsnReset():
            return {"does": "tsn_reset", **at, "next_tsn": event.next_tsn.value}


def _feedback(event: Feedback) -> dict[str, Any]:
    return {
        "frame": event.frame,
        "cum_tsn": event.cum_tsn.value,
        "kind": event.kind,
        "gaps": [tsn.value for block in event.gaps for tsn in block],
        "gap_count": len(event.gaps),
        "nr_gaps": [tsn.value for block in event.nr_gaps for tsn in block],
        "nr_gap_count": len(event.nr_gaps),
        "dups": [tsn.value for tsn in event.dups],
        "dup_count": len(event.dups),
        "a_rwnd": event.a_rwnd_bytes,
        "all_non_renegable": event.all_non_renegable,
        "lists_cut": event.lists_cut,
        "overtaken": event.overtaken,
    }
