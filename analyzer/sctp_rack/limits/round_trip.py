# SPDX-License-Identifier: BSD-2-Clause
"""How long a round trip takes from the sender, wherever the tap is."""

from sctp_rack.columns.table import Row
from sctp_rack.names import Vantage


def round_trip(path: Row | None) -> int | None:
    """The tap measures the way to the receiver; away from the sender its loop comes to it."""
    if path is None or path["srtt_ns"] is None:
        return None
    if path["vantage"] == Vantage.SENDER or path["loop_lo_ns"] is None:
        return int(path["srtt_ns"])
    return int(path["srtt_ns"] + path["loop_lo_ns"])
