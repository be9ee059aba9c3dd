# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp-rack export` does for each capture: its tables go into files, whole or not at all."""

import contextlib
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sctp_rack.columns.chosen import Chosen
from sctp_rack.columns.export import export
from sctp_rack.commands import signals
from sctp_rack.commands.output_file import output_file
from sctp_rack.commands.progress import FileProgress
from sctp_rack.commands.reading_options import open_session
from sctp_rack.errors import SctpRackError, UsageError
from sctp_rack.many.which import is_folder, no_capture
from sctp_rack.summary.only import check_there


@dataclass(frozen=True)
class Wanted:
    """Which tables, how they are written, and which of their rows."""

    tables: Sequence[str]
    file_format: str
    chosen: Chosen


@dataclass(frozen=True)
class Exported:
    """How it went: what is to be said of it, and whether it was not read to its end."""

    said: str | None = None
    failed: bool = False
    #: Whether nothing was written, not even the names of the columns.
    nothing: bool = False


def exports(
    captures: Mapping[str, Mapping[str, str]], wanted: Wanted, jobs: int, **reading: Any
) -> Generator[tuple[str, Exported]]:
    """Writes tables of many captures, each to its own outputs; how it went, in their order.

    Each row tells its capture. Several of `jobs` are processes. Raises `UsageError`.
    """
    names = list(captures)
    if jobs == 1 or len(names) == 1:
        headed = True
        for name in names:
            done = _one_of_many(name, captures[name], wanted, headed=headed, **reading)
            headed &= done.nothing or captures[name] != captures[names[0]]
            yield name, done
        return
    from sctp_rack.many.workers import in_order

    def work(capture: str, _output: BinaryIO) -> Exported:
        try:
            return _one_of_many(capture, captures[capture], wanted, headed=True, **reading)
        except MemoryError:
            return Exported(f"{capture}: out of memory", failed=True)
        except OSError as error:
            return Exported(f"{capture}: the output cannot be written: {error.strerror}", True)

    def lost(capture: str, why: str) -> Exported:
        return Exported(f"{capture}: {why}", failed=True)

    with contextlib.closing(in_order(work, names, jobs, lost)) as done_in_order:
        for name, (exported, _) in zip(names, done_in_order, strict=True):
            yield name, exported


def _one_of_many(
    capture: str, outputs: Mapping[str, str], wanted: Wanted, **options: Any
) -> Exported:
    try:
        if is_folder(capture):
            raise no_capture(capture)
        return export_capture(capture, outputs, wanted, named=True, shown=None, **options)
    except UsageError:
        raise
    except SctpRackError as error:
        return Exported(str(error), failed=True, nothing=True)


def export_capture(
    capture: str,
    outputs: Mapping[str, str],
    wanted: Wanted,
    *,
    named: bool,
    shown: FileProgress | None,
    headed: bool = True,
    **reading: Any,
) -> Exported:
    """Writes tables of a capture, each to its output.

    Where it is `named`, as one of many, each row tells it. Raises `SctpRackError` where nothing was
    read: an output that is there already stays. Likewise where it has no such association; of many
    that is said, and the others are written.
    """
    session = open_session(capture, wanted.tables, shown, **reading)
    with contextlib.ExitStack() as files, shown or contextlib.nullcontext():
        streams = {
            name: files.enter_context(output_file(file, sys.stdout))
            for name, file in outputs.items()
        }
        export(
            session,
            wanted.file_format,
            streams,
            chosen=wanted.chosen,
            capture=capture if named else None,
            headed=headed,
        )
        if session.end.is_error and not session.frames:
            session.check()
        missing = None
        try:
            if not session.end.is_error:
                there = (one.number for one in session.associations)
                check_there(capture, wanted.chosen.assoc, there)
                wanted.chosen.check_within(capture, session.first_time_ns, session.last_time_ns)
        except UsageError as error:
            if not named:
                raise
            missing = str(error)
        for stream in streams.values():
            stream.flush()  # where one cannot be written none is replaced
        with signals.held():
            files.close()
    if session.end.is_error:
        return Exported(session.end.message, failed=True)
    message = session.end.message
    return Exported(f"{message}; what came before is exported" if message else missing)


def file_names(captures: Sequence[str], suffix: str) -> dict[str, str]:
    """A name for what is made of each capture: its own and `suffix`, numbered where two clash."""
    given: dict[str, str] = {}
    taken = set[str]()
    for capture in dict.fromkeys(captures):
        name = "standard-input" if capture == "-" else os.fspath(Path(capture).name)
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name}-{number}"
        taken.add(free)
        given[capture] = f"{free}.{suffix}"
    return given
