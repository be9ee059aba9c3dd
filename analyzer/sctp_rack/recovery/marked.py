# SPDX-License-Identifier: BSD-2-Clause
"""What RACK-TLP said of each transmission, in a temporary file: eight bytes for each, by its row.

In a file since marks come by association and time, and who asks for them comes by frame.
"""

import os
import tempfile
from collections.abc import Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.binding.words import words_of
from sctp_rack.errors import StorageError
from sctp_rack.names import Resolution, Trigger

Numbers = npt.NDArray[np.int64]

#: What is said of a transmission: it is marked lost; also by time or feedback. Above these bits
#: stands how much before the retransmission that was, where it was not wrong (`hindsight.leads`);
#: nanoseconds.
MARKED, SHOWN, LEAD_SHIFT = 1, 2, 2
_LONGEST_NS = 1 << 60

#: Transmissions that are read and written together.
_PAGE = 512


class Marked:
    """Of several marks of a transmission the one counts that says most."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        #: Of what was not captured, by association, sender and TSN; the core keeps few of these.
        self._unseen: dict[tuple[int, int, int], int] = {}

    def add(self, marks: Rows) -> None:
        """Rows of `rack_marks` of RACK-TLP."""
        unseen = marks[marks["marked_row"] == 0]
        names = unseen["assoc"].tolist(), unseen["from"].tolist(), unseen["tsn"].tolist()
        for *of, said in zip(*names, _said(unseen).tolist(), strict=True):
            key = of[0], of[1], of[2]
            self._unseen[key] = max(said, self._unseen.get(key, 0))
        marks = marks[marks["marked_row"] != 0]
        rows, said = marks["marked_row"].astype(np.int64), _said(marks)
        for page, at in _pages(rows):
            known = self._read(page)
            np.maximum.at(known, rows[at] % _PAGE, said[at])
            self._write(page, known)

    def of_unseen(self, assoc: int, sender: int, tsn: int) -> int:
        """What was said of a copy that was not captured; 0: nothing."""
        return self._unseen.get((assoc, sender, tsn), 0)

    def of(self, rows: Numbers) -> Numbers:
        """What was said of transmissions, by 1 + their row; 0: nothing."""
        said = np.zeros(len(rows), np.int64)
        if self._file is not None:
            for page, at in _pages(rows):
                said[at] = self._read(page)[rows[at] % _PAGE]
        return said

    def close(self) -> None:
        """Gives the file back."""
        if self._file is not None:
            self._file.close()

    def _read(self, page: int) -> Numbers:
        known = np.zeros(_PAGE, np.int64)
        if self._file is not None:
            there = os.pread(self._file.fileno(), known.nbytes, page * known.nbytes)
            known[: len(there) // known.itemsize] = np.frombuffer(there, np.int64)
        return known

    def _write(self, page: int, known: Numbers) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115, open as long as this is asked
            os.pwrite(self._file.fileno(), known.tobytes(), page * known.nbytes)
        except OSError as error:
            where = os.environ.get("TMPDIR") or "/tmp"
            raise StorageError(f"cannot write a temporary file in {where}: {error}") from error


def _said(marks: Rows) -> Numbers:
    trigger, resolution = words_of("trigger"), words_of("resolution")
    shown = np.isin(marks["trigger"], [trigger.index(Trigger.ACK), trigger.index(Trigger.TIMER)])
    leads = marks["sender_lead_ns"]
    tells = (marks["resolution"] != resolution.index(Resolution.FALSE_MARK)) & shown
    leads = np.where(tells & (leads != NO_TIME), leads.clip(0, _LONGEST_NS), 0)
    said: Numbers = (leads << LEAD_SHIFT) | MARKED | np.where(shown, SHOWN, 0)
    return said


def _pages(rows: Numbers) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
    """Each page with the places of those that are on it."""
    pages = rows // _PAGE
    order = np.argsort(pages, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(pages[order])) + 1):
        if len(at):
            yield int(pages[at[0]]), at
