# SPDX-License-Identifier: BSD-2-Clause
"""Which send buffer would let a sender go on, by counting round trips; and when none is named."""

from typing import Any

import pytest
from sctp_rack.limits.buffered import buffered
from sctp_rack.limits.round_trip import RoundTrip

MS = 1_000_000
RTT = 100 * MS
TOOK = RoundTrip(RTT, RTT)
PACKETS, SIZE, LEVEL, WINDOW = 400, 1000, 10_000, 1_000_000
ACKED = PACKETS * SIZE
WHOLE = PACKETS * SIZE // LEVEL * RTT


def intervals(limit: str = "send_buffer") -> list[dict[str, Any]]:
    """Ten packets in each round trip, and then 300 ms of nothing."""
    idle = {"limit": "application", "begin_ns": WHOLE, "end_ns": WHOLE + 300 * MS}
    full = {"limit": limit, "begin_ns": 0, "end_ns": WHOLE, "outstanding_bytes": LEVEL}
    return [full, idle]


def trips(cwnd: int | None = 12_000, packets: int = PACKETS) -> list[dict[str, Any]]:
    told = {"acked_bytes": packets * SIZE, "packets": packets, "chunks": packets}
    windows = {"outstanding_bytes": 0, "a_rwnd": None, "a_rwnd_most": None}
    return [{**told, **windows, "cwnd_profile": "dcsctp", "cwnd_least": cwnd}]


@pytest.mark.parametrize(("cwnd", "size"), [(None, 20_000), (10_000, 20_000), (10_001, 21_000)])
def test_twice_what_is_outstanding_or_the_congestion_window_in_whole_messages(
    cwnd: int | None, size: int
) -> None:
    found = buffered(intervals(), trips(cwnd), ACKED, WINDOW, TOOK)
    assert found is not None and found.size == size


def test_twice_the_buffer_takes_half_of_the_round_trips() -> None:
    found = buffered(intervals(), trips(None), ACKED, WINDOW, TOOK)

    assert found is not None
    assert found.rate.least <= found.rate.rate <= found.rate.most
    assert found.rate.rate == pytest.approx(8e9 * PACKETS * SIZE / (WHOLE / 2 + 300 * MS), rel=0.1)


def test_none_is_named_where_something_else_limits_or_too_little_is_known() -> None:
    assert buffered(intervals("congestion_window"), trips(), ACKED, WINDOW, TOOK) is None
    assert buffered(intervals(), trips(packets=0), ACKED, WINDOW, TOOK) is None
    assert buffered(intervals(), trips(), ACKED, SIZE // 2, TOOK) is None


def test_waits_for_delayed_sacks_are_of_the_buffer() -> None:
    full, idle = intervals()
    held = {**full, "limit": "delayed_sack", "begin_ns": WHOLE // 2}
    split = [{**full, "end_ns": WHOLE // 2}, held, idle]

    apart = buffered(split, trips(), ACKED, WINDOW, TOOK)
    assert apart == buffered(intervals(), trips(), ACKED, WINDOW, TOOK)
