# SPDX-License-Identifier: BSD-2-Clause
"""Timers that are set to other values than the profiles have, as telephony sets them."""

from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows

MS = 1000
ROUND_TRIP = 20 * MS


def _causes(path: Path) -> list[tuple[str, int]]:
    again = [row for row in rows(path, "transmissions") if row["kind"] == "retransmission"]
    return [(row["cause"], row["cause_class"]) for row in again]


def _message(talk: Talk, tsn: int, later_us: int) -> None:
    talk.say(A, B, sctp.data(tsn=tsn), later_us=later_us)
    talk.say(B, A, sctp.sack(cum=tsn), later_us=ROUND_TRIP)


def _lost(talk: Talk, tsn: int, *timeouts_us: int) -> None:
    """Sent, lost, and sent again after each timeout; the last copy arrives."""
    talk.say(A, B, sctp.data(tsn=tsn), later_us=400 * MS)
    for timeout_us in timeouts_us:
        talk.say(A, B, sctp.data(tsn=tsn), later_us=timeout_us)
    talk.say(B, A, sctp.sack(cum=tsn), later_us=ROUND_TRIP)


def _ten_timeouts(rto_min_ms: int) -> Talk:
    """Each of a message behind two that arrive."""
    talk = Talk()
    talk.handshake_at_sender(away_us=ROUND_TRIP)
    for tsn in range(1000, 1030, 3):
        _message(talk, tsn, 400 * MS)
        _message(talk, tsn + 1, 400 * MS)
        _lost(talk, tsn + 2, rto_min_ms * MS)
    return talk


@pytest.mark.parametrize("rto_min_ms", [100, 200, 300, 700])
def test_timeouts_are_told_whatever_rto_min_is_set_to(tmp_path: Path, rto_min_ms: int) -> None:
    talk = _ten_timeouts(rto_min_ms)
    assert [cause for cause, _ in _causes(talk.write(tmp_path))] == ["t3"] * 10


def test_one_timeout_is_enough_where_the_stack_has_nothing_else(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake_at_sender(away_us=ROUND_TRIP)
    for tsn in range(1000, 1010):
        _message(talk, tsn, 400 * MS)
    _lost(talk, 1010, 200 * MS, 400 * MS, 800 * MS)
    assert [cause for cause, _ in _causes(talk.write(tmp_path))] == ["t3"] * 3


def test_without_three_reports_nothing_was_a_fast_retransmission(tmp_path: Path) -> None:
    """The one that is missing is reported once, and no timer of any profile is due."""
    talk = Talk()
    talk.handshake_at_sender(away_us=ROUND_TRIP)
    for tsn in range(1000, 1010):
        _message(talk, tsn, 400 * MS)
    talk.say(A, B, sctp.data(tsn=1010), later_us=50 * MS)
    talk.say(A, B, sctp.data(tsn=1011))
    talk.say(B, A, sctp.sack(cum=1009, gaps=[(2, 2)]), later_us=ROUND_TRIP)
    talk.say(A, B, sctp.data(tsn=1010), later_us=1)
    assert _causes(talk.write(tmp_path))[0][0] not in ("fast", "fast_deferred")


def test_what_is_judged_twice_is_written_once(tmp_path: Path) -> None:
    """Marks of the replay before the timers were known are gone."""
    talk = Talk()
    talk.handshake_at_sender(away_us=ROUND_TRIP)
    for tsn in range(1000, 1010):
        _message(talk, tsn, 400 * MS)
    _lost(talk, 1010, 200 * MS)
    marks = [
        (row["profile"], row["tsn"], row["copy"])
        for row in rows(talk.write(tmp_path), "rack_marks")
        if row["trigger"] == "rto"
    ]
    assert sorted(marks) == sorted(set(marks))
    assert ("linux", 1010, 1) in marks


@pytest.mark.parametrize("rto_min_ms", [200, 1000])
def test_the_timeout_of_a_path_is_what_timeouts_show(tmp_path: Path, rto_min_ms: int) -> None:
    """The round trip is far shorter."""
    talk = _ten_timeouts(rto_min_ms)
    (path,) = (row for row in rows(talk.write(tmp_path), "paths") if row["dir"] == "a2b")

    assert path["rto_ns"] == pytest.approx(rto_min_ms * MS * 1000, rel=0.05)


@pytest.mark.parametrize("delay_ms", [20, 40, 60, 100, 200])
def test_an_answer_after_a_short_delay_is_no_answer_at_once(tmp_path: Path, delay_ms: int) -> None:
    """Setup: second packets are answered at once, packets alone after SACK.Delay. Trigger: one is
    lost and sent again. Expectation: its copy was new to the receiver, which waited with it; a
    delay that was taken for jitter left room for an answer to a duplicate."""
    talk = Talk()
    talk.handshake_at_sender(away_us=ROUND_TRIP)
    for tsn in range(1000, 1040, 2):
        talk.say(A, B, sctp.data(tsn=tsn), later_us=400 * MS)
        talk.say(A, B, sctp.data(tsn=tsn + 1), later_us=100)
        talk.say(B, A, sctp.sack(cum=tsn + 1), later_us=ROUND_TRIP)
    talk.say(A, B, sctp.data(tsn=1040), later_us=400 * MS)
    for tsn in range(1040, 1046):
        later_us = 1000 * MS if tsn == 1040 else 400 * MS
        talk.say(A, B, sctp.data(tsn=tsn), later_us=later_us)
        talk.say(B, A, sctp.sack(cum=tsn), later_us=ROUND_TRIP + delay_ms * MS)

    (again,) = (
        row
        for row in rows(talk.write(tmp_path), "transmissions")
        if row["kind"] == "retransmission"
    )
    assert (again["verdict"], again["evidence"][0]) == ("needed", "S19")
