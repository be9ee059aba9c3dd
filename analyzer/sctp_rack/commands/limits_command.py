# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack limits`: what the senders of a capture waited for."""

import sys
from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.held_capture import exit_if_broken, held_capture
from sctp_rack.commands.reading_options import FILE, capture_options, chosen_options
from sctp_rack.limits.shares import OF_TIME, TABLES, limited_directions
from sctp_rack.limits.text import write_limits, write_limits_json


@click.command("limits", short_help="Say what the senders waited for, in shares of time.")
@click.argument("capture", type=FILE)
@chosen_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@capture_options
def limits_command(
    capture: str,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Say what limits the transfer in CAPTURE: what the senders waited for, in shares of time.

    The application, the peer's window, the congestion window, acknowledgements that the receiver
    holds back, the repair of losses, timeouts, another path. The strip shows when. Best at the
    sender; the table `limits` has the intervals. Of a time, what lies across its ends is cut there.
    """
    Chosen(assoc, direction, begin, end).check(["limits"])
    timed = (begin, end) != (None, None)
    tables = (*TABLES, *OF_TIME) if timed else TABLES
    held = held_capture(capture, tables, assoc, fields=OF_TIME, **reading)
    found = limited_directions(held, assoc, direction, begin=begin, end=end)
    if as_json:
        write_limits_json(capture, found, sys.stdout)
    else:
        write_limits(found, sys.stdout, held.summary.first_time_ns if timed else None)
    exit_if_broken([held])
