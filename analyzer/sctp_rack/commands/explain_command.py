# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack explain`: the story of one TSN."""

import sys
from typing import Any

import click

from sctp_rack.columns.chosen import Chosen
from sctp_rack.commands.held_capture import exit_if_broken, held_capture
from sctp_rack.commands.reading_options import FILE, capture_options, chosen_options
from sctp_rack.story.explain import TABLES, explain
from sctp_rack.story.text import write_story, write_story_json
from sctp_rack.story.which_tsn import which_tsn


@click.command("explain", short_help="Tell the story of one TSN.")
@click.argument("capture", type=FILE)
@click.option("--frame", type=click.IntRange(1), metavar="N", help="The TSN in this frame.")
@click.option("--tsn", type=click.IntRange(0, 2**32 - 1), metavar="N", help="This TSN.")
@chosen_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@capture_options
def explain_command(
    capture: str,
    frame: int | None,
    tsn: int | None,
    assoc: int | None,
    direction: str | None,
    begin: float | None,
    end: float | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Tell the story of one TSN of CAPTURE: sent, missed, marked, sent again, acknowledged.

    For each retransmission: whether it was needed and by which evidence, why it was sent and what
    is ruled out, and what RACK-TLP (RFC 8985) would have done and when. Where several TSNs fit they
    are listed, with status 2; of a time are those that were sent in it, and the story is whole.
    """
    Chosen(assoc, direction, begin, end).check(["transmissions"])
    held = held_capture(capture, TABLES, assoc, **reading)
    place = which_tsn(
        held, frame=frame, tsn=tsn, assoc=assoc, direction=direction, begin=begin, end=end
    )
    (write_story_json if as_json else write_story)(explain(held, place), sys.stdout)
    exit_if_broken([held])
