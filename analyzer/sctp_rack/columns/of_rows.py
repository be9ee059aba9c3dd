# SPDX-License-Identifier: BSD-2-Clause
"""From the core's rows to the columns of names.toml, by the layout of their table."""

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.vectors import Nulls, Vector
from sctp_rack.tables import TABLES, Column


def columns_of(table: str, batch: Batch) -> dict[str, Vector]:
    """Every column of `table` in order; those that nothing computes yet are null."""
    return {column.name: column_of(table, column, batch) for column in TABLES[table]}


def column_of(table: str, column: Column, batch: Batch) -> Vector:
    """One of them."""
    rows = batch.tables[table]
    read = LAYOUTS[table].columns.get(column.name)
    return read(column, rows, batch) if read else Nulls(None, len(rows))
