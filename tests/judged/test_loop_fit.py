# SPDX-License-Identifier: BSD-2-Clause
"""On the way, a sender has feedback after the loop that explains what it sent again."""

from pathlib import Path

import sctp_rack
from sctp_rack.summary.direction_lines import tap

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows, summary

MS = 1000
TO_RECEIVER, TO_SENDER = 30 * MS, 20 * MS


def _talk(handshake_us: int, losses: int) -> Talk:
    """A tap on the way: of five chunks the first is lost, and sent again when its third missing
    report has come to the sender and it has passed the tap, `losses` times."""
    talk = Talk()
    talk.handshake_on_the_way(to_receiver_us=TO_RECEIVER, to_sender_us=handshake_us)
    for lost in range(1000, 1000 + 5 * losses, 5):
        for tsn in range(lost, lost + 5):
            talk.say(A, B, sctp.data(tsn=tsn), later_us=MS if tsn > lost else 100 * MS)
        for last in range(2, 5):
            later_us = TO_RECEIVER - 3 * MS if last == 2 else MS
            talk.say(B, A, sctp.sack(cum=lost - 1, gaps=[(2, last)]), later_us=later_us)
        talk.say(A, B, sctp.data(tsn=lost), later_us=TO_SENDER)
        talk.say(B, A, sctp.sack(cum=lost + 4), later_us=TO_RECEIVER)
    return talk


def _path(path: Path) -> dict[str, int | None]:
    (row,) = (row for row in rows(path, "paths") if row["dir"] == "a2b")
    return row


def _causes(path: Path) -> set[tuple[str, bool]]:
    """And whether it is known which feedback moved the sender to it."""
    again = [row for row in rows(path, "transmissions") if row["kind"] == "retransmission"]
    return {(row["cause"], row["trigger_frame"] is not None) for row in again}


def _said(path: Path) -> str:
    """By `analyze`, of the tap."""
    sender = summary(path).associations[0].a
    assert sender.recovery is not None
    return tap(sender.recovery.paths[0])


def test_a_handshake_that_took_longer_than_feedback_does_not_count(tmp_path: Path) -> None:
    path = _talk(handshake_us=30 * MS, losses=10).write(tmp_path)
    assert _path(path)["loop_hi_ns"] == 30_000_000
    fitted_ns = _path(path)["loop_fitted_ns"]
    assert fitted_ns is not None and 15_000_000 < fitted_ns < 20_000_000
    assert "fits a loop to the sender of 19.4 ms, not the 30.0 ms measured" in _said(path)
    assert _causes(path) == {("fast", True)}


def test_a_handshake_that_explains_what_was_sent_again_stands(tmp_path: Path) -> None:
    path = _talk(handshake_us=TO_SENDER, losses=10).write(tmp_path)
    assert _path(path)["loop_fitted_ns"] is None
    assert _causes(path) == {("fast", True)}


def test_a_loop_that_was_told_stands(tmp_path: Path) -> None:
    path = _talk(handshake_us=30 * MS, losses=10).write(tmp_path)
    table = sctp_rack.read(path, tables=["paths"], loop_ms=30).table("paths")
    assert [row["loop_fitted_ns"] for row in table] == [None] * len(table)


def test_nine_retransmissions_are_too_few(tmp_path: Path) -> None:
    path = _talk(handshake_us=30 * MS, losses=9).write(tmp_path)
    assert _path(path)["loop_fitted_ns"] is None


def test_more_than_are_tried_are_replayed_all_the_same(tmp_path: Path) -> None:
    path = _talk(handshake_us=30 * MS, losses=300).write(tmp_path)
    assert _path(path)["loop_fitted_ns"] is not None
    assert _causes(path) == {("fast", True)}


def test_probes_tell_nothing_of_the_loop(tmp_path: Path) -> None:
    """A PTO is two round trips, and with some loop any regular wait is one: here what was passed
    over leaves some time after the feedback that says so, behind what came alone."""
    talk = Talk()
    talk.handshake_at_receiver(away_us=22 * MS)
    for tsn in range(1000, 1006):
        talk.say(A, B, sctp.data(tsn=tsn), later_us=100 * MS)
        talk.say(B, A, sctp.sack(cum=tsn))
    for lost in range(1006, 1006 + 2 * 14, 2):
        talk.say(A, B, sctp.data(tsn=lost + 1), later_us=150 * MS)
        talk.say(B, A, sctp.sack(cum=lost - 1, gaps=[(2, 2)]))
        talk.say(A, B, sctp.data(tsn=lost), later_us=26 * MS)
        talk.say(B, A, sctp.sack(cum=lost + 1))
    read = sctp_rack.read(talk.write(tmp_path), tables=["paths", "transmissions"], profile="pion")
    again = [row for row in read.table("transmissions") if row["kind"] == "retransmission"]
    assert [row["loop_fitted_ns"] for row in read.table("paths")] == [None]
    assert {row["cause"] for row in again} == {"rack"}
