# SPDX-License-Identifier: BSD-2-Clause
"""Options that say in which format rows are written, and into which file."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from sctp_rack.commands.reading_options import FILE


def table_options(formats: Sequence[str], unless: str, where: str) -> Callable[..., Any]:
    """The format is `unless` where neither option says it; `where` is the help of --output."""

    def options(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option(
            "-o", "--output", default="-", metavar="FILE", type=FILE, help=where
        )(command)
        return click.option(
            "--format",
            "told_format",
            type=click.Choice(formats),
            help=f"Unless told what the end of FILE's name says, else {unless}.",
        )(command)

    return options
