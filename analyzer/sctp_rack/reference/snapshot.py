# SPDX-License-Identifier: BSD-2-Clause
"""Decides nothing: what the model knows of a path at one moment, or before the first one."""

from dataclasses import dataclass

from sctp_rack.reference.tsn import Tsn


@dataclass(frozen=True, slots=True)
class PathSnapshot:
    """State of a path. Durations, and the deadlines `t3_ns`, `pto_ns`, `reo_ns`, in nanoseconds.

    The deadlines are absolute times, None while a timer is off. While `reo_ns` or `pto_ns` is set,
    T3-rtx is suspended (RFC 8985 section 8) and `t3_ns` is when it will fire at the earliest; in
    pion both timers run.
    """

    srtt_ns: int | None
    rttvar_ns: int | None
    rto_ns: int
    min_rtt_ns: int | None
    rack_rtt_ns: int
    rack_xmit_ns: int | None
    rack_tsn: Tsn | None
    reo_wnd_ns: int
    reo_wnd_mult: int
    reordering_seen: bool
    in_recovery: bool
    flight_bytes: int
    t3_ns: int | None
    pto_ns: int | None
    reo_ns: int | None


@dataclass(frozen=True, slots=True)
class WarmStart:
    """What a path is taken to have learned before the first event, in nanoseconds.

    `path_min_rtt_ns` is the minimum of undelayed samples, where it differs from `min_rtt_ns`.
    """

    path: str
    srtt_ns: int
    rttvar_ns: int
    min_rtt_ns: int
    path_min_rtt_ns: int
    reordering_seen: bool = False
    reo_wnd_mult: int = 1
