# SPDX-License-Identifier: BSD-2-Clause
"""Compares the drop-in and its profile in the Wireshark of another release with this one's.

Over every bundled capture it must print the same JSON; the vectors must come out the same; the
filters of the profile must compile; beside the compiled plugin it must stand aside.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.captures import SAMPLE, bundled
from tests.lua import drop_in, test_model, test_profile
from tests.lua.lua_model import DROP_IN, REPLAY, write_runs

ALONE = ("env", drop_in.ALONE)

Inside = Callable[..., str]


def compare(root: Path, inside: Inside) -> int:
    """How many captures it judges as here; ends where it does not. The captures are there."""
    folder = root / "lua"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(drop_in.PROFILE, folder / ".config" / "wireshark" / "profiles" / "sctp")
    for path in (DROP_IN, REPLAY):
        shutil.copy(path, folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    script = ("-X", "lua_script:/lua/sctp_rack.lua")
    captures = bundled()
    for capture in captures:
        said = inside(root, *ALONE, *_tshark(capture), "-q", *script, "-X", "lua_script1:json")
        assert [json.loads(line) for line in said.splitlines()] == drop_in.judged(capture), capture
    _compare_vectors(root, inside)
    _use_profile(root, inside)
    return len(captures)


def _tshark(capture: Path) -> tuple[str, ...]:
    return "tshark", "-r", f"/captures/{capture.name}"


def _compare_vectors(root: Path, inside: Inside) -> None:
    with tempfile.TemporaryDirectory() as folder:
        runs = write_runs(test_model.vector_runs(), Path(folder))
        shutil.copy(runs, root / "lua")
    (root / "lua" / runs.name).chmod(0o644)
    files = [
        word for name in (DROP_IN.name, runs.name) for word in ("-X", f"lua_script1:/lua/{name}")
    ]
    replay = ("-X", f"lua_script:/lua/{REPLAY.name}", *files)
    said = inside(root, *ALONE, *_tshark(SAMPLE), "-q", "-c", "1", *replay)
    test_model.assert_vectors([json.loads(line) for line in said.splitlines()])


def _use_profile(root: Path, inside: Inside) -> None:
    script = ("-X", "lua_script:/lua/sctp_rack.lua", "-C", "sctp")
    tshark = (*ALONE, "HOME=/lua", *_tshark(SAMPLE), "-2", *script)
    everything = " || ".join(f"({each})" for each in test_profile.filters())
    assert inside(root, *tshark, "-Y", everything)
    rules = inside(root, *tshark, "--color", "-T", "fields", "-e", "frame.coloring_rule.name")
    assert rules.count("SCTP spurious retransmission") == 9
    refuse_misspelt_words(root, inside, tshark)


def refuse_misspelt_words(root: Path, inside: Inside, tshark: tuple[str, ...]) -> None:
    """The filter compiler has the words; what prints numbers has them as texts."""
    texts = ("-T", "fields", "-e", "sctp.analysis.verdict.str")
    right = inside(root, *tshark, "-Y", 'sctp.analysis.verdict == "spurious"', *texts)
    assert right.split() == ["spurious"] * 9
    for wrong in ('sctp.analysis.verdict == "spurios"', 'sctp.analysis.cause in {"t3", "t4"}'):
        command = shlex.join((*tshark, "-Y", wrong))
        said = inside(root, "sh", "-c", f"{command} 2>&1 && echo FOUND || true")
        assert "FOUND" not in said and ("spurios" in said or "t4" in said), said


def beside_the_plugin(root: Path, inside: Inside) -> None:
    """The plugin answers; the drop-in says nothing of its own."""
    script = ("-X", "lua_script:/lua/sctp_rack.lua", "-X", "lua_script1:json")
    assert "{" not in inside(root, *_tshark(SAMPLE), "-q", *script)
