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
