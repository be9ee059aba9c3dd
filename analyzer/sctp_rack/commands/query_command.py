# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack query`: what a dataset of captures answers."""

import contextlib
import sys

import click

from sctp_rack.commands.ab_options import ab_options, both_sides
from sctp_rack.commands.named_format import format_of
from sctp_rack.commands.output_file import check_no_terminal, output_file
from sctp_rack.commands.reading_options import FILE
from sctp_rack.commands.table_options import table_options
from sctp_rack.errors import UsageError

FORMATS = ("text", "csv", "ndjson", "parquet")

#: Of `--named`; fleet/named.py has the others, which are long to import.
AB = "ab"
NAMES = ("captures", "worst", "causes", "ppid", "paths", "unread", AB)


@click.command("query", short_help="Ask a dataset, in SQL or by name.")
@click.argument("dataset", metavar="OUT", type=FILE)
@click.argument("sql", required=False)
@click.option("--named", type=click.Choice(NAMES), help="A question that is there already.")
@ab_options
@table_options(FORMATS, "text", "Instead of standard output.")
def query_command(
    dataset: str,
    sql: str | None,
    named: str | None,
    split: str | None,
    before: tuple[str, ...],
    after: tuple[str, ...],
    told_format: str | None,
    output: str,
) -> None:
    """Ask the dataset OUT, which `sctp-rack batch` made, in SQL (DuckDB): one SELECT.

    \b
        sctp-rack query OUT "SELECT cause, count(*) FROM transmissions GROUP BY cause"
        sctp-rack query OUT --named ab --split 2026-05-10

    Its tables are those of docs/tables.md, each with a column `capture`, and `captures` and
    `recoveries`. Nothing is written, and nothing else of this machine is read. Needs the extra
    `fleet`.

    \b
    captures  what each capture came to, the most spurious first
    worst     the associations with most sent again spuriously
    causes    why data was sent again, over all captures
    ppid      loss and retransmissions by payload protocol identifier
    paths     loss and retransmissions by path
    unread    captures that are broken, cut or unreadable, and why
    ab        before and after: recoveries by timeouts, time in recovery, probes, loss
    """
    if (sql is None) == (named is None):
        raise UsageError("a query takes one SELECT, or --named")
    asked = both_sides(split, before, after)
    if asked and named != AB:
        raise UsageError("--split, --before and --after are for --named ab")
    file_format = format_of(told_format, output, FORMATS, "text")
    if file_format == "parquet":
        check_no_terminal(output, sys.stdout, file_format)
    from sctp_rack.fleet.ab import as_table, before_after
    from sctp_rack.fleet.ab_text import text
    from sctp_rack.fleet.answers import write
    from sctp_rack.fleet.dataset import Dataset
    from sctp_rack.fleet.named import NAMED
    from sctp_rack.fleet.query import answer, opened, told

    with contextlib.ExitStack() as open_now:
        connection = open_now.enter_context(opened(Dataset(dataset)))
        if named == AB:
            lines = before_after(connection, **(asked or {}))
            reader = as_table(lines)
        else:
            reader = answer(connection, NAMED[named] if named else str(sql))
        stream = open_now.enter_context(output_file(output, sys.stdout))
        with told():
            if named == AB and file_format == "text":
                stream.write(text(lines).encode())
            else:
                write(reader, file_format, stream)
        stream.flush()
