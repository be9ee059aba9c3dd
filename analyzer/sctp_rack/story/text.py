# SPDX-License-Identifier: BSD-2-Clause
"""How the story of a TSN is written to a terminal, and as JSON."""

import json
from typing import TextIO

from sctp_rack.story.story import WIDTH, Story, story_lines
from sctp_rack.summary.show import SCHEMAS, fields_of
from sctp_rack.wording.terminal_width import columns


def write_story_json(story: Story, output: TextIO) -> None:
    """One line: the fields of `Story`."""
    told = {"schema": SCHEMAS["explain"], **fields_of(story)}
    output.write(json.dumps(told, ensure_ascii=False, default=fields_of) + "\n")


def write_story(story: Story, output: TextIO) -> None:
    """A line for each event, then a paragraph for each retransmission."""
    for line in story_lines(story, min(WIDTH, columns(output) or WIDTH)):
        output.write(f"{line}\n")
