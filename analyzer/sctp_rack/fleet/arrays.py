# SPDX-License-Identifier: BSD-2-Clause
"""Values of Python as Arrow has them, by way of numpy.

`pa.array()` would do, but it imports pandas where that is installed: as long as to read a hundred
small captures, in each process.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.columns.arrow import array_of, strings
from sctp_rack.columns.vectors import Lists, Numbers, Texts, Vector, Words

import pyarrow as pa  # isort: skip, behind what says how to install it


def repeated(value: str, length: int) -> Any:
    """An array of the same string."""
    return strings([value]).take(whole_numbers(np.zeros(length, np.int64)))


def whole_numbers(values: npt.NDArray[np.integer[Any]]) -> Any:
    """An array of 64 bits each."""
    return array_of(Numbers(None, values), pa.int64())


def table_of(rows: Sequence[Mapping[str, Any]], schema: Any) -> Any:
    """A table of rows by the names of their columns: numbers, bools, strings and lists of them."""
    columns = [_vector([row[field.name] for row in rows], field.type) for field in schema]
    arrays = [array_of(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema)


def nothing(schema: Any) -> Any:
    """A table without rows; `empty_table()` would import pandas, too."""
    return pa.table([pa.nulls(0, field.type) for field in schema], schema)


def _vector(values: Sequence[Any], arrow_type: Any) -> Vector:
    valid = np.array([value is not None for value in values], np.bool_)
    if pa.types.is_list(arrow_type):
        items = [item for value in values for item in value or ()]
        return Lists(valid, _offsets(values), Words(None, np.arange(len(items)), items))
    if pa.types.is_string(arrow_type):
        texts = [(value or "").encode() for value in values]
        return Texts(valid, _offsets(texts), np.frombuffer(b"".join(texts), np.uint8))
    return Numbers(valid, np.array([value or 0 for value in values]))


def _offsets(values: Iterable[Sequence[Any] | None]) -> npt.NDArray[np.int32]:
    return np.cumsum([0, *(len(value or ()) for value in values)], dtype=np.int32)
