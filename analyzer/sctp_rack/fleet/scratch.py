# SPDX-License-Identifier: BSD-2-Clause
"""A folder below TMPDIR for as long as it is needed, which no signal leaves behind."""

import contextlib
import tempfile
from collections.abc import Iterator

from sctp_rack.commands.signals import held


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """Its path. A signal raises when it is made, or gone, not meanwhile."""
    made: list[tempfile.TemporaryDirectory[str]] = []
    try:
        with held():
            made.append(tempfile.TemporaryDirectory(prefix="sctp-rack-"))
        yield made[0].name
    finally:
        with held():
            for folder in made:
                folder.cleanup()
