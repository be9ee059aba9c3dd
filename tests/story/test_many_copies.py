# SPDX-License-Identifier: BSD-2-Clause
"""What is kept so that each of many copies asks without a search says what a search would say."""

import pytest
import sctp_rack
from sctp_rack.association import Direction
from sctp_rack.columns.table import Row
from sctp_rack.names import Kind
from sctp_rack.story.instead import Silences, rack_marks
from sctp_rack.story.story import Event, Story, story_lines
from sctp_rack.wording.shortened import shortened

from tests.captures import BUNDLED
from tests.story.rows import MS, marked


def _probe_due_ns(row: Row, direction: Direction, path: Row) -> int | None:
    """RFC 8985 section 7.2, by all rows of the direction."""
    now, rows = row["time_ns"], direction.transmissions
    sent = [one for one in rows if one["time_ns"] < now]
    answered = [one["time_ns"] for one in direction.sacks if one["time_ns"] < now]
    if not sent or not path["srtt_ns"]:
        return None
    out = [one for one in sent if one["acked_time_ns"] is None or one["acked_time_ns"] > now]
    if any(one["kind"] == Kind.RETRANSMISSION for one in out):
        return None
    anchor = max(one["time_ns"] for one in sent)
    delay = direction.max_ack_delay_ns if len(out) <= 1 else 0
    return int(max([anchor, *answered])) + 2 * int(path["srtt_ns"]) + delay


@pytest.mark.parametrize("name", ["pion-reorder-low-no-rack", "usrsctp-tail-loss"])
def test_a_probe_is_due_when_all_rows_of_the_direction_say_so(name: str) -> None:
    capture = sctp_rack.read(BUNDLED / f"{name}.sender.pcap")
    direction = max(capture.associations[0].directions, key=lambda one: one.retransmissions)
    (path,) = direction.table("paths")
    silences, rows = Silences(direction), list(direction.transmissions)
    asked = rows[:: max(len(rows) // 40, 1)] + [row for row in rows if row["copy"] > 1][:20]
    dues = [silences.probe_due_ns(row, path) for row in asked]

    assert dues == [_probe_due_ns(row, direction, path) for row in asked]
    assert {due is None for due in dues} == {True, False}


def test_of_the_marks_on_a_copy_the_first_of_rack_counts() -> None:
    first, later = marked(7, 3, 10, 5), marked(7, 3, 12, 3)
    other = marked(7, 3, 1, 14, profile="usrsctp")
    unseen = marked(7, 3, 4, 1) | {"frame": None}

    assert rack_marks([later, other, first, unseen]) == {3: first, None: unseen}


@pytest.mark.parametrize("count", range(12))
def test_what_is_shortened_is_all_there_in_three_parts(count: int) -> None:
    every = list(range(count))
    short = shortened(every, 4, 2)

    assert len(short.first) + short.left_out + len(short.last) == count
    assert short.left_out != 1
    assert [*short.first, *short.last] == (every[:4] + every[-2:] if count > 7 else every)


def test_long_times_and_frames_stay_apart_from_what_happened() -> None:
    times = [0, 1_234_567 * MS]
    events = [Event(time, "sent", 10**9 + at, "sent") for at, time in enumerate(times)]
    story = Story(0, "a2b", 7, "0: a - b", None, None, None, events, [])

    assert list(story_lines(story))[3:5] == [
        "        0.000 ms  frame 1000000000 sent",
        "1,234,567.000 ms  frame 1000000001 sent",
    ]
