# SPDX-License-Identifier: BSD-2-Clause
"""The table `messages`: which chunks are one message, when it was there, what it waited for."""

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sctp_rack
from hypothesis import given, settings
from hypothesis import strategies as st
from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, NO_WORD, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.recovery import messages
from sctp_rack.recovery.messages import MessageRows

from tests.captures import BUNDLED
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
Row = dict[str, Any]

DATA_FIELDS, I_DATA_FIELDS = ("sid", "ssn", "ppid"), ("sid", "mid", "fsn")


def of(folder: Path, frames: Frames) -> list[Row]:
    return list(direction(folder, frames).table("messages"))


def told(rows: list[Row], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def test_a_message_of_several_chunks_is_one_row(tmp_path: Path) -> None:
    (row,) = of(
        tmp_path,
        [
            (0, "a", data(10, FIRST, sid=7, ssn=3)),
            (5, "a", data(11, 0, sid=7, ssn=3)),
            (10, "a", data(12, LAST, sid=7, ssn=3)),
            (40, "b", sack(11)),
            (60, "b", sack(12)),
        ],
    )

    assert (row["sid"], row["ssn"], row["mid"], row["ppid"]) == (7, 3, None, 51)
    assert (row["first_frame"], row["first_tsn"], row["last_tsn"]) == (1, 10, 12)
    assert (row["chunks"], row["bytes"], row["retransmissions"]) == (3, 300, 0)
    assert (row["begins"], row["ends"], row["unordered"]) == (True, True, False)
    assert row["delivered_ns"] - row["sent_ns"] == row["latency_ns"] == 60 * MS
    assert (row["state"], row["waited_for"]) == ("delivered", "nothing")


def parts(row: Row) -> tuple[float, ...]:
    """Milliseconds: sending, recovery, blocked, and what the network took."""
    split = [row[name] / MS for name in ("sending_ns", "recovery_ns", "blocked_ns")]
    return (*split, row["latency_ns"] / MS - sum(split))


def test_latency_is_split_at_the_copies_of_the_chunk_that_was_acknowledged_last(
    tmp_path: Path,
) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", data(10, FIRST)),
            (5, "a", data(11, LAST)),
            (6, "a", data(12, WHOLE, ssn=1)),
            (46, "b", sack(10, (12, 12))),
            (1006, "a", data(11, LAST)),
            (1046, "b", sack(12)),
        ],
    )

    assert [parts(row) for row in rows] == [(5, 1001, 0, 40), (0, 0, 1000, 40)]


@pytest.mark.parametrize(
    ("name", "waited", "part"),
    [
        ("usrsctp-delay-spike", "nothing", None),
        ("pion-tail-loss-no-rack", "timeout", "recovery_ns"),
        ("dcsctp-zero-window", "window", "sending_ns"),
    ],
)
def test_what_a_message_waited_for_is_the_part_that_it_took(
    name: str, waited: str, part: str | None
) -> None:
    """Sent again spuriously it waited for nothing; a probe of a closed window repairs no loss."""
    rows = [
        row
        for row in sctp_rack.read(BUNDLED / f"{name}.sender.pcap").messages
        if row["waited_for"] == waited and row["retransmissions"]
    ]

    assert rows
    for row in rows:
        if part:
            assert row[part] > row["latency_ns"] / 2
        else:
            assert row["recovery_ns"] == row["blocked_ns"] == 0


def test_interleaved_messages_are_told_by_their_mid(tmp_path: Path) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", i_data(10, 4, 0, FIRST)),
            (1, "a", i_data(11, 4, 0, FIRST | UNORDERED)),
            (2, "a", i_data(12, 4, 1, LAST)),
            (3, "a", i_data(13, 4, 1, LAST | UNORDERED)),
            (40, "b", sack(12)),
            (60, "b", sack(13)),
        ],
    )

    assert told(rows, "mid", "ssn", "unordered", "first_tsn", "last_tsn", "chunks") == [
        (4, None, False, 10, 12, 2),
        (4, None, True, 11, 13, 2),
    ]
    assert told(rows, "latency_ns") == [(40 * MS,), (59 * MS,)]


def test_a_mid_that_comes_again_is_another_message(tmp_path: Path) -> None:
    frames = [(at, "a", i_data(10 + at, 0, at % 2, LAST if at % 2 else FIRST)) for at in range(4)]

    rows = of(tmp_path, [*frames, (40, "b", sack(13))])

    assert told(rows, "first_tsn", "last_tsn", "state") == [
        (10, 11, "delivered"),
        (12, 13, "delivered"),
    ]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(data(11, LAST, sid=2), id="another stream"),
        pytest.param(data(11, LAST, ssn=1), id="another SSN"),
        pytest.param(data(11, LAST | UNORDERED), id="unordered"),
        pytest.param(data(12, LAST), id="another TSN behind a hole"),
        pytest.param(data(11, WHOLE), id="a message of its own"),
    ],
)
def test_what_does_not_continue_a_message_is_another_row(tmp_path: Path, second: bytes) -> None:
    rows = of(tmp_path, [(0, "a", data(10, FIRST)), (1, "a", second), (40, "b", sack(12))])

    assert told(rows, "begins", "chunks")[0] == (True, 1)
    assert len(rows) == 2
    assert rows[0]["state"] == "incomplete"


def test_what_follows_the_last_chunk_is_another_row(tmp_path: Path) -> None:
    rows = of(tmp_path, [(0, "a", data(10, WHOLE)), (1, "a", data(11, 0)), (40, "b", sack(11))])

    assert told(rows, "first_tsn", "begins", "ends", "state") == [
        (10, True, True, "delivered"),
        (11, False, False, "incomplete"),
    ]


def test_a_capture_that_begins_and_ends_within_messages_says_so(tmp_path: Path) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", data(10, LAST, ssn=0)),
            (1, "a", data(11, WHOLE, ssn=1)),
            (2, "a", data(12, FIRST, ssn=2)),
            (40, "b", sack(12)),
        ],
    )

    assert told(rows, "begins", "ends", "state", "waited_for") == [
        (False, True, "incomplete", None),
        (True, True, "delivered", "nothing"),
        (True, False, "incomplete", None),
    ]


def test_what_is_not_acknowledged_makes_later_messages_of_its_stream_wait(tmp_path: Path) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", data(10, ssn=0)),
            (1, "a", data(11, ssn=1)),
            (2, "a", data(12, WHOLE | UNORDERED)),
            (3, "a", data(13, sid=2)),
            (41, "b", sack(9, (11, 13))),
        ],
    )

    assert told(rows, "first_tsn", "state", "delivered_ns")[:2] == [
        (10, "waiting", None),
        (11, "waiting", None),
    ]
    assert told(rows[2:], "state", "latency_ns") == [
        ("delivered", 39 * MS),
        ("delivered", 38 * MS),
    ]


def test_what_was_given_up_is_abandoned_and_holds_nothing_back(tmp_path: Path) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", data(10, ssn=0)),
            (1, "a", data(11, ssn=1)),
            (41, "b", sack(9, (11, 11))),
            (100, "a", forward_tsn(10)),
            (140, "b", sack(11)),
        ],
    )

    assert told(rows, "state", "latency_ns") == [("abandoned", None), ("delivered", 40 * MS)]


LOST_ONCE: Frames = [
    (0, "a", data(10, ssn=0)),
    (1, "a", data(11, ssn=1)),
    (2, "a", data(12, ssn=2)),
    (3, "a", data(13, ssn=3)),
    (41, "b", sack(9, (11, 11))),
    (42, "b", sack(9, (11, 12))),
    (43, "b", sack(9, (11, 13))),
    (44, "a", data(10, ssn=0)),
    (84, "b", sack(13)),
]


def test_a_message_whose_chunk_was_sent_again_waited_for_the_loss(tmp_path: Path) -> None:
    rows = of(tmp_path, LOST_ONCE)

    assert told(rows, "first_tsn", "waited_for", "retransmissions", "latency_ns") == [
        (10, "loss", 1, 84 * MS),
        (11, "head_of_line", 0, 83 * MS),
        (12, "head_of_line", 0, 82 * MS),
        (13, "head_of_line", 0, 81 * MS),
    ]


def test_unordered_messages_wait_for_their_own_chunks_alone(tmp_path: Path) -> None:
    frames = [
        (at, who, chunk if who == "b" else chunk[:1] + bytes([WHOLE | UNORDERED]) + chunk[2:])
        for at, who, chunk in LOST_ONCE
    ]

    assert told(of(tmp_path, frames), "waited_for") == [
        ("loss",),
        ("nothing",),
        ("nothing",),
        ("nothing",),
    ]


def test_a_message_larger_than_the_window_waited_for_it(tmp_path: Path) -> None:
    rows = of(
        tmp_path,
        [
            (0, "a", data(10, FIRST)),
            (40, "b", sack(10)),
            (41, "a", data(11, LAST)),
            (80, "b", sack(11)),
        ],
    )

    assert told(rows, "waited_for", "latency_ns") == [("window", 80 * MS)]


def number(enum: str, word: str) -> int:
    return words_of(enum).index(word)


def rows_of(count: int) -> Rows:
    """Messages of one chunk, acknowledged after 50 ms."""
    rows = np.zeros(count, LAYOUTS["transmissions"].dtype)
    rows["frame"] = 1 + np.arange(count)
    rows["tsn"] = np.arange(count)
    rows["time_ns"] = 10**18 + np.arange(count) * MS
    rows["acked_time_ns"] = rows["time_ns"] + 50 * MS
    rows["acked_frame"] = 1
    rows["copy"], rows["bytes"], rows["flags"] = 1, 10, WHOLE
    rows["present"] = sum(1 << number("data_field", name) for name in DATA_FIELDS)
    for name in ("cause", "verdict", "probe"):
        rows[name] = NO_WORD
    rows["outcome"] = number("outcome", "acked")
    return rows


def closed(rows: Rows, at_once: int, page: int = 64) -> Rows:
    """Of rows that come so many at once."""
    made = MessageRows(page=page)
    parts = [made.add(rows[at : at + at_once]) for at in range(0, len(rows), at_once)]
    return np.concatenate([*parts, made.end()])


@pytest.mark.parametrize("at_once", [1, 7, 64, 100, 1000])
def test_it_does_not_matter_how_many_rows_come_at_once(at_once: int) -> None:
    rows = rows_of(500)
    rows["flags"] = np.tile([FIRST, 0, LAST, WHOLE, WHOLE | UNORDERED], 100)

    assert closed(rows, at_once).tolist() == closed(rows, 500).tolist()


def test_a_message_that_is_sent_over_many_pages_is_one_row() -> None:
    rows = rows_of(1000)
    rows["flags"] = 0
    rows["flags"][0], rows["flags"][-1] = FIRST, LAST

    (row,) = closed(rows, 100)

    assert (row["chunks"], row["first_tsn"], row["last_tsn"]) == (1000, 0, 999)
    assert row["latency_ns"] == (999 + 50) * MS


def test_a_late_first_copy_holds_back_messages_of_a_page_before() -> None:
    """The lowest TSN of its stream is seen behind a page of later ones, as behind a loss."""
    rows = rows_of(100)
    rows["tsn"][:64] += 1
    rows["tsn"][64] = 0
    rows["kind"][64] = number("kind", "reordered")

    made = closed(rows, 100)

    done_ns = int(rows["acked_time_ns"][64])
    assert set(made["delivered_ns"][made["first_tsn"] < 64].tolist()) == {done_ns}


def test_what_a_stream_waits_for_is_remembered_when_its_row_is_closed() -> None:
    rows = rows_of(200)
    rows["acked_time_ns"][0] += 10_000 * MS

    made = closed(rows, 50)

    assert set(made["delivered_ns"].tolist()) == {int(rows["acked_time_ns"][0])}
    assert made["waited_for"].tolist() == [number("waited_for", "nothing")] + 199 * [
        number("waited_for", "head_of_line")
    ]


def test_retransmissions_of_a_page_later_count() -> None:
    rows = rows_of(100)
    rows["tsn"][70], rows["copy"][70] = 60, 2
    rows["kind"][70] = number("kind", "retransmission")
    rows["verdict"][70] = number("verdict", "spurious")
    rows["cause"][70] = number("cause", "t3")
    rows["acked_time_ns"][70] = rows["acked_time_ns"][60]

    made = closed(rows, 100)

    assert made["retransmissions"][made["first_tsn"] == 60].tolist() == [1]
    assert made["retransmissions"].sum() == 1
    assert made["waited_for"].tolist() == 99 * [number("waited_for", "nothing")]


def test_other_copies_and_what_has_no_association_are_in_no_message() -> None:
    rows = rows_of(6)
    rows["kind"][1] = number("kind", "capture_duplicate")
    rows["kind"][2] = number("kind", "network_duplicate")
    rows["kind"][3] = number("kind", "conflicting")
    rows["assoc"][4] = NO_ASSOCIATION

    assert closed(rows, 6)["first_tsn"].tolist() == [0, 5]


def test_frames_without_times_have_messages_without_times() -> None:
    rows = rows_of(2)
    rows["time_ns"] = rows["acked_time_ns"] = NO_TIME

    made = closed(rows, 2)

    assert made["state"].tolist() == 2 * [number("message_state", "delivered")]
    assert made["delivered_ns"].tolist() == made["latency_ns"].tolist() == 2 * [NO_TIME]


@pytest.mark.parametrize(
    ("cause", "verdict", "waited_for"),
    [
        ("t3", "needed", "timeout"),
        ("t3_gbn", "undetermined", "timeout"),
        ("failover", "needed", "timeout"),
        ("handshake", "needed", "timeout"),
        ("fast", "needed", "loss"),
        ("tlp", "needed", "loss"),
        ("unknown", "undetermined", "loss"),
        ("zero_window_probe", "needed", "window"),
        ("t3", "spurious", "nothing"),
    ],
)
def test_what_sent_its_last_chunk_again_is_what_a_message_waited_for(
    cause: str, verdict: str, waited_for: str
) -> None:
    rows = rows_of(2)
    rows["tsn"], rows["copy"] = 0, [1, 2]
    rows["kind"][1] = number("kind", "retransmission")
    rows["cause"][1], rows["verdict"][1] = number("cause", cause), number("verdict", verdict)
    rows["acked_time_ns"] = rows["acked_time_ns"][1]

    (row,) = closed(rows, 2)

    assert words_of("waited_for")[row["waited_for"]] == waited_for


def test_what_was_lost_and_repaired_sooner_is_not_what_a_message_waited_for() -> None:
    """The first chunk was sent again by a timer, and the second is acknowledged later still."""
    rows = rows_of(3)
    rows["tsn"], rows["copy"], rows["flags"] = [0, 1, 0], [1, 1, 2], [FIRST, LAST, FIRST]
    rows["kind"][2] = number("kind", "retransmission")
    rows["cause"][2], rows["verdict"][2] = number("cause", "t3"), number("verdict", "needed")
    rows["acked_time_ns"][1] += 500 * MS
    rows["acked_time_ns"][0] = rows["acked_time_ns"][2]

    (row,) = closed(rows, 3)

    assert words_of("waited_for")[row["waited_for"]] == "nothing"


def hostile(kind: str, count: int) -> Rows:
    rows = rows_of(count)
    if kind == "never ends":
        rows["flags"] = 0
    elif kind == "never begins again":
        rows["flags"] = FIRST
    elif kind == "holes":
        rows["tsn"] *= 3
    elif kind == "streams never acknowledged":
        rows["sid"] = rows["tsn"] % 65536
        rows["acked_frame"] = 0
    elif kind == "never sent":
        rows["kind"] = number("kind", "retransmission")
        rows["copy"] = 2
    return rows


HOSTILE = ["never ends", "never begins again", "holes", "streams never acknowledged", "never sent"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_ten_times_the_rows_take_no_more_memory(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_STREAMS", 100)

    def peak(count: int) -> int:
        made = MessageRows(page=256)
        rows = hostile(kind, count)
        tracemalloc.start()
        for at in range(0, count, 256):
            made.add(rows[at : at + 256])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(2_560)

    assert peak(25_600) < peak(2_560) + 20_000


chunks = st.tuples(
    st.integers(0, 30),  # TSN
    st.integers(0, 2),  # stream
    st.integers(0, 1),  # SSN or MID
    st.integers(0, 3),  # FSN
    st.integers(0, 7),  # flags
    st.sampled_from(["original", "retransmission", "capture_duplicate", "conflicting"]),
    st.integers(1, 3),  # copy
    st.booleans(),  # acknowledged
    st.booleans(),  # I-DATA
)


@given(st.lists(chunks, max_size=60), st.integers(1, 20), st.sampled_from([0, 2**32 - 15]))
@settings(max_examples=300, deadline=None)
def test_no_chunk_is_lost_and_none_is_there_twice(sent: list[Any], page: int, start: int) -> None:
    rows = rows_of(len(sent))
    for row, (tsn, sid, number_, fsn, flags, kind, copy, acked, mid) in zip(
        rows, sent, strict=True
    ):
        row["tsn"], row["sid"] = (start + tsn) % 2**32, sid
        row["ssn"], row["mid"], row["fsn"] = number_, number_, fsn
        row["flags"], row["kind"], row["copy"] = flags, number("kind", kind), copy
        row["acked_frame"] = acked
        names = I_DATA_FIELDS if mid else DATA_FIELDS
        row["present"] = sum(1 << number("data_field", name) for name in names)
    counted: Counter[int] = Counter()
    for row in rows[(rows["copy"] == 1) & (rows["kind"] <= number("kind", "retransmission"))]:
        counted[int(row["sid"])] += int(row["bytes"])

    made = closed(rows, 10, page)

    in_messages: Counter[int] = Counter()
    for row in made:
        in_messages[int(row["sid"])] += int(row["bytes"])
        assert row["chunks"] * 10 == row["bytes"] > 0
    assert in_messages == counted
    assert (made["latency_ns"][made["latency_ns"] != NO_TIME] >= 0).all()
