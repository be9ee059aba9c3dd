# SPDX-License-Identifier: BSD-2-Clause
"""How far the reading of a long file is, on a terminal: nothing elsewhere, nothing when it is
short."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Column

from sctp_rack.wording.counted import many

#: Seconds of reading without a bar.
_PATIENCE = 0.5


class FileProgress:
    """Called with the bytes read of a file and its size; draws a bar while it is entered.

    The bar is gone when it is left. `stream` is where it is drawn, if that is a terminal.
    """

    #: Whether the bar says how fast it goes, too.
    rate = False

    def __init__(
        self,
        label: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label = Path(label).name
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._begin = clock()
        self._bar: Progress | None = None

    def __call__(self, done: int, size: int) -> None:
        if self._bar is None:
            if self._clock() - self._begin < _PATIENCE or not _can_redraw(self._stream):
                return
            self._bar = _bar(self._stream, self.rate)
            self._bar.add_task(self._label, total=size)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class AllProgress(FileProgress):
    """How far many files are, by those that were read: a bar where it is `shown`."""

    rate = True

    def __init__(self, files: Sequence[str], shown: bool = True) -> None:
        super().__init__(many(len(files), "file"))
        self.shown = shown and len(files) > 1
        self._all, self._done = sum(map(_size, files)) if self.shown else 0, 0

    def add(self, file: str) -> None:
        """One more was read."""
        if self.shown:
            self._done += _size(file)
            self(self._done, self._all)


def _size(file: str) -> int:
    try:
        return Path(file).stat().st_size
    except OSError:
        return 0


def _can_redraw(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and not Console(file=stream).is_dumb_terminal


def _bar(stream: TextIO, rate: bool) -> Progress:
    """Without colour where NO_COLOR is set: rich sees to it."""
    name = Column(no_wrap=True, overflow="ellipsis", max_width=30)
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=name),
        BarColumn(),
        DownloadColumn(),
        *([TransferSpeedColumn()] if rate else []),
        TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
    )
