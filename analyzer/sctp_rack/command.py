# SPDX-License-Identifier: BSD-2-Clause
"""Where the command begins: signals are taken before anything that is long to import."""

import os
import signal
import sys

#: Of a command that cannot do what it was asked to.
_FAILED = 3


def main() -> None:
    """Runs the command; until it is there, signals have nothing to tidy up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    # Nothing here computes with matrices: without it numpy starts a thread for each processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from sctp_rack.cli import main as run
    except (ImportError, MemoryError, OSError) as error:
        lines = str(error).split("\n")
        print(f"sctp-rack cannot be loaded: {lines[0] or 'out of memory'}", file=sys.stderr)
        sys.exit(_FAILED)
    run()


def _leave(number: int, _frame: object) -> None:
    os._exit(128 + number)
