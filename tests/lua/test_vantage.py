# SPDX-License-Identifier: BSD-2-Clause
"""Drop-in and engine know alike that the tap is at no end where packets were lost between both."""

from pathlib import Path

import pytest
import sctp_rack

from tests.builder import sctp
from tests.builder.talk import COOKIE_ECHO, INIT_ACK, LINKTYPE_SCTP, A, B, Talk, bare, init
from tests.lua.drop_in import judged

NEAR_US, FAR_US = 300, 20_000


def begun(sender_us: int, receiver_us: int) -> Talk:
    """A handshake that shows the loops from the tap to A, which sends, and to B. No hop limits."""
    talk = Talk(bare, LINKTYPE_SCTP)
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, init(B, INIT_ACK), later_us=receiver_us)
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=sender_us)
    talk.say(B, A, sctp.cookie_ack(), later_us=receiver_us)
    return talk


def vantages(path: Path) -> tuple[str, str]:
    """Of the data of A: the engine's, and the drop-in's."""
    (engine,) = sctp_rack.read(path, tables=["paths"]).table("paths").where(dir="a2b")
    (ours,) = [
        direction["vantage"]
        for association in judged(path)
        for direction in association["directions"]
        if direction["dir"] == "a2b"
    ]
    return engine["vantage"], ours


@pytest.mark.parametrize(("seen", "vantage"), [(False, "middle"), (True, "sender")])
def test_what_was_lost_before_the_tap_left_no_sender_there(
    seen: bool, vantage: str, tmp_path: Path
) -> None:
    talk = begun(NEAR_US, FAR_US)
    for tsn in (1000, 1001, 1002) if seen else (1000, 1002):
        talk.say(A, B, sctp.data(tsn), later_us=NEAR_US)
    talk.say(B, A, sctp.sack(1000, [(2, 2)]), later_us=FAR_US)
    talk.say(A, B, sctp.data(1001), later_us=FAR_US)
    talk.say(B, A, sctp.sack(1002), later_us=FAR_US)

    assert vantages(talk.write(tmp_path)) == (vantage, vantage)


def test_what_the_capture_left_out_may_be_that(tmp_path: Path) -> None:
    talk = begun(NEAR_US, FAR_US)
    for tsn in (1000, 1003):
        talk.say(A, B, sctp.data(tsn), later_us=NEAR_US)
    talk.say(B, A, sctp.sack(1001, [(2, 2)]), later_us=FAR_US)
    talk.say(A, B, sctp.data(1002), later_us=FAR_US)
    talk.say(B, A, sctp.sack(1003), later_us=FAR_US)

    assert vantages(talk.write(tmp_path)) == ("sender", "sender")


@pytest.mark.parametrize(("lost", "vantage"), [(1, "receiver"), (2, "middle")])
@pytest.mark.parametrize("full", [False, True])
def test_what_was_lost_behind_the_tap_came_to_no_receiver_there(
    lost: int, vantage: str, full: bool, tmp_path: Path
) -> None:
    talk = begun(FAR_US, NEAR_US)
    for tsn in range(1000, 1004):
        talk.say(A, B, sctp.data(tsn), later_us=NEAR_US)
    talk.say(B, A, sctp.sack(999, [(lost + 1, 4)]), later_us=NEAR_US)
    for tsn in range(1000, 1000 + lost):
        talk.say(A, B, sctp.data(tsn), later_us=FAR_US)
    talk.say(B, A, sctp.sack(1003, a_rwnd=100 if full else sctp.A_RWND), later_us=NEAR_US)

    expected = "receiver" if full else vantage
    assert vantages(talk.write(tmp_path)) == (expected, expected)
