# SPDX-License-Identifier: BSD-2-Clause
"""Which rows of a table are of which direction, found once for all of them.

Looking through a whole table for each of ten thousand associations takes their number squared.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.words import words_of

Places = npt.NDArray[np.integer]


class DirectionRows:
    """Of the columns `dir`, as codes, and `assoc` of a table."""

    def __init__(self, codes: npt.NDArray[np.integer], associations: npt.NDArray[Any]) -> None:
        keys = np.ma.getdata(associations).astype(np.int64) * 2 + codes
        keys[(codes < 0) | np.ma.getmaskarray(associations)] = -1
        self._order: Places | None = None
        if len(keys) and (keys != keys[0]).any():
            self._order = np.argsort(keys, kind="stable").astype(np.int32)  # rows are below 2^30
            keys = keys[self._order]
        begins = np.flatnonzero(np.diff(keys, prepend=-2))
        self._found = keys[begins]
        self._ends = np.append(begins, len(keys))

    def of(self, assoc: int, direction: str) -> Places:
        """Indexes of its rows, in their order."""
        key = assoc * 2 + words_of("dir").index(direction)
        at = int(np.searchsorted(self._found, key))
        if at == len(self._found) or self._found[at] != key:
            return np.zeros(0, np.int32)
        begin, end = self._ends[at : at + 2].tolist()
        return np.arange(begin, end) if self._order is None else self._order[begin:end]
