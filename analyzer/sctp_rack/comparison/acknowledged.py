# SPDX-License-Identifier: BSD-2-Clause
"""User data of a direction that was acknowledged, from when to when: of all, or of a time."""

from sctp_rack.association import Direction
from sctp_rack.names import Dir
from sctp_rack.summary.data_of_time import DataOfTime, Delivered


def acknowledged(direction: Direction) -> Delivered:
    """Of a direction with data; what was given up (RFC 3758) counts in a time alone."""
    flow = direction.sender.flow
    if direction.of_time is not None:
        rows = DataOfTime(direction.window)
        table = direction.transmissions
        for batch in table.batches:
            rows.add(batch.tables[table.name])
        return rows.delivered(2 * direction.assoc + (direction.name == Dir.B2A))
    if flow is None:
        return Delivered(0, None, None)
    return Delivered(flow.acked_bytes, flow.first_data_ns, flow.last_acked_ns)
