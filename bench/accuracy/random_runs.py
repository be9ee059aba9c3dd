# SPDX-License-Identifier: BSD-2-Clause
"""Runs that nobody has looked at: random ones of a seed that is only reported."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.accuracy.truths import files_in
from sample_pcaps.generate.random.seeds import REPORT, UNFAMILIAR

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "accuracy"
_SEED = REPORT.start
#: Its runs have a stack that has no profile.
_UNFAMILIAR_SEED = REPORT.start + UNFAMILIAR
_UNFAMILIAR_RUNS = 100
#: Of the retransmissions so many get twin runs, which take most of the time.
_LABELLED = ("--knowable", "0.2")


def make(count: int) -> tuple[Path, str]:
    """The folder with so many runs, made unless it is there, and what they are in a sentence.

    Raises `CalledProcessError` where none can be made; those that fail are named, and left out.
    """
    about = (
        f"They are of the first {count} random runs of seed {_SEED} ([samples.md](samples.md)): "
        "nobody looks at what is said of them, and nothing is chosen on them."
    )
    return _made(_SEED, count, _LABELLED), about


def make_unfamiliar() -> tuple[Path, str]:
    """The same of runs whose sender is a stack that has no profile."""
    about = (
        "No profile was made of any, and no constant with the recovery of aiortc, webrtc-rs and "
        "sctp of npm in sight; of sctp-proto (str0m) the choice between pion with RACK and "
        "without, of werift that a receiver may repeat reports of duplicates. These are "
        f"the first {_UNFAMILIAR_RUNS} random runs of seed {_UNFAMILIAR_SEED} "
        "([samples.md](samples.md)), in which they send; what can be known at a tap was not tried "
        "of them."
    )
    return _made(_UNFAMILIAR_SEED, _UNFAMILIAR_RUNS, ()), about


def _made(seed: int, count: int, labelled: Sequence[str]) -> Path:
    folder = FOLDER / f"random-{seed}-{count}"
    done = folder / "done"
    if not done.exists():
        asked = ["--seed", str(seed), "--random", str(count), *labelled, "--to", str(folder)]
        generate = [sys.executable, "-m", "sample_pcaps.generate", "--jobs", "2", *asked]
        made = subprocess.run(generate, cwd=ROOT, check=False)
        if not files_in(folder):
            made.check_returncode()
        done.touch()
    return folder
