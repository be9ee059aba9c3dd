# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack report`: a page on captures."""

from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.ab_options import ab_options, both_sides
from sctp_rack.commands.ending import EXIT_FAILED
from sctp_rack.commands.held_capture import and_of_time, chosen_part, held_capture
from sctp_rack.commands.named_format import check_page
from sctp_rack.commands.output_file import write_page
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    check_one,
    check_read_once,
    chosen_options,
)
from sctp_rack.errors import UsageError
from sctp_rack.many.which import is_dataset


@click.command("report", short_help="Write a page on captures, or on a dataset.")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...", type=FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=FILE,
    help="The HTML file to write; - for standard output.",
)
@chosen_options
@ab_options
@capture_options
def report_command(
    captures: tuple[str, ...],
    output: str,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    split: str | None,
    before: tuple[str, ...],
    after: tuple[str, ...],
    **reading: Any,
) -> None:
    """Write a page on each CAPTURE (a file, or - for standard input): one HTML file, no network.

    Or on a dataset that `sctp-rack batch` made: its worst associations, causes over all captures,
    and with --split, or --before and --after, both sides of a change.

    What was spurious in words, findings with display filters, graphs, causes and verdicts, RACK-TLP
    against the sender, stories of single TSNs, what the capture is worth, method and limits. Needs
    the extra `report`. FILE is replaced only when all went well.
    """
    check_page(output)
    check_read_once(captures)
    check_one(captures, assoc, direction)
    chosen = Chosen(assoc, direction, begin, end)
    chosen.check(["transmissions"])
    asked = both_sides(split, before, after)
    if len(captures) == 1 and is_dataset(captures[0]):
        if chosen != Chosen():
            options = "--assoc, --dir, --from and --to"
            raise UsageError(f"{options} are about captures, and this is a dataset")
        from sctp_rack.fleet.page import fleet_page

        write_page(fleet_page(captures[0], asked), output)
        return
    if asked:
        raise UsageError("--split, --before and --after are for a dataset of sctp-rack batch")
    from sctp_rack.report.contents import TABLES, contents
    from sctp_rack.report.page import report_page
    from sctp_rack.report.waited import FIELDS, FIELDS_OF_TIME

    tables = and_of_time(TABLES, chosen)
    fields = FIELDS_OF_TIME if chosen.has_time else FIELDS
    broken, told = False, []
    for capture in captures:
        held = held_capture(capture, tables, assoc, fields=fields, **reading)
        broken |= held.summary.broken
        told.append(contents(chosen_part(held, chosen)))
    write_page(report_page(told), output)
    if broken:
        raise click.exceptions.Exit(EXIT_FAILED)
