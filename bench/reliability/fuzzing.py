# SPDX-License-Identifier: BSD-2-Clause
"""What the last run of `tests/fuzz/run.py` did, from the logs that it left."""

import re
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.run import BUILD, TARGETS

_DONE = re.compile(r"^Done (\d+) runs in (\d+) second", re.MULTILINE)
_EDGES = re.compile(r" cov: (\d+) ft: ")
_CRASH = re.compile(r"^Test unit written to ", re.MULTILINE)


@dataclass(frozen=True)
class Fuzzed:
    """One target."""

    target: str
    runs: int
    seconds: int
    edges: int
    crashes: int


def last_run(folder: Path = BUILD) -> list[Fuzzed]:
    """Those targets that left a log."""
    found = []
    for target in TARGETS:
        log = folder / f"{target}.log"
        if not log.exists():
            continue
        text = log.read_text(errors="replace")
        done, edges = _DONE.search(text), _EDGES.findall(text)
        runs, seconds = (int(done[1]), int(done[2])) if done else (0, 0)
        found.append(
            Fuzzed(target, runs, seconds, int(edges[-1]) if edges else 0, len(_CRASH.findall(text)))
        )
    return found
