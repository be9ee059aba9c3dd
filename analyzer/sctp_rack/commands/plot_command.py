# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack plot`: graphs of one direction."""

import sys
from typing import Any

import click

from sctp_rack.commands.held_capture import exit_if_broken, held_capture
from sctp_rack.commands.output_file import output_file
from sctp_rack.commands.progress import FileProgress
from sctp_rack.commands.reading_options import FILE, capture_options, chosen_options
from sctp_rack.commands.say import say
from sctp_rack.plots import KINDS, Unit
from sctp_rack.plots.choose import choose, directions
from sctp_rack.plots.data import OF_MESSAGES, TABLES
from sctp_rack.plots.marks import DRAWN
from sctp_rack.plots.save import fields, writer
from sctp_rack.wording.counted import many


@click.command("plot", short_help="Draw graphs of one direction: a page, or a picture.")
@click.argument("capture", type=FILE)
@click.option("--kind", type=click.Choice(KINDS), default="tsn", show_default=True)
@chosen_options
@click.option(
    "--unit",
    type=click.Choice(["tsn", "bytes"]),
    default="tsn",
    show_default=True,
    help="What the time-sequence graph counts.",
)
@click.option("--alone", is_flag=True, help="Without the panels linked below kind tsn.")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=FILE,
    help="FILE.html, .png, .svg, .pdf; .xpl for xplot, .qlog for tools of QUIC.",
)
@capture_options
def plot_command(
    capture: str,
    kind: str,
    assoc: int | None,
    direction: str | None,
    unit: Unit,
    begin: float | None,
    end: float | None,
    alone: bool,
    output: str,
    **reading: Any,
) -> None:
    """Draw one direction of CAPTURE: what was sent and acknowledged, why it came again.

    \b
    tsn         TSNs over time, in the grammar of tcptrace, over round trips, flight and queue
    both        the two directions above each other, over one axis of time
    rtt         round trips: samples, min, srtt, rto, pto
    flight      bytes in flight
    rwnd        the receive window and what takes it up
    rtxq        the retransmission queue, and how much of it may still be needed
    throughput  of user data: sent, sent again, newly acknowledged
    delay       of each TSN until its acknowledgement, and until all before it were
    useful      bytes received, and those of them that were new
    limits      the rate over what the sender waited for, with flight and the peer's window
    latency     of each message, by what it waited for, and of what parts that is made

    An HTML page works without a network, refines when it is zoomed, and gives display filters at a
    click. Without --assoc and --dir the direction with the most DATA is drawn. Times are seconds
    since the first frame. Needs the extra `plot`; pictures need Chromium or Chrome too.
    """
    save = writer(output)
    tables = (*TABLES, *(OF_MESSAGES if kind == "latency" else ()))
    with FileProgress(capture) as progress:
        kept = {"fields": fields(output), "marks_of": DRAWN}
        held = held_capture(capture, tables, assoc, progress=progress, **kept, **reading)
    chosen = choose(held, assoc, direction)
    content = save(chosen, kind, unit=unit, linked=not alone, between=(begin, end))
    with output_file(output, sys.stdout) as stream:
        stream.write(content)
    if others := sum(1 for one in directions(held)) - 1:
        say(
            f"drawn: {chosen.name} of association {chosen.assoc}; "
            f"{many(others, 'other direction')} with data (--assoc, --dir)"
        )
    exit_if_broken([held])
