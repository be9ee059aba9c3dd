# SPDX-License-Identifier: BSD-2-Clause
"""Only what happened is flagged, and each flagged frame says in its Info column what that is."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, ROOT, SAMPLE, bundled, name_of
from tests.plugin.painted_rows import exported
from tests.plugin.test_equal_rows import choice
from tests.plugin.wireshark import Wireshark

WIRESHARK = tomllib.loads((ROOT / "names.toml").read_text())["wireshark"]

#: Of frames of which nothing can be said, and which are not flagged.
UNFLAGGED = {"sctp_rack.renumbered", "sctp_rack.failed"}


def columns(wireshark: Wireshark, capture: Path, filter_: str, *fields: str) -> list[list[str]]:
    """Values of fields on the frames that a filter finds in two passes."""
    named = [word for field in fields for word in ("-e", field)]
    said = wireshark.tshark(capture, "-2", "-Y", filter_, "-T", "fields", *named)
    return [line.split("\t") for line in said.splitlines()]


@pytest.mark.parametrize("capture", choice(bundled()), ids=name_of)
def test_flagged_frames_are_those_whose_info_says_why(capture: Path, wireshark: Wireshark) -> None:
    prefixes = "|".join(re.escape(prefix) for *_, prefix, _ in WIRESHARK["experts"] if prefix)
    noted = re.compile(rf"\[(?:{prefixes})\] ")
    fields = ("frame.number", "sctp.analysis.flags", "_ws.col.Info")
    frames = columns(wireshark, capture, "sctp", *fields)
    flagged = [number for number, flags, _ in frames if flags]
    assert flagged == [number for number, _, info in frames if noted.match(info)]


def test_every_event_that_flags_has_words_for_the_info_column() -> None:
    silent = {name for name, _, _, prefix, _ in WIRESHARK["experts"] if not prefix}
    assert silent == UNFLAGGED


def test_what_the_model_would_have_marked_is_not_flagged(
    tmp_path: Path, wireshark: Wireshark
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 9):
        talk.say(A, B, sctp.data(tsn), later_us=100)
    talk.say(B, A, sctp.sack(1), later_us=20_000)
    talk.say(B, A, sctp.sack(2), later_us=100)
    for highest in range(4, 9):
        talk.say(B, A, sctp.sack(2, [(2, highest - 2)]), later_us=20_000)
    talk.say(B, A, sctp.sack(8), later_us=1_000)
    capture = talk.write(tmp_path).rename(tmp_path / "marked.pcapng")
    marked = columns(wireshark, capture, "sctp.analysis.rack_lost", "sctp_rack.data.tsn")

    assert marked == [["3"]]
    assert columns(wireshark, capture, "sctp.analysis.flags", "frame.number") == []
    assert columns(wireshark, capture, "_ws.expert && sctp_rack", "frame.number") == []


def test_a_capture_without_loss_is_not_flagged(wireshark: Wireshark) -> None:
    capture = BUNDLED / "usrsctp-tail-loss.receiver.pcap"
    assert columns(wireshark, capture, "sctp.analysis.flags", "frame.number") == []


def test_a_loss_has_one_expert_info_and_links_both_ways(wireshark: Wireshark) -> None:
    lost = [row for row in exported(SAMPLE)["transmissions"] if row["outcome"] == "lost"]
    fields = ("frame.number", "sctp.analysis.lost", "sctp.analysis.retransmitted_in")
    shown = columns(wireshark, SAMPLE, "sctp.analysis.lost_transmission", *fields)
    assert [int(frame) for frame, *_ in shown] == [row["frame"] for row in lost]
    experts = wireshark.tshark(SAMPLE, "-2", "-q", "-z", "expert,note")
    counts = re.findall(r"^ +(\d+) +Assumption +SCTP loss recovery  (.*)$", experts, re.M)
    assert counts == [(str(len(lost)), "This transmission was lost")]

    told = columns(
        wireshark,
        SAMPLE,
        "sctp.analysis.loss_revealed",
        *("frame.number", "sctp.analysis.lost_frame"),
    )
    reveals = {frame: set(frames.split(",")) for frame, frames in told}
    again = columns(
        wireshark,
        SAMPLE,
        "sctp.analysis.retransmission",
        *("frame.number", "sctp.analysis.retransmission"),
    )
    before = dict(again)
    for frame, by, resent in shown:
        assert frame in reveals[by]
        assert before[resent] == frame


def test_signs_for_filters_are_where_the_numbers_are(wireshark: Wireshark) -> None:
    for sign, number in (
        ("sctp.analysis.loss_revealed", "sctp.analysis.lost_tsn"),
        ("sctp.analysis.rack_mark", "sctp.analysis.rack_lost"),
        ("sctp.analysis.rack_marks", "sctp.analysis.rack_lost_tsn"),
    ):
        found = columns(wireshark, SAMPLE, sign, "frame.number")
        assert found
        assert found == columns(wireshark, SAMPLE, number, "frame.number")
