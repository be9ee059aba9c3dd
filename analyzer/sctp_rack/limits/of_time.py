# SPDX-License-Identifier: BSD-2-Clause
"""Which intervals of `limits`, and which round trips, are of a time that is asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sctp_rack.columns.table import Row


@dataclass(frozen=True)
class Time:
    """Nanoseconds since the Unix epoch; None where it has no such end."""

    begin_ns: int | None = None
    end_ns: int | None = None

    def has(self, moment_ns: int) -> bool:
        """Both ends are in it."""
        after = self.begin_ns is None or self.begin_ns <= moment_ns
        return after and (self.end_ns is None or moment_ns <= self.end_ns)

    def cut(self, intervals: Iterable[Row]) -> Iterator[Row]:
        """What of each lies in it.

        What was sent in one is taken to have left evenly. Those without length are of one moment.
        """
        for row in intervals:
            begin_ns, end_ns = row["begin_ns"], row["end_ns"]
            first_ns = begin_ns if self.begin_ns is None else max(begin_ns, self.begin_ns)
            last_ns = end_ns if self.end_ns is None else min(end_ns, self.end_ns)
            if (first_ns, last_ns) == (begin_ns, end_ns):
                yield row
            elif first_ns < last_ns:
                part = (last_ns - first_ns) / (end_ns - begin_ns)
                sent = round(row["bytes"] * part)
                yield {**row, "begin_ns": first_ns, "end_ns": last_ns, "bytes": sent}
