# SPDX-License-Identifier: BSD-2-Clause
"""Recovery is summed up in memory that does not go with the rows."""

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.binding.rows import NO_TIME, NO_WORD, PATH, Batch, Rows
from sctp_rack.binding.session import Session
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.recovery import gathering
from sctp_rack.recovery.gathering import TABLES, RecoveryRows
from sctp_rack.recovery.marked import LEAD_SHIFT, MARKED, SHOWN, Marked

from tests.captures import SAMPLE

NOTHING: dict[str, Rows] = {name: np.zeros(0, LAYOUTS[name].dtype) for name in TABLES}
ROWS, STORM = 400, 4
LOOKED_BACK = 1000


def number(enum: str, word: str) -> int:
    """In the core."""
    return words_of(enum).index(word)


def batch(**tables: Rows) -> Batch:
    """Of these rows alone."""
    return Batch({**NOTHING, **tables}, np.zeros(0, np.uint32), b"", np.zeros(0, PATH))


def counted() -> Batch:
    """The direction has data, some of it lost."""
    counts = np.zeros(1, LAYOUTS["counts"].dtype)
    counts["what"], counts["word"] = number("count_what", "outcome"), number("outcome", "lost")
    counts["transmissions"] = 1
    return batch(counts=counts, paths=np.zeros(1, LAYOUTS["paths"].dtype))


def marks(first: int) -> Batch:
    """Of each transmission, of which there are `ROWS` from `first` on."""
    rows = np.zeros(ROWS, LAYOUTS["rack_marks"].dtype)
    rows["marked_row"] = rows["frame"] = first + np.arange(ROWS)
    rows["profile"], rows["trigger"] = number("profile", "rfc8985"), number("trigger", "ack")
    rows["resolution"] = number("resolution", "true_loss")
    return batch(rack_marks=rows)


def resends(first: int) -> Batch:
    """Of the transmission before each: spurious storms of `STORM` chunks, and what was lost."""
    rows = np.zeros(ROWS, LAYOUTS["transmissions"].dtype)
    rows["frame"] = first + np.arange(ROWS)
    rows["time_ns"] = rows["frame"] * 1_000_000
    rows["prev_row"] = rows["prev_frame"] = rows["frame"] - 1
    rows["copy"] = 2
    rows["kind"] = number("kind", "retransmission")
    rows["probe"] = NO_WORD
    rows["outcome"] = number("outcome", "lost")
    rows["verdict"] = number("verdict", "spurious")
    rows["cause"] = number("cause", "t3_gbn")
    rows["cause"][::STORM] = number("cause", "t3")
    return batch(transmissions=rows)


def peak(batches: int) -> int:
    """Bytes."""
    tracemalloc.start()
    rows = RecoveryRows()
    rows.add(counted())
    for make in (marks, resends):
        for at in range(batches):
            rows.add(make(1 + at * ROWS))
    told = rows.recovered().of([0])[0, "a2b"].recovery
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (told.retransmissions, told.timeouts) == (batches * ROWS, batches * ROWS // STORM)
    assert told.rack.marks == batches * ROWS
    return most


def test_ten_times_the_rows_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "_LOOKED_BACK", LOOKED_BACK)
    peak(3)

    assert peak(30) < peak(3) + 20_000


def test_transmissions_come_last_but_for_the_messages_made_of_them() -> None:
    session = Session(str(SAMPLE), TABLES, rows_at_once=100)
    batches = [{name for name in TABLES if len(one.tables[name])} for one in session.batches()]
    first = batches.index({"transmissions"})

    assert first > 1
    assert {frozenset(names) for names in batches[first:-1]} == {frozenset({"transmissions"})}
    assert batches[-1] == {"messages"}
    assert not any("transmissions" in names for names in batches[:first])


SAID = st.tuples(
    st.integers(0, 3000),
    st.sampled_from(["ack", "timer", "rto"]),
    st.booleans(),
    st.integers(-5, 9),
)


@given(st.lists(st.lists(SAID, max_size=20), max_size=6))
def test_of_each_transmission_the_mark_that_says_most_is_known(
    parts: list[list[tuple[int, str, bool, int]]],
) -> None:
    marked = Marked()
    said: dict[int, int] = {}
    for part in parts:
        marked.add(mark_rows(part))
        for row, trigger, right, lead in part:
            bits = MARKED | (SHOWN if trigger != "rto" else 0)
            if right and trigger != "rto":
                bits |= max(lead, 0) << LEAD_SHIFT
            said[row] = max(said.get(row, 0), bits) if row else 0
    asked = np.arange(4000)

    assert marked.of(asked).tolist() == [said.get(row, 0) for row in asked.tolist()]
    marked.close()


def mark_rows(said: Sequence[tuple[int, str, bool, int]]) -> Rows:
    """By row, trigger, whether it is right, and lead, of which -5 is none."""
    rows = np.zeros(len(said), LAYOUTS["rack_marks"].dtype)
    for row, (marked, trigger, right, lead) in zip(rows, said, strict=True):
        row["marked_row"], row["trigger"] = marked, number("trigger", trigger)
        row["resolution"] = number("resolution", "unknown" if right else "false_mark")
        row["sender_lead_ns"] = NO_TIME if lead == -5 else lead
    return rows
