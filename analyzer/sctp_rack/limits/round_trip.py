# SPDX-License-Identifier: BSD-2-Clause
"""How long a round trip takes from the sender, wherever the tap is."""

from dataclasses import dataclass

from sctp_rack.columns.table import Row
from sctp_rack.names import Vantage


@dataclass(frozen=True)
class RoundTrip:
    """In nanoseconds: smoothed, with what SACKs were held back; and the shortest."""

    smoothed_ns: int
    least_ns: int


def round_trip(path: Row | None) -> RoundTrip | None:
    """The tap measures the way to the receiver; away from the sender its loop comes to it."""
    if path is None or path["srtt_ns"] is None:
        return None
    away = path["vantage"] != Vantage.SENDER and path["loop_lo_ns"] is not None
    loop_ns = path["loop_lo_ns"] if away else 0
    least_ns = path["srtt_ns"] if path["min_rtt_ns"] is None else path["min_rtt_ns"]
    return RoundTrip(path["srtt_ns"] + loop_ns, min(least_ns, path["srtt_ns"]) + loop_ns)
