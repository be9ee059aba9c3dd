# SPDX-License-Identifier: BSD-2-Clause
"""Rows of several captures as one batch: a small capture has few rows in many tables, and to make
columns of a table takes as long for all of them as for one.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from sctp_rack.binding.rows import NO_PATH, Batch
from sctp_rack.columns.layout import LAYOUTS

#: What a batch holds beside its rows, and the fields of rows that are places in it.
_PLACES = {"numbers": {"lists", "reneged"}, "text": {"text", "a", "b"}, "paths": {"path"}}


def joined(table: str, batches: Sequence[Batch]) -> Batch:
    """The rows of `table` alone, in their order."""
    content = bytearray().join(batch.tables[table].tobytes() for batch in batches)
    rows = np.frombuffer(content, LAYOUTS[table].dtype)
    counts = [len(batch.tables[table]) for batch in batches]
    for pool, fields in _PLACES.items():
        lengths = [len(getattr(batch, pool)) for batch in batches]
        begins = np.repeat([0, *accumulate(lengths[:-1])], counts)
        for name in fields & set(rows.dtype.names or ()):
            there = rows[name] != NO_PATH if pool == "paths" else slice(None)
            rows[name][there] += begins[there].astype(rows.dtype[name])
    return Batch(
        {table: rows},
        np.concatenate([batch.numbers for batch in batches]),
        b"".join(batch.text for batch in batches),
        np.concatenate([batch.paths for batch in batches]),
    )
