# SPDX-License-Identifier: BSD-2-Clause
"""Arrays whose index is the number of something, and which grow with the highest number.

Where few numbers have anything, what they have stands side by side, and the index leads there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt


def grown(values: npt.NDArray[Any], highest: int, missing: int = 0) -> npt.NDArray[Any]:
    """With a place for `highest`; places that are new have `missing`."""
    if highest < len(values):
        return values
    # Zeros that nobody has looked at take no memory, which those that are copied would.
    more = np.zeros(max(highest + 1, len(values) + len(values) // 4), values.dtype)
    more[: len(values)] = values
    if missing:
        more[len(values) :] = missing
    return more


def joined(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """All in one, as `np.concatenate`, but each is given up once it was copied: none is left."""
    whole = np.empty(sum(map(len, parts)), parts[0].dtype)
    at = len(whole)
    while parts:
        part = parts.pop()
        at -= len(part)
        whole[at : at + len(part)] = part
    return whole


class Few:
    """Records of some numbers, zero at first; four bytes for each number that has none."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        #: 1 + the place of its record; 0: it has none.
        self._places = np.zeros(0, np.uint32)
        self._records = np.zeros(0, kind)
        self._count = 0

    def to_change(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Where in `records` those of some numbers are; who has none has one now.

        Ask for `records` afterwards: they may have moved.
        """
        self._places = grown(self._places, int(numbers.max(initial=-1)))
        new = np.unique(numbers[self._places[numbers] == 0])
        if len(new):
            self._records = grown(self._records, self._count + len(new) - 1)
            self._places[new] = np.arange(self._count + 1, self._count + len(new) + 1)
            self._count += len(new)
        return self._places[numbers].astype(np.int64) - 1

    @property
    def records(self) -> npt.NDArray[Any]:
        """Those that there are, in the order of their first change; some more lie behind them."""
        return self._records

    def of(self, number: int) -> Any:
        """The record of one; None where it has none."""
        place = int(self._places[number]) if number < len(self._places) else 0
        return self._records[place - 1] if place else None

    def known(self, first: int, beyond: int | None) -> npt.NDArray[np.int64]:
        """Numbers from `first` to before `beyond` that have one, in their order."""
        there: npt.NDArray[np.int64] = first + np.flatnonzero(self._places[first:beyond])
        return there
