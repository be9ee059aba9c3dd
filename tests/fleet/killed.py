# SPDX-License-Identifier: BSD-2-Clause
"""Kills `sctp-rack batch` again and again at moments drawn at random: it, a process of it, or all.

`python -m tests.fleet.killed CAPTURES OUT TIMES SEED` leaves what is there when something has died
so often. A whole call says first how long one takes here; one that ends by itself is the last on
its dataset. A process of its own, which has imported all of it, forks for each call.
"""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import pyarrow.parquet  # noqa: F401, each call would import it again
from sctp_rack import command
from sctp_rack.commands import batch_command  # noqa: F401
from sctp_rack.fleet import batch, shared

#: Of bytes: what several processes share.
HUGE = 200_000

#: What is kept, so that it takes less.
TABLES = ("--table", "transmissions", "--table", "sacks")


def main() -> None:
    captures, out, times, seed = sys.argv[1:]
    batch._LARGE = shared._HUGE = HUGE
    moments = random.Random(seed)
    whole_s = _whole_call(captures, out)
    died = 0
    while died < int(times):
        victim = moments.choice(("command", "worker", "all"))
        if _killed(captures, out, victim, moments.uniform(0, whole_s)):
            died += 1
        else:
            shutil.rmtree(out)


def _whole_call(captures: str, out: str) -> float:
    """Seconds that it takes."""
    start = time.monotonic()
    os.waitpid(_call(captures, out), 0)
    shutil.rmtree(out)
    return time.monotonic() - start


def _call(captures: str, out: str) -> int:
    child = os.fork()
    if child == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.argv = ["sctp-rack", "batch", captures, "-o", out, "--jobs", "2", *TABLES]
        command.main()
    return child


def _killed(captures: str, out: str, victim: str, after_s: float) -> bool:
    """Whether it died, or one of its own."""
    child = _call(captures, out)
    time.sleep(after_s)
    killed = False
    try:
        if victim == "worker":
            for worker in _children(child)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed = True
        elif os.waitpid(child, os.WNOHANG) == (0, 0):
            (os.killpg if victim == "all" else os.kill)(child, signal.SIGKILL)
        else:
            return False
    except ProcessLookupError:
        pass
    _, status = os.waitpid(child, 0)
    return killed or os.WIFSIGNALED(status)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(one) for one in text.split()]


if __name__ == "__main__":
    main()
