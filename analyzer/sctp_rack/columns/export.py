# SPDX-License-Identifier: BSD-2-Clause
"""Tables as files: NDJSON, CSV, Parquet and Arrow, part by part in bounded memory."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO

from sctp_rack.binding.rows import Batch
from sctp_rack.binding.session import Session
from sctp_rack.columns.chosen import Chosen
from sctp_rack.columns.lines import csv_lines, ndjson_lines
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.tables import TABLES

#: Rows that are text at the same time.
_LINES = 8192
#: Rows that are columns at the same time; in Parquet a row group.
_ROWS = 65536

#: Takes the next rows of a table.
_Write = Callable[[Batch], object]
_Writing = AbstractContextManager[_Write]

_ALL = Chosen()


def export(
    session: Session,
    file_format: str,
    outputs: Mapping[str, BinaryIO],
    *,
    chosen: Chosen = _ALL,
    capture: str | None = None,
    headed: bool = True,
) -> None:
    """Writes tables of the whole capture, which is read and judged once, each to its output.

    `session` was opened for these tables. Rows that are not `chosen` are left out; `capture` is
    told in a column of its own; CSV has no line of names where it is not `headed`. Raises
    `MissingExtraError` for Parquet and Arrow without pyarrow.
    """
    opened, most_rows = _WRITERS[file_format]
    is_text = file_format in TEXTS
    batches = session.batches(None if is_text else _arrow_soon(), soon=is_text)
    batch = next(batches, None)  # what takes long to import is there now
    with contextlib.ExitStack() as files:
        writes: dict[str, _Write] = {
            table: files.enter_context(opened(table, output, capture, headed))
            for table, output in outputs.items()
        }
        while batch is not None:
            for table, write in writes.items():
                for part in batch.parts(table, most_rows):
                    write(chosen.of(table, part, session.first_time_ns))
            batch = next(batches, None)


def _arrow_soon() -> Callable[[], object]:
    """Imports what Arrow takes, which is long, when there is time; now where it is not there."""
    if find_spec("pyarrow") is None:
        import_module("sctp_rack.columns.arrow")
    return lambda: import_module("sctp_rack.columns.arrow")


@contextlib.contextmanager
def _ndjson(table: str, output: BinaryIO, capture: str | None, _headed: bool) -> Iterator[_Write]:
    yield lambda part: _write_lines(ndjson_lines(columns_of(table, part), capture), output)


@contextlib.contextmanager
def _csv(table: str, output: BinaryIO, capture: str | None, headed: bool) -> Iterator[_Write]:
    names = [] if capture is None else ["capture"]
    names += (column.name for column in TABLES[table])
    if headed:
        output.write((",".join(names) + "\n").encode())
    yield lambda part: _write_lines(csv_lines(columns_of(table, part), capture), output)


def _write_lines(lines: str, output: BinaryIO) -> None:
    """Who reads them from a pipe has them at once."""
    output.write(lines.encode(errors="backslashreplace"))
    output.flush()


def _parquet(table: str, output: BinaryIO, capture: str | None, _headed: bool) -> _Writing:
    return _written_beside("parquet_writer", table, output, capture)


def _arrow(table: str, output: BinaryIO, capture: str | None, _headed: bool) -> _Writing:
    return _written_beside("file_writer", table, output, capture)


@contextlib.contextmanager
def _written_beside(
    writer: str, table: str, output: BinaryIO, capture: str | None
) -> Iterator[_Write]:
    """A writer of `arrow`, which writes a part while the columns of the next are made."""
    from sctp_rack.columns import arrow

    writing: Future[None] | None = None

    def write(part: Batch) -> None:
        nonlocal writing
        made = arrow.record_batch(table, part, capture)
        if writing is not None:
            writing.result()
        writing = beside.submit(arrow.write, to, made)

    with getattr(arrow, writer)(table, output, capture) as to, ThreadPoolExecutor(1) as beside:
        yield write
        if writing is not None:
            writing.result()


_WRITERS: dict[str, tuple[Callable[[str, BinaryIO, str | None, bool], _Writing], int]] = {
    "ndjson": (_ndjson, _LINES),
    "csv": (_csv, _LINES),
    "parquet": (_parquet, _ROWS),
    "arrow": (_arrow, _ROWS),
}

#: Names of the formats, and of those that are text.
FORMATS = tuple(_WRITERS)
TEXTS = ("ndjson", "csv")
