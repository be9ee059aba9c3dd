# SPDX-License-Identifier: BSD-2-Clause
"""Tables as files: NDJSON, CSV, Parquet, batch by batch in bounded memory."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from sctp_rack.columns import columns_of
from sctp_rack.errors import MissingExtraError
from sctp_rack.session import Batch, Session
from sctp_rack.tables import TABLES

Columns = dict[str, Any]


def export(session: Session, table: str, file_format: str, output: BinaryIO) -> None:
    """Writes `table` of the whole capture; `session` was opened for it.

    Raises `MissingExtraError` for Parquet without pyarrow.
    """
    batches = (columns_of(table, batch) for batch in _with_rows(session, table))
    _WRITERS[file_format](table, batches, output)


def _with_rows(session: Session, table: str) -> Iterator[Batch]:
    return (batch for batch in session.batches() if len(batch.tables[table]))


def _ndjson(_table: str, batches: Iterator[Columns], output: BinaryIO) -> None:
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for columns in batches:
        rows = zip(*columns.values(), strict=True)
        lines = [encode(dict(zip(columns, row, strict=True))) for row in rows]
        output.write(("\n".join(lines) + "\n").encode())


def _csv(table: str, batches: Iterator[Columns], output: BinaryIO) -> None:
    text = io.TextIOWrapper(output, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in TABLES[table])
    for columns in batches:
        writer.writerows(
            [json.dumps(value) if isinstance(value, list | dict) else value for value in row]
            for row in zip(*columns.values(), strict=True)
        )
    text.detach()


def _parquet(table: str, batches: Iterator[Columns], output: BinaryIO) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("Parquet needs `pip install 'sctp-rack[arrow]'`") from error
    schema = _arrow_schema(table)
    with pq.ParquetWriter(output, schema) as writer:
        for columns in batches:
            arrays = [_arrow_array(columns[field.name], field.type) for field in schema]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _arrow_schema(table: str) -> Any:
    import pyarrow as pa

    span = pa.struct([("first_tsn", pa.uint32()), ("last_tsn", pa.uint32())])
    types = {
        "int": pa.uint32(),
        "ns": pa.int64(),
        "str": pa.string(),
        "json": pa.string(),
        "long": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "enum": pa.dictionary(pa.int8(), pa.string()),
        "flags": pa.list_(pa.string()),
        "list:int": pa.list_(pa.uint32()),
        "list:range": pa.list_(span),
        "list:str": pa.list_(pa.string()),
    }
    return pa.schema(
        [
            (column.name, types.get(column.type) or types[column.type.partition(":")[0]])
            for column in TABLES[table]
        ]
    )


def _arrow_array(values: Any, arrow_type: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_list(arrow_type) and pa.types.is_struct(arrow_type.value_type):
        values = [
            None
            if spans is None
            else [dict(zip(("first_tsn", "last_tsn"), s, strict=True)) for s in spans]
            for spans in values
        ]
    if pa.types.is_string(arrow_type):
        values = [json.dumps(value) if isinstance(value, dict) else value for value in values]
    return pa.array(values, type=arrow_type)


_WRITERS: dict[str, Callable[[str, Iterator[Columns], BinaryIO], None]] = {
    "ndjson": _ndjson,
    "csv": _csv,
    "parquet": _parquet,
}

#: Names of the formats.
FORMATS = tuple(_WRITERS)
