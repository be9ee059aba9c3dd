# SPDX-License-Identifier: BSD-2-Clause
"""Which columns say when something was, and which of them says when a row is."""

from datetime import UTC, datetime
from numbers import Real

import numpy as np

from sctp_rack.tables import TABLES

_MOMENTS = (
    *("time_ns", "acked_time_ns", "anchor_ns", "sent_ns", "delivered_ns", "rack_xmit_ns"),
    *("begin_ns", "end_ns"),
)

#: When a row is: the first of these that its table has.
_WHEN = ("time_ns", "sent_ns", "anchor_ns", "begin_ns")

#: A moment, or seconds since the first frame of the capture.
Moment = float | datetime | np.datetime64


def is_moment(table: str, column: str) -> bool:
    """Whether a column of nanoseconds says when something was, and not how long it took."""
    return column in _MOMENTS or (table, column) == ("rack_state", "pto_ns")


def when(table: str) -> str | None:
    """The column that says when its rows are; None for a table whose rows are of no moment."""
    names = {column.name for column in TABLES[table]}
    return next((name for name in _WHEN if name in names), None)


def nanoseconds(moment: Moment, first_ns: int) -> int:
    """Since the Unix epoch; a datetime without a time zone is UTC.

    Raises `TypeError` for what is none.
    """
    if isinstance(moment, float | Real):
        return first_ns + round(float(moment) * 1e9)
    if isinstance(moment, datetime):
        utc = moment.astimezone(UTC) if moment.tzinfo else moment
        moment = np.datetime64(utc.replace(tzinfo=None))
    if not isinstance(moment, np.datetime64):
        raise TypeError(f"{moment!r} is neither seconds since the first frame nor a datetime")
    return int(moment.astype("datetime64[ns]").astype(np.int64))
