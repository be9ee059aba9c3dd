# SPDX-License-Identifier: BSD-2-Clause
"""A report on a time: its sums, tables and stories are of it, and rest on all of the capture."""

from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.report.contents import Contents, Way, contents

from tests.captures import BUNDLED, SAMPLE
from tests.commands.called import called

#: Sends again by feedback and by timers, needed and spurious.
NAME = "usrsctp-tsn-wrap.sender.pcap"


@pytest.fixture(scope="module")
def capture() -> Capture:
    return sctp_rack.read(BUNDLED / NAME)


def way_of(told: Contents) -> Way:
    ((way,),) = (section.ways for section in told.sections)
    return way


def test_of_a_time_that_holds_all_it_tells_all(capture: Capture) -> None:
    whole, told = contents(capture), contents(capture.between(0))
    one, other = way_of(whole), way_of(told)

    assert not whole.time and told.time.startswith("From second 0.000 on")
    assert (told.figures, told.shares, told.checks) == (whole.figures, whole.shares, whole.checks)
    assert (told.headline, told.hindsight) == (whole.headline, whole.hindsight)
    assert (other.causes, other.versus, other.waited) == (one.causes, one.versus, one.waited)
    assert [story.why for story in other.stories] == [story.why for story in one.stories]
    assert other.again == one.again


def test_two_times_that_adjoin_add_up(capture: Capture) -> None:
    rows = list(way_of(contents(capture)).again)
    at = (rows[len(rows) // 2]["time_ns"] - (capture.transmissions.begins_ns or 0)) / 1e9
    one, other = (
        way_of(contents(capture.between(*ends))) for ends in ((None, at - 1e-9), (at, None))
    )
    whole = way_of(contents(capture))

    assert 0 < len(one.again) < len(rows)
    assert one.again + other.again == rows
    for which in (one, other):
        assert which.versus and which.versus.needed == which.shares[0].count
    assert one.versus and other.versus and whole.versus
    assert one.versus.probes_due + other.versus.probes_due == whole.versus.probes_due


def test_a_story_of_a_time_knows_what_came_before_it(capture: Capture) -> None:
    row = capture.transmissions.where(kind="retransmission")[-1:]
    (again,) = list(row)
    at = (again["time_ns"] - (row.begins_ns or 0)) / 1e9
    told = way_of(contents(capture.between(at)))

    assert told.stories
    frames = [event.frame for event in told.stories[0].story.events]
    assert again["prev_frame"] in frames


def test_what_the_capture_is_worth_is_of_the_whole(capture: Capture) -> None:
    late = contents(capture.between(1e6))

    assert late.headline.startswith("No frame at that time")
    assert late.checks == contents(capture).checks


def test_the_command_writes_a_page_on_a_time(tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    assert called("report", "--from", 0.5, "--to", 1, SAMPLE, "-o", page).returncode == 0

    text = page.read_text()
    assert "Seconds 0.500 to 1.000 (" in text and "in all: frame 1 to 673" in text


def test_a_dataset_has_no_time(tmp_path: Path) -> None:
    assert called("batch", SAMPLE, "-o", tmp_path / "fleet").returncode == 0
    done = called("report", "--from", 1, tmp_path / "fleet", "-o", tmp_path / "x.html")

    assert done.returncode == 2
    assert b"are about captures, and this is a dataset" in done.stderr
