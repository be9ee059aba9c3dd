# SPDX-License-Identifier: BSD-2-Clause
"""With which status the command ends, and what becomes of output that nobody takes.

0; 1 for findings at or above `--fail-on`; 2 for a wrong call; 3 for input that cannot be read,
output that cannot be written or memory that runs out; 128 and the number of the signal that ended
it: 130 of SIGINT, 143 of SIGTERM, 129 of SIGHUP.
"""

import os
import signal
import sys

from sctp_rack.commands.say import say

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_BY_SIGNAL = 128
EXIT_INTERRUPTED = EXIT_BY_SIGNAL + signal.SIGINT


def ended_by(number: int) -> int:
    """The status of a command that a signal ends, which is said."""
    name = signal.Signals(number).name
    say("interrupted" if number == signal.SIGINT else f"ended by {name}")
    return EXIT_BY_SIGNAL + number


def written(status: int) -> int:
    """What is still buffered is written while it can still be said that it cannot be."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
    except OSError as error:
        return status or not_written(error)
    return status


def not_written(error: OSError) -> int:
    """The status of a command whose output cannot be written, which is said."""
    say(f"the output cannot be written: {error.strerror}")
    abandon_output()
    return EXIT_FAILED


def abandon_output() -> None:
    """What is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
