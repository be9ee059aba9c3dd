# SPDX-License-Identifier: BSD-2-Clause
"""The command `sctp-rack`: what it takes and with which status it exits."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import click

from sctp_rack import __version__
from sctp_rack.errors import MissingExtraError, SctpRackError
from sctp_rack.export import FORMATS, export
from sctp_rack.findings import find
from sctp_rack.names import Severity
from sctp_rack.session import ROW_TYPES, Session
from sctp_rack.show import write_json, write_text
from sctp_rack.summary import summarise

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_UNREADABLE = 3


def main() -> None:
    """Runs the command.

    The exit status is 0, 1 for findings at or above `--fail-on`, 2 for a wrong call, 3 for input
    that cannot be read.
    """
    try:
        cli(prog_name="sctp-rack", standalone_mode=True)
    except MissingExtraError as error:
        click.echo(f"sctp-rack: {error}", err=True)
        sys.exit(EXIT_USAGE)
    except SctpRackError as error:
        click.echo(f"sctp-rack: {error}", err=True)
        sys.exit(EXIT_UNREADABLE)
    except BrokenPipeError:
        # The reader of our output left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def cli() -> None:
    """Why was this TSN sent again? SCTP loss recovery from packet captures."""


def capture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of every command that reads captures."""
    options = (
        click.option(
            "--udp-port",
            "udp_ports",
            type=click.IntRange(0, 65535),
            multiple=True,
            metavar="N",
            help="SCTP over UDP also on this port (may be repeated). Flows on other ports are "
            "found by their first packet with a right CRC32c.",
        ),
        click.option(
            "--verify-checksum",
            is_flag=True,
            help="Call every wrong checksum bad, also from a side that never has a right one.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@cli.command("analyze")
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per capture, one per line.")
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    help="Exit with 1 where a capture has a finding of this severity or a worse one.",
)
@capture_options
def analyze_command(
    captures: tuple[str, ...],
    as_json: bool,
    fail_on: str | None,
    udp_ports: tuple[int, ...],
    verify_checksum: bool,
) -> None:
    """Say what each CAPTURE (a file, or - for standard input) holds.

    For each association: what was sent and acknowledged, TSNs that came again, gap blocks,
    duplicate reports; then what limits the analysis, and what could not be read.
    """
    unreadable = found = False
    for capture in captures:
        try:
            session = Session(capture, udp_ports=udp_ports, verify_checksum=verify_checksum)
            summary = summarise(session)
        except SctpRackError as error:
            click.echo(f"sctp-rack: {error}", err=True)
            unreadable = True
            continue
        findings = find(summary)
        if summary.frames or not summary.broken:
            (write_json if as_json else write_text)(summary, findings, sys.stdout)
        found |= fail_on is not None and any(f.at_least(Severity(fail_on)) for f in findings)
        if summary.broken:
            click.echo(f"sctp-rack: {summary.stopped}", err=True)
            unreadable = True
    if unreadable:
        sys.exit(EXIT_UNREADABLE)
    if found:
        sys.exit(EXIT_FINDINGS)


@cli.command("export")
@click.argument("capture")
@click.option("--table", type=click.Choice(list(ROW_TYPES)), required=True, help="Which table.")
@click.option(
    "--format", "file_format", type=click.Choice(FORMATS), default="ndjson", show_default=True
)
@click.option("-o", "--output", default="-", metavar="FILE", help="Instead of standard output.")
@capture_options
def export_command(
    capture: str,
    table: str,
    file_format: str,
    output: str,
    udp_ports: tuple[int, ...],
    verify_checksum: bool,
) -> None:
    """Write a table of CAPTURE (a file, or - for standard input).

    docs/tables.md says what is in each table. Columns that nothing computes yet are null.
    """
    session = Session(capture, [table], udp_ports=udp_ports, verify_checksum=verify_checksum)
    with _output(output) as stream:
        export(session, table, file_format, stream)
    if session.end.message:
        session.check()
        click.echo(f"sctp-rack: {session.end.message}; what came before is exported", err=True)


@contextlib.contextmanager
def _output(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        stream = open(name, "wb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise click.BadParameter(f"{name}: {error.strerror}", param_hint="--output") from error
    with stream:
        yield stream
