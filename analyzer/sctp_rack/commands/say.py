# SPDX-License-Identifier: BSD-2-Clause
"""What a command says beside its output: lines that no terminal obeys."""

import contextlib
import sys

from sctp_rack.wording.harmless import harmless


def say(*lines: str) -> None:
    """Lines on standard error, if anybody reads it."""
    with contextlib.suppress(OSError, ValueError):
        print("sctp-rack:", "\n".join(map(harmless, lines)), file=sys.stderr, flush=True)
