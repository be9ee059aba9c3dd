# SPDX-License-Identifier: BSD-2-Clause
"""What a command says beside its output: one line that no terminal obeys."""

import contextlib
import sys

from sctp_rack.harmless import harmless


def say(text: str) -> None:
    """One line on standard error, if anybody reads it."""
    with contextlib.suppress(OSError, ValueError):
        print(f"sctp-rack: {harmless(text)}", file=sys.stderr, flush=True)
