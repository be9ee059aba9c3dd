# SPDX-License-Identifier: BSD-2-Clause
"""Columns are read from the core's rows as a plain loop over them would, whatever lies in the
pools."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack._core import ffi
from sctp_rack.binding.rows import NO_ASSOCIATION, NO_PATH, NO_TIME, NO_WORD, PATH, Batch
from sctp_rack.binding.session import Session
from sctp_rack.columns.fields import Reader, flag, null_at, tsn_list, word
from sctp_rack.columns.layout import CORE_TABLES, LAYOUTS
from sctp_rack.columns.lines import csv_lines, ndjson_lines
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.columns.table import Table
from sctp_rack.names import SackAnomaly
from sctp_rack.tables import TABLES

from tests.captures import any_capture, name_of, with_rows_of

TSN = st.integers(0, 2**32 - 1)
SPAN = st.tuples(TSN, TSN)
SACK = st.tuples(
    st.lists(SPAN, max_size=3),
    st.lists(SPAN, max_size=3),
    st.lists(TSN, max_size=3),
    st.integers(0, (1 << len(SackAnomaly)) - 1),
)


def test_layouts_are_in_the_order_of_the_core_and_name_only_known_columns() -> None:
    order = ffi.typeof("enum sr_table").relements

    named = [f"SR_TABLE_{name.upper()}" for name in CORE_TABLES]
    assert named == sorted(order, key=order.get)[:-1]
    for name, layout in LAYOUTS.items():
        assert set(layout.columns) <= {column.name for column in TABLES[name]}


@given(st.lists(SACK, max_size=5), st.randoms(use_true_random=False))
def test_lists_are_read_wherever_they_lie_in_the_pool(sacks: list[Any], random: Any) -> None:
    """Setup: the lists of SACKs lie in the pool in any order, with others' numbers between.
    Expectation: each row has its own."""
    rows = np.zeros(len(sacks), dtype=LAYOUTS["sacks"].dtype)
    pool: list[int] = []
    for row, sack in random.sample(list(enumerate(sacks)), len(sacks)):
        gaps, nr_gaps, dups, malformed = sack
        pool += [0] * random.randrange(3)
        rows[row]["lists"] = len(pool)
        for name in ("gaps", "nr_gaps", "dups"):
            rows[row][name] = len({"gaps": gaps, "nr_gaps": nr_gaps, "dups": dups}[name])
        rows[row]["malformed"] = malformed
        pool += [tsn for span in (*gaps, *nr_gaps) for tsn in span] + dups
    numbers = np.array(pool, dtype=np.uint32)
    batch = Batch({"sacks": rows}, numbers, b"", np.zeros(1, dtype=PATH))

    columns = {name: column.tolist() for name, column in columns_of("sacks", batch).items()}

    assert columns["gaps"] == [[list(span) for span in gaps] for gaps, *_ in sacks]
    assert columns["nr_gaps"] == [[list(span) for span in nr_gaps] for _, nr_gaps, *_ in sacks]
    assert columns["dups"] == [dups for _, _, dups, _ in sacks]
    assert columns["malformed"] == [
        [word.value for bit, word in enumerate(SackAnomaly) if mask >> bit & 1]
        for *_, mask in sacks
    ]


def test_what_the_core_does_not_know_is_null() -> None:
    rows = np.zeros(2, dtype=LAYOUTS["transmissions"].dtype)
    rows[0]["time_ns"], rows[0]["assoc"], rows[0]["path"] = NO_TIME, NO_ASSOCIATION, NO_PATH
    rows[0]["acked_time_ns"] = NO_TIME
    rows[1]["first_frame"], rows[1]["present"], rows[1]["path"], rows[1]["from"] = 7, 1, NO_PATH, 1
    batch = Batch({"transmissions": rows}, np.zeros(0, np.uint32), b"", np.zeros(0, dtype=PATH))

    nothing, something = zip(
        *(column.tolist() for column in columns_of("transmissions", batch).values()), strict=True
    )

    names = [column.name for column in TABLES["transmissions"]]
    known = {name for name, value in zip(names, nothing, strict=True) if value is not None}
    assert known == {"frame", "chunk", "tsn", "bytes", "flags", "crc"}
    row = dict(zip(names, something, strict=True))
    assert (row["time_ns"], row["assoc"], row["first_frame"], row["sid"]) == (0, 0, 7, 0)
    assert (row["path"], row["dir"], row["kind"], row["ssn"]) == ("b>a", "b2a", "original", None)


def test_unknown_chunk_types_and_places_without_a_chunk_have_no_name() -> None:
    rows = np.zeros(3, dtype=LAYOUTS["chunks"].dtype)
    rows["type"], rows["has_chunk"] = (3, 77, 3), (1, 1, 0)
    batch = Batch({"chunks": rows}, np.zeros(0, np.uint32), b"", np.zeros(1, dtype=PATH))

    columns = columns_of("chunks", batch)

    assert columns["name"].tolist() == ["SACK", None, None]
    assert columns["type"].tolist() == [3, 77, None]


#: Columns that the core does not have yet: how they are read, and the C fields that they need.
LATER: dict[str, tuple[Reader, list[tuple[str, str]]]] = {
    "rtt_ns": (null_at(NO_TIME), [("rtt_ns", "i8")]),
    "rtt_tag": (word, [("rtt_tag", "u1")]),
    "outstanding_bytes": (null_at(2**32 - 1), [("outstanding_bytes", "u4")]),
    "stale": (flag, [("stale", "u1")]),
    "reneged": (tsn_list("reneged_at", "reneged"), [("reneged_at", "u8"), ("reneged", "u4")]),
}


def test_a_column_is_added_by_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Setup: one entry for each of five columns, and their fields in the C row: in the first row
    without a value, in the second with one. Expectation: every output has them."""
    fields = [field for _, needed in LATER.values() for field in needed]
    known = LAYOUTS["sacks"].dtype
    assert known.names
    plain = [(name, known[name].str) for name in known.names if name not in dict(fields)]
    rows = np.zeros(2, dtype=[*plain, *fields])
    rows["path"] = NO_PATH
    for name, *values in (
        ("rtt_ns", NO_TIME, 12_000_000),
        ("rtt_tag", NO_WORD, 2),
        ("outstanding_bytes", 2**32 - 1, 1500),
        ("stale", NO_WORD, 1),
        ("reneged", 0, 2),
    ):
        rows[name] = values
    for name, (reader, _) in LATER.items():
        monkeypatch.setitem(LAYOUTS["sacks"].columns, name, reader)
    batch = Batch({"sacks": rows}, np.array([7, 9], np.uint32), b"", np.zeros(1, dtype=PATH))

    nothing, something = [{name: row[name] for name in LATER} for row in Table("sacks", [batch])]
    assert nothing == {**dict.fromkeys(LATER), "reneged": []}
    assert something == {
        "rtt_ns": 12_000_000,
        "rtt_tag": "gap",
        "outstanding_bytes": 1500,
        "stale": True,
        "reneged": [7, 9],
    }
    assert Table("sacks", [batch]).to_arrow().select(list(LATER)).to_pylist() == [
        nothing,
        something,
    ]
    columns = {name: columns_of("sacks", batch)[name] for name in LATER}
    assert [json.loads(line) for line in ndjson_lines(columns).splitlines()] == [nothing, something]
    assert csv_lines(columns) == ',,,,[]\n12000000,gap,1500,true,"[7, 9]"\n'


@pytest.mark.parametrize("table", LAYOUTS)
def test_parts_of_a_batch_have_its_rows(table: str) -> None:
    batches = Session(str(with_rows_of(table)), [table]).batches()
    (batch,) = (one for one in batches if len(one.tables[table]))
    parts = list(batch.parts(table, 100))

    whole = columns_of(table, batch)
    for name, column in whole.items():
        assert column.tolist() == [v for part in parts for v in columns_of(table, part)[name]]


@pytest.mark.parametrize("capture", any_capture(), ids=name_of)
def test_every_vector_is_as_long_as_its_table(capture: Path) -> None:
    for batch in Session(str(capture), LAYOUTS).batches():
        for table, rows in batch.tables.items():
            alone = replace(batch, tables={table: rows})
            for column in columns_of(table, alone).values():
                assert len(column) == len(column.tolist()) == len(column.to_numpy()) == len(rows)
