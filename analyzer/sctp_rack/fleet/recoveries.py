# SPDX-License-Identifier: BSD-2-Clause
"""Recoveries of all directions of a capture, gathered while its rows come: what `compare` counts.

They are those of `comparison/episodes.py`, found without the rows in memory: of a SACK 20 bytes are
kept, of transmissions only those that came again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, Batch, Rows
from sctp_rack.names import ENUMS, Cause, Dir, Kind
from sctp_rack.recovery.timeouts import BY_TIMEOUT

Numbers = npt.NDArray[np.int64]

#: Tables that it takes, of which a batch has the first before the second.
TABLES = ("sacks", "transmissions")

_AGAIN = list(ENUMS["kind"]).index(Kind.RETRANSMISSION)
_TIMEOUTS = [code for code, word in enumerate(ENUMS["cause"]) if Cause(word) in BY_TIMEOUT]
_DIRS = (Dir.A2B.value, Dir.B2A.value)


class Recovery(NamedTuple):
    """A row; times are those of the tap, None where the capture has none."""

    assoc: int
    dir: str
    begin_frame: int
    begin_ns: int | None
    end_ns: int | None
    by_timeout: bool


@dataclass
class _Way:
    """A direction; TSNs are distances from one of them."""

    base: int | None = None
    #: SACKs: frames, times, and up to where all is acknowledged.
    sacks: list[tuple[npt.NDArray[np.uint32], Numbers, Numbers]] = field(default_factory=list)
    cum: int = -(1 << 62)
    #: The highest TSN that was sent, and in which frame it came.
    sent: int = -(1 << 62)
    #: What was sent again: frames, times, the highest TSN sent then, and whether for a timeout.
    again: list[tuple[Numbers, Numbers, Numbers, npt.NDArray[np.bool_]]] = field(
        default_factory=list
    )
    last_ns: int = NO_TIME

    def distances(self, tsns: npt.NDArray[np.uint32]) -> Numbers:
        if self.base is None:
            self.base = int(tsns[0])
        return (tsns - np.uint32(self.base)).astype(np.int32).astype(np.int64)


class Recoveries:
    """Takes batches of `TABLES`, then gives the rows."""

    def __init__(self) -> None:
        self._ways: defaultdict[int, _Way] = defaultdict(_Way)

    def add(self, batch: Batch) -> None:
        """Rows of SACKs all come before those of transmissions."""
        _each(batch.tables["sacks"], True, self._acknowledged)
        _each(batch.tables["transmissions"], False, self._sent)

    def rows(self) -> Iterator[Recovery]:
        """When all were added, those of a direction in the order of the capture."""
        for number in sorted(self._ways):
            if (way := self._ways[number]).again:
                assoc, direction = divmod(number, 2)
                yield from _of_direction(assoc, _DIRS[direction], way)

    def _acknowledged(self, number: int, rows: Rows) -> None:
        way = self._ways[number]
        times = rows["time_ns"].copy()
        cum = np.maximum.accumulate(np.maximum(way.distances(rows["cum_tsn"]), way.cum))
        way.sacks.append((rows["frame"].copy(), times, cum))
        way.cum = int(cum[-1])
        way.last_ns = max(way.last_ns, int(times[-1]))

    def _sent(self, number: int, rows: Rows) -> None:
        way = self._ways[number]
        frames, times = rows["frame"].astype(np.int64), rows["time_ns"].copy()
        sent = np.maximum.accumulate(np.maximum(way.distances(rows["tsn"]), way.sent))
        again = rows["kind"] == _AGAIN
        if again.any():
            first_of_frame = np.searchsorted(frames, frames[again])
            timeout = np.isin(rows["cause"][again], _TIMEOUTS)
            way.again.append((frames[again], times[again], sent[first_of_frame], timeout))
        way.sent = int(sent[-1])
        way.last_ns = max(way.last_ns, int(times.max()))


def _each(rows: Rows, answers: bool, take: Callable[[int, Rows], None]) -> None:
    """The rows of each direction of data, which `answers` go against."""
    rows = rows[rows["assoc"] != NO_ASSOCIATION]
    sides = 1 - rows["from"] if answers else rows["from"]
    numbers = rows["assoc"].astype(np.int64) * 2 + sides
    if not len(rows):
        return
    if (numbers == numbers[0]).all():
        take(int(numbers[0]), rows)
        return
    order = np.argsort(numbers, kind="stable")
    begins = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    for number, places in zip(numbers[order][begins], np.split(order, begins[1:]), strict=True):
        take(int(number), rows[places])


def _of_direction(assoc: int, direction: str, way: _Way) -> Iterator[Recovery]:
    frames, times, exits, timeouts = (np.concatenate(part) for part in zip(*way.again, strict=True))
    sacks = way.sacks or [(np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    sack_frames, sack_times, cum = (np.concatenate(part) for part in zip(*sacks, strict=True))
    at = 0
    while at < len(frames):
        frame, time_ns = int(frames[at]), int(times[at])
        ends = max(int(np.searchsorted(cum, exits[at])), int(np.searchsorted(sack_frames, frame)))
        ended = ends < len(cum)
        until = int(np.searchsorted(frames, sack_frames[ends])) if ended else len(frames)
        until = max(until, at + 1)
        end_ns = max(int(sack_times[ends]) if ended else way.last_ns, time_ns)
        known = NO_TIME not in (time_ns, end_ns)
        yield Recovery(
            assoc,
            direction,
            frame,
            time_ns if known else None,
            end_ns if known else None,
            bool(timeouts[at:until].any()),
        )
        at = until
