# SPDX-License-Identifier: BSD-2-Clause
"""Which rows are of a time that is asked for: what is told is of them, what is known of all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sctp_rack.binding.rows import NO_TIME, Rows
from sctp_rack.columns.moments import Moment, nanoseconds


@dataclass(frozen=True)
class Window:
    """Nanoseconds since the Unix epoch, both ends inclusive; None: it has no such end."""

    begin_ns: int | None = None
    end_ns: int | None = None

    @classmethod
    def between(cls, begin: Moment | None, end: Moment | None, first_ns: int | None) -> "Window":
        """Of moments, where the first frame is at `first_ns`; None: no frame has a time.

        Raises `ValueError` where it ends before it begins.
        """
        ends = (one if one is None else nanoseconds(one, first_ns or 0) for one in (begin, end))
        window = cls(*ends)
        known = [end for end in (window.begin_ns, window.end_ns) if end is not None]
        if known != sorted(known):
            raise ValueError(f"{begin} is behind {end}")
        return window

    @property
    def is_all(self) -> bool:
        """Whether no time is asked for, and what has none is told as well."""
        return self.begin_ns is None and self.end_ns is None

    def holds(self, times: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Of each time whether it is in it; what has none is of no time."""
        if self.is_all:
            return np.ones(len(times), np.bool_)
        there: npt.NDArray[np.bool_] = times != NO_TIME
        return there & ~self.before(times) & ~self.behind(times)

    def before(self, times: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Of each time whether it is before it."""
        return np.zeros(len(times), np.bool_) if self.begin_ns is None else times < self.begin_ns

    def behind(self, times: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Of each time whether it is behind it."""
        return np.zeros(len(times), np.bool_) if self.end_ns is None else times > self.end_ns

    def of(self, rows: Rows, column: str = "time_ns") -> Rows:
        """Those that are in it by one of their columns."""
        return rows if self.is_all else rows[self.holds(rows[column])]

    def meets(self, begin_ns: int, end_ns: int | None) -> bool:
        """Whether any of what lasts so long, None: up to the end, is in it."""
        late = self.end_ns is not None and begin_ns > self.end_ns
        over = self.begin_ns is not None and end_ns is not None and end_ns < self.begin_ns
        return not late and not over

    def earlier(self, by_ns: int) -> "Window":
        """The same so much earlier."""
        ends = self.begin_ns, self.end_ns
        return Window(*(None if end is None else end - by_ns for end in ends))

    def begin_of(self, begin_ns: int) -> int:
        """Where the part of what begins then begins that is in it."""
        return begin_ns if self.begin_ns is None else max(begin_ns, self.begin_ns)

    def parts_ns(
        self, begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """How much of each that lasts so long is in it."""
        first, last = self._within(begins, ends)
        parts: npt.NDArray[np.int64] = np.maximum(last - first, 0)
        return parts

    def part_ns(self, begin_ns: int, end_ns: int) -> int:
        """Likewise, of one."""
        return int(self.parts_ns(np.array([begin_ns]), np.array([end_ns]))[0])

    def _within(
        self, begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the part of each that is in it begins and ends: the other way round if none is."""
        first = begins if self.begin_ns is None else np.maximum(begins, self.begin_ns)
        last = ends if self.end_ns is None else np.minimum(ends, self.end_ns)
        return first, last

    def cut(self, intervals: Rows) -> Rows:
        """Rows of `limits` in it, or the part of each; bytes and what was held back go evenly.

        As `limits.of_time.cut`, of rows as the core writes them.
        """
        if self.is_all or not len(intervals):
            return intervals
        begins, ends = intervals["begin_ns"], intervals["end_ns"]
        first, last = self._within(begins, ends)
        whole = (first == begins) & (last == ends)
        there = whole | (first < last)
        rows: Rows = intervals[there].copy()
        first, last = first[there], last[there]
        took = np.maximum(rows["end_ns"] - rows["begin_ns"], 1)
        part = np.where(whole[there], 1.0, (last - first) / took)
        for name in ("bytes", "held_ns"):
            rows[name] = np.rint(rows[name] * part).astype(rows[name].dtype)
        rows["begin_ns"], rows["end_ns"] = first, last
        return rows
