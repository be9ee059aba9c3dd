# SPDX-License-Identifier: BSD-2-Clause
"""Tables as files: NDJSON, CSV, Parquet and Arrow, part by part in bounded memory."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO

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
    batches = session.batches(_arrow_soon() if write in (_parquet, _arrow) else None)
    write(table, (part for batch in batches for part in batch.parts(table, most_rows)), output)


def _arrow_soon() -> Callable[[], object]:
    """Imports what Arrow takes, which is long, when there is time; now where it is not there."""
    if find_spec("pyarrow") is None:
        import_module("sctp_rack.arrow")
    return lambda: import_module("sctp_rack.arrow")


def _ndjson(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    for part in parts:
        output.write(ndjson_lines(columns_of(table, part)).encode())


def _csv(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    output.write((",".join(column.name for column in TABLES[table]) + "\n").encode())
    for part in parts:
        output.write(csv_lines(columns_of(table, part)).encode())


def _parquet(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    _write_batches("parquet_writer", table, parts, output)


def _arrow(table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    _write_batches("file_writer", table, parts, output)


def _write_batches(writer: str, table: str, parts: Iterator[Batch], output: BinaryIO) -> None:
    """With a writer of `arrow`, which writes a part while the columns of the next are made."""
    part = next(parts, None)
    from sctp_rack import arrow

    with getattr(arrow, writer)(table, output) as to, ThreadPoolExecutor(1) as beside:
        writing: Future[None] | None = None
        while part is not None:
            made = arrow.record_batch(table, part)
            if writing is not None:
                writing.result()
            writing = beside.submit(to.write_batch, made)
            part = next(parts, None)
        if writing is not None:
            writing.result()


_WRITERS: dict[str, tuple[Write, int]] = {
    "ndjson": (_ndjson, _LINES),
    "csv": (_csv, _LINES),
    "parquet": (_parquet, _ROWS),
    "arrow": (_arrow, _ROWS),
}

#: Names of the formats.
FORMATS = tuple(_WRITERS)
