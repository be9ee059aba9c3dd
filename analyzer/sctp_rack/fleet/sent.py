# SPDX-License-Identifier: BSD-2-Clause
"""What was sent, summed by all that fleets are asked for: a row for each of few combinations, where
`transmissions` has one for each chunk. Both give the same answers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.arrow import some_columns
from sctp_rack.fleet.arrays import strings, whole_numbers
from sctp_rack.fleet.rows import SENT_BY, schema
from sctp_rack.names import Kind

import pyarrow as pa  # isort: skip, behind what says how to install it
import pyarrow.compute as pc  # isort: skip

#: The table that it takes, and what is summed.
TABLE = "transmissions"
_SUMMED = "bytes"

#: Combinations that numbers of 64 bits tell apart.
_MOST = 1 << 62

#: What the capture or the network repeats was not sent.
_REPEATED = strings([Kind.CAPTURE_DUPLICATE, Kind.NETWORK_DUPLICATE])


def sent_of(names: Any, rows: Batch) -> Any:
    """A table of Arrow; `names` are those of the capture of each row."""
    told = some_columns(TABLE, (*SENT_BY, _SUMMED), rows).add_column(0, "capture", names)
    told = told.cast(
        pa.schema(
            pa.field(one.name, pa.string() if pa.types.is_dictionary(one.type) else one.type)
            for one in told.schema
        )
    )
    was_sent = pc.and_(
        pc.is_valid(told["assoc"]), pc.invert(pc.is_in(told["kind"], value_set=_REPEATED))
    )
    told = told.filter(was_sent)
    return _summed(told.append_column("chunks", whole_numbers(np.ones(len(told), np.int64))))


def together(parts: Sequence[Any]) -> Any:
    """One of several."""
    return _summed(pa.concat_tables(parts))


def _summed(told: Any) -> Any:
    names = ["capture", *SENT_BY]
    _, first, group = np.unique(_codes(told, names), return_index=True, return_inverse=True)
    sums = told.select(names).take(whole_numbers(first))
    for name in ("chunks", _SUMMED):
        sums = sums.append_column(name, whole_numbers(_sums(told[name], group, len(first))))
    sums = sums.sort_by([(name, "ascending") for name in names])  # else by what came first
    wanted = schema("sent")
    return pa.table([sums[one.name].cast(one.type) for one in wanted], wanted)


def _codes(told: Any, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The same number for rows that are alike in these columns.

    Arrow's own `group_by` imports its datasets, and they pandas (see `arrays`).
    """
    codes, different = np.zeros(len(told), np.int64), 1
    for name in names:
        found = pc.dictionary_encode(told[name].combine_chunks(), null_encoding="encode")
        if different * len(found.dictionary) > _MOST:
            _, codes = np.unique(codes, return_inverse=True)
            different = len(told)
        codes = codes * len(found.dictionary) + _numbers(found.indices)
        different *= len(found.dictionary)
    return codes


def _sums(column: Any, group: npt.NDArray[np.intp], groups: int) -> npt.NDArray[np.int64]:
    """Of each group, of a column in which nothing is null."""
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, group, _numbers(column.combine_chunks()))
    return sums


def _numbers(values: Any) -> npt.NDArray[np.int64]:
    """Those of an array in which nothing is null; `to_numpy()` would import pandas, too."""
    whole = values.cast(pa.int64())
    return np.frombuffer(whole.buffers()[1], np.int64)[whole.offset :][: len(whole)]
