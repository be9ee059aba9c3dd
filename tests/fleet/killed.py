# SPDX-License-Identifier: BSD-2-Clause
"""Kills `sctp-rack batch` again and again at moments drawn at random: it, a process of it, or all.

`python -m tests.fleet.killed CAPTURES OUT TIMES SEED` leaves what is there when something has died
so often. A whole call says first how long one takes here, and each that ends by itself says it
anew; such a one is the last on its dataset. A process of its own, which has imported all of it,
forks for each call.
"""

import math
import os
import random
import select
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
    whole_s = _lasts(_call(captures, out), math.inf)
    shutil.rmtree(out)
    died = 0
    while died < int(times):
        victim = moments.choice(("command", "worker", "all"))
        is_whole, after_s = not Path(out).exists(), moments.uniform(0, whole_s)
        child = _call(captures, out)
        lasted_s = _lasts(child, after_s)
        if is_whole and lasted_s < after_s:
            whole_s = lasted_s  # the machine is less busy now: most moments would be behind its end
        if _killed(child, victim):
            died += 1
        else:
            shutil.rmtree(out)


def _lasts(child: int, most_s: float) -> float:
    """Seconds until it ends, or that many; it is there to be waited for."""
    start = time.monotonic()
    process = os.pidfd_open(child)
    ended = select.poll()
    ended.register(process, select.POLLIN)
    ended.poll(None if most_s == math.inf else most_s * 1000)
    os.close(process)
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


def _killed(child: int, victim: str) -> bool:
    """Whether it dies of it, or one of its own."""
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
