# SPDX-License-Identifier: BSD-2-Clause
"""When data stood still, why, and which of it becomes a finding."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.binding.rows import NO_WORD, Rows
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.findings.find import find
from sctp_rack.names import Finding, Severity, StallCause
from sctp_rack.recovery.delivery import Pause
from sctp_rack.recovery.retransmission import Resent
from sctp_rack.recovery.stalls import HEALTHY_NS, MOST, Found, Stall, Stalls, StandingStill
from sctp_rack.summary.summary import Summary

from tests.builder.talk import A, B, Talk
from tests.builder.talk import summary as summary_of
from tests.comparison.exchange import MS, data, sack

Frames = Sequence[tuple[float, str, bytes]]

S = 1000 * MS


def rows_of(*chunks: tuple[int, int, int | None]) -> Rows:
    """TSN, milliseconds when it was sent, and when it was acknowledged; in order of sending."""
    rows = np.zeros(len(chunks), LAYOUTS["transmissions"].dtype)
    for at, (row, (tsn, sent, acked)) in enumerate(zip(rows, chunks, strict=True)):
        row["frame"], row["tsn"], row["copy"] = at + 1, tsn % 2**32, 1
        row["time_ns"] = sent * MS
        row["acked_time_ns"] = (acked or 0) * MS
        row["acked_frame"] = acked is not None
        row["cause"] = row["verdict"] = row["probe"] = NO_WORD
    return rows


def found(*batches: Rows) -> list[tuple[int, float, float | None]]:
    """TSN, begin and end of each in milliseconds."""
    looks = StandingStill()
    those: list[Found] = [one for rows in batches for one in looks.add(rows)]
    return [
        (s.tsn, s.begin_ns / MS, None if s.end_ns is None else s.end_ns / MS)
        for s in (one.stall for one in those)
    ]


def test_a_chunk_that_is_acknowledged_late_stalls_what_is_behind_it() -> None:
    assert found(rows_of((1, 0, 40), (2, 10, 2_900), (3, 20, 50))) == [(2, 40, 2_900)]


def test_it_begins_when_what_was_before_it_was_acknowledged() -> None:
    assert found(rows_of((1, 0, 700), (2, 10, 1_300))) == [(1, 0, 700), (2, 700, 1_300)]


def test_while_nothing_is_outstanding_nothing_stalls() -> None:
    assert found(rows_of((1, 0, 40), (2, 90_000, 90_040))) == []


def test_what_a_healthy_receiver_may_hold_back_is_no_stall() -> None:
    assert found(rows_of((1, 0, 500), (2, 600, 1_101))) == [(2, 600, 1_101)]


def test_a_first_copy_that_comes_late_stalls_what_came_before_it() -> None:
    """As behind a loss: what follows the lost TSN was there, and nobody could have it."""
    assert found(rows_of((1, 0, 40), (3, 10, 50), (2, 1_000, 1_040))) == [(2, 40, 1_040)]


def test_it_may_come_in_the_next_batch() -> None:
    before, late = rows_of((1, 0, 40), (3, 10, 50)), rows_of((2, 1_000, 1_040))

    assert found(before, late) == [(2, 40, 1_040)]


def test_what_never_comes_is_waited_for_one_batch_long() -> None:
    assert found(rows_of((1, 0, 40), (3, 10, 2_000)), rows_of((4, 20, 60))) == [(3, 40, 2_000)]


def test_only_the_lowest_that_is_never_acknowledged_stalls() -> None:
    assert found(rows_of((1, 0, 40), (2, 10, None), (3, 20, None))) == [(2, 40, None)]
    assert found(rows_of((1, 0, None)), rows_of((2, 10, None))) == [(1, 0, None)]


@pytest.mark.parametrize("start", [2**32 - 2, 2**31 - 2])
def test_tsns_wrap(start: int) -> None:
    chunks = ((start, 0, 40), (start + 1, 10, 50), (start + 2, 20, 2_900), (start + 3, 30, 2_900))

    assert found(rows_of(*chunks)) == [((start + 2) % 2**32, 50, 2_900)]
    assert found(*(rows_of(chunk) for chunk in chunks)) == [((start + 2) % 2**32, 50, 2_900)]


sent_in_order = st.lists(
    st.tuples(st.integers(0, 900), st.one_of(st.none(), st.integers(0, 3_000))), max_size=30
)


@given(sent_in_order, st.lists(st.integers(0, 30), max_size=3))
def test_it_does_not_matter_how_many_rows_come_at_once(
    waits: list[tuple[int, int | None]], cuts: list[int]
) -> None:
    chunks, now = [], 0
    for tsn, (later, acked) in enumerate(waits):
        now += later
        chunks.append((tsn, now, None if acked is None else now + acked))
    edges = [0, *sorted(cuts), len(chunks)]
    parts = [chunks[at:end] for at, end in pairwise(edges)]

    assert found(*(rows_of(*part) for part in parts)) == found(rows_of(*chunks))


@given(sent_in_order)
def test_a_stall_lasts_while_its_chunk_is_the_lowest_that_is_outstanding(
    waits: list[tuple[int, int | None]],
) -> None:
    now, reached = 0, 0
    expected: list[tuple[int, int, int | None]] = []
    for tsn, (later, acked) in enumerate(waits):
        now += later
        begin = max(now, reached)
        if acked is None:
            expected.append((tsn, begin, None))
            break
        if now + acked - begin > HEALTHY_NS // MS:
            expected.append((tsn, begin, now + acked))
        reached = max(reached, now + acked)
    chunks, now = [], 0
    for tsn, (later, acked) in enumerate(waits):
        now += later
        chunks.append((tsn, now, None if acked is None else now + acked))

    assert found(rows_of(*chunks)) == expected


def test_directions_stall_each_on_its_own() -> None:
    rows = rows_of((1, 0, 40), (1, 5, 900), (2, 10, 50), (2, 15, 920))
    rows["from"] = [0, 1, 0, 1]

    assert found(rows) == [(1, 5, 900)]
    assert StandingStill().add(rows)[0].sender == 1


def test_a_thousand_stalls_keep_the_longest() -> None:
    stalls = Stalls()
    for at in range(1000):
        stalls.begin(Stall(at, at, at * S, at * S + HEALTHY_NS + at))

    assert stalls.count == 1000
    assert [stall.tsn for stall in stalls.longest] == list(range(1000 - MOST, 1000))


def resent(cause: str, verdict: str = "needed") -> Resent:
    return Resent(1, 0, 2, 1, 1, cause, verdict, 4)


@pytest.mark.parametrize(
    ("resends", "cause"),
    [
        ([resent("t3")], StallCause.TIMEOUTS),
        ([resent("fast"), resent("t3")], StallCause.TIMEOUTS),
        ([resent("fast")], StallCause.LOSS),
        ([resent("t3", "spurious"), resent("fast", "undetermined")], StallCause.LOSS),
        ([resent("t3", "spurious")], StallCause.LATE_ANSWER),
        ([resent("zero_window_probe"), resent("t3")], StallCause.CLOSED_WINDOW),
    ],
)
def test_its_cause_is_what_sent_the_chunk_again(resends: list[Resent], cause: StallCause) -> None:
    stall = Stall(1, 1, 0, S)
    for row in resends:
        stall.add(row, has_finding=False)

    assert stall.cause == cause
    assert replace(stall, end_ns=None).cause == StallCause.NO_ANSWER


def summary(folder: Path, frames: Frames) -> Summary:
    """With a handshake before."""
    talk, now_us = Talk(), 0
    talk.handshake()
    for at_ms, who, chunk in frames:
        at_us = round(at_ms * 1000)
        source, to = (A, B) if who == "a" else (B, A)
        talk.say(source, to, chunk, later_us=at_us - now_us)
        now_us = at_us
    return summary_of(talk.write(folder))


def stalls_of(told: Summary) -> list[tuple[str, list[int], str]]:
    return [(one.severity, one.frames, one.text) for one in find(told) if one.code == Finding.STALL]


#: Round trips of 40 ms, then a TSN that is lost twice.
TWICE: Frames = [
    *((float(at), who, chunk) for n in range(5) for at, who, chunk in (
        (100 * n, "a", data(100 + n, ssn=n)), (100 * n + 40, "b", sack(100 + n)),
    )),
    (1000, "a", data(105, ssn=5)),
    (2000, "a", data(105, ssn=5)),
    (4000, "a", data(105, ssn=5)),
    (4040, "b", sack(105)),
]  # fmt: skip


def test_two_timeouts_in_a_row_are_a_stall(tmp_path: Path) -> None:
    ((severity, frames, text),) = stalls_of(summary(tmp_path, TWICE))

    assert severity == Severity.WARNING
    assert "3.04 s, 1.00 s after the first data: TSN 105" in text
    assert "2 timeouts in a row" in text
    assert frames == [15]


def test_a_shorter_stall_is_a_note(tmp_path: Path) -> None:
    frames = [*TWICE[:-3], (1800.0, "a", data(105, ssn=5)), (1840.0, "b", sack(105))]
    told = summary(tmp_path, frames)
    pause = told.associations[0].a.delivery.pauses[0]  # type: ignore[union-attr]

    assert pause.length_ns == 840 * MS
    assert all(severity == Severity.NOTE for severity, *_ in stalls_of(told))


def test_what_was_never_sent_again_is_no_stall_of_its_sender(tmp_path: Path) -> None:
    """Its timer would have sent again: the capture missed the feedback, or stood still."""
    told = summary(tmp_path, [*TWICE[:-3], (4040.0, "b", sack(105))])

    assert told.associations[0].a.delivery.pauses == []  # type: ignore[union-attr]
    assert stalls_of(told) == []


def test_behind_a_tsn_that_was_not_seen_a_stall_is_told(tmp_path: Path) -> None:
    """Nothing more comes in which it could be seen."""
    frames = [*TWICE[:-4], *((at, who, data(106, ssn=6)) for at, who, _ in TWICE[-4:-1])]

    ((severity, _, text),) = stalls_of(summary(tmp_path, [*frames, (4040.0, "b", sack(106))]))
    assert severity == Severity.WARNING
    assert "TSN 106" in text and "2 timeouts in a row" in text


def test_idle_applications_do_not_stall(tmp_path: Path) -> None:
    later = [(60_000.0, "a", data(105, ssn=5)), (60_040.0, "b", sack(105))]

    assert stalls_of(summary(tmp_path, [*TWICE[:-4], *later])) == []


def test_a_peer_that_is_gone_is_a_stall_up_to_the_end(tmp_path: Path) -> None:
    told = summary(tmp_path, TWICE[:-1])

    ((severity, _, text),) = stalls_of(told)
    assert severity == Severity.WARNING
    assert "not acknowledged up to the end" in text


def paused(**fields: Any) -> Pause:
    pause = Pause(
        tsn=105, frame=15, begin_ns=0, length_ns=S, cause=StallCause.TIMEOUTS.value,
        retransmissions=1, timeouts=1, has_finding=False,
    )  # fmt: skip
    return replace(pause, **fields)


def with_pauses(told: Summary, *pauses: Pause) -> Summary:
    association = told.associations[0]
    assert association.a.delivery
    delivery = replace(association.a.delivery, pauses=list(pauses))
    side = replace(association.a, delivery=delivery)
    return replace(told, associations=[replace(association, a=side)])


def test_what_another_finding_tells_is_not_told_twice(tmp_path: Path) -> None:
    told = summary(tmp_path, TWICE)
    window = paused(cause=StallCause.CLOSED_WINDOW.value)

    assert stalls_of(with_pauses(told, paused(has_finding=True), window)) == []
    assert len(stalls_of(with_pauses(told, paused()))) == 1


def test_many_stalls_are_one_line_with_the_longest(tmp_path: Path) -> None:
    those = [paused(frame=20 + n, length_ns=S + n * MS) for n in range(20)]
    late = paused(length_ns=3 * S, cause=StallCause.LATE_ANSWER.value, frame=9)

    ((severity, frames, text),) = stalls_of(with_pauses(summary(tmp_path, TWICE), *those, late))

    assert severity == Severity.WARNING
    assert frames == [9, 20, 21, 22, 23, 24, 25, 26]
    assert "21 stalls, 23.19 s together (20 by timeouts, 1 by late or lost answers)" in text
    assert "no progress for 3.00 s" in text


def test_the_capture_has_no_times() -> None:
    rows = rows_of((1, 0, 40))
    rows["time_ns"] = -(1 << 63)

    assert found(rows) == []
