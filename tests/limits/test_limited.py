# SPDX-License-Identifier: BSD-2-Clause
"""A finding on what limits a transfer: from half of its time on, of a notable one alone."""

import numpy as np
import pytest
from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.findings.limited import limit_finding
from sctp_rack.recovery.limited import NOTABLE_BYTES, NOTABLE_NS, Limited, LimitedDirections

from tests.captures import BUNDLED
from tests.commands.called import called

S = 1_000_000_000
LIMITS = words_of("limit")


def rows(*waits: tuple[str, int], assoc: int = 0, sender: int = 0, **values: int) -> Rows:
    """Intervals one after the other: limit and how long."""
    made = np.zeros(len(waits), LAYOUTS["limits"].dtype)
    end = np.cumsum([took for _, took in waits])
    made["limit"] = [LIMITS.index(limit) for limit, _ in waits]
    made["begin_ns"], made["end_ns"] = end - [took for _, took in waits], end
    made["begin_frame"] = np.arange(len(waits)) + 1
    made["assoc"], made["from"], made["limit_class"] = assoc, sender, 4
    made["bytes"], made["a_rwnd"] = -(-NOTABLE_BYTES // len(waits)), NO_TIME
    for name, value in values.items():
        made[name] = value
    return made


def found(*batches: Rows) -> dict[int, Limited]:
    directions = LimitedDirections()
    for batch in batches:
        directions.add(batch)
    directions.end()
    return directions.found


@pytest.mark.parametrize("limit", [one for one in LIMITS if one not in ("application", "unknown")])
def test_from_half_of_the_time_on_a_limit_is_told(limit: str) -> None:
    assert found(rows((limit, 2 * S), ("application", S), ("unknown", S)))[0].limit == limit
    assert found(rows((limit, 2 * S), ("application", S), ("unknown", S + 1))) == {}


@pytest.mark.parametrize("limit", ["application", "unknown"])
def test_of_what_nobody_can_change_or_knows_nothing_is_told(limit: str) -> None:
    assert found(rows((limit, 20 * S), ("peer_window", 3 * S))) == {}


def test_a_small_a_short_and_an_unsure_one_are_not_told() -> None:
    wait = ("peer_window", NOTABLE_NS)

    assert found(rows(wait))
    assert not found(rows(wait, bytes=NOTABLE_BYTES - 1))
    assert not found(rows(("peer_window", NOTABLE_NS - 1)))
    assert not found(rows(wait, limit_class=2))
    assert found(rows(wait, limit_class=3))[0].limit_class == 3


def test_a_direction_is_one_wherever_batches_end() -> None:
    waits = rows(*(9 * [("peer_window", S), ("application", S // 2)]), a_rwnd=4096)
    other = rows(("timeout", 5 * S), assoc=3, sender=1)
    small = np.concatenate([rows(("recovery", S), assoc=one, bytes=9) for one in range(1, 3)])

    whole = found(np.concatenate([waits, small, other]))

    assert [*whole] == [0, 7]
    assert whole[0].time_ns == 9 * S and whole[0].whole_ns == 27 * S // 2
    assert (whole[0].a_rwnd, whole[7].a_rwnd) == (4096, None)
    for at in range(1, 18):
        assert found(waits[:at], np.concatenate([waits[at:], small]), other) == whole


def test_it_is_looked_at_where_it_waited_longest() -> None:
    waits = rows(*(("peer_window", S * (at + 1)) for at in range(12)))

    assert found(waits)[0].frames == [*range(5, 13)]


def test_a_window_is_told_with_what_it_allows() -> None:
    limited = Limited("peer_window", 4 * S, 10 * S, 4, 70000, 65536, [7])
    path = {
        "vantage": "sender",
        "srtt_ns": 103_000_000,
        "min_rtt_ns": 90_000_000,
        "loop_lo_ns": None,
    }

    finding = limit_finding(0, "a2b", limited, path)

    assert (finding.severity, finding.code, finding.frames) == ("note", "transfer_limited", [7])
    assert finding.text == (
        "Association 0, a to b: 40.0 % of the time (4.00 s) it waited for the peer's window of at "
        "most 65,536 bytes; at this round trip (103 ms) that allows 5.09 Mbit/s."
    )
    assert "round trip" not in limit_finding(0, "a2b", limited, None).text


@pytest.mark.parametrize(
    ("name", "is_told"), [("linux-outage.sender", True), ("usrsctp-request-response.sender", False)]
)
def test_analyze_tells_it(name: str, is_told: bool) -> None:
    said = called("analyze", str(BUNDLED / f"{name}.pcap")).stdout

    assert (b"of the time (3.29 s) it waited for T3-rtx" in said) == is_told
