# SPDX-License-Identifier: BSD-2-Clause
"""What may change in rows, and why."""

from tests.metamorphic.rows import ADDED, MISSING, Place

ANY = "*"  #: all columns of a table


#: Columns with a time, or with what is computed from times.
_RATES = ("goodput", "rtxq_util", "rtxq_util_loss")
_PATH_TIMES = (
    *("loop_lo_ns", "loop_hi_ns", "loop_fitted_ns", "srtt_ns", "min_rtt_ns", "rto_ns"),
    "reordering_max_ns",
)
_TIMERS = ("rto_initial", "rto_min", "rto_max", "sack_delay")
_MARK_TIMES = ("time_ns", "reo_wnd_ns", "rack_rtt_ns", "min_rtt_ns", "sender_lead_ns")
_STATE_TIMES = (
    *("srtt_ns", "rttvar_ns", "min_rtt_ns", "rack_rtt_ns", "rack_xmit_ns", "reo_wnd_ns"),
    *("rto_ns", "pto_ns"),
)


def _because(reason: str, *places: str) -> dict[Place, str]:
    """`table.column`, with one reason."""
    return {(table, column): reason for table, _, column in (one.partition(".") for one in places)}


_SIZES = (*("outstanding_bytes", "rtxq_bytes", "rtxq_necessary_bytes", "stale", "truncated"),)
_BY_SIDE = ("packets", "last_frame", "chunks_a2b", "chunks_b2a", "bytes_a2b", "bytes_b2a")
TWICE = _because(
    "the repetitions are counted as frames of the capture",
    *(f"associations.{column}" for column in _BY_SIDE),
    *(f"counts.{column}" for column in (ADDED, "transmissions", "tsns", "bytes")),
) | _because(
    "where the capture repeats, and nothing else tells, the same SACK once more within 1 ms is "
    "taken for a repetition, though a receiver may have sent two",
    *("chunks.repeats", "sacks.repeats", f"rack_state.{ADDED}", f"rack_state.{MISSING}"),
    *(f"sacks.{column}" for column in _SIZES),
)
LATER = (
    TWICE
    | _because(
        "what comes again 5 ms later may have passed a second place of the path: no class is above "
        "2, and a storm and a mark's resolution want a better one",
        *(f"transmissions.{what}_class" for what in ("cause", "probe", "verdict", "outcome")),
        *("paths.vantage_class", "probes.class", "sacks.reneged_class", "limits.limit_class"),
        *("rack_marks.resolution", f"storms.{MISSING}"),
    )
    | _because(
        "where the capture has all twice, what the network repeats is taken for the capture's",
        *("transmissions.kind", "transmissions.resolved_frame", f"counts.{MISSING}"),
    )
)

_JUDGED = (
    *("cause", "cause_class", "trigger_frame", "probe", "probe_class", "verdict", "evidence"),
    *("verdict_class", "outcome", "outcome_class", "resolved_frame", "dup_frame", "kind", "copy"),
)
#: How its latency is split goes with its verdicts and with what was acknowledged last.
_WAITS = (
    *("messages.retransmissions", "messages.waited_for", "messages.sending_ns"),
    *("messages.recovery_ns", "messages.blocked_ns"),
)
WITHOUT_COUNT = _because(
    "late packets, repetitions and resends are told apart by the sender's count of its packets",
    *(f"transmissions.{column}" for column in _JUDGED),
    *(f"sacks.{column}" for column in ("rtt_ns", "rtt_tag")),
    *(f"associations.{column}" for column in ("lost_tsns_a2b", "lost_tsns_b2a", *_BY_SIDE)),
    *(f"associations.rtxq_util_{way}" for way in ("a2b", "b2a")),
    *(f"{table}.*" for table in ("counts", "paths", "probes", "rack_marks", "rack_state")),
    *("rtt_samples.*", "chunks.repeats", "sacks.repeats"),
    *(f"sacks.{column}" for column in _SIZES),
    *_WAITS,
    *(f"storms.{column}" for column in ("spurious", "recent", "bytes_wasted", "duration_ns")),
    *("limits.*", "windows.*"),
)

ROUNDED = _because(
    "times and what is computed from them are rounded",
    *("transmissions.time_ns", "transmissions.acked_time_ns", "sacks.time_ns", "sacks.rtt_ns"),
    *("chunks.time_ns", "rtt_samples.*", "storms.time_ns", "storms.duration_ns"),
    *("limits.begin_ns", "limits.end_ns", "limits.held_ns", "windows.begin_ns", "windows.end_ns"),
    *(f"associations.{what}_{way}" for what in _RATES for way in ("a2b", "b2a")),
    *(f"paths.{column}" for column in _PATH_TIMES),
    *(f"paths.{timer}_{end}_ns" for timer in _TIMERS for end in ("lo", "hi")),
    *("probes.anchor_ns", "probes.pto_ns"),
    *("messages.sent_ns", "messages.delivered_ns", "messages.latency_ns"),
    *("messages.sending_ns", "messages.recovery_ns", "messages.blocked_ns"),
    *(f"rack_marks.{column}" for column in _MARK_TIMES),
    *(f"rack_state.{column}" for column in _STATE_TIMES),
)
WITHIN_A_TICK = _because(
    "what happens within one tick of the clock has no order and no distance",
    *(f"transmissions.{column}" for column in _JUDGED if column != "copy"),
    *(f"{table}.*" for table in ("counts", "paths", "probes", "rack_marks", "rack_state")),
    *("storms.recent", "storms.avoidable", "limits.*", "windows.*"),
    *_WAITS,
    *("associations.lost_tsns_a2b", "associations.lost_tsns_b2a"),
)

CHECKSUMS = _because("this says so", "transmissions.crc", "chunks.checksum")
SNAPPED = CHECKSUMS | _because("this says so", "chunks.malformed")
UDP = _because("this says so", "chunks.encapsulation", "associations.features") | _because(
    "Linux counts the headers below SCTP in the MTU by which its congestion window grows",
    *("windows.cwnd_least", "windows.cwnd_most"),
)
CUT = _because(
    "the last interval ends with the capture, and what was waited for is told by what comes later",
    *("limits.*", "windows.*"),
) | _because(
    "what came later told something, too; of `transmissions` only what was open then may differ",
    *(f"{table}.*" for table in ("associations", "counts", "paths", "rack_marks", "rack_state")),
    *("sacks.reneged", "sacks.reneged_class", "sacks.stale", "rtt_samples.*"),
    *("messages.*", "probes.outcome"),
)
#: The last SACKs before the cut seem to take back what a later one shows they had overtaken: where
#: a receiver takes back, nothing has class 5.
CUT_ALONG_WITH: dict[Place, Place] = {
    ("transmissions", "outcome_class"): ("sacks", "reneged"),
}
PION = _because(
    "pion compares TSNs as numbers, and so does its replay",
    *("rack_marks.*", "paths.profile_score", "paths.sender_has_rack", "limits.limit_class"),
    *(f"transmissions.{column}" for column in ("cause_class", "evidence", "trigger_frame")),
)
