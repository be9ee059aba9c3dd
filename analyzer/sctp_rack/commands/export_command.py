# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack export`: tables of captures, and into which files they go."""

import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.columns.export import FORMATS, TEXTS
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.commands.ending import EXIT_FAILED
from sctp_rack.commands.export import Wanted, export_capture, exports, file_names
from sctp_rack.commands.named_format import format_of
from sctp_rack.commands.output_file import (
    check_no_terminal,
    directory,
    in_directory,
    on_terminal,
)
from sctp_rack.commands.progress import AllProgress, FileProgress
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    check_jobs,
    check_read_once,
    chosen_options,
    jobs_option,
)
from sctp_rack.commands.say import say
from sctp_rack.commands.table_options import table_options
from sctp_rack.errors import UsageError
from sctp_rack.many.which import captures_in, is_folder

#: Of `--table`, for each of them.
ALL_TABLES = "all"


@click.command("export", short_help="Write tables: NDJSON, CSV, Parquet, Arrow.")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option(
    "--table",
    "tables",
    type=click.Choice([*LAYOUTS, ALL_TABLES]),
    multiple=True,
    required=True,
    help="Which table (may be repeated).",
)
@table_options(
    FORMATS, "ndjson", "Instead of standard output; of several tables or captures a directory."
)
@chosen_options
@jobs_option
@capture_options
def export_command(
    captures: tuple[str, ...],
    tables: tuple[str, ...],
    told_format: str | None,
    output: str,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    jobs: int,
    **reading: Any,
) -> None:
    """Write tables of each CAPTURE (a file, a folder of them, or - for standard input).

    docs/tables.md of the project says what is in each table. Columns that do not apply, or that the
    capture cannot tell, are null. A capture is read once, whatever is written of it. Several tables
    become TABLE.FORMAT each, in a directory that is made where there is none. Of several captures,
    or of a folder, rows begin with a column `capture`, and in the directory there is a directory
    for each table with a file for each capture. Parquet and Arrow need the extra `arrow`. A file is
    replaced only when all of its capture went well.
    """
    check_read_once(captures)
    names = list(dict.fromkeys(LAYOUTS if ALL_TABLES in tables else tables))
    file_format = format_of(told_format, output, FORMATS, "ndjson")
    wanted = Wanted(names, file_format, Chosen(assoc, direction, begin, end))
    wanted.chosen.check(names)
    if file_format not in TEXTS:
        check_no_terminal(output, sys.stdout, file_format)
    if len(captures) > 1 or is_folder(captures[0]):
        _export_many(captures_in(captures), wanted, output, jobs, **reading)
        return
    (capture,) = captures
    shown = None if output == "-" and on_terminal(sys.stdout) else FileProgress(capture)
    with contextlib.ExitStack() as files:
        outputs = {names[0]: output}
        if len(names) > 1:
            _check_is_folder(output, file_format, "several tables")
            outputs = files.enter_context(in_directory(output, names, file_format))
        done = export_capture(capture, outputs, wanted, named=False, shown=shown, **reading)
    if done.said:
        say(done.said)
    if done.failed:
        raise click.exceptions.Exit(EXIT_FAILED)


def _export_many(
    captures: Sequence[str], wanted: Wanted, output: str, jobs: int, **reading: Any
) -> None:
    """Text of one table may go to standard output, one capture after the other."""
    check_jobs(captures, jobs)
    names = file_names(captures, wanted.file_format)
    failed = False
    with contextlib.ExitStack() as folders:
        outputs = {name: dict.fromkeys(wanted.tables, output) for name in names}
        if output != "-":
            _check_is_folder(output, wanted.file_format, "several captures")
            into = folders.enter_context(directory(output))
            for table in wanted.tables:
                folder = folders.enter_context(directory(str(into / table)))
                for name, file in names.items():
                    outputs[name][table] = str(folder / file)
        elif len(wanted.tables) > 1 or wanted.file_format not in TEXTS or jobs > 1:
            why = "--jobs needs" if jobs > 1 else "of several captures that needs"
            raise UsageError(f"{why} --output, a directory")
        with (
            AllProgress(captures, shown=not on_terminal(sys.stdout)) as progress,
            contextlib.closing(exports(outputs, wanted, jobs, **reading)) as all_done,
        ):
            for name, done in all_done:
                progress.add(name)
                failed |= done.failed
                if done.said:
                    say(done.said)
        if failed:
            raise click.exceptions.Exit(EXIT_FAILED)


def _check_is_folder(output: str, file_format: str, several: str) -> None:
    """Raises `UsageError` for what is called as a file is."""
    if output.endswith(f".{file_format}"):
        raise UsageError(f"{output}: of {several} --output is a directory")
