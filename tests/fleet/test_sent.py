# SPDX-License-Identifier: BSD-2-Clause
"""Rows of `sent` are those that Arrow's own `group_by` makes, which `batch` does without."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from sctp_rack.fleet import sent
from sctp_rack.fleet.rows import SENT_BY, schema

KEYS = ["capture", *SENT_BY]
SUMMED = ["chunks", "bytes"]
ALIKE = {
    field.name: st.none()
    | st.sampled_from(["", "a", "é"] if pa.types.is_string(field.type) else [0, 1, 0xFFFFFFFF])
    for field in schema("sent")
    if field.name in KEYS
}
ROWS = st.lists(
    st.fixed_dictionaries({**ALIKE, **dict.fromkeys(SUMMED, st.integers(0, 1 << 40))}), max_size=12
)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, split=st.integers(0, 12))
def test_alike_rows_are_summed(rows: list[dict[str, Any]], split: int) -> None:
    check([rows[:split], rows[split:]])


def test_rows_stay_apart_where_combinations_are_more_than_numbers_have() -> None:
    """128 values in each of ten columns are 2**70 combinations."""
    numbers = [field.name for field in schema("sent") if not pa.types.is_string(field.type)]

    def row(capture: int, others: int) -> dict[str, Any]:
        values = dict.fromkeys(KEYS, others) | {"capture": capture}
        told = {name: n if name in numbers else f"{n:03}" for name, n in values.items()}
        return {**told, "chunks": 1, "bytes": 1}

    # In the first column two apart: in numbers of 64 bits that is all the same.
    check([[row(n, n) for n in range(128)] + [row(2, 0), row(4, 0)]])


def check(parts: Sequence[list[dict[str, Any]]]) -> None:
    tables = [pa.Table.from_pylist(part, schema("sent")) for part in parts]
    sums = [(name, "sum") for name in SUMMED]
    expected = pa.concat_tables(tables).group_by(KEYS).aggregate(sums).to_pylist()
    found = sent.together(tables)

    assert found.schema == schema("sent")
    assert values(found.to_pylist(), SUMMED) == values(expected, [f"{name}_sum" for name in SUMMED])


def values(rows: list[dict[str, Any]], summed: list[str]) -> list[list[Any]]:
    return sorted(([row[name] for name in (*KEYS, *summed)] for row in rows), key=repr)
