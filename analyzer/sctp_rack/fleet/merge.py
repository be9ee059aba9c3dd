# SPDX-License-Identifier: BSD-2-Clause
"""Small segments become larger ones, and rows of captures that are to be read again disappear."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sctp_rack.fleet.arrays import strings
from sctp_rack.fleet.dataset import ROWS, Dataset, Segment, Unfinished, together
from sctp_rack.fleet.rows import NAMES, schema

import pyarrow as pa  # isort: skip, behind what says how to install it
import pyarrow.compute as pc  # isort: skip
import pyarrow.parquet as pq  # isort: skip

#: So many of a size become one, so that each row is written again once for each such factor.
TOGETHER = 32
#: Bytes of a segment that is large enough.
_LARGE = 128 << 20


def to_merge(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Groups of `TOGETHER`, each of captures of about as many."""
    by_size: defaultdict[int, list[Segment]] = defaultdict(list)
    for one in segments:
        if one.bytes < _LARGE:
            by_size[_size(one.captures)].append(one)
    return [
        some[at : at + TOGETHER]
        for some in by_size.values()
        for at in range(0, len(some) - TOGETHER + 1, TOGETHER)
    ]


def merge(dataset: Dataset, segments: Sequence[Segment], without: Sequence[str] = ()) -> None:
    """Their rows become one segment, but for those of the captures `without`, which they have."""
    names = sorted(one.id for one in segments)
    left = sorted(set(without))
    name = together([*names, "", *left])
    if len(left) < sum(one.captures for one in segments):
        with dataset.segment(name, replaces=names) as files:
            for table in NAMES:
                _copy(table, segments, strings(left), files)
    dataset.remove(names)


def _copy(table: str, segments: Sequence[Segment], without: Any, files: Unfinished) -> None:
    waiting: list[Any] = []
    rows = 0
    for file in (file for segment in segments for file in segment.files.get(table, ())):
        for batch in _rows(file, without):
            waiting.append(_fitted(table, batch))
            rows += len(batch)
            if rows >= ROWS:
                files.write(table, pa.concat_tables(waiting).combine_chunks())
                waiting, rows = [], 0
    if rows:
        files.write(table, pa.concat_tables(waiting).combine_chunks())


def _rows(file: Path, without: Any) -> Iterator[Any]:
    with pq.ParquetFile(file) as content:
        for batch in content.iter_batches(ROWS):
            some = pa.Table.from_batches([batch])  # table() imports pandas, too
            if len(without):
                some = some.filter(pc.invert(pc.is_in(some["capture"], without)))
            if len(some):
                yield some


def _fitted(table: str, rows: Any) -> Any:
    """With the columns of today, where another version of the program wrote it."""
    wanted = schema(table)
    if rows.schema.equals(wanted):
        return rows
    return pa.table(
        [
            rows[field.name].cast(field.type)
            if field.name in rows.column_names
            else pa.nulls(len(rows), field.type)
            for field in wanted
        ],
        wanted,
    )


def _size(captures: int) -> int:
    """0 for one alone, 1 for as many as `TOGETHER`, and so on."""
    size = 0
    while captures >= TOGETHER:
        captures //= TOGETHER
        size += 1
    return size
