# SPDX-License-Identifier: BSD-2-Clause
"""How wide lines may be: as the terminal that shows them; in files and pipes they stay whole."""

import shutil
import textwrap
from collections.abc import Iterator
from typing import TextIO

#: Narrower than this nothing can be read: such a terminal breaks the lines itself.
_NARROWEST = 40


def columns(output: TextIO) -> int | None:
    """Of the terminal behind `output`; None where there is none."""
    if not output.isatty():
        return None
    return max(shutil.get_terminal_size().columns, _NARROWEST)


def wrapped(text: str, width: int | None, indent: int) -> Iterator[str]:
    """The lines of a text; all but the first are indented."""
    if width is None:
        yield text
        return
    lead = text[: len(text) - len(text.lstrip())]
    yield from textwrap.wrap(
        text.lstrip(),
        width,
        initial_indent=lead,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    ) or [text]
