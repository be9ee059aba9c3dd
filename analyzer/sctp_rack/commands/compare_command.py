# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack compare`: what changed between captures, as text or as a page."""

import sys
from typing import Any

import click

from sctp_rack.commands.held_capture import exit_if_broken, held_capture
from sctp_rack.commands.named_format import check_page
from sctp_rack.commands.output_file import write_page
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    check_read_once,
    direction_options,
)
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.measures import TABLES
from sctp_rack.comparison.text import write_comparison, write_comparison_json


@click.command("compare", short_help="Say what changed from one capture to others.")
@click.argument("before", type=FILE)
@click.argument("after", nargs=-1, required=True, metavar="AFTER...", type=FILE)
@direction_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=FILE,
    help="An HTML page with graphs over each other instead; needs the extra `report`.",
)
@capture_options
def compare_command(
    before: str,
    after: tuple[str, ...],
    assoc: int | None,
    direction: str | None,
    as_json: bool,
    output: str | None,
    **reading: Any,
) -> None:
    """Say what changed from the capture BEFORE to each capture AFTER.

    Goodput, delivery latency of TSNs and of messages, time in recovery, recoveries driven by
    timeouts, retransmissions by cause, how many of them were spurious, probes, and bytes sent for
    each useful one; from the captures alone. Take them at the same place, best at the sender.
    """
    check_read_once((before, *after))
    if output is None:
        captures = [
            (path, held_capture(path, TABLES, assoc, **reading)) for path in (before, *after)
        ]
        compared = compare(captures, assoc=assoc, direction=direction)
        (write_comparison_json if as_json else write_comparison)(compared, sys.stdout)
        exit_if_broken(one for _, one in captures)
        return
    if as_json:
        raise click.UsageError("--json and --output contradict each other")
    check_page(output)
    from sctp_rack.plots.marks import DRAWN
    from sctp_rack.report.compared import TABLES as DRAWN_TABLES
    from sctp_rack.report.compared import compared_page

    captures = [
        (path, held_capture(path, DRAWN_TABLES, assoc, marks_of=DRAWN, **reading))
        for path in (before, *after)
    ]
    write_page(compared_page(captures, assoc=assoc, direction=direction), output)
    exit_if_broken(one for _, one in captures)
