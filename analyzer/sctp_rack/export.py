# SPDX-License-Identifier: BSD-2-Clause
"""Tables as files: NDJSON, CSV, Parquet and Arrow, part by part in bounded memory."""

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from sctp_rack.columns import columns_of
from sctp_rack.lines import csv_lines, ndjson_lines
from sctp_rack.rows import Batch
from sctp_rack.session import Session
from sctp_rack.tables import TABLES

#: Rows that are text at the same time.
_LINES = 8192
#: Rows that are columns at the same time; in Parquet a row group.
_ROWS = 65536

Write = Callable[[str, Iterator[Batch], BinaryIO], None]


def export(session: Session, table: str, file_format: str, output: BinaryIO) -> None:
    """Writes `table` of the whole capture; `session` was opened for it.

    Raises `MissingExtraError` for Parquet and Arrow without pyarrow.
    """
    write, most_rows = _WRITERS[file_format]
    write(
        table,
        (part for batch in session.batches() for part in batch.parts(table, most_rows)),
        output,
    )


def _ndjson(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    for part in parts:
        output.write(ndjson_lines(columns_of(table, part)).encode())


def _csv(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    output.write((",".join(column.name for column in TABLES[table]) + "\n").encode())
    for part in parts:
        output.write(csv_lines(columns_of(table, part)).encode())


def _parquet(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    from sctp_rack.arrow import parquet_writer

    _write_batches(table, parts, parquet_writer(table, output))


def _arrow(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    from sctp_rack.arrow import file_writer

    _write_batches(table, parts, file_writer(table, output))


def _write_batches(table: str, parts: Iterator[Batch], writer: Any) -> None:
    from sctp_rack.arrow import record_batch

    with writer:
        for part in parts:
            writer.write_batch(record_batch(table, part))


_WRITERS: dict[str, tuple[Write, int]] = {
    "ndjson": (_ndjson, _LINES),
    "csv": (_csv, _LINES),
    "parquet": (_parquet, _ROWS),
    "arrow": (_arrow, _ROWS),
}

#: Names of the formats.
FORMATS = tuple(_WRITERS)
