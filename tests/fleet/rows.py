# SPDX-License-Identifier: BSD-2-Clause
"""What a dataset holds, whatever its files are: all rows of all tables, capture by capture."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

#: What two readings of a capture may differ in.
_MAY_DIFFER = ["seconds"]


def rows_of(dataset: Path) -> dict[str, Any]:
    """Tables of Arrow by name, a capture in its order; found as other programs would."""
    found = {}
    for folder in sorted(dataset.glob("table=*")):
        files = sorted(folder.glob("*.parquet"))
        if not files:
            continue
        table = pa.concat_tables([pq.read_table(file, partitioning=None) for file in files])
        number = pa.array(range(len(table)))
        table = table.append_column("number", number)
        table = table.sort_by([("capture", "ascending"), ("number", "ascending")])
        left_out = ["number", *(name for name in _MAY_DIFFER if name in table.column_names)]
        found[folder.name.removeprefix("table=")] = table.drop_columns(left_out).combine_chunks()
    return found


def row_sets(dataset: Path) -> dict[str, list[str]]:
    """All rows of each table, in no order: processes that share a capture write them as they can.

    Tables without rows are left out.
    """
    tables = {
        name: sorted(map(repr, table.to_pylist())) for name, table in rows_of(dataset).items()
    }
    return {name: rows for name, rows in tables.items() if rows}


def left_over(dataset: Path) -> list[str]:
    """What is neither a table nor the lock."""
    return sorted(
        path.name
        for path in dataset.iterdir()
        if path.name != "_lock" and not path.name.startswith("table=")
    )
