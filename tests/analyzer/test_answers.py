# SPDX-License-Identifier: BSD-2-Clause
"""Which copy an acknowledgement answers: by what this receiver does, and by what it can answer."""

from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows

AWAY_US, RTO_US = 40_000, 1_000_000


def _begin() -> Talk:
    """At the sender's tap."""
    talk = Talk()
    talk.handshake_at_sender(AWAY_US)
    return talk


def _again(talk: Talk, folder: Path) -> list[Row]:
    return [r for r in rows(talk.write(folder), "transmissions") if r["kind"] == "retransmission"]


@pytest.mark.parametrize("delay_us", [0, 200_000, 500_000])
def test_a_late_acknowledgement_of_a_lone_packet(tmp_path: Path, delay_us: int) -> None:
    """A lost packet is sent again by a timer and answered as this receiver answers any packet that
    is alone: the first copy need not have come for it (RFC 9260 section 6.2 allows each delay)."""
    talk = _begin()
    tsn = 1000
    for _ in range(8):
        talk.say(A, B, sctp.data(tsn), later_us=900_000)
        talk.say(B, A, sctp.sack(tsn), later_us=AWAY_US + delay_us)
        tsn += 1
    talk.say(A, B, sctp.data(tsn), later_us=900_000)
    talk.say(A, B, sctp.data(tsn), later_us=RTO_US)
    talk.say(B, A, sctp.sack(tsn), later_us=AWAY_US + delay_us)
    (again,) = _again(talk, tmp_path)

    assert again["verdict"] != "spurious"


def test_without_its_answer_there_is_no_report_to_miss(tmp_path: Path) -> None:
    """The receiver reports duplicates, but the acknowledgement comes so long after the last copy
    that what answered that was lost, with its reports."""
    talk = _begin()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), later_us=AWAY_US)
    talk.say(A, B, sctp.data(1000), later_us=RTO_US)
    talk.say(B, A, sctp.sack(1000, dups=[1000]), later_us=AWAY_US)
    talk.say(A, B, sctp.data(1001))
    talk.say(A, B, sctp.data(1001), later_us=RTO_US)
    talk.say(A, B, sctp.data(1002), later_us=RTO_US)
    talk.say(A, B, sctp.data(1003), later_us=20)
    talk.say(B, A, sctp.sack(1003), later_us=AWAY_US)
    again = _again(talk, tmp_path)

    assert again[1]["verdict"] == "undetermined"


def test_a_report_tells_which_copy_arrived_too(tmp_path: Path) -> None:
    """Of four copies the first, the second and the third arrived."""
    talk = _begin()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000), later_us=AWAY_US)
    talk.say(A, B, sctp.data(1000), later_us=200_000)
    talk.say(B, A, sctp.sack(1000, dups=[1000]), later_us=AWAY_US)
    talk.say(A, B, sctp.data(1000), later_us=200_000)
    talk.say(B, A, sctp.sack(1000, dups=[1000]), later_us=AWAY_US)
    talk.say(A, B, sctp.data(1000), later_us=200_000)
    talk.say(A, B, sctp.data(1001), later_us=1_000)
    talk.say(B, A, sctp.sack(1001), later_us=AWAY_US)
    again = _again(talk, tmp_path)

    assert [row["outcome"] for row in again] == ["acked", "acked", "lost"]


def test_the_first_copy_seen_is_not_answered_too_early_because_a_later_one_is(
    tmp_path: Path,
) -> None:
    """The original was lost before the tap; the third copy passes just before the acknowledgement
    that the second brought."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    for tsn in (1002, 1003, 1004):
        talk.say(A, B, sctp.data(tsn), later_us=100)
    for top in (2, 3, 4):
        talk.say(B, A, sctp.sack(1000, [(2, top)]), later_us=10_000 if top == 2 else 100)
    talk.say(A, B, sctp.data(1001), later_us=20_000)
    talk.say(A, B, sctp.data(1001), later_us=9_000)
    talk.say(B, A, sctp.sack(1004), later_us=1_000)
    again = _again(talk, tmp_path)

    assert [row["verdict"] for row in again] == ["needed", "spurious"]
