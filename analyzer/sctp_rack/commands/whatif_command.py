# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack whatif`: what another acknowledgement, or another loss detection, would have saved."""

import sys
from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.held_capture import exit_if_broken, held_capture
from sctp_rack.commands.reading_options import FILE, capture_options, chosen_options
from sctp_rack.what_if.text import write_what_if, write_what_if_json
from sctp_rack.what_if.what_if import TABLES

#: RFC 9260 section 6.2: a SACK MUST NOT be delayed for longer.
LONGEST_DELAY_MS = 500


@click.command("whatif", short_help="Say what other SACKs or RACK-TLP would have changed.")
@click.argument("capture", type=FILE)
@click.option("--nr-sack", is_flag=True, help="What the sender would keep with other SACKs.")
@click.option("--rack", is_flag=True, help="Which timeouts RACK-TLP would have come before.")
@click.option(
    "--sack-every", type=click.IntRange(1), metavar="N", help="With a SACK for each N packets."
)
@click.option(
    "--sack-delay",
    type=click.FloatRange(0, LONGEST_DELAY_MS),
    metavar="MS",
    help="With SACKs that are held back for so long at most.",
)
@chosen_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@capture_options
def whatif_command(
    capture: str,
    nr_sack: bool,
    rack: bool,
    sack_every: int | None,
    sack_delay: float | None,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Say what other SACKs or RACK-TLP would have changed in CAPTURE, and what that assumes.

    NR-SACKs: how much less the sender would have had to keep, of a capture with NR-SACKs how much
    more with SACKs. RACK-TLP: which timeouts it would have come before, and what probes cost a
    sender that has it. Another rule of acknowledging: how long the sender would have waited for
    SACKs that are held back, and how many there would have been. NR-SACKs and RACK-TLP where
    nothing is asked for. Best at the sender.
    """
    Chosen(assoc, direction, begin, end).check(["transmissions"])
    held = held_capture(capture, TABLES, assoc, **reading)
    both = not (nr_sack or rack or sack_every is not None or sack_delay is not None)
    found = held.what_if(
        nr_sack=nr_sack or both,
        rack=rack or both,
        sack_every=sack_every,
        sack_delay_ms=sack_delay,
        assoc=assoc,
        direction=direction,
        begin=begin,
        end=end,
    )
    if as_json:
        write_what_if_json(capture, found, sys.stdout)
    else:
        write_what_if(found, sys.stdout, held.summary.first_time_ns)
    exit_if_broken([held])
