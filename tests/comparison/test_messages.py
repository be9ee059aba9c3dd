# SPDX-License-Identifier: BSD-2-Clause
"""When a message is there: all its fragments, and in an ordered stream what came before it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from sctp_rack.comparison.delivery import Delivered, delivered

from tests.comparison.exchange import (
    FIRST,
    LAST,
    MS,
    UNORDERED,
    WHOLE,
    data,
    direction,
    forward_tsn,
    i_data,
    sack,
)

Frames = Sequence[tuple[float, str, bytes]]


def of(folder: Path, frames: Frames) -> Delivered:
    return delivered([direction(folder, frames)])


def milliseconds(times: object) -> list[float]:
    return [time / MS for time in times.tolist()]  # type: ignore[attr-defined]


def test_a_message_takes_until_its_last_fragment_is_acknowledged(tmp_path: Path) -> None:
    came = of(
        tmp_path,
        [
            (0, "a", data(10, FIRST)),
            (5, "a", data(11, 0)),
            (10, "a", data(12, LAST)),
            (40, "b", sack(11)),
            (60, "b", sack(12)),
        ],
    )

    assert milliseconds(came.tsns_ns) == [40, 35, 50]
    assert milliseconds(came.messages_ns) == [60]


LATE_FIRST: Frames = [
    (0, "a", data(10, WHOLE, ssn=0)),
    (1, "a", data(11, WHOLE, ssn=1)),
    (2, "a", data(12, WHOLE, sid=2)),
    (41, "b", sack(9, (11, 12))),
    (500, "a", data(10, WHOLE, ssn=0)),
    (540, "b", sack(12)),
]


def test_an_ordered_message_waits_for_those_before_it_in_its_stream(tmp_path: Path) -> None:
    came = of(tmp_path, LATE_FIRST)

    assert milliseconds(came.tsns_ns) == [540, 40, 39]
    assert sorted(milliseconds(came.messages_ns)) == [39, 539, 540]


def test_an_unordered_message_waits_for_nothing(tmp_path: Path) -> None:
    frames = [
        (at, who, chunk if who == "b" else chunk[:1] + bytes([WHOLE | UNORDERED]) + chunk[2:])
        for at, who, chunk in LATE_FIRST
    ]

    assert sorted(milliseconds(of(tmp_path, frames).messages_ns)) == [39, 40, 540]


def test_interleaved_fragments_belong_to_their_message(tmp_path: Path) -> None:
    came = of(
        tmp_path,
        [
            (0, "a", i_data(10, 0, 0, FIRST)),
            (1, "a", i_data(11, 0, 0, WHOLE, sid=2)),
            (2, "a", i_data(12, 0, 1, LAST)),
            (40, "b", sack(11)),
            (60, "b", sack(12)),
        ],
    )

    assert milliseconds(came.messages_ns) == [60, 39]


def test_what_was_given_up_holds_nothing_back_and_is_counted(tmp_path: Path) -> None:
    came = of(
        tmp_path,
        [
            (0, "a", data(10, ssn=0)),
            (1, "a", data(11, ssn=1)),
            (41, "b", sack(9, (11, 11))),
            (100, "a", forward_tsn(10)),
            (140, "b", sack(11)),
            (150, "a", data(12, ssn=2)),
            (190, "b", sack(12)),
        ],
    )

    assert milliseconds(came.messages_ns) == [40, 40]
    assert (came.given_up, came.pending) == (1, 0)


def test_what_is_not_acknowledged_in_the_end_holds_back_what_follows_it(tmp_path: Path) -> None:
    came = of(
        tmp_path,
        [
            (0, "a", data(10, ssn=0)),
            (1, "a", data(11, ssn=1)),
            (2, "a", data(12, sid=2)),
            (41, "b", sack(9, (11, 12))),
        ],
    )

    assert milliseconds(came.tsns_ns) == [40, 39]
    assert milliseconds(came.messages_ns) == [39]
    assert came.pending == 2


def test_a_message_of_which_a_fragment_was_not_captured_is_not_whole(tmp_path: Path) -> None:
    came = of(
        tmp_path,
        [
            (0, "a", data(10, FIRST | UNORDERED)),
            (1, "a", data(12, LAST | UNORDERED)),
            (2, "a", data(13, WHOLE | UNORDERED)),
            (40, "b", sack(13)),
        ],
    )

    assert milliseconds(came.messages_ns) == [38]
    assert came.pending == 1


@pytest.mark.parametrize("start", [2**32 - 2, 2**31 - 2])
def test_tsns_wrap(tmp_path: Path, start: int) -> None:
    tsns = [(start + step) % 2**32 for step in range(4)]
    came = of(
        tmp_path,
        [
            (0, "a", data(tsns[0], FIRST)),
            (1, "a", data(tsns[1], 0)),
            (2, "a", data(tsns[2], 0)),
            (3, "a", data(tsns[3], LAST)),
            (40, "b", sack(tsns[1])),
            (43, "b", sack(tsns[3])),
        ],
    )

    assert milliseconds(came.messages_ns) == [43]
