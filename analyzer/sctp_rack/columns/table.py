# SPDX-License-Identifier: BSD-2-Clause
"""A table of a capture in memory: its columns for numpy, Arrow, pandas and polars."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.direction_rows import DirectionRows, Places
from sctp_rack.columns.drawn import ENDS, drawn
from sctp_rack.columns.equal import any_of, equals
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.moments import Moment, is_moment, nanoseconds, when
from sctp_rack.columns.of_rows import column_of, columns_of
from sctp_rack.columns.vectors import Lists, Nulls, Words
from sctp_rack.columns.worded import worded
from sctp_rack.errors import MissingExtraError
from sctp_rack.tables import TABLES, Column
from sctp_rack.wording.glossary import check_word

_DTYPES = {
    "int": np.uint32,
    "long": np.uint64,
    "float": np.float32,
    "ns": np.int64,
    "bool": np.bool_,
    "str": np.str_,
    "enum": np.str_,
}

#: What `where` takes of columns that hold no words; numpy's own are Reals, too, but for its bools.
_TAKES: dict[str, tuple[type, ...]] = {"bool": (bool, np.bool_), "str": (str,)}

#: A bool for each row.
Mask = npt.NDArray[np.bool_]

_NAT = np.iinfo(np.int64).min

#: A row as NDJSON has it: words as `str`, lists as `list`, absent values None.
Row = dict[str, Any]


def table_of(tables: Mapping[str, "Table"], name: str) -> "Table":
    """The table of this name. Raises `KeyError` where there is none, or where it was not read."""
    if name in tables:
        return tables[name]
    if name in LAYOUTS:
        raise KeyError(f"the table {name} was not read: see `tables` of sctp_rack.read")
    raise KeyError(f"no table {name!r}: there are {', '.join(LAYOUTS)}")


def rows_of(tables: Mapping[str, "Table"], names: Sequence[str]) -> Iterator[Batch]:
    """The rows of some tables as a session hands them out, one table after the other.

    What needs `transmissions` last has them last where they are named last. Raises `KeyError` for a
    table that was not read.
    """
    wanted = [(name, table_of(tables, name)) for name in names]
    none = {name: np.zeros(0, LAYOUTS[name].dtype) for name in names}
    for name, table in wanted:
        for batch in table.batches:
            yield replace(batch, tables={**none, name: batch.tables[name]})


class Table:
    """Rows of one table of docs/tables.md, sorted by (frame, chunk).

    It holds the core's rows, which have a fixed width of a few dozen bytes; columns are made from
    them when they are asked for. Polars and whatever else takes the Arrow PyCapsule interface read
    it as it is: `polars.DataFrame(table)`.
    """

    def __init__(self, name: str, batches: Sequence[Batch], begins_ns: int | None = None) -> None:
        #: Its name in docs/tables.md.
        self.name = name
        #: When the capture begins, ns since the Unix epoch; None where its frames have no times.
        self.begins_ns = begins_ns
        self._batches = [batch for batch in batches if len(batch.tables[name])]
        self._directions: DirectionRows | None = None

    @property
    def batches(self) -> Sequence[Batch]:
        """Its rows as the core wrote them."""
        return self._batches

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return [column.name for column in TABLES[self.name]]

    def __len__(self) -> int:
        return sum(len(batch.tables[self.name]) for batch in self._batches)

    def __iter__(self) -> Iterator[Row]:
        """Rows as NDJSON has them: words as `str`, lists as `list`, absent values None."""
        for batch in self._batches:
            columns = columns_of(self.name, batch)
            for values in zip(*columns.values(), strict=True):
                yield dict(zip(columns, values, strict=True))

    @overload
    def __getitem__(self, wanted: str) -> npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, wanted: slice | Mask) -> "Table": ...
    def __getitem__(self, wanted: str | slice | Mask) -> Any:
        """A column by its name, or some of the rows: `table["tsn"]`, `table[:10]`, `table[mask]`.

        A mask is an array with a bool for each row, as `table["bytes"] > 500` is; of a null it says
        nothing, and the row is left out.

        A column has the shape `(len(table),)` and is a `numpy.ma.MaskedArray` where some of it is
        null. Integers are uint32 (uint64 where the core counts further), times int64 nanoseconds,
        words and paths `str`; a list column holds an array for each row, ranges with the shape
        `(n, 2)`: first and last TSN, inclusive. To compare words (`==`, `!=`) with one that the
        column never has raises `ValueError` with those that it has.

        Raises `KeyError` for an unknown name, `ValueError` for a step between rows and for a mask
        that is none of this table.
        """
        if isinstance(wanted, str):
            return self._values(wanted)
        return self._rows(wanted) if isinstance(wanted, slice) else self.where(wanted)

    def _rows(self, wanted: slice) -> "Table":
        first, end, step = wanted.indices(len(self))
        if step != 1:
            raise ValueError("rows have no step")
        kept = []
        for batch in self._batches:
            rows = batch.tables[self.name]
            kept.append(replace(batch, tables={self.name: rows[max(first, 0) : max(end, 0)]}))
            first, end = first - len(rows), end - len(rows)
        return self._with(kept)

    def _values(self, name: str) -> npt.NDArray[Any]:
        column = self._column(name)
        vectors = [column_of(self.name, column, batch) for batch in self._batches]
        dtype = np.dtype(_DTYPES.get(column.type.partition(":")[0], np.object_))
        parts = [
            np.zeros(len(one), dtype) if isinstance(one, Nulls) else one.to_numpy()
            for one in vectors
        ]
        values = np.concatenate(parts) if parts else np.zeros(0, dtype)
        if column.type.startswith("enum:"):
            values = worded(values, f"{self.name}.{name}", column.type.removeprefix("enum:"))
        nulls = [one.is_null() for one in vectors]
        if not any(part.any() for part in nulls):
            return values
        return np.ma.MaskedArray(values, np.concatenate(nulls))

    def codes(self, name: str) -> npt.NDArray[np.int16]:
        """A column of an enum as indexes into the words of docs/tables.md, -1 where it is null.

        Words of a million rows take 80 MB as `str`, and 2 MB so. Raises `KeyError` for an unknown
        column, `TypeError` for one that is no enum.
        """
        column = self._column(name)
        if not column.type.startswith("enum:"):
            raise TypeError(f"{self.name}.{name} is no enum")
        parts = [np.zeros(0, np.int16)]
        for batch in self._batches:
            values = column_of(self.name, column, batch)
            codes = np.full(len(values), -1, np.int16)
            if isinstance(values, Words):
                known = ~values.is_null()
                codes[known] = values.codes[known]
            parts.append(codes)
        return np.concatenate(parts)

    def items(self, name: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """The elements of a list column one behind the other: the row of each, and its value.

        Values have the shape `(n,)`, ranges `(n, 2)`; rows count from 0. Raises `KeyError` for an
        unknown column, `TypeError` for one without lists.
        """
        column = self._column(name)
        if not column.type.startswith(("list:", "flags:")):
            raise TypeError(f"{self.name}.{name} holds no lists")
        rows, values, before = [np.zeros(0, np.int64)], [], 0
        for batch in self._batches:
            lists = column_of(self.name, column, batch)
            if isinstance(lists, Lists):
                counts = np.diff(lists.offsets)
                rows.append(before + np.repeat(np.arange(len(lists)), counts))
                values.append(lists.items.to_numpy())
            before += len(lists)
        shape = (0, 2) if column.type == "list:range" else (0,)
        return np.concatenate(rows), np.concatenate(values) if values else np.zeros(shape, object)

    def lengths(self, name: str) -> npt.NDArray[np.int64]:
        """How many elements each row of a list column has; it raises what `items` raises."""
        counts = [np.zeros(0, np.int64)]
        for part in self.parts():
            rows, _ = part.items(name)
            counts.append(np.bincount(rows, minlength=len(part)))
        return np.concatenate(counts)

    def where(self, *masks: Mask, **equal: Any) -> "Table":
        """The rows that every mask keeps and whose columns have these values.

        `where(table["bytes"] > 500, dir="a2b", verdict=["needed", "undetermined"])`: of a list, any
        of its values. A null equals nothing. Raises `KeyError` for an unknown column, `ValueError`
        for a word that the column never has and for a mask that is none of this table, `TypeError`
        for a column that holds lists or JSON, and for a text where a column holds numbers.
        """
        kept = self.equal(**equal)
        for mask in masks:
            kept &= self._checked(mask)
        return self.kept(kept)

    def equal(self, **equal: Any) -> npt.NDArray[np.bool_]:
        """For each row whether `where` keeps it, and raises what it raises."""
        columns = [(self._column(name), any_of(value)) for name, value in equal.items()]
        for column, values in columns:
            kind, _, enum = column.type.partition(":")
            if kind not in _DTYPES:
                raise TypeError(f"{self.name}.{column.name} holds no single values: see items()")
            for value in values:
                if kind == "enum":
                    check_word(f"{self.name}.{column.name}", enum, value)
                elif value is not None and not isinstance(value, _TAKES.get(kind, Real)):
                    raise TypeError(f"{self.name}.{column.name} is of type {kind}: not {value!r}")
        kept = [np.zeros(0, dtype=np.bool_)]
        for batch in self._batches:
            part = np.ones(len(batch.tables[self.name]), dtype=np.bool_)
            for column, values in columns:
                part &= equals(column_of(self.name, column, batch), values)
            kept.append(part)
        return np.concatenate(kept)

    def _checked(self, mask: Mask) -> npt.NDArray[np.bool_]:
        values = np.ma.filled(mask, False) if isinstance(mask, np.ma.MaskedArray) else mask
        bools = np.asarray(values)
        if bools.dtype != np.bool_ or bools.shape != (len(self),):
            raise ValueError(
                f"a mask has a bool for each of {len(self):,} rows: this one is {bools.dtype} of "
                f"shape {bools.shape}"
            )
        return bools

    def between(self, begin: Moment | None = None, end: Moment | None = None) -> "Table":
        """The rows from `begin` up to `end`, both inclusive, by `time_ns`.

        Both are seconds since the first frame of the capture, as `plot` has them, or datetimes,
        which are UTC unless they say otherwise; None: all. Rows of `messages` are when they were
        sent, of `probes` where the silence begins, of `limits` where they begin. Raises `TypeError`
        for a table without times and for what is no moment, `ValueError` where `end` is before
        `begin`.
        """
        return self.kept(self.within(begin, end))

    def within(self, begin: Moment | None, end: Moment | None) -> npt.NDArray[np.bool_]:
        """For each row whether `between` keeps it, and raises what it raises."""
        name = when(self.name)
        if name is None:
            raise TypeError(f"the rows of {self.name} are of no time")
        ends = (begin, end)
        first, last = (
            one if one is None else nanoseconds(one, self.begins_ns or 0) for one in ends
        )
        if first is not None and last is not None and first > last:
            raise ValueError(f"{begin} is behind {end}")
        times = self[name]
        kept = np.ones(len(times), np.bool_)
        if first is not None:
            kept &= np.ma.filled(times >= first, False)
        if last is not None:
            kept &= np.ma.filled(times <= last, False)
        return kept

    def datetimes(self, name: str) -> npt.NDArray[np.datetime64]:
        """A column that says when something was as `datetime64[ns]`, UTC; a null is NaT.

        Raises `KeyError` for an unknown column, `TypeError` for one of another kind.
        """
        times = self._nanoseconds(name)
        if not is_moment(self.name, name):
            raise TypeError(f"{self.name}.{name} says how long, not when")
        return np.where(np.ma.getmaskarray(times), _NAT, np.ma.getdata(times)).view("M8[ns]")

    def seconds(self, name: str) -> npt.NDArray[np.float64]:
        """A column of nanoseconds in seconds; a null is NaN.

        What says when something was counts from the first frame of the capture. Raises `KeyError`
        for an unknown column, `TypeError` for one of another kind.
        """
        times = self._nanoseconds(name)
        since = (self.begins_ns or 0) if is_moment(self.name, name) else 0
        taken = (np.ma.getdata(times) - since) / 1e9
        return np.where(np.ma.getmaskarray(times), np.nan, taken)

    def _nanoseconds(self, name: str) -> npt.NDArray[np.int64]:
        if self._column(name).type != "ns":
            raise TypeError(f"{self.name}.{name} holds no nanoseconds")
        return self[name]

    def kept(self, rows: npt.NDArray[np.bool_]) -> "Table":
        """The rows at which `rows`, one bool for each, is True."""
        batches, at = [], 0
        for batch in self._batches:
            part = batch.tables[self.name]
            mine = rows[at : at + len(part)]
            same = bool(mine.all())
            batches.append(batch if same else replace(batch, tables={self.name: part[mine]}))
            at += len(part)
        return self._with(batches)

    def parts(self) -> Iterator["Table"]:
        """The same rows in several tables one behind the other: some thousands with lists each."""
        for batch in self._batches:
            yield self._with([batch])

    def of_direction(self, assoc: int, direction: str) -> Places:
        """The indexes of the rows that `where(assoc=…, dir=…)` keeps; soon told for each of many.

        Raises `KeyError` for a table without these columns.
        """
        if self._directions is None:
            self._directions = DirectionRows(self.codes("dir"), self["assoc"])
        return self._directions.of(assoc, direction)

    def taken(self, rows: Places) -> "Table":
        """The rows with these indexes, which ascend."""
        batches, begin = [], 0
        lengths = [len(batch.tables[self.name]) for batch in self._batches]
        ends = np.searchsorted(rows, np.cumsum(lengths)).tolist()
        before = 0
        for batch, length, end in zip(self._batches, lengths, ends, strict=True):
            part = batch.tables[self.name]
            if end - begin == length:
                batches.append(batch)
            elif end > begin:
                mine = part[rows[begin:end] - before]
                batches.append(replace(batch, tables={self.name: mine}))
            begin, before = end, before + length
        return self._with(batches)

    def _with(self, batches: Sequence[Batch]) -> "Table":
        return Table(self.name, batches, self.begins_ns)

    def _column(self, name: str) -> Column:
        for column in TABLES[self.name]:
            if column.name == name:
                return column
        raise KeyError(f"{self.name} has no column {name!r}: it has {', '.join(self.columns)}")

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` with the types of docs/tables.md. Needs the extra `arrow`."""
        return self._reader().read_all()

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`. Needs the extra `arrow`, and pandas.

        Words are categories. Numbers, bools and lists stay in Arrow's memory
        (`pandas.ArrowDtype`), so that a TSN with nulls beside it does not become a float.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise MissingExtraError("this needs `pip install pandas pyarrow`") from error
        from sctp_rack.columns.arrow import in_pandas

        return self.to_arrow().to_pandas(
            types_mapper=lambda kind: pd.ArrowDtype(kind) if in_pandas(kind) else None
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's C stream in a PyCapsule (the Arrow PyCapsule interface), batch by batch."""
        return self._reader().__arrow_c_stream__(requested_schema)

    def _reader(self) -> Any:
        from sctp_rack.columns.arrow import reader

        return reader(self.name, self._batches)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self):,} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        count = len(self)
        shown = [*self[:ENDS], *self[max(count - ENDS, ENDS) :]]
        return drawn(self.name, shown, self.columns, count)
