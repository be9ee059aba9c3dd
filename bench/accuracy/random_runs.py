# SPDX-License-Identifier: BSD-2-Clause
"""Runs that nobody has looked at: random ones of a seed that is only reported."""

import subprocess
import sys
from pathlib import Path

from bench.accuracy.truths import files_in
from sample_pcaps.generate.random.seeds import REPORT

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "accuracy"
_SEED = REPORT.start
#: Of the retransmissions so many get twin runs, which take most of the time.
_LABELLED = "0.2"
_GENERATE = [sys.executable, "-m", "sample_pcaps.generate", "--seed", str(_SEED), "--jobs", "2"]


def make(count: int) -> tuple[Path, str]:
    """The folder with so many runs, made unless it is there, and what they are in a sentence.

    Raises `CalledProcessError` where none can be made; those that fail are named, and left out.
    """
    folder = FOLDER / f"random-{_SEED}-{count}"
    done = folder / "done"
    if not done.exists():
        asked = ["--random", str(count), "--knowable", _LABELLED, "--to", str(folder)]
        made = subprocess.run([*_GENERATE, *asked], cwd=ROOT, check=False)
        if not files_in(folder):
            made.check_returncode()
        done.touch()
    about = (
        f"They are of the first {count} random runs of seed {_SEED} ([samples.md](samples.md)): "
        "nobody looks at what is said of them, and nothing is chosen on them."
    )
    return folder, about
