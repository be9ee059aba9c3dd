# SPDX-License-Identifier: BSD-2-Clause
"""The schema of each table as the page writes it in Parquet: that of columns/arrow.py.

Arrow's own schema goes along as text, as its writers do: by it words are read as dictionaries.
"""

import base64
from typing import Any

import pyarrow as pa
from sctp_rack.columns.arrow import schema_of

_Element = dict[str, Any]

#: Converted types alone: hyparquet-writer 0.17.0 writes the width of an integer's logical type as
#: 32 bits, where the format has 8, and nobody reads such a file.
_PLAIN: dict[Any, _Element] = {
    pa.uint32(): {"type": "INT32", "converted_type": "UINT_32"},
    pa.uint64(): {"type": "INT64", "converted_type": "UINT_64"},
    pa.int64(): {"type": "INT64"},
    pa.float64(): {"type": "DOUBLE"},
    pa.bool_(): {"type": "BOOLEAN"},
    pa.string(): {"type": "BYTE_ARRAY", "converted_type": "UTF8"},
}


def _elements(name: str, arrow_type: Any) -> list[_Element]:
    """In the order of the file: a group, then what is in it."""
    element: _Element = {"name": name, "repetition_type": "OPTIONAL"}
    if pa.types.is_dictionary(arrow_type):
        return _elements(name, arrow_type.value_type)
    if pa.types.is_list(arrow_type):
        told = {"converted_type": "LIST", "num_children": 1}
        repeated = {"name": "list", "repetition_type": "REPEATED", "num_children": 1}
        return [element | told, repeated, *_elements("element", arrow_type.value_type)]
    if pa.types.is_struct(arrow_type):
        inside = [part for field in arrow_type for part in _elements(field.name, field.type)]
        return [element | {"num_children": len(arrow_type)}, *inside]
    return [element | _PLAIN[arrow_type]]


def parquet_schema(table: str) -> dict[str, Any]:
    """Its elements, Arrow's schema in base 64, and of each column how a text becomes its value."""
    schema = schema_of(table)
    elements = [part for field in schema for part in _elements(field.name, field.type)]
    return {
        "elements": [{"name": "schema", "num_children": len(schema)}, *elements],
        "arrow": base64.b64encode(schema.serialize().to_pybytes()).decode(),
        "values": [_value(field.type) for field in schema],
    }


def _value(arrow_type: Any) -> str:
    """The name of a function of page/worker/parquet.js."""
    if pa.types.is_list(arrow_type):
        return "spans" if pa.types.is_struct(arrow_type.value_type) else "list"
    if pa.types.is_boolean(arrow_type):
        return "bool"
    if arrow_type in (pa.int64(), pa.uint64()):
        return "long"
    return "number" if arrow_type in (pa.uint32(), pa.float64()) else "text"
