# SPDX-License-Identifier: BSD-2-Clause
"""How a file name, or what quotes one, is shown: as one line that no terminal obeys."""

import contextlib
import sys


def plain(text: str) -> str:
    """Control characters, and bytes that are no UTF-8, as Python writes them."""
    return "".join(char if char.isprintable() else _shown(char) for char in text)


def say(text: str) -> None:
    """One line on standard error, if anybody reads it."""
    with contextlib.suppress(OSError, ValueError):
        print(f"sctp-rack: {plain(text)}", file=sys.stderr, flush=True)


def _shown(char: str) -> str:
    return char.encode("unicode_escape").decode()
