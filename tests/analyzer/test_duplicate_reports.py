# SPDX-License-Identifier: BSD-2-Clause
"""`dup_frame` of a transmission is the feedback that reports it as a duplicate, and no other."""

from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows


def sent(talk: Talk, folder: Path) -> list[Row]:
    return rows(talk.write(folder), "transmissions")


def begun() -> Talk:
    """TSN 1000 was sent and acknowledged."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1000))
    talk.say(B, A, sctp.sack(1000))
    return talk


def test_it_is_the_first_report_behind_the_copy(tmp_path: Path) -> None:
    talk = begun()
    talk.say(A, B, sctp.data(1000), later_us=1_000_000)
    reports = talk.say(B, A, sctp.sack(1000, dups=[1000]))
    talk.say(B, A, sctp.sack(1000, dups=[1000]))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None, reports]


def test_without_a_report_there_is_none(tmp_path: Path) -> None:
    talk = begun()
    talk.say(A, B, sctp.data(1000), later_us=1_000_000)
    talk.say(B, A, sctp.sack(1000))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None, None]


def test_a_report_speaks_of_the_last_copy_before_it(tmp_path: Path) -> None:
    talk = begun()
    talk.say(A, B, sctp.data(1000), later_us=1_000_000)
    talk.say(A, B, sctp.data(1000), later_us=2_000_000)
    reports = talk.say(B, A, sctp.sack(1000, dups=[1000]))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None, None, reports]


def test_a_report_of_another_tsn_is_none_of_this(tmp_path: Path) -> None:
    talk = begun()
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(1001))
    talk.say(A, B, sctp.data(1000), later_us=1_000_000)
    talk.say(B, A, sctp.sack(1001, dups=[1001]))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None, None, None]


def test_what_was_sent_once_has_none_however_it_is_reported(tmp_path: Path) -> None:
    """The network repeated it before the receiver: no copy of the sender's is meant."""
    talk = begun()
    talk.say(B, A, sctp.sack(1000, dups=[1000]))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None]


def test_feedback_that_was_overtaken_reports_as_well(tmp_path: Path) -> None:
    talk = begun()
    talk.say(A, B, sctp.data(1000), later_us=1_000_000)
    talk.say(A, B, sctp.data(1001))
    talk.say(B, A, sctp.sack(1001))
    reports = talk.say(B, A, sctp.sack(1000, dups=[1000]))

    assert [row["dup_frame"] for row in sent(talk, tmp_path)] == [None, reports, None]
