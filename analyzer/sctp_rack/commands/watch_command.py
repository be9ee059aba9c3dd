# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack watch`: the files of a ring buffer come into a dataset as they are closed."""

import os
import time
from errno import EACCES
from typing import Any

import click

from sctp_rack.commands.batch_command import dataset_options, take_in
from sctp_rack.commands.reading_options import FILE, capture_options, jobs_option
from sctp_rack.commands.signals import raise_lost
from sctp_rack.errors import UsageError
from sctp_rack.many.which import is_folder


@click.command("watch", short_help="Take a ring buffer into a dataset as its files close.")
@click.argument("folder", metavar="FOLDER", type=FILE)
@dataset_options
@click.option(
    "--every",
    "every_s",
    type=click.FloatRange(0.01, 3600),
    default=2,
    show_default=True,
    metavar="S",
    help="Seconds between two looks at the folder.",
)
@click.option(
    "--quiet",
    "quiet_s",
    type=click.FloatRange(0, 86_400),
    default=30,
    show_default=True,
    metavar="S",
    help="Seconds without a change after which the last file of a ring counts as closed.",
)
@jobs_option
@capture_options
def watch_command(
    folder: str,
    out: str,
    tables: tuple[str, ...],
    every_s: float,
    quiet_s: float,
    jobs: int,
    **reading: Any,
) -> None:
    """Take the files of a ring buffer in FOLDER (dumpcap -b) into the dataset OUT as they close.

    A file is closed when a later one of its ring is there, or when it has not changed for a while
    and nobody has it open. Each is read once, also when this is called again; rows stay when the
    ring deletes the file. An interrupt ends it at any time: the file that it was reading is read
    again next time. All else is as `sctp-rack batch` has it.

    Exit status: 2 for a wrong call; 3 where OUT cannot be written; 128 and the number of the signal
    that ended it.
    """
    if not is_folder(folder):
        raise UsageError(f"{folder}: no folder")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise UsageError(f"{folder}: {os.strerror(EACCES)}")
    from sctp_rack.fleet.ring import Ring

    ring = Ring(folder, quiet_s)
    while True:
        if closed := ring.closed(time.monotonic_ns()):
            take_in(closed, out, tables, jobs, **reading)
        raise_lost()
        time.sleep(every_s)
