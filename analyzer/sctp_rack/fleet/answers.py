# SPDX-License-Identifier: BSD-2-Clause
"""Answers of a dataset as text, CSV, NDJSON and Parquet, part by part."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from sctp_rack.wording.harmless import harmless

import pyarrow.parquet as pq  # isort: skip, behind what says how to install it

#: Rows that are shown as text; other formats have all.
_SHOWN = 1000


def write(reader: Any, file_format: str, output: BinaryIO) -> None:
    """All of `reader`, a `pyarrow.RecordBatchReader`."""
    {"text": _text, "csv": _csv, "ndjson": _ndjson, "parquet": _parquet}[file_format](
        reader, output
    )


def _text(reader: Any, output: BinaryIO) -> None:
    """A table whose numbers stand at the right."""
    shown, more = list[dict[str, Any]](), 0
    for batch in reader:
        some = batch.slice(0, _SHOWN - len(shown))
        shown += some.to_pylist()
        more += len(batch) - len(some)
    names = reader.schema.names
    cells = [names, *([_cell(row[name]) for name in names] for row in shown)]
    right = [all(isinstance(row[name], int | float | None) for row in shown) for name in names]
    widths = [max(len(line[at]) for line in cells) for at in range(len(names))]
    for line in cells:
        output.write((_line(line, widths, right) + "\n").encode(errors="backslashreplace"))
    if more:
        output.write(f"and {more:,} more rows; --format csv has all of them\n".encode())


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if at_right else cell.ljust(width)
        for cell, width, at_right in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.6g}"
        case str():
            return harmless(value)
    return harmless(_json(value))


def _csv(reader: Any, output: BinaryIO) -> None:
    """What is no number and no text is JSON, as `export` has it."""
    _csv_lines([reader.schema.names], output)
    for batch in reader:
        _csv_lines(
            (
                [value if _plain(value) else _json(value) for value in row.values()]
                for row in batch.to_pylist()
            ),
            output,
        )


def _csv_lines(rows: Iterable[Sequence[Any]], output: BinaryIO) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    output.write(text.getvalue().encode(errors="backslashreplace"))


def _plain(value: Any) -> bool:
    return value is None or (isinstance(value, int | float | str) and not isinstance(value, bool))


def _ndjson(reader: Any, output: BinaryIO) -> None:
    for batch in reader:
        lines = "".join(f"{_json(row)}\n" for row in batch.to_pylist())
        output.write(lines.encode(errors="backslashreplace"))


def _json(value: Any) -> str:
    """Times and decimals as text."""
    return json.dumps(value, default=str, ensure_ascii=False)


def _parquet(reader: Any, output: BinaryIO) -> None:
    with pq.ParquetWriter(output, reader.schema, compression="zstd") as file:
        for batch in reader:
            file.write_batch(batch)
