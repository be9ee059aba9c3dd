# SPDX-License-Identifier: BSD-2-Clause
"""A host takes longer for a handshake than for an acknowledgement: what it sends at one is told as
its answer."""

from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows

#: What both ways behind the sender's tap take, and what its host does.
AWAY_US, HANDSHAKE_US, REACTION_US = 40_000, 3_000, 100


@pytest.mark.parametrize("later_feedback", [0, 1])
def test_a_fast_retransmission_sooner_than_the_handshake(
    tmp_path: Path, later_feedback: int
) -> None:
    """Also where another acknowledgement passes the tap before the resend does."""
    talk = Talk()
    talk.handshake_at_sender(AWAY_US, HANDSHAKE_US)
    tsn = 1000
    triggers = []
    for _ in range(4):
        for each in range(6):
            talk.say(A, B, sctp.data(tsn + each), later_us=20)
        talk.say(B, A, sctp.sack(tsn - 1, [(2, 2)]), later_us=AWAY_US)
        talk.say(B, A, sctp.sack(tsn - 1, [(2, 3)]), later_us=20)
        triggers.append(talk.say(B, A, sctp.sack(tsn - 1, [(2, 4)]), later_us=20))
        for _ in range(later_feedback):
            talk.say(B, A, sctp.sack(tsn - 1, [(2, 5)]), later_us=20)
        talk.say(A, B, sctp.data(tsn), later_us=REACTION_US)
        talk.say(B, A, sctp.sack(tsn + 5), later_us=AWAY_US)
        tsn += 6
    again = [
        row
        for row in rows(talk.write(tmp_path), "transmissions")
        if row["kind"] == "retransmission"
    ]

    assert [row["cause"] for row in again] == ["fast"] * 4
    assert [row["trigger_frame"] for row in again] == triggers


def test_in_the_middle_too(tmp_path: Path) -> None:
    """The way there and back takes 20 ms on both sides of the tap."""
    talk = Talk()
    talk.handshake_at_sender(20_000, host_us=20_150)
    for tsn in range(1000, 1006):
        talk.say(A, B, sctp.data(tsn), later_us=20)
    talk.say(B, A, sctp.sack(999, [(2, 2)]), later_us=20_000)
    talk.say(B, A, sctp.sack(999, [(2, 3)]), later_us=20)
    trigger = talk.say(B, A, sctp.sack(999, [(2, 4)]), later_us=20)
    talk.say(A, B, sctp.data(1000), later_us=20_020)
    talk.say(B, A, sctp.sack(1005), later_us=20_000)
    path = talk.write(tmp_path)
    (again,) = [row for row in rows(path, "transmissions") if row["kind"] == "retransmission"]

    assert {row["vantage"] for row in rows(path, "paths")} == {"middle"}
    assert (again["cause"], again["trigger_frame"]) == ("fast", trigger)


def test_where_the_tap_is_not_known_what_moved_the_sender_is_a_guess(tmp_path: Path) -> None:
    """Without a handshake nothing tells when the sender had which feedback."""
    talk = Talk()
    for tsn in range(1000, 1006):
        talk.say(A, B, sctp.data(tsn), later_us=20)
    for top in (2, 3, 4):
        talk.say(B, A, sctp.sack(999, [(2, top)]), later_us=10_000)
    talk.say(A, B, sctp.data(1000), later_us=20)
    talk.say(B, A, sctp.sack(1005))
    path = talk.write(tmp_path)
    (again,) = [row for row in rows(path, "transmissions") if row["kind"] == "retransmission"]

    assert {row["vantage"] for row in rows(path, "paths")} == {"unknown"}
    assert (again["cause"], again["cause_class"]) == ("fast", 2)
