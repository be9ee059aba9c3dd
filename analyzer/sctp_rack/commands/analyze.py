# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack analyze` does for each capture: what it comes to, and what is printed of it."""

import io
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple, TextIO

from sctp_rack.binding.rows import Batch
from sctp_rack.binding.session import Session
from sctp_rack.commands.output_file import on_terminal
from sctp_rack.commands.progress import FileProgress
from sctp_rack.commands.reading_options import open_session
from sctp_rack.errors import SctpRackError, UsageError
from sctp_rack.findings.find import find
from sctp_rack.many.figures import CaptureRow, Figures
from sctp_rack.many.which import is_folder, no_capture
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.summary import of_time
from sctp_rack.summary.of_session import summarise
from sctp_rack.summary.of_time import RowsOfTime
from sctp_rack.summary.only import of_direction, one_way, only
from sctp_rack.summary.opening import Headline
from sctp_rack.summary.show import Overview, write_error_json, write_json, write_text
from sctp_rack.summary.summary import Association

#: In memory at once, where most rows are only looked at.
FEW_ROWS = 4096

Write = Callable[[TextIO], object]


class Printed(NamedTuple):
    """What is printed of a capture: nothing, all that is known as text, or as JSON."""

    text: bool = False
    json: bool = False


def analyses(
    captures: Sequence[str], jobs: int, printed: Printed, *, watched: bool = True, **reading: Any
) -> Generator[tuple[CaptureRow, Write]]:
    """Of each capture in its order its figures, and what writes it to a text stream.

    Several of `jobs` are processes; only one of them shows how far a file is, where it is
    `watched`. One that cannot be read has an error, and the others are read all the same. Raises
    `UsageError`.
    """
    if jobs == 1 or len(captures) == 1:
        for capture in captures:
            yield analyse(capture, printed, watched=watched, **reading)
        return
    from sctp_rack.many.workers import in_order

    def work(capture: str, output: BinaryIO) -> CaptureRow:
        try:
            row, write = analyse(capture, printed, watched=False, **reading)
        except MemoryError:
            row, write = _unread(capture, f"{capture}: out of memory", printed)
        text = _AsStandardOutput(output)
        write(text)
        text.detach()
        return row

    def lost(capture: str, why: str) -> CaptureRow:
        return CaptureRow(capture, f"{capture}: {why}")

    with closing(in_order(work, captures, jobs, lost)) as done:
        for row, output in done:
            if output is None:
                yield _unread(row.capture, str(row.error), printed)
            else:
                yield row, output.copy


class _AsStandardOutput(io.TextIOWrapper):
    """A file with what would be written to standard output, also its colours."""

    def __init__(self, file: BinaryIO) -> None:
        encoding = sys.stdout.encoding if sys.stdout else None
        super().__init__(file, encoding=encoding, errors="backslashreplace", newline="\n")

    def isatty(self) -> bool:
        return on_terminal(sys.stdout)


def analyse(
    capture: str,
    printed: Printed,
    *,
    watched: bool,
    assoc: int | None = None,
    direction: str | None = None,
    begin: float | None = None,
    end: float | None = None,
    **reading: Any,
) -> tuple[CaptureRow, Write]:
    """One of `analyses`, read by this process, or one association, direction or time of it.

    Raises `MemoryError`, and `UsageError` where there is no such association.
    """
    try:
        if is_folder(capture):
            raise no_capture(capture)
        progress = FileProgress(capture) if watched else None
        with progress or nullcontext():
            timed = (begin, end) != (None, None)
            tables = of_time.TABLES if timed else TABLES
            session = open_session(capture, tables, progress, rows_at_once=FEW_ROWS, **reading)
            of_it = _OfIt(session, begin, end) if timed else None
            summary = summarise(session, of_it.add if of_it else None)
    except UsageError:
        raise
    except SctpRackError as error:
        return _unread(capture, str(error), printed)
    if summary.broken and not summary.frames:
        return _unread(capture, str(summary.stopped), printed)
    if assoc is not None:
        summary = only(summary, assoc)
    known = direction is not None or of_it is not None
    if known:
        findings = find(summary)
    if direction is not None:
        findings = of_direction(findings, direction)
        summary = one_way(summary, direction)
    if of_it:
        summary, findings = of_it.rows.told(summary, findings)
    overview = Overview(summary) if printed.text else None
    headline = overview.opens if overview else Headline(summary)
    figures = Figures(summary, headline)
    shown = (figures.add, overview.add if overview else headline.add)

    def look(association: Association) -> None:
        for show in shown:
            show(association)

    if known:
        for association in summary.associations:
            look(association)
    else:
        findings = find(summary, look)

    def write(output: TextIO) -> None:
        if printed.json:
            write_json(summary, findings, output)
        elif printed.text:
            write_text(summary, findings, output, overview)

    return figures.row(findings), write


class _OfIt:
    """Rows of a time of a session, of which the first frame is known when they come."""

    def __init__(self, session: Session, begin: float | None, end: float | None) -> None:
        self._session = session
        self._time = begin, end

    @cached_property
    def rows(self) -> RowsOfTime:
        """What they add up to."""
        return RowsOfTime(*self._time, self._session.first_time_ns)

    def add(self, batch: Batch) -> None:
        """Some more."""
        self.rows.add(batch)


def _unread(capture: str, error: str, printed: Printed) -> tuple[CaptureRow, Write]:
    def write(output: TextIO) -> None:
        if printed.json:
            write_error_json(capture, error, output)

    return CaptureRow(capture, error), write
