# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack analyze`: what each capture holds, and of several the table."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator
from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.analyze import Printed, Write, analyses
from sctp_rack.commands.ending import EXIT_FAILED, EXIT_FINDINGS, abandon_output
from sctp_rack.commands.output_file import on_terminal
from sctp_rack.commands.progress import AllProgress
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    check_jobs,
    check_one,
    check_read_once,
    chosen_options,
    jobs_option,
)
from sctp_rack.commands.say import say
from sctp_rack.many.figures import CaptureRow
from sctp_rack.many.ranked import ranked_lines
from sctp_rack.many.which import captures_in
from sctp_rack.names import Severity
from sctp_rack.recovery.window import Window
from sctp_rack.summary.show import time_of_each
from sctp_rack.summary.summary import Time

#: Captures that are told of one by one; of more there is the table alone.
IN_FULL = 20

#: Of mallopt(3).
_M_MMAP_THRESHOLD = -3


@click.command("analyze", short_help="Say what was lost, what was spurious and why.")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per capture, one per line.")
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    help="Exit with 1 where a capture has a finding of this severity or a worse one.",
)
@chosen_options
@jobs_option
@capture_options
def analyze_command(
    captures: tuple[str, ...],
    as_json: bool,
    fail_on: str | None,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    jobs: int,
    **reading: Any,
) -> None:
    """Say what each CAPTURE (a file, a folder of them, or - for standard input) holds.

    For each association: what was sent and acknowledged, TSNs that came again, gap blocks,
    duplicate reports; then what limits the analysis, and what could not be read. Of several
    captures a table follows, those with the most spurious retransmissions first; of more than 20
    there is the table alone. Interrupt a live capture that comes through a pipe to see what came so
    far.

    Exit status: 0; 1 for findings at or above --fail-on; 2 for a wrong call; 3 for input that
    cannot be read, when the others are done; 128 and the number of the signal that ended it.
    A capture that only ends early is read up to there, with a finding.
    """
    check_read_once(captures)
    _give_memory_back()
    meant = captures_in(captures)
    check_jobs(meant, jobs)
    check_one(meant, assoc, direction)
    Chosen(assoc, direction, begin, end).check(["transmissions"])
    printed = Printed(text=not as_json and len(meant) <= IN_FULL, json=as_json)
    rows: list[CaptureRow] = []
    with contextlib.ExitStack() as ended:
        shown = not any(printed) or not on_terminal(sys.stdout)
        progress = ended.enter_context(AllProgress(meant, shown))
        chosen = {"assoc": assoc, "direction": direction, "begin": begin, "end": end}
        told = {**reading, **chosen, "watched": not progress.shown}
        done = ended.enter_context(contextlib.closing(analyses(meant, jobs, printed, **told)))
        for row, write in done:
            rows.append(row)
            progress.add(row.capture)
            if not _printed(write) and fail_on is None:
                return  # its reader left, and nothing else was asked
            del write  # with what would be kept while the next one is read
            if row.error is not None:
                say(row.error)
    if len(rows) > 1 and not as_json:
        lines = [*_time_lines(begin, end), *ranked_lines(rows, "--json")]
        table = "".join(f"{line}\n" for line in lines)
        if not _printed(lambda output: output.write(table)) and fail_on is None:
            return
    if any(row.error is not None for row in rows):
        raise click.exceptions.Exit(EXIT_FAILED)
    if fail_on is not None and any(row.has(Severity(fail_on)) for row in rows):
        raise click.exceptions.Exit(EXIT_FINDINGS)


def _time_lines(begin: float | None, end: float | None) -> Iterator[str]:
    """Which time the table is of, where one was asked for."""
    if (begin, end) != (None, None):
        window = Window.between(begin, end, 0)
        yield time_of_each(Time(window.begin_ns, window.end_ns))


def _printed(write: Write) -> bool:
    """Whether somebody reads it."""
    try:
        write(sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
        return False
    return True


def _give_memory_back() -> None:
    """Large blocks that are freed go back to the system.

    The C library of GNU keeps them, once some were freed, and the next pass of the core finds no
    whole one among them. Others have no such setting. It costs those who make large arrays again
    and again.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 1 << 18)
