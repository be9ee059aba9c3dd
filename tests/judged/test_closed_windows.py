# SPDX-License-Identifier: BSD-2-Clause
"""At its own tap a receiver tells what it accepts: what it throws away for want of room is not."""

from pathlib import Path

from tests.builder import sctp
from tests.builder.talk import A, B, Talk, rows

MS = 1000
AWAY, HOST = 20 * MS, 100


def _begin() -> Talk:
    """The tap is at B, the receiver; four chunks are answered."""
    talk = Talk()
    talk.handshake_at_receiver(away_us=AWAY, host_us=HOST)
    for tsn in range(1000, 1004):
        talk.say(A, B, sctp.data(tsn=tsn), later_us=AWAY)
        talk.say(B, A, sctp.sack(cum=tsn, a_rwnd=0 if tsn == 1003 else 8), later_us=HOST)
    return talk


def _thrown_away(talk: Talk, times: int) -> None:
    for _ in range(times):
        talk.say(A, B, sctp.data(tsn=1004), later_us=1000 * MS)
        talk.say(B, A, sctp.sack(cum=1003, a_rwnd=0), later_us=HOST)


def _verdicts(path: Path) -> list[str]:
    return [row["verdict"] for row in rows(path, "transmissions") if row["tsn"] == 1004][1:]


def test_what_was_thrown_away_did_not_come_though_a_copy_since_came_twice(tmp_path: Path) -> None:
    talk = _begin()
    _thrown_away(talk, 3)
    talk.say(B, A, sctp.sack(cum=1003), later_us=500 * MS)
    talk.say(A, B, sctp.data(tsn=1004), later_us=AWAY)
    talk.say(A, B, sctp.data(tsn=1004), later_us=2 * MS)
    talk.say(B, A, sctp.sack(cum=1004, dups=[1004]), later_us=HOST)
    assert _verdicts(talk.write(tmp_path)) == ["needed", "needed", "needed", "spurious"]


def test_more_duplicates_than_copies_since_say_that_one_had_come_before(tmp_path: Path) -> None:
    talk = _begin()
    _thrown_away(talk, 3)
    talk.say(B, A, sctp.sack(cum=1003), later_us=500 * MS)
    talk.say(A, B, sctp.data(tsn=1004), later_us=AWAY)
    talk.say(B, A, sctp.sack(cum=1004, dups=[1004]), later_us=HOST)
    assert _verdicts(talk.write(tmp_path))[-1] == "spurious"
