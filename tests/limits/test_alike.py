# SPDX-License-Identifier: BSD-2-Clause
"""Which transfers look as one in a capture does, and which of them its time rules out."""

from dataclasses import replace
from typing import Any

import pytest
from sctp_rack.binding.imagined import Transfer
from sctp_rack.limits.alike import ETHERNET, alike, transfer_of, unseen
from sctp_rack.limits.predicted import predicted
from sctp_rack.limits.round_trip import RoundTrip
from sctp_rack.names import Limit

MS = 1_000_000
PACKETS, SIZE = 100, 1000
TOOK = RoundTrip(130 * MS, 100 * MS)
TRANSFER = Transfer("usrsctp", PACKETS, PACKETS * SIZE, PACKETS, 40_000, 100 * MS)


def trips(**first: Any) -> list[dict[str, Any]]:
    told = {"a_rwnd": 38_000, "a_rwnd_most": 40_000, "cwnd_profile": "usrsctp"}
    one = {"packets": 4, "chunks": 4, "acked_bytes": SIZE, "outstanding_bytes": 4 * SIZE}
    rest = {"packets": 96, "chunks": 96, "acked_bytes": 96 * SIZE, "outstanding_bytes": 30_000}
    return [{**told, **one, **first}, {**told, **rest}]


def of(trips: list[dict[str, Any]]) -> Transfer:
    transfer = transfer_of(trips, PACKETS * SIZE, 0, TOOK)
    assert transfer is not None
    return transfer


def test_a_receiver_tells_less_with_what_just_came() -> None:
    assert (of(trips()).peer_window, of(trips()).unread) == (40_000, 2_000)
    assert of(trips()).round_trip_ns == TOOK.least_ns


def test_what_is_more_than_just_came_is_never_told() -> None:
    """Of 40,000 dcSCTP tells 36,000 again and again: of twice as much it tells twice as much."""
    most = of(trips(a_rwnd=36_000) + trips(a_rwnd=36_000)[:1])
    assert (most.peer_window, most.unread) == (36_000, 0)


@pytest.mark.parametrize(
    ("first", "alone"),
    [({}, True), ({"acked_bytes": 2 * SIZE}, False), ({"packets": 1}, False)],
)
def test_the_first_round_trip_shows_whether_a_packet_was_answered_alone(
    first: dict[str, Any], alone: bool
) -> None:
    assert of(trips(**first)).first_alone == alone


def test_neither_mtu_nor_jitter_nor_the_pace_of_the_path_show() -> None:
    looking = list(alike(TRANSFER, TOOK))

    assert {one.mtu for one in looking} >= {0, ETHERNET}
    assert {one.round_trip_ns for one in looking} == {100 * MS, 130 * MS}
    assert {one.apart_ns for one in looking if one.round_trip_ns == 100 * MS} == {
        0,
        100 * MS // 40 // 20,
        100 * MS // 40 // 5,
    }


def test_another_clock_is_as_likely() -> None:
    assert len({one.phase_ns for one in unseen(TRANSFER)}) > 1
    assert {one.peer_window for one in unseen(TRANSFER)} == {40_000}


def test_which_packet_is_an_odd_one_does_not_show_where_they_differ() -> None:
    mixed = Transfer("usrsctp", PACKETS, PACKETS * SIZE, PACKETS + 1, 40_000, 100 * MS)
    buffered = Transfer("usrsctp", PACKETS, PACKETS * SIZE, PACKETS + 1, 40_000, 0, send_buffer=9)

    assert {one.peer_window for one in unseen(mixed)} == {40_000, 41_000}
    assert {one.send_buffer for one in unseen(mixed)} == {0}
    assert {one.send_buffer for one in unseen(buffered)} == {9, 1009}


def test_timers_of_other_stacks_start_anew() -> None:
    other = Transfer("dcsctp", PACKETS, PACKETS * SIZE, PACKETS + 1, 40_000, 100 * MS)

    assert list(unseen(other)) == [other]
    at_least = [one for one in alike(other, TOOK) if one.round_trip_ns == TOOK.least_ns]
    assert len({one.apart_ns for one in at_least}) == 3


def test_the_time_that_it_took_rules_out_what_takes_another() -> None:
    """Ten packets in each round trip: nine more of them, of 100 ms each and none of 115 ms."""
    ten = Transfer("dcsctp", PACKETS, PACKETS * SIZE, PACKETS, 10 * SIZE, 100 * MS)
    took = [{"limit": Limit.PEER_WINDOW, "begin_ns": 0, "end_ns": 900 * MS}]
    found = predicted(
        took,
        PACKETS * SIZE,
        (Limit.PEER_WINDOW,),
        alike(ten, RoundTrip(115 * MS, 100 * MS)),
        lambda one: one,
    )

    assert found is not None
    assert found.least == found.most == pytest.approx(8e9 * PACKETS * SIZE / (900 * MS))


def test_what_depends_on_the_clock_of_usrsctp_has_a_range() -> None:
    """29 packets in each round trip: one waits for a delayed SACK when T3-rtx expires, or not."""
    window = 29 * (SIZE + 256 + 16) + 1420
    slow = Transfer("usrsctp", 800, 800 * SIZE, 800, window, 200 * MS, first_alone=True)
    told = replace(slow, apart_ns=344_827, unread=1272)
    took = [{"limit": Limit.PEER_WINDOW, "begin_ns": 0, "end_ns": told.lasts_ns()}]
    limits = (Limit.PEER_WINDOW,)
    today = predicted(took, 800 * SIZE, limits, [told], lambda one: one)
    same = replace(told, profile="dcsctp")
    other = predicted(took, 800 * SIZE, limits, [told], lambda _: same)

    assert today is not None and today.by_timer and today.most > 1.1 * today.least
    assert other is not None and not other.by_timer and other.most == other.least


def test_a_long_transfer_is_imagined_in_part() -> None:
    """A window of ten packets: the last of 999,990 leaves as many round trips later.

    One of a tenth of them, all of which is imagined, takes a tenth of the time.
    """
    long = Transfer("dcsctp", 999_990, 999_990 * SIZE, 999_990, 10 * SIZE, 100 * MS)
    short = replace(long, packets=99_999, bytes=99_999 * SIZE, chunks=99_999)
    took = [{"limit": Limit.PEER_WINDOW, "begin_ns": 0, "end_ns": long.lasts_ns()}]
    found = predicted(took, short.bytes, (Limit.PEER_WINDOW,), [long], lambda _: short)

    assert found is not None
    assert found.rate == pytest.approx(8e9 * 10 * SIZE / (100 * MS), rel=0.001)
