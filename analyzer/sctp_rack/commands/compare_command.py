# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack compare`: what changed between captures, as text or as a page."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from sctp_rack.capture import Capture
from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.held_capture import (
    and_of_time,
    chosen_part,
    exit_if_broken,
    held_capture,
)
from sctp_rack.commands.named_format import check_page
from sctp_rack.commands.output_file import write_page
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    check_read_once,
    chosen_options,
)
from sctp_rack.comparison.compare import compare
from sctp_rack.comparison.measures import TABLES
from sctp_rack.comparison.text import write_comparison, write_comparison_json


@click.command("compare", short_help="Say what changed from one capture to others.")
@click.argument("before", type=FILE)
@click.argument("after", nargs=-1, required=True, metavar="AFTER...", type=FILE)
@chosen_options
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
    begin: float | None,
    end: float | None,
    as_json: bool,
    output: str | None,
    **reading: Any,
) -> None:
    """Say what changed from the capture BEFORE to each capture AFTER.

    Goodput, delivery latency of TSNs and of messages, time in recovery, recoveries driven by
    timeouts, retransmissions by cause, how many of them were spurious, probes, and bytes sent for
    each useful one; from the captures alone. Take them at the same place, best at the sender.
    """
    paths = before, *after
    check_read_once(paths)
    time = Chosen(begin_s=begin, end_s=end)
    time.check(["transmissions"])

    def held(path: str, tables: Sequence[str], **more: Any) -> tuple[str, Capture]:
        capture = held_capture(path, and_of_time(tables, time), assoc, **more, **reading)
        return path, chosen_part(capture, time)

    if output is None:
        captures = [held(path, TABLES) for path in paths]
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

    captures = [held(path, DRAWN_TABLES, marks_of=DRAWN) for path in paths]
    write_page(compared_page(captures, assoc=assoc, direction=direction), output)
    exit_if_broken(one for _, one in captures)
