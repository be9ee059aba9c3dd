# SPDX-License-Identifier: BSD-2-Clause
"""What was sent, summed by all that fleets are asked for: a row for each of few combinations, where
`transmissions` has one for each chunk. Both give the same answers.
"""

from collections.abc import Sequence
from typing import Any

from sctp_rack.binding.rows import Batch
from sctp_rack.columns.arrow import some_columns
from sctp_rack.fleet.rows import SENT_BY, schema
from sctp_rack.names import Kind

import pyarrow as pa  # isort: skip, behind what says how to install it
import pyarrow.compute as pc  # isort: skip

#: The table that it takes, and what is summed.
TABLE = "transmissions"
_SUMMED = "bytes"

#: What the capture or the network repeats was not sent.
_REPEATED = pa.array([Kind.CAPTURE_DUPLICATE, Kind.NETWORK_DUPLICATE], pa.string())


def sent_of(names: Any, rows: Batch) -> Any:
    """A table of Arrow; `names` are those of the capture of each row."""
    told = some_columns(TABLE, (*SENT_BY, _SUMMED), rows).add_column(0, "capture", names)
    told = told.cast(
        pa.schema(
            pa.field(one.name, pa.string() if pa.types.is_dictionary(one.type) else one.type)
            for one in told.schema
        )
    )
    was_sent = pc.and_(
        pc.is_valid(told["assoc"]), pc.invert(pc.is_in(told["kind"], value_set=_REPEATED))
    )
    told = told.filter(was_sent)
    return _summed(told.append_column("chunks", pa.repeat(pa.scalar(1, pa.int64()), len(told))))


def together(parts: Sequence[Any]) -> Any:
    """One of several."""
    return _summed(pa.concat_tables(parts))


def _summed(told: Any) -> Any:
    sums = told.group_by(["capture", *SENT_BY], use_threads=False).aggregate(
        [("chunks", "sum"), (_SUMMED, "sum")]
    )
    sums = sums.sort_by([(name, "ascending") for name in ("capture", *SENT_BY)])  # else any order
    wanted = schema("sent")
    names = {"chunks": "chunks_sum", _SUMMED: f"{_SUMMED}_sum"}
    return pa.table([sums[names.get(one.name, one.name)].cast(one.type) for one in wanted], wanted)
