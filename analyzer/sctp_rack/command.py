# SPDX-License-Identifier: BSD-2-Clause
"""Where the command begins: signals are taken before anything that is long to import."""

import os
import signal
import sys

from sctp_rack.room import check_room

#: Of a command that cannot do what it was asked to.
_FAILED = 3

#: Bytes of address space that numpy's libraries want, a buffer of 32 MiB among them: where that is
#: not to be had, OpenBLAS ends the process in words of its own.
_ROOM = 96 << 20


def main() -> None:
    """Runs the command; until it is there, signals have nothing to tidy up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    # Nothing here computes with matrices: without it numpy starts a thread for each processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        if "numpy" not in sys.modules:
            check_room(_ROOM)
        from sctp_rack.commands.cli import load
        from sctp_rack.commands.cli import main as run

        load(sys.argv[1:])
    except (ImportError, MemoryError, OSError) as error:
        told = error.strerror or "" if isinstance(error, OSError) else str(error)
        lines = told.split("\n")
        print(f"sctp-rack cannot be loaded: {lines[0] or 'out of memory'}", file=sys.stderr)
        sys.exit(_FAILED)
    run()


def _leave(number: int, _frame: object) -> None:
    os._exit(128 + number)
