# SPDX-License-Identifier: BSD-2-Clause
"""The values of one column in numpy arrays, whatever their type: what every output is made from."""

import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Valid = npt.NDArray[np.bool_] | None
Indexes = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Vector(ABC):
    """One value for each row; `valid` is False where it is null, None where nothing is."""

    valid: Valid

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def to_numpy(self) -> npt.NDArray[Any]:
        """An array of the values; what stands where they are null means nothing."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """Values as Python has them, None where they are null."""
        values = self._values()
        for at in self.nulls():
            values[at] = None
        return values

    def _values(self) -> list[Any]:
        return listed(self.to_numpy())

    def is_null(self) -> npt.NDArray[np.bool_]:
        """For each row."""
        return np.zeros(len(self), dtype=np.bool_) if self.valid is None else ~self.valid

    def nulls(self) -> list[int]:
        """The rows where it is null."""
        return [] if self.valid is None else listed(np.flatnonzero(~self.valid))

    def where(self, valid: npt.NDArray[np.bool_]) -> Self:
        """The same, and null where `valid` is False."""
        if valid.all():
            return self
        return replace(self, valid=valid if self.valid is None else self.valid & valid)


@dataclass(frozen=True, eq=False)
class Nulls(Vector):
    """Nothing but nulls."""

    length: int

    def __len__(self) -> int:
        return self.length

    def to_numpy(self) -> npt.NDArray[Any]:
        return np.full(self.length, None, dtype=object)

    def is_null(self) -> npt.NDArray[np.bool_]:
        return np.ones(self.length, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Numbers(Vector):
    """Numbers, or bools."""

    values: npt.NDArray[Any]

    def __len__(self) -> int:
        return len(self.values)

    def to_numpy(self) -> npt.NDArray[Any]:
        return self.values


@dataclass(frozen=True, eq=False)
class Words(Vector):
    """Indexes into `words`: of an enum, or of texts that repeat. Where null they may be any."""

    codes: Indexes
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.codes)

    def to_numpy(self) -> npt.NDArray[Any]:
        codes = self.codes if self.valid is None else np.where(self.valid, self.codes, 0)
        return np.array(self.words or [""])[codes]

    def _values(self) -> list[Any]:
        return self.spelled([*self.words, None])

    def spelled(self, words: Sequence[str | None]) -> list[Any]:
        """One of `words` for each row, the last of them where it is null."""
        codes = self.codes.astype(np.intp)
        if self.valid is not None:
            codes[~self.valid] = -1
        return listed(np.array(words, dtype=object)[codes])


@dataclass(frozen=True, eq=False)
class Spans(Vector):
    """Pairs [first, last], one in each row of a two-dimensional array."""

    values: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.values)

    def to_numpy(self) -> npt.NDArray[Any]:
        return self.values


@dataclass(frozen=True, eq=False)
class Lists(Vector):
    """Of the items, those from `offsets[row]` to before `offsets[row + 1]`."""

    offsets: npt.NDArray[np.int32]
    items: Numbers | Words | Spans

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def to_numpy(self) -> npt.NDArray[Any]:
        return _objects(self.items.to_numpy(), self.offsets)

    def _values(self) -> list[Any]:
        return list(_objects(self.items.tolist(), self.offsets))


@dataclass(frozen=True, eq=False)
class Texts(Vector):
    """JSON in UTF-8: of the bytes, those from `offsets[row]` to before `offsets[row + 1]`."""

    offsets: npt.NDArray[np.int32]
    data: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def texts(self) -> list[str]:
        """Each as it is, empty where it is null."""
        text = self.data.tobytes().decode()
        ends = self.offsets.tolist()
        return [text[at:end] for at, end in itertools.pairwise(ends)]

    def to_numpy(self) -> npt.NDArray[Any]:
        return np.array(self.tolist(), dtype=object)

    def _values(self) -> list[Any]:
        return [json.loads(text) if text else None for text in self.texts()]


def listed(values: npt.NDArray[Any]) -> list[Any]:
    """The values as Python has them."""
    python: list[Any] = values.tolist()
    return python


def gather(pool: npt.NDArray[Any], starts: Indexes, counts: Indexes) -> tuple[Any, Any]:
    """Runs of `pool`, one behind the other, and the offset of each (and the end)."""
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    shifts = np.repeat(starts.astype(np.int64) - offsets[:-1], counts)
    return pool[np.arange(offsets[-1]) + shifts], offsets.astype(np.int32)


def _objects(items: Any, offsets: Indexes) -> npt.NDArray[Any]:
    ends = offsets.tolist()
    objects = np.empty(len(ends) - 1, dtype=object)
    for row, (at, end) in enumerate(itertools.pairwise(ends)):
        objects[row] = items[at:end]
    return objects
