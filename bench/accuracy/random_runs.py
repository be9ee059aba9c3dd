# SPDX-License-Identifier: BSD-2-Clause
"""Runs that nobody has looked at: random ones of the seeds that are only reported.

Where the generator knows no random runs, its scenarios with other seeds stand in for them.
"""

import subprocess
import sys
from pathlib import Path

from bench.accuracy.signalling.setting import FIRST_TO_REPORT

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "accuracy"
_GENERATE = [sys.executable, "-m", "sample_pcaps.generate"]
#: Of the retransmissions so many get twin runs, which take most of the time.
_LABELLED = "0.2"


def make(count: int) -> tuple[Path, str]:
    """The folder with so many runs, made unless it is there, and what they are in a sentence.

    Raises `CalledProcessError` where they cannot be made.
    """
    options = subprocess.run(
        [*_GENERATE, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    if "--random" in options:
        folder = FOLDER / f"random-{FIRST_TO_REPORT}-{count}"
        asked = ["--random", str(count), "--seed", str(FIRST_TO_REPORT), "--jobs", "2"]
        if "--knowable SHARE" in options:
            asked += ["--knowable", _LABELLED]
        about = f"They are the random runs of seed {FIRST_TO_REPORT} ([samples.md](samples.md))."
    else:
        seeds = -(-count // _scenarios())
        folder = FOLDER / f"seeds-{seeds}"
        asked = ["--all", "--seeds", str(seeds)]
        about = f"They are all scenarios of [samples.md](samples.md) with {seeds} seeds each."
    done = folder / "done"
    if not done.exists():
        subprocess.run([*_GENERATE, *asked, "--to", str(folder)], cwd=ROOT, check=True)
        done.touch()
    return folder, about


def _scenarios() -> int:
    listed = subprocess.run(
        [*_GENERATE, "--list"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return len(listed.stdout.splitlines())
