# SPDX-License-Identifier: BSD-2-Clause
"""The comment of each frame, in the order of the frames: what its transmissions are told.

That a copy was sent again is known only from a later row. So the rows that are told go to a
temporary file first, and of each retransmission 12 bytes stay in memory.
"""

import itertools
import operator
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from sctp_rack.annotate.remark import MARK, is_told, joined, remark
from sctp_rack.binding.rows import PATH, Batch, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.of_rows import column_of
from sctp_rack.errors import StorageError
from sctp_rack.tables import TABLES

_TABLE = "transmissions"
_ROW = LAYOUTS[_TABLE].dtype
_ROWS_AT_ONCE = 8192
#: Without the path, which needs more than the row.
_COLUMNS = [column for column in TABLES[_TABLE] if column.name != "path"]
_NAMES = [column.name for column in _COLUMNS]

_RESENT = np.dtype([("frame", "u4"), ("tsn", "u4"), ("by", "u4")])


def comments(
    batches: Iterable[Batch],
    every: bool = False,
    chosen: Callable[[Batch], Batch] = lambda batch: batch,
) -> Iterator[tuple[int, str]]:
    """Frame and comment, by frame; `batches` have the rows of `transmissions` and are read at once.

    `every` is for a comment on each DATA or I-DATA chunk instead of those out of the ordinary.
    `chosen` leaves out rows that get none; what was sent again later is known of the others all the
    same. Raises `StorageError` where the temporary file cannot be written.
    """
    told = tempfile.TemporaryFile()  # noqa: SIM115, open until the comments were asked for
    resends = [np.zeros(0, _RESENT)]
    try:
        for batch in batches:
            rows = chosen(batch).tables[_TABLE]
            _keep(told, rows if every else rows[is_told(rows)])
            resends.append(_resends(batch.tables[_TABLE]))
        told.seek(0)
    except BaseException:
        told.close()
        raise
    resent = np.concatenate(resends)
    resent.sort(order=["frame", "tsn"])
    return _by_frame(_remarks(told, resent))


def _keep(told: BinaryIO, rows: Rows) -> None:
    try:
        told.write(rows.tobytes())
        told.flush()
    except OSError as error:
        raise StorageError(
            f"cannot keep rows in {tempfile.gettempdir()}: {os.strerror(error.errno or 0)}"
        ) from error


def _resends(rows: Rows) -> npt.NDArray[np.void]:
    """Of which frame's TSN each retransmission is the next copy."""
    again = rows[
        (rows["kind"] == words_of("kind").index("retransmission")) & (rows["prev_frame"] > 0)
    ]
    resent = np.zeros(len(again), _RESENT)
    resent["frame"], resent["tsn"], resent["by"] = again["prev_frame"], again["tsn"], again["frame"]
    return resent


def _remarks(told: BinaryIO, resent: npt.NDArray[np.void]) -> Iterator[tuple[int, str]]:
    """Frame and text of each row in `told`, which it closes."""
    copies = resent["frame"].astype(np.uint64) << np.uint64(32) | resent["tsn"]
    with told:
        while piece := told.read(_ROWS_AT_ONCE * _ROW.itemsize):
            rows = np.frombuffer(piece, _ROW)
            wanted = rows["frame"].astype(np.uint64) << np.uint64(32) | rows["tsn"]
            at = np.searchsorted(copies, wanted)
            there = at < len(copies)
            there[there] = copies[at[there]] == wanted[there]
            batch = Batch({_TABLE: rows}, np.zeros(0, np.uint32), b"", np.zeros(0, PATH))
            values = zip(*(column_of(_TABLE, column, batch) for column in _COLUMNS), strict=True)
            for each, index, found in zip(values, at.tolist(), there.tolist(), strict=True):
                row = dict(zip(_NAMES, each, strict=True))
                yield row["frame"], remark(row, int(resent["by"][index]) if found else None)


def _by_frame(remarks: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for frame, group in itertools.groupby(remarks, key=operator.itemgetter(0)):
        yield frame, MARK + joined([text for _, text in group])
