# SPDX-License-Identifier: BSD-2-Clause
"""What a command holds of a capture whose tables it looks at whole, and the end of a broken one."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from sctp_rack.capture import Capture, read
from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.ending import EXIT_FAILED
from sctp_rack.commands.say import say
from sctp_rack.findings.undecrypted import undecrypted
from sctp_rack.summary.of_time import TABLES
from sctp_rack.summary.only import check_there


def held_capture(capture: str, tables: Sequence[str], assoc: int | None, **reading: Any) -> Capture:
    """A capture in memory, of a broken one what came before; then standard error says so.

    Raises `UsageError` where it has no such association.
    """
    held = read(capture, tables=tables, partial=True, **reading)
    if held.summary.stopped:
        say(f"{held.summary.stopped}; what came before counts")
    check_there(capture, assoc, (one.assoc for one in held.summary.associations))
    if not held.summary.associations:
        for finding in undecrypted(held.summary):
            say(finding.text)
    return held


def and_of_time(tables: Sequence[str], chosen: Chosen) -> Sequence[str]:
    """With those that a time is summed up from, where one is asked for."""
    return tuple(dict.fromkeys((*tables, *TABLES))) if chosen.has_time else tables


def chosen_part(held: Capture, chosen: Chosen) -> Capture:
    """What of it is told. Raises `UsageError` where all data goes the other way."""
    part = held.only(chosen.assoc, chosen.direction)
    return part.between(chosen.begin_s, chosen.end_s) if chosen.has_time else part


def exit_if_broken(captures: Iterable[Capture]) -> None:
    """The status is that of broken input, where one was, also when what came before is told."""
    if any(one.summary.broken for one in captures):
        raise click.exceptions.Exit(EXIT_FAILED)
