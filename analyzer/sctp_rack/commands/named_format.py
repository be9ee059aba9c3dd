# SPDX-License-Identifier: BSD-2-Clause
"""Which format an output has: what was told, else what its name says, and never another one."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from sctp_rack.errors import UsageError

#: What files are called whose formats are none of ours, and rows in another would surprise.
_OTHERS = ("json", "ods", "xls", "xlsx")

#: What a page may be called; without an end it is one, too.
_PAGES = ("", ".html", ".htm")


def format_of(told: str | None, output: str, formats: Sequence[str], unless: str) -> str:
    """The format that was `told`, else the one that the end of the name says, else `unless`.

    Raises `UsageError` where the name says another one of `formats` than was told, or none of them.
    """
    named = PurePath(output).suffix.lower().lstrip(".")
    if not told and named in _OTHERS and named not in formats:
        known = ", ".join(formats)
        raise UsageError(f"{output}: {named} is none of {known}: name it so, or say --format")
    if named not in formats:
        return told or unless
    if told not in (None, named):
        raise UsageError(f"{output}: --format {told} contradicts the name, which says {named}")
    return named


def check_page(output: str) -> None:
    """Raises `UsageError` for the name of a file that is no page; devices have any name."""
    path = Path(output)
    if path.suffix.lower() in _PAGES or (path.exists() and not path.is_file()):
        return
    raise UsageError(f"{output}: what is written is a page: call it .html")
