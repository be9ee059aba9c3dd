# SPDX-License-Identifier: BSD-2-Clause
"""What twice the peer's window is predicted to give, by counting round trips; and when nothing."""

from typing import Any

import pytest
import sctp_rack
from sctp_rack.limits.doubled import doubled

from tests.captures import BUNDLED

MS = 1_000_000
RTT = 100 * MS
PACKETS, SIZE, IN_WINDOW = 400, 1000, 10
ACKED = PACKETS * SIZE
WHOLE = PACKETS // IN_WINDOW * RTT


def intervals(limit: str = "peer_window", **more: Any) -> list[dict[str, Any]]:
    """Ten packets in each round trip, and then 300 ms of nothing."""
    window = {"limit": limit, "begin_ns": 0, "end_ns": WHOLE, "bytes": PACKETS * SIZE, **more}
    idle = {"limit": "application", "begin_ns": WHOLE, "end_ns": WHOLE + 300 * MS, "bytes": 0}
    return [window, idle]


def trips(profile: str | None = "dcsctp", packets: int = PACKETS) -> list[dict[str, Any]]:
    told = {"acked_bytes": packets * SIZE, "packets": packets, "chunks": packets}
    return [{**told, "cwnd_profile": profile}]


def test_twice_the_window_takes_half_of_the_round_trips() -> None:
    found = doubled(intervals(), trips(), ACKED, IN_WINDOW * SIZE, RTT)

    assert found is not None and found.least <= found.rate <= found.most
    assert found.rate == pytest.approx(8e9 * PACKETS * SIZE / (WHOLE / 2 + 300 * MS), rel=0.1)


def test_what_is_not_explained_shrinks_in_proportion() -> None:
    slower = [{**one, "end_ns": 2 * one["end_ns"]} for one in intervals()]
    slower[1]["begin_ns"] = slower[0]["end_ns"]

    found = doubled(slower, trips(), ACKED, IN_WINDOW * SIZE, RTT)

    assert found is not None
    assert found.rate == pytest.approx(8e9 * PACKETS * SIZE / (WHOLE + 600 * MS), rel=0.1)


def test_nothing_is_predicted_where_another_window_or_a_reader_limits() -> None:
    assert doubled(intervals("congestion_window"), trips(), ACKED, IN_WINDOW * SIZE, RTT) is None
    assert (
        doubled(intervals(bytes=PACKETS * SIZE // 3), trips(), ACKED, IN_WINDOW * SIZE, RTT) is None
    )
    assert doubled(intervals(), trips(packets=0), ACKED, IN_WINDOW * SIZE, RTT) is None
    assert doubled(intervals(), trips(), ACKED, SIZE // 2, RTT) is None


def test_usrsctp_charges_what_is_in_the_window() -> None:
    half = intervals(bytes=PACKETS * SIZE * 9 // 20)

    assert doubled(half, trips("usrsctp"), ACKED, IN_WINDOW * SIZE, RTT) is not None
    assert doubled(half, trips("dcsctp"), ACKED, IN_WINDOW * SIZE, RTT) is None


def test_round_trips_have_their_packets_and_whose_window_it_is() -> None:
    capture = sctp_rack.read(BUNDLED / "usr_ge_nrsack.sender.pcapng")
    rows = list(capture.table("windows"))
    firsts = [row for row in capture.table("transmissions") if row["copy"] == 1]

    assert {row["cwnd_profile"] for row in rows} == {"usrsctp"}
    assert sum(row["chunks"] for row in rows) == len(firsts)
    assert sum(row["packets"] for row in rows) == len({row["frame"] for row in firsts})
