# SPDX-License-Identifier: BSD-2-Clause
"""What twice the peer's window is predicted to give, by counting round trips; and when nothing."""

from typing import Any

import pytest
import sctp_rack
from sctp_rack.limits.doubled import doubled
from sctp_rack.limits.round_trip import RoundTrip

from tests.captures import BUNDLED

MS = 1_000_000
RTT = 100 * MS
TOOK = RoundTrip(RTT, RTT)
PACKETS, SIZE, IN_WINDOW = 400, 1000, 10
ACKED = PACKETS * SIZE
WHOLE = PACKETS // IN_WINDOW * RTT


def intervals(limit: str = "peer_window", **more: Any) -> list[dict[str, Any]]:
    """Ten packets in each round trip, and then 300 ms of nothing."""
    window = {"limit": limit, "begin_ns": 0, "end_ns": WHOLE, "bytes": PACKETS * SIZE, **more}
    idle = {"limit": "application", "begin_ns": WHOLE, "end_ns": WHOLE + 300 * MS, "bytes": 0}
    return [window, idle]


def trips(
    profile: str | None = "dcsctp",
    packets: int = PACKETS,
    chunks: int = PACKETS,
    windows: tuple[int | None, int | None] = (None, None),
) -> list[dict[str, Any]]:
    told = {"acked_bytes": packets * SIZE, "packets": packets, "chunks": chunks}
    often, most = windows
    windows_told = {"outstanding_bytes": 0, "a_rwnd": often, "a_rwnd_most": most}
    return [{**told, **windows_told, "cwnd_profile": profile}]


def test_twice_the_window_takes_half_of_the_round_trips() -> None:
    found = doubled(intervals(), trips(), ACKED, IN_WINDOW * SIZE, TOOK)

    assert found is not None and found.least <= found.rate <= found.most
    assert found.rate == pytest.approx(8e9 * PACKETS * SIZE / (WHOLE / 2 + 300 * MS), rel=0.1)


def test_what_is_not_explained_shrinks_in_proportion() -> None:
    slower = [{**one, "end_ns": 2 * one["end_ns"]} for one in intervals()]
    slower[1]["begin_ns"] = slower[0]["end_ns"]

    found = doubled(slower, trips(), ACKED, IN_WINDOW * SIZE, TOOK)

    assert found is not None
    assert found.rate == pytest.approx(8e9 * PACKETS * SIZE / (WHOLE + 600 * MS), rel=0.1)


def test_nothing_is_predicted_where_another_window_or_a_reader_limits() -> None:
    assert doubled(intervals("congestion_window"), trips(), ACKED, IN_WINDOW * SIZE, TOOK) is None
    assert (
        doubled(intervals(bytes=PACKETS * SIZE // 3), trips(), ACKED, IN_WINDOW * SIZE, TOOK)
        is None
    )
    assert doubled(intervals(), trips(packets=0), ACKED, IN_WINDOW * SIZE, TOOK) is None
    assert doubled(intervals(), trips(), ACKED, SIZE // 2, TOOK) is None


def test_usrsctp_charges_what_is_in_the_window() -> None:
    half = intervals(bytes=PACKETS * SIZE * 9 // 20)

    assert doubled(half, trips("usrsctp"), ACKED, IN_WINDOW * SIZE, TOOK) is not None
    assert doubled(half, trips("dcsctp"), ACKED, IN_WINDOW * SIZE, TOOK) is None


def test_round_trips_have_their_packets_and_whose_window_it_is() -> None:
    capture = sctp_rack.read(BUNDLED / "usr_ge_nrsack.sender.pcapng")
    rows = list(capture.table("windows"))
    firsts = [row for row in capture.table("transmissions") if row["copy"] == 1]

    assert {row["cwnd_profile"] for row in rows} == {"usrsctp"}
    assert sum(row["chunks"] for row in rows) == len(firsts)
    assert sum(row["packets"] for row in rows) == len({row["frame"] for row in firsts})


def test_what_was_told_and_not_only_with_data_that_just_came_is_doubled() -> None:
    """A buffer of eleven packets of which one waits to be read: 21 of 22 in each round trip."""
    windows = ((IN_WINDOW) * SIZE, (IN_WINDOW + 1) * SIZE)
    found = doubled(intervals(), trips(windows=windows), ACKED, IN_WINDOW * SIZE, TOOK)

    assert found is not None
    assert found.rate == pytest.approx(8e9 * ACKED / (PACKETS / 21 * RTT + 300 * MS), rel=0.05)


def test_waits_for_delayed_sacks_are_of_the_window() -> None:
    half = WHOLE // 2
    window, idle = intervals()
    held = {**window, "limit": "delayed_sack", "begin_ns": half}
    split = [{**window, "end_ns": half, "bytes": ACKED // 2}, held, idle]

    apart = doubled(split, trips(), ACKED, IN_WINDOW * SIZE, TOOK)
    assert apart == doubled(intervals(), trips(), ACKED, IN_WINDOW * SIZE, TOOK)


def test_usrsctp_is_silent_for_a_round_trip_where_it_takes_what_waits_for_lost() -> None:
    """The receiver reads: its window was full in one of two round trips of each wait."""
    waits = [
        {"limit": "peer_window", "begin_ns": at * RTT, "end_ns": (at + 2) * RTT, "bytes": 6 * SIZE}
        for at in range(0, 80, 2)
    ]
    window = IN_WINDOW * (SIZE + 272)

    assert doubled(waits, trips("usrsctp"), ACKED, window, TOOK) is not None
    assert doubled(waits, trips("pion"), ACKED, window, TOOK) is None
