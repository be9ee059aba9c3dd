# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack batch`: a fleet of captures becomes one dataset, whatever ended it before."""

import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from sctp_rack.binding.source import STANDARD_INPUT
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.commands.ab_options import ab_options, both_sides
from sctp_rack.commands.ending import EXIT_FAILED
from sctp_rack.commands.named_format import check_page
from sctp_rack.commands.output_file import on_terminal, write_page
from sctp_rack.commands.progress import AllProgress
from sctp_rack.commands.reading_options import FILE, capture_options, jobs_option
from sctp_rack.commands.say import say
from sctp_rack.errors import UsageError
from sctp_rack.wording.counted import many
from sctp_rack.wording.harmless import harmless


def dataset_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the dataset is, and which tables it has."""
    command = click.option(
        "--table",
        "tables",
        type=click.Choice(list(LAYOUTS)),
        multiple=True,
        help="Keep this table (may be repeated) instead of all.",
    )(command)
    return click.option(
        "-o",
        "--output",
        "out",
        required=True,
        metavar="OUT",
        type=FILE,
        help="The folder of the dataset, which is made where there is none.",
    )(command)


@click.command("batch", short_help="Make a dataset of a fleet of captures.")
@click.argument("captures", nargs=-1, required=True, metavar="PATH...", type=FILE)
@dataset_options
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Have workers of this Dask scheduler (tcp://HOST:8786) read, who see the same folders.",
)
@click.option("--report", metavar="FILE", type=FILE, help="Then write a page on the dataset.")
@ab_options
@jobs_option
@capture_options
def batch_command(
    captures: tuple[str, ...],
    out: str,
    tables: tuple[str, ...],
    scheduler: str | None,
    report: str | None,
    split: str | None,
    before: tuple[str, ...],
    after: tuple[str, ...],
    jobs: int,
    **reading: Any,
) -> None:
    """Make a dataset of captures: PATH is a file, a folder, a pattern, or an address in a store.

    OUT gets a folder of Parquet files for each table of docs/tables.md, and two more: `captures`,
    how each was read, and `recoveries`. Call it again after an interrupt, a full disk or a crash:
    what is there is not read again, but for captures that changed, or that another version of the
    program or other options would read otherwise; their old rows disappear. `sctp-rack query OUT`
    asks it. Needs the extra `fleet`, as do stores (s3://…).

    Exit status: 0; 2 for a wrong call; 3 where a capture cannot be read, when the others are done;
    128 and the number of the signal that ended it.
    """
    if STANDARD_INPUT in captures:
        raise UsageError("standard input cannot be known again: batch takes files")
    from sctp_rack.fleet.found import found_in

    asked = both_sides(split, before, after)
    if asked and report is None:
        raise UsageError("--split, --before and --after are for --report")
    if report is not None:
        check_page(report)
    if scheduler is not None and jobs > 1:
        raise UsageError("--jobs and --scheduler contradict each other")
    bad = take_in(found_in(captures), out, tables, jobs, scheduler, **reading)
    if report is not None:
        from sctp_rack.fleet.page import fleet_page

        write_page(fleet_page(out, asked), report)
    if bad:
        raise click.exceptions.Exit(EXIT_FAILED)


def take_in(
    found: Sequence[Any],
    out: str,
    tables: Sequence[str],
    jobs: int,
    scheduler: str | None = None,
    **reading: Any,
) -> int:
    """Captures as they are now come into the dataset; how many are broken, or cannot be read."""
    from sctp_rack.fleet.batch import carry_out, plan
    from sctp_rack.fleet.dataset import Dataset
    from sctp_rack.fleet.one import Reading
    from sctp_rack.fleet.rows import BAD

    dataset = Dataset(out)
    read = Reading(list(tables) or list(LAYOUTS), reading)
    with contextlib.ExitStack() as open_now:
        client = None
        if scheduler is not None:
            from sctp_rack.fleet.scheduler import connected

            client = open_now.enter_context(connected(scheduler))
        open_now.enter_context(dataset.writing())
        to_do = plan(dataset, found, read)
        new = list[str]()
        names = [one.name for one in to_do.captures]
        progress = open_now.enter_context(AllProgress(names, shown=on_terminal(sys.stderr)))
        rows = carry_out(dataset, to_do, read, jobs, client)
        for row in open_now.enter_context(contextlib.closing(rows)):
            new.append(row.status)
            progress.add(row.capture)
            if row.status in BAD:
                say(row.error or row.capture)
    bad = sum(status in BAD for status in [*to_do.done, *new])
    well = sum(status not in BAD for status in new)
    click.echo(
        f"{many(well, 'capture')} read, {len(to_do.done):,} there already"
        f"{f'; {bad:,} broken or unreadable' if bad else ''}: sctp-rack query {harmless(out)}"
    )
    return bad
