# SPDX-License-Identifier: BSD-2-Clause
"""A bar shows how far a long file is read: on a terminal, and nowhere else."""

import gzip
import os
import pty
import subprocess
import threading
import time
from pathlib import Path

import pytest
from sctp_rack.binding.session import Session
from sctp_rack.binding.source import open_source
from sctp_rack.commands.progress import _PATIENCE, FileProgress

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import SAMPLE

#: Sections one after the other, so many that rows are handed out before the file has ended.
REPEATED = 120


@pytest.fixture
def long_capture(tmp_path: Path) -> Path:
    path = tmp_path / "long.pcapng"
    path.write_bytes(SAMPLE.read_bytes() * REPEATED)
    return path


class Screen:
    """A terminal, and what a process writes to it."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        self._data = b""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 4096)
            except OSError:  # the other end is closed
                return
            self._data += data

    def text(self) -> str:
        """All of it, once the process has ended."""
        os.close(self.theirs)
        self._reader.join()
        os.close(self._ours)
        return self._data.decode()


def export_slowly(capture: Path, errors: int, **environment: str) -> int:
    """Exports to a pipe that is read only after the time in which no bar is drawn, which has begun
    when the first row comes, and so takes long however fast it is; returns the rows."""
    process = subprocess.Popen(
        [*COMMAND, "export", "--table", "chunks", str(capture)],
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", **environment},
    )
    assert process.stdout
    first = process.stdout.read(1)
    time.sleep(2 * _PATIENCE)
    rows = (first + process.stdout.read()).count(b"\n")
    assert process.wait(timeout=60) == 0
    return rows


def test_a_long_file_shows_a_bar_on_a_terminal_and_removes_it(long_capture: Path) -> None:
    screen = Screen()
    rows = export_slowly(long_capture, screen.theirs)
    text = screen.text()

    assert rows == REPEATED * 673
    assert "MB" in text and "━" in text
    assert "\x1b[2K" in text  # the line is erased
    assert "\x1b[3" in text  # a colour


def test_no_color_takes_the_colours_away(long_capture: Path) -> None:
    screen = Screen()
    export_slowly(long_capture, screen.theirs, NO_COLOR="1")
    text = screen.text()

    assert "━" in text
    assert "\x1b[3" not in text


def test_nothing_is_drawn_where_standard_error_is_no_terminal(
    long_capture: Path, tmp_path: Path
) -> None:
    with (tmp_path / "errors").open("w+b") as errors:
        export_slowly(long_capture, errors.fileno(), FORCE_COLOR="1")
        assert (tmp_path / "errors").read_bytes() == b""


def test_nothing_is_drawn_on_a_terminal_that_cannot_erase(long_capture: Path) -> None:
    screen = Screen()
    export_slowly(long_capture, screen.theirs, TERM="dumb")

    assert screen.text() == ""


def test_a_short_file_shows_no_bar() -> None:
    screen = Screen()
    with (
        os.fdopen(os.dup(screen.theirs), "w") as stream,
        FileProgress("short", stream, clock=lambda: 0.0) as progress,
    ):
        progress(1, 2)
        progress(2, 2)

    assert screen.text() == ""


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_progress_counts_the_bytes_of_the_file(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "capture"
    data = SAMPLE.read_bytes()
    path.write_bytes(gzip.compress(data) if compressed else data)
    told: list[tuple[int, int]] = []

    source = open_source(str(path), lambda done, size: told.append((done, size)))
    Session(str(path), source=source).read_all()

    size = path.stat().st_size
    assert told[-1] == (size, size)
    assert told == sorted(told)
