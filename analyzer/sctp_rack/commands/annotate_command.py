# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack annotate`: a capture with verdicts as packet comments."""

import sys
from typing import Any

import click

from sctp_rack.annotate.on_disk import on_disk
from sctp_rack.annotate.remarks import comments
from sctp_rack.annotate.rewrite import WITHOUT_ROOM, check_is_capture, rewrite
from sctp_rack.binding.source import open_source
from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.analyze import FEW_ROWS
from sctp_rack.commands.output_file import check_is_another, check_no_terminal, output_file
from sctp_rack.commands.progress import FileProgress
from sctp_rack.commands.reading_options import (
    FILE,
    capture_options,
    chosen_options,
    open_session,
)
from sctp_rack.commands.say import say
from sctp_rack.summary.only import check_there
from sctp_rack.wording.filled import filled


@click.command("annotate", short_help="Write a capture with verdicts as packet comments.")
@click.argument("capture", type=FILE)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=FILE,
    help="The pcapng file to write, instead of standard output.",
)
@click.option("--all", "every", is_flag=True, help="Comment on every DATA and I-DATA chunk.")
@chosen_options
@capture_options
def annotate_command(
    capture: str,
    output: str,
    every: bool,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    **reading: Any,
) -> None:
    """Write CAPTURE (a file, or - for standard input) as pcapng with verdicts as packet comments.

    Any Wireshark shows them without a plugin, and filters them:

    \b
        frame.comment contains "spurious"
        frame.comment contains "cause t3 "
        frame.comment contains "lost"

    Frames with retransmissions, losses, tail loss probes, late and repeated chunks get one; all
    else stays as it is. Comments of an earlier time are replaced, also where --assoc, --dir, --from
    and --to leave a frame out. FILE is replaced only when all went well.
    """
    chosen = Chosen(assoc, direction, begin, end)
    chosen.check(["transmissions"])
    check_no_terminal(output, sys.stdout, "a capture")
    check_is_another(output, capture)
    with on_disk(capture) as path:
        check_is_capture(capture, open_source(path))
        with FileProgress(capture) as progress:
            session = open_session(
                capture,
                ["transmissions"],
                progress,
                path=path,
                rows_at_once=FEW_ROWS,
                **reading,
            )
            remarks = comments(
                session.batches(),
                every,
                lambda rows: chosen.of("transmissions", rows, session.first_time_ns),
            )
        if not session.frames:
            session.check()
        check_there(capture, assoc, (one.number for one in session.associations))
        chosen.check_within(capture, session.first_time_ns, session.last_time_ns)
        with output_file(output, sys.stdout) as stream, FileProgress(capture) as progress:
            written = rewrite(capture, open_source(path, progress), remarks, stream)
    if written.without_room:
        say(f"{capture}: {filled(WITHOUT_ROOM, frames=written.without_room)}")
    if session.end.message:
        session.check()
        say(f"{session.end.message}; what came before is annotated")
