# SPDX-License-Identifier: BSD-2-Clause
"""All rows of a session, to compare what readers give."""

from typing import Any

from sctp_rack.binding.session import Session
from sctp_rack.binding.source import Readable
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.readers.packet import PacketSource

Rows = dict[str, list[dict[str, Any]]]


def rows_of(name: object, source: Readable | PacketSource | None = None, **options: Any) -> Rows:
    """Every row of every table; the input must end as it should."""
    session = Session(str(name), LAYOUTS, source=source, **options)
    rows: Rows = {table: [] for table in LAYOUTS}
    for batch in session.batches():
        for table in LAYOUTS:
            columns = columns_of(table, batch)
            rows[table] += [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ]
    assert session.end.message is None
    return rows


def without(rows: Rows, *columns: str) -> Rows:
    """The rows without columns in which readers truly differ."""
    return {
        table: [{k: v for k, v in row.items() if k not in columns} for row in all_rows]
        for table, all_rows in rows.items()
    }
