# SPDX-License-Identifier: BSD-2-Clause
"""Rows as light as their columns: what is kept of tables that may have many, until the end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.vectors import Numbers, Valid, Vector, Words

#: A row by the names of its columns, whether a `dict` or a place in packed columns.
AnyRow = Mapping[str, Any]

#: Values of a column in some rows: numbers, or places in its list of words; False where null.
_Part = tuple[npt.NDArray[Any], Valid]
#: In all rows, with the words.
_Packed = tuple[npt.NDArray[Any], Valid, Sequence[str] | None]


class LightRows:
    """Columns of numbers and words to which rows are added.

    Of texts each column has one list of words, to which later rows may add.
    """

    def __init__(self) -> None:
        self._parts: list[dict[str, _Part]] = []
        self._columns: dict[str, _Packed] = {}
        self._words: dict[str, dict[str, int]] = {}

    def add(self, columns: Mapping[str, Vector]) -> None:
        """Rows behind those before, with the same columns."""
        self._parts.append({name: self._part(name, column) for name, column in columns.items()})

    def rows(self) -> Iterator["LightRow"]:
        """Each of them, a few dozen bytes; nothing is added afterwards."""
        if self._parts:
            self._columns = {name: self._joined(name) for name in list(self._parts[0])}
            self._parts = []
        length = len(next(iter(self._columns.values()))[0]) if self._columns else 0
        return (LightRow(self._columns, at) for at in range(length))

    def _part(self, name: str, column: Vector) -> _Part:
        match column:
            case Words(codes=codes, words=words):
                numbers = self._words.setdefault(name, {})
                same = np.array([numbers.setdefault(word, len(numbers)) for word in words] or [0])
                there = codes if column.valid is None else np.where(column.valid, codes, 0)
                packed = same[there].astype(np.uint8 if len(numbers) <= 256 else np.uint32)
                return packed, column.valid
            case Numbers(values=values):
                return values.copy(), column.valid
        raise TypeError(f"{name} is neither numbers nor words")

    def _joined(self, name: str) -> _Packed:
        parts = [part.pop(name) for part in self._parts]
        values = np.concatenate([values for values, _ in parts])
        valid = None
        if any(there is not None for _, there in parts):
            valid = np.concatenate([_all_or(there, len(values)) for values, there in parts])
        return values, valid, list(self._words[name]) if name in self._words else None


def _all_or(valid: Valid, length: int) -> npt.NDArray[np.bool_]:
    return np.ones(length, np.bool_) if valid is None else valid


class LightRow(AnyRow):
    """A place in packed columns, with the values that Python has."""

    __slots__ = ("_at", "_columns")

    def __init__(self, columns: Mapping[str, _Packed], at: int) -> None:
        self._columns = columns
        self._at = at

    def __getitem__(self, name: str) -> Any:
        values, valid, words = self._columns[name]
        if valid is not None and not valid.item(self._at):
            return None
        value = values.item(self._at)
        return value if words is None else words[value]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
