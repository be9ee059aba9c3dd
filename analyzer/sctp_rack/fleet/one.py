# SPDX-License-Identifier: BSD-2-Clause
"""What is kept of a capture: its rows, its recoveries, and what it came to."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any

from sctp_rack.binding.rows import Batch
from sctp_rack.binding.session import Session
from sctp_rack.commands.reading_options import open_session
from sctp_rack.errors import CaptureError, InputError, SctpRackError, UsageError
from sctp_rack.fleet.arrays import table_of
from sctp_rack.fleet.dataset import Dataset, together
from sctp_rack.fleet.found import Found, as_file, printable
from sctp_rack.fleet.recoveries import TABLES as RECOVERY_TABLES
from sctp_rack.fleet.recoveries import Recoveries, Recovery
from sctp_rack.fleet.rows import BROKEN, CUT, FAILED, READ, UNREAD, CaptureRow, schema
from sctp_rack.fleet.sums import TABLES as SUMMED_TABLES
from sctp_rack.fleet.sums import Sums
from sctp_rack.fleet.taken import Kept, Takes, TooLargeError, Written, write_all, write_sent
from sctp_rack.many.which import is_folder, no_capture

import pyarrow as pa  # isort: skip, behind what says how to install it


@cache
def _version() -> str:
    """Of the program."""
    return version("sctp-rack")


@dataclass(frozen=True)
class Reading:
    """How captures are read: which tables are kept, and the options of the command line."""

    tables: Sequence[str]
    options: dict[str, Any]

    def key(self, capture: Found) -> str:
        """By which the capture is known again, read so by this version of the program."""
        return capture.key(self._how)

    @cached_property
    def _how(self) -> str:
        how = {**self.options, "tables": sorted(self.tables), "program": _version()}
        return json.dumps(how, sort_keys=True)


def read_some(
    dataset: Dataset, captures: Sequence[Found], reading: Reading
) -> Iterator[CaptureRow]:
    """They are in the dataset when they are told, also those that cannot be read.

    Several are one segment, whose rows are in memory until it is written. Raises `UsageError`, and
    `OSError` where the dataset cannot be written.
    """
    if len(captures) == 1:
        yield _alone(dataset, captures[0], reading)
        return
    told, too_large = list[CaptureRow](), list[Found]()
    gathered, recoveries = list[tuple[str, Batch]](), list[Any]()
    for capture in captures:
        kept = Kept()
        try:
            told.append(read_to(kept, capture, reading))
        except TooLargeError:
            too_large.append(capture)
            continue
        gathered += [(told[-1].capture, batch) for batch in kept.batches]
        recoveries += kept.recoveries
    if told:
        with dataset.segment(together(one.key for one in told)) as files:
            for table in reading.tables:
                write_all(files, table, gathered)
            if recoveries:
                files.write("recoveries", pa.concat_tables(recoveries))
            write_sent(files, gathered)
            files.write("captures", captures_of(told))
        yield from told
    for capture in too_large:
        yield _alone(dataset, capture, reading)


def without_rows(dataset: Dataset, row: CaptureRow) -> None:
    """It is in the dataset by this row alone."""
    with dataset.segment(row.key) as files:
        files.write("captures", captures_of([row]))


def row_of(capture: Found, reading: Reading, status: str, error: str) -> CaptureRow:
    """Of a capture of which there is nothing else."""
    return CaptureRow(
        capture=capture.text,
        key=reading.key(capture),
        status=status,
        error=printable(error),
        bytes=capture.bytes,
        version=_version(),
    )


def _alone(dataset: Dataset, capture: Found, reading: Reading) -> CaptureRow:
    """Its rows are written as they come."""
    with dataset.segment(reading.key(capture)) as files:
        row = read_to(Written(files, reading.tables, capture.text), capture, reading)
        if row.status in (UNREAD, FAILED):
            files.forget()
        files.write("captures", captures_of([row]))
    return row


def read_to(
    into: Takes, capture: Found, reading: Reading, share: tuple[int, int] | None = None
) -> CaptureRow:
    """What it came to; where it cannot be read, its row says so."""
    try:
        return _rows(into, capture, reading, share)
    except UsageError:
        raise
    except MemoryError:
        return row_of(capture, reading, FAILED, f"{capture.name}: out of memory")
    except (CaptureError, InputError) as error:
        return row_of(capture, reading, UNREAD, str(error))
    except SctpRackError as error:
        return row_of(capture, reading, FAILED, str(error))


def _rows(
    into: Takes, capture: Found, reading: Reading, share: tuple[int, int] | None
) -> CaptureRow:
    if is_folder(capture.name):
        raise no_capture(capture.name)
    begin = time.monotonic()
    recoveries, sums = Recoveries(), Sums()
    with as_file(capture.name) as path:
        tables = tuple(dict.fromkeys((*reading.tables, *RECOVERY_TABLES, *SUMMED_TABLES)))
        session = open_session(
            capture.name, tables, None, path=path, share=share, **reading.options
        )
        for batch in session.batches():
            recoveries.add(batch)
            sums.add(batch)
            into.add(batch)
    if session.end.is_error and not session.frames:
        session.check()
    found = list(recoveries.rows())
    into.end(_recoveries(capture.text, found) if found else None)
    row = _came_to(session, capture, reading)
    return row._replace(**sums.figures(found), seconds=time.monotonic() - begin)


def _came_to(session: Session, capture: Found, reading: Reading) -> CaptureRow:
    end, totals = session.end, session.totals
    without_time = session.first_time_ns is None
    return CaptureRow(
        capture=capture.text,
        key=reading.key(capture),
        status=BROKEN if end.is_error else CUT if end.message else READ,
        error=end.message and printable(end.message),
        bytes=capture.bytes,
        frames=int(totals.frames),
        packets=int(session.engine_totals.packets),
        associations=sum(1 for _ in session.associations),
        first_ns=None if without_time else int(totals.earliest_ns),
        last_ns=None if without_time else int(totals.latest_ns),
        version=_version(),
        tables=list(reading.tables),
    )


def _recoveries(capture: str, found: Sequence[Recovery]) -> Any:
    rows = [{"capture": capture, **one._asdict()} for one in found]
    return table_of(rows, schema("recoveries"))


def captures_of(rows: Sequence[CaptureRow]) -> Any:
    return table_of([row._asdict() for row in rows], schema("captures"))
