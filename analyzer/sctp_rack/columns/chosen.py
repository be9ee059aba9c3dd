# SPDX-License-Identifier: BSD-2-Clause
"""Which rows are exported: those of an association, of a direction, of a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.moments import when
from sctp_rack.columns.table import Table
from sctp_rack.errors import UsageError
from sctp_rack.tables import TABLES

#: A hundred years, either way: times in nanoseconds have 64 bits.
_LONGEST_S = 100 * 365 * 86_400


@dataclass(frozen=True)
class Chosen:
    """What rows must have; times are seconds since the first frame, both ends inclusive."""

    assoc: int | None = None
    direction: str | None = None
    begin_s: float | None = None
    end_s: float | None = None

    @property
    def has_time(self) -> bool:
        """Whether a time is asked for."""
        return self.begin_s is not None or self.end_s is not None

    def check(self, tables: Sequence[str]) -> None:
        """Raises `UsageError` for what is no time, and for tables that cannot be asked for it."""
        for option, seconds in (("--from", self.begin_s), ("--to", self.end_s)):
            if seconds is not None and not abs(seconds) <= _LONGEST_S:
                raise UsageError(f"{option}: {seconds} is no time in a capture")
        if self.begin_s is not None and self.end_s is not None and self.begin_s > self.end_s:
            raise UsageError(f"--from {self.begin_s:g} is behind --to {self.end_s:g}")
        asked = {
            "--assoc": (self.assoc, _with("assoc")),
            "--dir": (self.direction, _with("dir")),
            "--from": (self.begin_s, when),
            "--to": (self.end_s, when),
        }
        for option, (value, column) in asked.items():
            without = [table for table in tables if not column(table)]
            if value is not None and without:
                can = ", ".join(table for table in TABLES if column(table))
                raise UsageError(f"{option} is nothing for {', '.join(without)}: it is for {can}")

    def check_within(self, capture: str, first_ns: int | None, last_ns: int | None) -> None:
        """Raises `UsageError` where all frames of the capture are at another time."""
        if first_ns is None or last_ns is None:
            return
        length_s = (last_ns - first_ns) / 1e9
        if (self.begin_s or 0) > length_s or (self.end_s or 0) < 0:
            raise UsageError(f"{capture}: no frame at that time: it lasts {length_s:.6f} s")

    def of(self, table: str, batch: Batch, first_ns: int | None) -> Batch:
        """The rows of `table` that have it, where the first frame of the capture is at that time.

        It counts as read so far: a frame of `chunks` is asked for when it comes.
        """
        if self == Chosen():
            return batch
        rows = Table(table, [batch], first_ns)
        equal = {"assoc": self.assoc, "dir": self.direction}
        told = {name: value for name, value in equal.items() if value is not None}
        kept = rows.equal(**told)
        if self.has_time:
            kept &= rows.within(self.begin_s, self.end_s)
        return batch if kept.all() else replace(batch, tables={table: batch.tables[table][kept]})


def _with(name: str) -> Callable[[str], object]:
    return lambda table: any(column.name == name for column in TABLES[table])
