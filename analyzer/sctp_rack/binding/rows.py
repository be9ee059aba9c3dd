# SPDX-License-Identifier: BSD-2-Clause
"""Rows as the core writes them: structured arrays of C structs, and the pools they point into."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi

Rows = npt.NDArray[np.void]

#: Where the core has no time: its SR_NO_TIME.
NO_TIME = -(1 << 63)
#: In a row of an association beyond the limit: its SR_NO_ASSOCIATION.
NO_ASSOCIATION = (1 << 32) - 1
#: In a row whose path has no number: its SR_NO_PATH.
NO_PATH = (1 << 32) - 1
#: Where an enum has no word.
NO_WORD = 255

#: Two addresses, each 16 bytes and a family.
PATH = np.dtype("V34")

_FORMATS = {
    "uint64_t": "u8",
    "int64_t": "i8",
    "uint32_t": "u4",
    "uint16_t": "u2",
    "uint8_t": "u1",
    "double": "f8",
    "float": "f4",
}


@dataclass(frozen=True)
class Batch:
    """Rows of one or more tables as structured arrays with the fields of the C rows.

    Each table is in the order of its frames, on its own: rows of `chunks` come as the input is
    read, all others after its end, judged. `numbers` holds the lists of SACKs, `text` the JSON of
    control chunks, `paths` the 34 bytes of each path so far; rows refer to all three by index.
    """

    tables: dict[str, Rows]
    numbers: npt.NDArray[np.uint32]
    text: bytes
    paths: npt.NDArray[np.void]

    def parts(self, table: str, most_rows: int) -> Iterator["Batch"]:
        """The rows of `table` alone, at most so many at once; none where it has none."""
        rows = self.tables[table]
        for at in range(0, len(rows), most_rows):
            yield replace(self, tables={table: rows[at : at + most_rows]})


def narrowed(rows: Rows, fields: Sequence[str]) -> Rows:
    """A copy with some of the fields, without the room of the others."""
    kept = np.empty(len(rows), dtype=[(field, rows.dtype[field]) for field in fields])
    for field in fields:
        kept[field] = rows[field]
    return kept


def row_dtype(c_type: str) -> np.dtype[np.void]:
    """The numpy type of a C row: its fields at their offsets."""
    return narrow_dtype(c_type, [name for name, _ in ffi.typeof(c_type).fields])


def narrow_dtype(c_type: str, names: Sequence[str]) -> np.dtype[np.void]:
    """Likewise, of some fields in this order."""
    fields = dict(ffi.typeof(c_type).fields)
    return np.dtype(
        {
            "names": list(names),
            "formats": [_FORMATS[fields[name].type.cname] for name in names],
            "offsets": [fields[name].offset for name in names],
            "itemsize": ffi.sizeof(c_type),
        }
    )
