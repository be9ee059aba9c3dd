# SPDX-License-Identifier: BSD-2-Clause
"""Captures as one table, those with the most spurious retransmissions first."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sctp_rack.many.figures import CaptureRow
from sctp_rack.wording.counted import many
from sctp_rack.wording.harmless import harmless
from sctp_rack.wording.rates import percent

#: Captures, and captures that could not be read, that are told one by one.
_TOLD = 50

_HEAD = ("spurious", "needed", "undetermined", "lost", "findings", "capture")
#: Of them, what stands at the right of its column.
_NUMBERS = 4


def ranked(rows: Iterable[CaptureRow]) -> list[CaptureRow]:
    """The worst first; those of which nothing was read last, as they came."""
    return sorted(rows, key=_rank)


def ranked_lines(rows: Sequence[CaptureRow], all_of_them: str) -> Iterator[str]:
    """The table; `all_of_them` says what has the captures that are left out."""
    read = [row for row in ranked(rows) if row.frames is not None]
    unread = [row for row in rows if row.frames is None]
    if read:
        where = _folder([row.capture for row in read])
        yield _title(len(read), where)
        cells = [_HEAD, *(_cells(row, where) for row in read[:_TOLD])]
        widths = [max(len(line[at]) for line in cells) for at in range(len(_HEAD) - 1)]
        yield from (_line(line, widths) for line in cells)
        if len(read) > _TOLD:
            yield f"  and {len(read) - _TOLD:,} more; {all_of_them} has all of them"
    if unread:
        yield f"{many(len(unread), 'capture')} that cannot be read"
        yield from (f"  {harmless(row.error or row.capture)}" for row in unread[:_TOLD])
        if len(unread) > _TOLD:
            yield f"  and {len(unread) - _TOLD:,} more; {all_of_them} has all of them"


def _rank(row: CaptureRow) -> tuple[bool, int, int, int, int]:
    retransmissions, spurious = row.retransmissions or 0, row.spurious or 0
    warnings = (row.errors or 0) + (row.warnings or 0)
    return row.frames is None, -spurious, -retransmissions, -(row.lost or 0), -warnings


def _folder(captures: Sequence[str]) -> str:
    """The one that all of them are in, in itself or in its folders; "" without."""
    try:
        return os.path.commonpath([str(Path(name).parent) for name in captures])
    except ValueError:  # some have a name from the root, others not
        return ""


def _title(count: int, folder: str) -> str:
    where = f" in {harmless(folder)}" if folder not in ("", ".") else ""
    return f"{many(count, 'capture')}{where}, most spurious retransmissions first"


def _cells(row: CaptureRow, folder: str) -> tuple[str, ...]:
    numbers = (f"{count or 0:,}" for count in (row.spurious, row.needed, row.undetermined))
    lost = "" if row.lost_share is None else percent(row.lost_share)
    name = row.capture.removeprefix(f"{folder}/") if folder else row.capture
    return (*numbers, lost, _findings(row), harmless(name))


def _findings(row: CaptureRow) -> str:
    """As many as are of the worst severity that it has."""
    counted = ((row.errors, "error"), (row.warnings, "warning"), (row.notes, "note"))
    return next((many(count, noun) for count, noun in counted if count), "")


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if at < _NUMBERS else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(cells[:-1], widths, strict=True))
    ]
    return f"  {'  '.join([*padded, cells[-1]])}"
