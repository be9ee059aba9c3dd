# SPDX-License-Identifier: BSD-2-Clause
"""Runs that nobody has looked at: random ones of the seeds that are only reported.

Where the generator makes no random runs, its scenarios with other seeds stand in for them.
"""

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

from bench.accuracy.truths import files_in

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "accuracy"
_GENERATE = [sys.executable, "-m", "sample_pcaps.generate"]
_RANDOM = "sample_pcaps.generate.random"
#: Of the retransmissions so many get twin runs, which take most of the time.
_LABELLED = "0.2"


def make(count: int) -> tuple[Path, str]:
    """The folder with so many runs, made unless it is there, and what they are in a sentence.

    Raises `CalledProcessError` where none can be made; those that fail are named, and left out.
    """
    name, asked, about = _random(count) if importlib.util.find_spec(_RANDOM) else _seeds(count)
    folder = FOLDER / name
    done = folder / "done"
    if not done.exists():
        made = subprocess.run([*_GENERATE, *asked, "--to", str(folder)], cwd=ROOT, check=False)
        if not files_in(folder):
            made.check_returncode()
        done.touch()
    return folder, about


def _random(count: int) -> tuple[str, list[str], str]:
    seed = importlib.import_module(f"{_RANDOM}.seeds").REPORT.start
    asked = ["--random", str(count), "--seed", str(seed), "--jobs", "2", *_labels()]
    about = (
        f"They are the first random runs of seed {seed} ([samples.md](samples.md)): nobody looks "
        "at them, and nothing is chosen on them."
    )
    return f"random-{seed}-{count}", asked, about


def _seeds(count: int) -> tuple[str, list[str], str]:
    listed = subprocess.run(
        [*_GENERATE, "--list"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seeds = -(-count // len(listed.stdout.splitlines()))
    about = (
        f"They are all scenarios of [samples.md](samples.md) with {seeds} seeds each, one of them "
        "that of the samples."
    )
    return f"seeds-{seeds}", ["--all", "--seeds", str(seeds), *_labels()], about


def _labels() -> list[str]:
    """Where a share of the retransmissions can be asked for; all would take hours."""
    options = subprocess.run(
        [*_GENERATE, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ["--knowable", _LABELLED] if "[SHARE]" in options.stdout else []
