# SPDX-License-Identifier: BSD-2-Clause
"""Where the rows of a capture go: into files as they come, or into those that it shares."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.arrow import record_batch
from sctp_rack.fleet import sent
from sctp_rack.fleet.arrays import repeated, strings, whole_numbers
from sctp_rack.fleet.dataset import ROWS, Unfinished
from sctp_rack.fleet.joined import joined
from sctp_rack.fleet.rows import schema

import pyarrow as pa  # isort: skip, behind what says how to install it

#: Of the rows of one of several captures; larger ones are written as they come.
_MEMORY = 64 << 20  # bytes


class Takes(Protocol):
    """Where the rows of a capture go."""

    def add(self, batch: Batch) -> None: ...
    def end(self, recoveries: Any | None) -> None: ...


class Written:
    """To files, as they come."""

    def __init__(self, files: Unfinished, tables: Sequence[str], capture: str) -> None:
        self._files, self._tables, self._capture = files, tables, capture
        self._sent = list[Any]()

    def add(self, batch: Batch) -> None:
        for part in batch.parts(sent.TABLE, ROWS):
            names = repeated(self._capture, len(part.tables[sent.TABLE]))
            self._sent.append(sent.sent_of(names, part))
        for table in self._tables:
            for part in batch.parts(table, ROWS):
                self._files.write(
                    table, _named(repeated(self._capture, len(part.tables[table])), table, part)
                )

    def end(self, recoveries: Any | None) -> None:
        if recoveries is not None:
            self._files.write("recoveries", recoveries)
        if self._sent:
            self._files.write("sent", sent.together(self._sent))


class TooLargeError(Exception):
    """Rows that are not to be kept in memory."""


class Kept:
    """Rows of a small capture."""

    def __init__(self) -> None:
        self.batches, self.recoveries = list[Batch](), list[Any]()
        self._bytes = 0

    def add(self, batch: Batch) -> None:
        self._bytes += len(batch.text) + batch.numbers.nbytes + batch.paths.nbytes
        self._bytes += sum(rows.nbytes for rows in batch.tables.values())
        if self._bytes > _MEMORY:
            raise TooLargeError
        self.batches.append(batch)

    def end(self, recoveries: Any | None) -> None:
        if recoveries is not None:
            self.recoveries.append(recoveries)


def write_all(files: Unfinished, table: str, gathered: Sequence[tuple[str, Batch]]) -> None:
    """The rows of captures, each with its name."""
    if together := _together(table, gathered):
        files.write(table, _named(together[0], table, together[1]))


def write_sent(files: Unfinished, gathered: Sequence[tuple[str, Batch]]) -> None:
    """What captures sent."""
    if together := _together(sent.TABLE, gathered):
        files.write("sent", sent.sent_of(*together))


def _together(table: str, gathered: Sequence[tuple[str, Batch]]) -> tuple[Any, Batch] | None:
    """The rows of captures, and for each the name of its capture; None where there are none."""
    some = [(name, batch) for name, batch in gathered if len(batch.tables[table])]
    if not some:
        return None
    counts = [len(batch.tables[table]) for _, batch in some]
    names = strings([name for name, _ in some])
    batch = joined(table, [batch for _, batch in some])
    return names.take(whole_numbers(np.repeat(np.arange(len(some)), counts))), batch


def _named(names: Any, table: str, rows: Batch) -> Any:
    """A table of Arrow: rows, each with the name of its capture."""
    return (
        pa.Table.from_batches([record_batch(table, rows)])
        .add_column(0, "capture", names)
        .cast(schema(table))
    )
