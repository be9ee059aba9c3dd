# SPDX-License-Identifier: BSD-2-Clause
"""Options that tell captures from before a change from those after it."""

from collections.abc import Callable
from typing import Any

import click

from sctp_rack.errors import UsageError


def ab_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Of the commands that set both sides beside each other."""
    options = (
        click.option(
            "--split",
            metavar="WHEN",
            help="Captures that begin before this moment, and from it on: 2026-05-10, or "
            "2026-05-10T08:30, UTC unless it says otherwise.",
        ),
        click.option(
            "--before",
            multiple=True,
            metavar="PATTERN",
            help="Captures whose path or name fits (may be repeated).",
        ),
        click.option(
            "--after", multiple=True, metavar="PATTERN", help="What they are compared with."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def both_sides(
    split: str | None, before: tuple[str, ...], after: tuple[str, ...]
) -> dict[str, Any] | None:
    """What was told of them; None where nothing was. Raises `UsageError`."""
    if split is None and not before and not after:
        return None
    if (split is None) == (not before) or bool(before) != bool(after):
        raise UsageError("it takes --split WHEN, or --before PATTERN and --after PATTERN")
    return {"split": split, "before": before, "after": after}
