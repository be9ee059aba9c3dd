# SPDX-License-Identifier: BSD-2-Clause
"""A sender that counts its packets in the IP identification tells in which order they left: whether
what comes late was overtaken or sent again (RFC 6864 section 3: most hosts count)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builder import sctp
from tests.builder.talk import A, B, Row, Talk, rows

COUNTED = 12  #: packets, before the one that is looked at


def _late(talk: Talk, ident: Callable[[int], int]) -> tuple[int, int]:
    """TSN 1000 + COUNTED is not seen in its place, and reported missing; its TSN, and the number
    that its packet would have."""
    for each in range(COUNTED + 4):
        if each != COUNTED:
            talk.say(A, B, sctp.data(1000 + each), ident=ident(each), later_us=1_000)
    late = 1000 + COUNTED
    for top in (2, 3, 4):
        talk.say(B, A, sctp.sack(late - 1, [(2, top)]), later_us=100)
    return late, COUNTED


def _row(talk: Talk, folder: Path, tsn: int) -> list[Row]:
    return [row for row in rows(talk.write(folder), "transmissions") if row["tsn"] == tsn]


def _count(each: int) -> int:
    return (65_530 + 3 * each) % 65_536  #: it wraps; other traffic is counted too


@pytest.mark.parametrize("handshake", [True, False])
def test_what_left_before_what_overtook_it_is_late(tmp_path: Path, handshake: bool) -> None:
    """Also long after the sender could have sent it again."""
    talk = Talk()
    if handshake:
        talk.handshake()
    tsn, place = _late(talk, _count)
    talk.say(A, B, sctp.data(tsn), ident=_count(place), later_us=150_000)
    talk.say(B, A, sctp.sack(1000 + COUNTED + 3))
    (row,) = _row(talk, tmp_path, tsn)

    assert row["kind"] == "reordered"


def test_what_left_after_what_overtook_it_was_sent_again(tmp_path: Path) -> None:
    """Also sooner than a handshake shows, and where there is none."""
    talk = Talk()
    tsn, place = _late(talk, _count)
    talk.say(A, B, sctp.data(tsn), ident=_count(place + 4), later_us=100)
    talk.say(B, A, sctp.sack(1000 + COUNTED + 3))
    (row,) = _row(talk, tmp_path, tsn)

    assert row["kind"] == "retransmission"


def test_an_original_that_comes_after_its_retransmission(tmp_path: Path) -> None:
    """It makes that spurious."""
    talk = Talk()
    talk.handshake()
    tsn, place = _late(talk, _count)
    talk.say(A, B, sctp.data(tsn), ident=_count(place + 4), later_us=30_000)
    talk.say(A, B, sctp.data(tsn), ident=_count(place), later_us=2_000)
    talk.say(B, A, sctp.sack(1000 + COUNTED + 3, dups=[tsn]))
    again, original = _row(talk, tmp_path, tsn)

    assert (again["kind"], again["verdict"]) == ("retransmission", "spurious")
    assert (original["kind"], original["verdict"]) == ("reordered", None)


@pytest.mark.parametrize(
    "ident", [lambda each: each * 40_503 % 65_536, lambda _: 0], ids=["random", "none"]
)
def test_other_identifications_tell_no_order(tmp_path: Path, ident: Callable[[int], int]) -> None:
    """Time tells: it comes sooner after the feedback than the handshake took."""
    talk = Talk()
    talk.handshake()
    tsn, _ = _late(talk, ident)
    talk.say(A, B, sctp.data(tsn), ident=ident(200), later_us=1_000)
    (row,) = _row(talk, tmp_path, tsn)

    assert row["kind"] == "reordered"


def test_a_tail_sent_again_before_the_next_tsn_is_no_late_original(tmp_path: Path) -> None:
    """New data that was sent right after it overtakes it."""
    talk = Talk()
    talk.handshake()
    for each in range(COUNTED):
        talk.say(A, B, sctp.data(1000 + each), ident=_count(each), later_us=1_000)
    tail = 1000 + COUNTED - 1
    talk.say(A, B, sctp.data(tail + 1), ident=_count(COUNTED + 1), later_us=30_000)
    talk.say(A, B, sctp.data(tail), ident=_count(COUNTED), later_us=1_000)
    talk.say(B, A, sctp.sack(tail + 1, dups=[tail]))
    _, again = _row(talk, tmp_path, tail)

    assert again["kind"] == "retransmission"
