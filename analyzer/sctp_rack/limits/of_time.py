# SPDX-License-Identifier: BSD-2-Clause
"""What of the intervals of `limits` lies in a time that is asked for."""

from collections.abc import Iterable, Iterator

from sctp_rack.columns.table import Row


def cut(intervals: Iterable[Row], begin_ns: int | None, end_ns: int | None) -> Iterator[Row]:
    """Those that lie in it, or the part of each that does; None: it has no such end.

    Times are nanoseconds since the Unix epoch. What was sent in an interval is taken to have left
    evenly, and so is what was held back.
    """
    for row in intervals:
        begins_ns, ends_ns = row["begin_ns"], row["end_ns"]
        first_ns = begins_ns if begin_ns is None else max(begins_ns, begin_ns)
        last_ns = ends_ns if end_ns is None else min(ends_ns, end_ns)
        if (first_ns, last_ns) == (begins_ns, ends_ns):
            yield row
        elif first_ns < last_ns:
            part = (last_ns - first_ns) / (ends_ns - begins_ns)
            sent, held_ns = (round(row[name] * part) for name in ("bytes", "held_ns"))
            inside = {"begin_ns": first_ns, "end_ns": last_ns, "bytes": sent, "held_ns": held_ns}
            yield {**row, **inside}
