# SPDX-License-Identifier: BSD-2-Clause
"""How late messages were, by stream and protocol: ranks are measured, means add up."""

import struct
from pathlib import Path

import numpy as np
import pytest
from sctp_rack.latency.by_stream import Late, by_stream
from sctp_rack.wording.ppids import ppid_text

from tests.builder import sctp
from tests.comparison.exchange import MS, WHOLE, direction, sack
from tests.plots.transfers import sample


def data(tsn: int, sid: int, ppid: int, ssn: int) -> bytes:
    return sctp.chunk(sctp.DATA, WHOLE, struct.pack(">IHHI", tsn, sid, ssn, ppid) + bytes(100))


def told(late: list[Late]) -> list[tuple[int | None, int | None, int, int]]:
    return [(one.sid, one.ppid, one.messages, one.p99_ns // MS) for one in late]


def test_all_come_first_then_each_stream_and_protocol_the_latest_first(tmp_path: Path) -> None:
    frames = [
        (0.0, "a", data(10, 1, 51, 0)),
        (1.0, "a", data(11, 2, 51, 0)),
        (2.0, "a", data(12, 1, 53, 1)),
        (40.0, "b", sack(10)),
        (91.0, "b", sack(11)),
        (102.0, "b", sack(12)),
    ]

    late = by_stream(direction(tmp_path, frames).table("messages"))

    assert told(late) == [(None, None, 3, 100), (1, 53, 1, 100), (2, 51, 1, 90), (1, 51, 1, 40)]


def test_one_stream_with_one_protocol_is_told_once(tmp_path: Path) -> None:
    frames = [(0.0, "a", data(10, 3, 60, 0)), (25.0, "b", sack(10))]

    assert told(by_stream(direction(tmp_path, frames).table("messages"))) == [(3, 60, 1, 25)]


def test_what_was_not_delivered_is_not_late(tmp_path: Path) -> None:
    frames = [(0.0, "a", data(10, 3, 60, 0))]

    assert by_stream(direction(tmp_path, frames).table("messages")) == []


@pytest.mark.parametrize("name", ["pion-tail-loss-no-rack", "usrsctp-i-data-pr-sctp"])
def test_parts_add_up_and_ranks_are_messages(name: str) -> None:
    messages = sample(name).table("messages")

    late = by_stream(messages)

    assert late
    latency = np.ma.compressed(messages["latency_ns"])
    assert late[0].messages == len(latency)
    for one in late:
        assert sum(one.parts_ns) == pytest.approx(one.mean_ns, abs=4)
        assert {one.p50_ns, one.p95_ns, one.p99_ns} <= {*latency.tolist()}
        assert one.p50_ns <= one.p95_ns <= one.p99_ns


@pytest.mark.parametrize(
    ("ppid", "text"),
    [
        (None, "not captured"),
        (0, "0 (not told)"),
        (3, "3 (M3UA)"),
        (18, "18 (S1AP)"),
        (26, "26"),
        (46, "46 (Diameter)"),
        (50, "50 (WebRTC DCEP)"),
        (57, "57 (WebRTC binary empty)"),
        (60, "60 (NGAP)"),
        (73, "73 (W1AP)"),
        (74, "74"),
        (0x3C000000, "0x3c000000"),
    ],
)
def test_a_protocol_is_told_by_the_name_that_iana_has(ppid: int | None, text: str) -> None:
    assert ppid_text(ppid) == text
