# SPDX-License-Identifier: BSD-2-Clause
"""Columns as Arrow arrays and the files made of them; needs the extra `arrow`."""

import functools
import sys
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import column_of, columns_of
from sctp_rack.columns.vectors import Lists, Nulls, Numbers, Spans, Texts, Valid, Vector, Words
from sctp_rack.errors import MissingExtraError
from sctp_rack.room import check_room
from sctp_rack.tables import TABLES, Column

#: Bytes of address space that Arrow's libraries take: 174 MiB of Arrow 26.
_LOADED = 192 << 20

if "pyarrow" not in sys.modules:
    check_room(_LOADED)
try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError as error:
    raise MissingExtraError("Arrow and Parquet need `pip install pyarrow`") from error

_SPAN = pa.struct([("first_tsn", pa.uint32()), ("last_tsn", pa.uint32())])
_TYPES = {
    "ns": pa.int64(),
    "long": pa.int64(),
    "float": pa.float64(),
    "str": pa.string(),
    "json": pa.string(),
    "bool": pa.bool_(),
    "enum": pa.dictionary(pa.int8(), pa.string()),
    "flags": pa.list_(pa.string()),
    "list:int": pa.list_(pa.uint32()),
    "list:range": pa.list_(_SPAN),
    "list:str": pa.list_(pa.string()),
}


#: Bytes of address space that are wanted to open a file, and beside four times those of rows: for
#: encoders, compressors and the stacks of threads. Arrow 26 wrote 65,536 rows of 9 MiB within
#: 8 MiB; where it had less it raised, aborted or crashed.
_BESIDE = 32 << 20

#: Of rows that may lie beside those of another capture.
_CAPTURE = pa.field("capture", _TYPES["enum"])


@functools.cache
def schema_of(table: str) -> Any:
    """Arrow's schema of a table."""
    return pa.schema([(column.name, _type(table, column)) for column in TABLES[table]])


def record_batch(table: str, batch: Batch, capture: str | None = None) -> Any:
    """The rows of `table` in a batch, with the name of the capture where it is told."""
    columns = columns_of(table, batch)
    arrays = [array_of(columns[field.name], field.type) for field in schema_of(table)]
    if capture is not None:
        codes = np.zeros(len(batch.tables[table]), np.int8)
        arrays.insert(0, array_of(Words(None, codes, [capture]), _CAPTURE.type))
    return pa.record_batch(arrays, schema=_schema(table, capture))


def some_columns(table: str, names: Sequence[str], batch: Batch) -> Any:
    """Those columns of the rows, as a table of Arrow."""
    chosen = [column for column in TABLES[table] if column.name in names]
    fields = [schema_of(table).field(column.name) for column in chosen]
    arrays = [
        array_of(column_of(table, column, batch), field.type)
        for column, field in zip(chosen, fields, strict=True)
    ]
    return pa.table(arrays, pa.schema(fields))


def reader(table: str, batches: Iterable[Batch]) -> Any:
    """Record batches, each made when it is asked for."""
    made = (record_batch(table, batch) for batch in batches)
    return pa.RecordBatchReader.from_batches(schema_of(table), made)


def in_pandas(arrow_type: Any) -> bool:
    """Whether pandas should leave values of a type in Arrow's memory."""
    types = pa.types
    return any(of(arrow_type) for of in (types.is_integer, types.is_boolean, types.is_list))


def file_writer(table: str, output: BinaryIO, capture: str | None) -> Any:
    """Takes record batches for a file in Arrow's IPC format. Raises `MemoryError`."""
    check_room(_BESIDE)
    return pa.ipc.new_file(output, _schema(table, capture))


def parquet_writer(table: str, output: BinaryIO, capture: str | None) -> Any:
    """Takes record batches for a Parquet file. Raises `MemoryError`."""
    # Trying a dictionary for every column takes twice the time, and only words repeat enough.
    repeating = [name for name, kind, *_ in TABLES[table] if kind == "str" or kind[:4] == "enum"]
    repeating.append(_CAPTURE.name)
    schema = _schema(table, capture)
    check_room(_BESIDE)
    return pq.ParquetWriter(output, schema, compression="zstd", use_dictionary=repeating)


def write(to: Any, rows: Any) -> None:
    """Has a writer take a record batch. Raises `MemoryError` where Arrow may have no room."""
    check_room(_BESIDE + 4 * rows.nbytes)
    to.write_batch(rows)


def _schema(table: str, capture: str | None) -> Any:
    return schema_of(table) if capture is None else schema_of(table).insert(0, _CAPTURE)


def _type(table: str, column: Column) -> Any:
    """Of an int: as wide as in the core."""
    if column.type == "int":
        row = LAYOUTS[table].dtype
        wide = column.name in (row.names or ()) and row[column.name].itemsize == 8
        return pa.uint64() if wide else pa.uint32()
    return _TYPES.get(column.type) or _TYPES[column.type.partition(":")[0]]


def array_of(column: Vector, arrow_type: Any) -> Any:
    """A column as an array of Arrow."""
    match column:
        case Nulls(length=length):
            return pa.nulls(length, arrow_type)
        case Numbers(values=values):
            return _flat(column, _in_width(values, arrow_type), arrow_type)
        case Words(codes=codes) if pa.types.is_dictionary(arrow_type):
            if column.valid is not None:  # polars looks at them where it is null, too
                codes = np.where(column.valid, codes, 0)
            indexes = _flat(column, codes.astype(np.int8, copy=False), arrow_type.index_type)
            return pa.DictionaryArray.from_arrays(indexes, _strings(column.words))
        case Words(codes=codes):
            indexes = _flat(column, codes.astype(np.int32, copy=False), pa.int32())
            return _strings(column.words).take(indexes)
        case Spans(values=values):
            ends = [_flat(column, values[:, at], pa.uint32()) for at in (0, 1)]
            return pa.StructArray.from_arrays(ends, fields=list(arrow_type))
        case Lists(offsets=offsets, items=items):
            buffers = [_bitmap(column.valid), pa.py_buffer(offsets)]
            children = [array_of(items, arrow_type.value_type)]
            return pa.Array.from_buffers(arrow_type, len(column), buffers, children=children)
        case Texts(offsets=offsets, data=data):
            buffers = [_bitmap(column.valid), pa.py_buffer(offsets), pa.py_buffer(data)]
            return pa.Array.from_buffers(arrow_type, len(column), buffers)


# Buffers go to Arrow as they are: pa.array() would import pandas where it is installed.


def _flat(column: Vector, values: npt.NDArray[Any], arrow_type: Any) -> Any:
    buffers = [_bitmap(column.valid), pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(arrow_type, len(column), buffers)


def _in_width(values: npt.NDArray[Any], arrow_type: Any) -> npt.NDArray[Any]:
    """As wide as the type, of which bools are one bit."""
    if pa.types.is_boolean(arrow_type):
        return np.packbits(values, bitorder="little")
    return values.astype(arrow_type.to_pandas_dtype(), copy=False)


def _strings(words: Sequence[str]) -> Any:
    encoded = [word.encode(errors="backslashreplace") for word in words]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(words), buffers)


def _bitmap(valid: Valid) -> Any:
    return None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little"))
