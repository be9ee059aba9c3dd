# SPDX-License-Identifier: BSD-2-Clause
"""Which rows of a column have a value that `where` asks for."""

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.columns.vectors import Vector, Words


def any_of(value: Any) -> list[Any]:
    """The values that one of `where` asks for."""
    if isinstance(value, np.ma.MaskedArray):
        value = value.compressed()  # a null equals nothing
    several = isinstance(value, Collection) and not isinstance(value, str | bytes)
    return list(value) if several else [value]


def equals(column: Vector, values: list[Any]) -> npt.NDArray[np.bool_]:
    """Whether each row has one of these; words are compared by their code, not as text."""
    if isinstance(column, Words):
        wanted = [code for code, word in enumerate(column.words) if word in values]
        same = np.isin(column.codes, wanted)
    else:
        known = [value for value in values if value is not None]
        of_rows = column.to_numpy()
        same = of_rows == known[0] if len(known) == 1 else np.isin(of_rows, known)
    return same if column.valid is None else same & column.valid
