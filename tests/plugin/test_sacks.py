# SPDX-License-Identifier: BSD-2-Clause
"""Acknowledgements name the frames of what they newly acknowledge, and their blocks in Info."""

import re
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import bundled, name_of
from tests.plugin.painted_rows import Row, exported
from tests.plugin.test_equal_rows import choice
from tests.plugin.test_flags import columns
from tests.plugin.wireshark import Wireshark

ACKS = ("sctp_rack.sack.acks_first", "sctp_rack.sack.acks_last")
DUPLICATES = ("network_duplicate", "capture_duplicate", "conflicting")


def newly_acknowledged(rows: list[Row]) -> dict[int, set[int]]:
    """By frame of the feedback the frames of the data: of each TSN the first copy not lost."""
    frames: dict[int, set[int]] = {}
    seen = set()
    for row in rows:
        tsn = (row["assoc"], row["dir"], row["tsn"], row["acked_frame"])
        if row["kind"] in DUPLICATES or row["outcome"] == "lost" or not row["acked_frame"]:
            continue
        if tsn not in seen:
            frames.setdefault(row["acked_frame"], set()).add(row["frame"])
        seen.add(tsn)
    return frames


@pytest.mark.parametrize("capture", choice(bundled()), ids=name_of)
def test_feedback_links_to_the_first_and_the_last_of_what_it_newly_acknowledges(
    capture: Path, wireshark: Wireshark
) -> None:
    shown = columns(wireshark, capture, ACKS[0], "frame.number", *ACKS)
    expected = newly_acknowledged(exported(capture)["transmissions"])
    assert {int(by): (int(first), int(last)) for by, first, last in shown} == {
        by: (min(frames), max(frames)) for by, frames in expected.items()
    }


def test_a_copy_that_was_lost_is_not_what_was_acknowledged(
    tmp_path: Path, wireshark: Wireshark
) -> None:
    talk = Talk()
    talk.handshake()
    sent = [talk.say(A, B, sctp.data(tsn), later_us=100) for tsn in range(1, 6)]
    talk.say(B, A, sctp.sack(1), later_us=20_000)
    for highest in (3, 4, 5):
        talk.say(B, A, sctp.sack(1, [(2, highest - 1)]), later_us=100)
    again = talk.say(A, B, sctp.data(2), later_us=100)
    last = talk.say(B, A, sctp.sack(5), later_us=20_000)
    capture = talk.write(tmp_path).rename(tmp_path / "needed.pcapng")
    shown = columns(wireshark, capture, ACKS[0], "frame.number", *ACKS)
    assert [shown[0][1:], shown[-1]] == [[str(sent[0])] * 2, [str(last), str(again), str(again)]]


def infos(wireshark: Wireshark, capture: Path, *options: str) -> list[str]:
    """Info of the feedback."""
    filter_ = "sctp.chunk_type in {3, 16}"
    said = wireshark.tshark(capture, *options, "-Y", filter_, "-T", "fields", "-e", "_ws.col.Info")
    return [line.strip() for line in said.splitlines()]


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SACKs and NR-SACKs with blocks of either kind, and with more than fit."""
    talk = Talk()
    talk.handshake()
    for tsn in range(101, 121):
        talk.say(A, B, sctp.data(tsn), later_us=100)
    talk.say(B, A, sctp.sack(101))
    talk.say(B, A, sctp.sack(101, [(2, 3), (5, 5)]))
    talk.say(B, A, sctp.nr_sack(101))
    talk.say(B, A, sctp.nr_sack(101, [(2, 3)], [(5, 5)]))
    talk.say(B, A, sctp.nr_sack(101, nr_gaps=[(2 * n, 2 * n) for n in range(1, 7)]))
    folder = tmp_path_factory.mktemp("blocks")
    return talk.write(folder).rename(folder / "blocks.pcapng")


def test_info_has_the_blocks_of_both_kinds(blocks: Path, wireshark: Wireshark) -> None:
    for relative, first in (("FALSE", 101), ("TRUE", 0)):
        option = ("-o", f"sctp.relative_tsns:{relative}")
        window = r"Arwnd=\d+"
        run, alone = f"{first + 2}-{first + 3}", f"{first + 5}"
        few = ",".join(str(first + 2 * n) for n in range(1, 5))
        expected = [
            rf"SACK \(Ack={first}, {window}\)",
            rf"SACK \(Ack={first}\+5, {window}\) Gaps={run},{alone}",
            rf"NR_SACK \(Ack={first}, {window}\)",
            rf"NR_SACK \(Ack={first}\+5, {window}\) Gaps={run} NR-gaps={alone}",
            rf"NR_SACK \(Ack={first}\+12, {window}\) NR-gaps={few},…",
        ]
        for line, pattern in zip(infos(wireshark, blocks, *option), expected, strict=True):
            assert re.fullmatch(pattern, line), line


def test_the_preference_for_info_covers_blocks(blocks: Path, wireshark: Wireshark) -> None:
    quiet = infos(wireshark, blocks, "-o", "sctp_rack.info_prefix:FALSE")
    assert not any("aps=" in line for line in quiet)
