# SPDX-License-Identifier: BSD-2-Clause
"""The tables that only a dataset has, and the types of all of them; needs the extra `fleet`."""

from functools import cache
from typing import Any, NamedTuple

from sctp_rack.columns.arrow import schema_of
from sctp_rack.errors import MissingExtraError
from sctp_rack.tables import TABLES

try:
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise MissingExtraError("a dataset of captures needs `pip install pyarrow`") from error

#: Of what a capture came to. `failed` is the fault of the machine, and is tried again.
READ, CUT, BROKEN, UNREAD, FAILED = "read", "cut", "broken", "unread", "failed"
STATUSES = (READ, CUT, BROKEN, UNREAD, FAILED)
#: Of them, those that end the command as what cannot be read does.
BAD = (BROKEN, UNREAD, FAILED)


class CaptureRow(NamedTuple):
    """A row of `captures`; what is None was not learnt."""

    capture: str
    #: By which it is known again.
    key: str
    status: str
    error: str | None = None
    bytes: int | None = None
    frames: int | None = None
    packets: int | None = None
    associations: int | None = None
    first_ns: int | None = None
    last_ns: int | None = None
    #: Figures of `sums.py`: chunks on the wire, what became of them, recoveries and probes.
    chunks: int | None = None
    retransmissions: int | None = None
    spurious: int | None = None
    needed: int | None = None
    undetermined: int | None = None
    lost: int | None = None
    recoveries: int | None = None
    by_timeout: int | None = None
    recovery_s: float | None = None
    probes: int | None = None
    spurious_probes: int | None = None
    probes_judged: int | None = None
    #: That it took to be read.
    seconds: float | None = None
    #: Of the program.
    version: str | None = None
    #: Of docs/tables.md, those that are kept of it; None where there are none.
    tables: list[str] | None = None


#: Columns of `captures` that add up to those of a fleet.
SUMMED = (
    *("chunks", "retransmissions", "spurious", "needed", "undetermined", "lost"),
    *("recoveries", "by_timeout", "recovery_s", "probes", "spurious_probes", "probes_judged"),
)

#: Columns of `sent` that tell its rows apart.
SENT_BY = (
    *("assoc", "dir", "path", "ppid", "kind", "cause"),
    *("verdict", "verdict_class", "outcome"),
)

_OWN = {
    "captures": pa.schema(
        [
            *((name, pa.string()) for name in ("capture", "key", "status", "error")),
            *((name, pa.int64()) for name in ("bytes", "frames", "packets", "associations")),
            *((name, pa.int64()) for name in ("first_ns", "last_ns")),
            *((name, pa.float64() if name == "recovery_s" else pa.int64()) for name in SUMMED),
            ("seconds", pa.float64()),
            ("version", pa.string()),
            ("tables", pa.list_(pa.string())),
        ]
    ),
    "recoveries": pa.schema(
        [
            ("capture", pa.string()),
            ("assoc", pa.uint32()),
            ("dir", pa.string()),
            ("begin_frame", pa.uint32()),
            ("begin_ns", pa.int64()),
            ("end_ns", pa.int64()),
            ("by_timeout", pa.bool_()),
        ]
    ),
    "sent": pa.schema(
        [
            ("capture", pa.string()),
            ("assoc", pa.uint32()),
            ("dir", pa.string()),
            ("path", pa.string()),
            ("ppid", pa.uint32()),
            *((name, pa.string()) for name in ("kind", "cause", "verdict")),
            ("verdict_class", pa.uint32()),
            ("outcome", pa.string()),
            *((name, pa.int64()) for name in ("chunks", "bytes")),
        ]
    ),
}

#: All of a dataset.
NAMES = (*_OWN, *TABLES)


@cache
def schema(table: str) -> Any:
    """Arrow's; words are strings, which Parquet writes once, so that all files have the same."""
    if table in _OWN:
        return _OWN[table]
    plain = [
        pa.field(one.name, pa.string() if pa.types.is_dictionary(one.type) else one.type)
        for one in schema_of(table)
    ]
    return pa.schema([pa.field("capture", pa.string()), *plain])
