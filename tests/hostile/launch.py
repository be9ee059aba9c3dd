# SPDX-License-Identifier: BSD-2-Clause
"""Runs a program and writes its processor time in seconds, its peak memory in KiB and its status.

launch.py RESULT SECONDS PROGRAM [ARGUMENT...]

A program of its own, without site packages: Linux counts the memory that a process had before exec
as its own, and that of the tests is larger than what is measured. A program that takes more than
SECONDS of the processor is ended.
"""

import os
import resource
import sys


def main() -> None:
    """Once."""
    result, seconds, *command = sys.argv[1:]
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    with open(result, "w", encoding="ascii") as out:  # noqa: PTH123  (pathlib takes memory)
        print(
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss,
            os.waitstatus_to_exitcode(status),
            file=out,
        )


main()
