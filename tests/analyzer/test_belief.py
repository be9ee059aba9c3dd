# SPDX-License-Identifier: BSD-2-Clause
"""What an acknowledgement claims of TSNs that were not yet sent is believed of nobody."""

from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows

FIRST = 1000
#: How long a packet takes from A to the tap, and from there to B.
TAPS = {"sender": (100, 40_000), "middle": (20_000, 20_000), "receiver": (40_000, 100)}

each_tap = pytest.mark.parametrize("tap", TAPS)


def _begin(tap: str) -> Talk:
    before, behind = (2 * way for way in TAPS[tap])
    talk = Talk()
    talk.handshake_at_sender(behind, before)
    return talk


def _needed_resend(talk: Talk, tap: str, forged: bytes | None, new: int = 4) -> int:
    """TSN 3 of ten is lost behind the tap and sent again at the third report of it; before them
    somebody says that all arrived, and much more. What `new` says follows afterwards."""
    before, behind = (2 * way for way in TAPS[tap])
    for i in range(10):
        talk.say(A, B, sctp.data(FIRST + i), later_us=300)
    if forged is not None:
        talk.say(B, A, forged, later_us=100)
    for i in range(3):
        later_us = behind if i == 0 else 300
        talk.say(B, A, sctp.sack(FIRST + 2, [(2, 5 + i)]), later_us=later_us)
    again = talk.say(A, B, sctp.data(FIRST + 3), later_us=before)
    talk.say(B, A, sctp.sack(FIRST + 9), later_us=behind)
    for i in range(new):
        talk.say(A, B, sctp.data(FIRST + 10 + i), later_us=5_000)
        talk.say(B, A, sctp.sack(FIRST + 10 + i), later_us=behind)
    return again


def _row(talk: Talk, folder: Path, frame: int) -> Row:
    (row,) = [row for row in rows(talk.write(folder), "transmissions") if row["frame"] == frame]
    return row


@each_tap
def test_who_acknowledges_what_is_sent_later_is_not_believed(tap: str, tmp_path: Path) -> None:
    """Expectation: rows are those of the same talk without that SACK, but for its frame."""
    talks = [_begin(tap), _begin(tap)]
    lie = sctp.sack(FIRST + 40)
    frames = [_needed_resend(talks[0], tap, None), _needed_resend(talks[1], tap, lie)]
    (tmp_path / "honest").mkdir()
    honest = _row(talks[0], tmp_path / "honest", frames[0])
    told = _row(talks[1], tmp_path, frames[1])

    names = ("kind", "verdict", "verdict_class", "cause", "cause_class", "evidence", "outcome")
    assert {name: told[name] for name in names} == {name: honest[name] for name in names}
    assert told["verdict"] != "spurious"
    assert told["acked_frame"] == honest["acked_frame"] + 1


@each_tap
def test_a_block_above_all_that_was_sent_is_a_lie_too(tap: str, tmp_path: Path) -> None:
    talk = _begin(tap)
    again = _needed_resend(talk, tap, sctp.sack(FIRST + 9, [(20, 30)]), new=24)

    assert _row(talk, tmp_path, again)["verdict"] != "spurious"


@each_tap
def test_what_is_never_seen_may_have_been_missed_yet_nothing_is_certain(
    tap: str, tmp_path: Path
) -> None:
    """Setup: nothing that was claimed is seen later. Expectation: the tap may have missed it, so it
    is believed, but not for certain."""
    talk = _begin(tap)
    again = _needed_resend(talk, tap, sctp.sack(FIRST + 40), new=0)
    row = _row(talk, tmp_path, again)

    assert (row["verdict"], row["verdict_class"]) == ("spurious", 4)


@each_tap
def test_a_capture_that_missed_data_is_read_as_before(tap: str, tmp_path: Path) -> None:
    """Setup: the tap misses two TSNs at the top, which are acknowledged; others follow them."""
    behind = 2 * TAPS[tap][1]
    talk = _begin(tap)
    for tsn in (0, 1, 4, 5):
        talk.say(A, B, sctp.data(FIRST + tsn), later_us=300)
        if tsn == 1:
            talk.say(B, A, sctp.sack(FIRST + 3), later_us=behind)
    talk.say(B, A, sctp.sack(FIRST + 5), later_us=behind)
    sent = rows(talk.write(tmp_path), "transmissions")

    assert [(row["kind"], row["outcome"]) for row in sent] == [("original", "acked")] * 4
    assert [row["acked_frame"] for row in sent] == [7, 7, 10, 10]


def test_an_answer_that_the_capture_has_a_little_before_its_data_is_believed(
    tmp_path: Path,
) -> None:
    """Setup: as where two interfaces write one file."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(FIRST))
    talk.say(B, A, sctp.sack(FIRST + 1))
    talk.say(A, B, sctp.data(FIRST + 1), later_us=1_500)
    talk.say(B, A, sctp.sack(FIRST + 1))
    sent = rows(talk.write(tmp_path), "transmissions")

    assert [row["acked_frame"] for row in sent] == [6, 6]


def test_what_was_sent_before_the_capture_is_no_lie(tmp_path: Path) -> None:
    """Setup: the capture begins after a whole window was sent, with a TSN of it that is sent again;
    another one is when both were acknowledged. Expectation: that is spurious, not certainly."""
    talk = Talk()
    talk.say(A, B, sctp.data(FIRST))
    acknowledges = talk.say(B, A, sctp.sack(FIRST + 20))
    talk.say(A, B, sctp.data(FIRST + 15))
    first, second = rows(talk.write(tmp_path), "transmissions")

    assert first["acked_frame"] == acknowledges
    assert second["outcome"] == "acked"
    assert second["verdict_class"] != 5


@each_tap
def test_a_row_says_that_it_claims_what_was_not_sent(tap: str, tmp_path: Path) -> None:
    talk = _begin(tap)
    _needed_resend(talk, tap, sctp.sack(FIRST + 11))
    found = rows(talk.write(tmp_path), "sacks")

    assert [row["cum_tsn"] for row in found if row["malformed"]] == [FIRST + 11]
    assert {one for row in found for one in row["malformed"]} == {"claims_unsent"}
