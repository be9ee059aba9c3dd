# SPDX-License-Identifier: BSD-2-Clause
"""What a command costs on a capture: seconds of the processor, peak memory, how it ended."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

#: Seconds of the processor after which a command is taken to hang, and of the clock.
HANGS_S, WAITS_S = 60, 600

#: Counts the instructions of a program and of those that it becomes, which takes some 15 times as
#: long; seconds of the processor and of the clock that are waited for it.
COUNTING = (
    "valgrind",
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
    "--trace-children=yes",
)
COUNTS_S = 1800

_LAUNCH = Path(__file__).with_name("launch.py")


@dataclass(frozen=True)
class Cost:
    """Of one run; a status below 0 is the signal that ended it."""

    seconds: float
    peak_mib: float
    status: int
    errors: str

    @property
    def hung(self) -> bool:
        """It was ended because it took too long."""
        return self.status in (-signal.SIGXCPU, -signal.SIGKILL)


def run(
    command: list[str],
    folder: Path,
    environment: dict[str, str] | None = None,
    hangs_s: int = HANGS_S,
    waits_s: int = WAITS_S,
) -> Cost:
    """Runs it to its end; what it prints is thrown away, its last complaints are not."""
    with tempfile.TemporaryDirectory() as own:
        result = Path(own, "result")
        launch = [sys.executable, "-I", "-S", str(_LAUNCH), str(result), str(hangs_s)]
        process = subprocess.Popen(
            [*launch, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        try:
            _, errors = process.communicate(timeout=waits_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, errors = process.communicate()
        said = errors.decode(errors="replace")[-2000:]
        if not result.exists():
            return Cost(waits_s, 0, -signal.SIGKILL, said)
        seconds, peak_kib, status = result.read_text(encoding="ascii").split()
        return Cost(float(seconds), int(peak_kib) / 1024, int(status), said)


def instructions(cost: Cost) -> int | None:
    """What valgrind counted in a run of `COUNTING`; None: that run was ended."""
    counted = re.findall(r"I\s+refs:\s+([\d,]+)", cost.errors)
    return int(counted[-1].replace(",", "")) if counted and not cost.hung else None


def least(costs: Iterable[Cost]) -> Cost:
    """Of several runs the one that the machine's other work disturbed least."""
    return min(costs, key=lambda cost: cost.seconds)
