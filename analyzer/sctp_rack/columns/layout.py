# SPDX-License-Identifier: BSD-2-Clause
"""Which C row each table comes from, and how each of its columns is read from it.

A new column is one entry here, a new table one `Layout`; its type is that of names.toml. Columns of
names.toml without an entry are null.
"""

from dataclasses import dataclass

import numpy as np

from sctp_rack.binding.rows import NO_ASSOCIATION, NO_TIME, row_dtype
from sctp_rack.binding.words import words_of
from sctp_rack.columns.fields import (
    Reader,
    counted_word,
    counts,
    direction,
    flag,
    followed,
    has,
    has_chunk,
    has_delivered,
    has_profile,
    has_tag,
    has_window,
    joined,
    json_text,
    null_at,
    number,
    number_in,
    of_data,
    of_i_data,
    path,
    range_list,
    receiver,
    sender,
    share,
    text_of,
    tsn_list,
    type_name,
    when,
    word,
    word_in,
    word_list,
)
from sctp_rack.columns.parameters import PARAMETERS
from sctp_rack.recovery.messages import PARTS as MESSAGE_PARTS
from sctp_rack.recovery.messages import ROW as MESSAGE


@dataclass(frozen=True)
class Layout:
    """A table: the C type of its rows, or what it has of its own, and how its columns are read."""

    row: str | np.dtype[np.void]
    columns: dict[str, Reader]

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Of a row."""
        return row_dtype(self.row) if isinstance(self.row, str) else self.row


#: Of the two columns of an association, one for each direction.
_DIRECTION_FIGURES: dict[str, Reader] = {
    "chunks": number,
    "bytes": number,
    "acked_bytes": number,
    "goodput": null_at(NO_TIME),
    "lost_tsns": null_at(NO_TIME),
    "rtxq_util": share,
    "rtxq_util_loss": share,
}

_WHEN: dict[str, Reader] = {
    "frame": number,
    "time_ns": null_at(NO_TIME),
    "assoc": null_at(NO_ASSOCIATION),
    "path": path,
}

_PLACE: dict[str, Reader] = {**_WHEN, "chunk": number}

#: Tables by name: those of the core in the order of its enum sr_table, then those made of them.
LAYOUTS: dict[str, Layout] = {
    "transmissions": Layout(
        "struct sr_transmission_row",
        {
            **_PLACE,
            "dir": direction(sender),
            "tsn": number,
            "copy": when(followed, number),
            "bytes": number,
            "sid": when(has("sid"), number),
            "ssn": when(has("ssn"), number),
            "mid": when(has("mid"), number),
            "fsn": when(has("fsn"), number),
            "ppid": when(has("ppid"), number),
            "flags": number,
            "first_frame": null_at(0),
            "prev_frame": null_at(0),
            "crc": word,
            "kind": when(followed, word),
            **{name: when(followed, word) for name in ("cause", "probe", "verdict", "outcome")},
            **{f"{name}_class": null_at(0) for name in ("cause", "probe", "verdict", "outcome")},
            "trigger_frame": null_at(0),
            "evidence": when(followed, word_list),
            "acked_frame": null_at(0),
            "acked_time_ns": null_at(NO_TIME),
            "dup_frame": null_at(0),
            "resolved_frame": null_at(0),
        },
    ),
    "sacks": Layout(
        "struct sr_sack_row",
        {
            **_PLACE,
            "dir": direction(receiver),
            "kind": word,
            "cum_tsn": number,
            "a_rwnd": when(has_window, number),
            "gaps": range_list("lists", "gaps"),
            "nr_gaps": range_list("lists", "nr_gaps", "gaps"),
            "dups": tsn_list("lists", "dups", "gaps", "nr_gaps"),
            "flags": number,
            "newly_acked": when(followed, number),
            "newly_acked_bytes": when(followed, number),
            "malformed": word_list,
            "repeats": null_at(0),
            "rtt_ns": null_at(NO_TIME),
            "rtt_tag": word,
            "outstanding_bytes": when(counts, number_in("rtxq_necessary_bytes")),
            "rtxq_bytes": when(counts, number),
            "rtxq_necessary_bytes": when(counts, number),
            "stale": when(counts, flag),
            "truncated": when(counts, flag),
            "reneged": tsn_list("reneged", "reneged_count"),
            "reneged_class": null_at(0),
        },
    ),
    "chunks": Layout(
        "struct sr_chunk_row",
        {
            **_PLACE,
            "sport": number,
            "dport": number,
            "vtag": number,
            "encapsulation": word,
            "checksum": word,
            "type": when(has_chunk, number),
            "name": when(has_chunk, type_name),
            "flags": when(has_chunk, number),
            "length": when(has_chunk, number),
            "value": json_text,
            "malformed": word_list,
            "repeats": null_at(0),
        },
    ),
    "rtt_samples": Layout(
        "struct sr_rtt_sample_row",
        {
            **_WHEN,
            "dir": direction(sender),
            "rtt_ns": null_at(NO_TIME),
            "tag": word,
        },
    ),
    "rack_marks": Layout(
        "struct sr_rack_mark_row",
        {
            **_WHEN,
            "dir": direction(sender),
            "profile": word,
            "tsn": number,
            "copy": number,
            "frame": null_at(0),
            "by_frame": null_at(0),
            "trigger": word,
            **{
                name: null_at(NO_TIME)
                for name in ("reo_wnd_ns", "rack_rtt_ns", "min_rtt_ns", "sender_lead_ns")
            },
            "resolution": word,
        },
    ),
    "rack_state": Layout(
        "struct sr_rack_state_row",
        {
            "frame": number,
            "chunk": number,
            "profile": word,
            **{
                name: null_at(NO_TIME)
                for name in (
                    "srtt_ns",
                    "rttvar_ns",
                    "min_rtt_ns",
                    "rack_rtt_ns",
                    "rack_xmit_ns",
                    "reo_wnd_ns",
                    "rto_ns",
                    "pto_ns",
                )
            },
            "rack_tsn": when(has_delivered, number),
            **{
                name: when(has_profile, reader)
                for name, reader in (
                    ("reordering_seen", flag),
                    ("in_recovery", flag),
                    ("flight_bytes", number),
                    ("cwnd_hint_bytes", number),
                )
            },
        },
    ),
    "probes": Layout(
        "struct sr_probe_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "path": path,
            "tsn": number,
            "frame": number,
            "kind": word,
            "class": null_at(0),
            "anchor_ns": null_at(NO_TIME),
            "pto_ns": null_at(NO_TIME),
            "outcome": word,
        },
    ),
    "storms": Layout(
        "struct sr_storm_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "path": path,
            "frame": number,
            "time_ns": null_at(NO_TIME),
            "retransmissions": number,
            "spurious": number,
            "bytes_wasted": number,
            "recent": number,
            "avoidable": number,
            "duration_ns": null_at(NO_TIME),
        },
    ),
    "limits": Layout(
        "struct sr_limit_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "begin_ns": number,
            "end_ns": number,
            "begin_frame": number,
            "end_frame": number,
            "limit": word,
            "limit_class": number,
            "bytes": number,
            "outstanding_bytes": number,
            "a_rwnd": null_at(NO_TIME),
            "held_ns": number,
        },
    ),
    "windows": Layout(
        "struct sr_window_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "begin_ns": number,
            "end_ns": number,
            "begin_frame": number,
            "end_frame": number,
            "outstanding_bytes": number,
            "acked_bytes": number,
            "packets": number,
            "chunks": number,
            "a_rwnd": null_at(NO_TIME),
            "a_rwnd_most": null_at(NO_TIME),
            "cwnd_profile": word,
            "cwnd_least": null_at(NO_TIME),
            "cwnd_most": null_at(NO_TIME),
            "ssthresh": null_at(NO_TIME),
        },
    ),
    "counts": Layout(
        "struct sr_count_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "what": word,
            "name": counted_word,
            "transmissions": number,
            "tsns": number,
            "bytes": number,
        },
    ),
    "paths": Layout(
        "struct sr_path_row",
        {
            "assoc": number,
            "dir": direction(sender),
            "path": path,
            "vantage": word,
            "vantage_class": null_at(0),
            **{
                name: null_at(NO_TIME)
                for name in (
                    "loop_lo_ns",
                    "loop_hi_ns",
                    "loop_fitted_ns",
                    "srtt_ns",
                    "min_rtt_ns",
                    "rto_ns",
                    "reordering_max_ns",
                )
            },
            "reordering_max_tsn": number,
            "profile": word,
            "profile_score": share,
            "sender_has_rack": word,
            "dup_capable": word,
            "told": word_list,
            "sender_known": word,
            **PARAMETERS,
        },
    ),
    "associations": Layout(
        "struct sr_association_row",
        {
            "assoc": number,
            "a": text_of("a"),
            "b": text_of("b"),
            "vtag_a": when(has_tag("a"), number),
            "vtag_b": when(has_tag("b"), number),
            "features": word_list,
            "first_frame": number,
            "last_frame": number,
            "packets": number,
            "how_started": word_in("started"),
            "how_ended": word_in("ended"),
            **{
                f"{name}_{way}": reader
                for way in words_of("dir")
                for name, reader in _DIRECTION_FIGURES.items()
            },
            "joined": joined,
        },
    ),
    "messages": Layout(
        MESSAGE,
        {
            "assoc": number,
            "dir": direction(sender),
            "sid": number,
            "ssn": when(of_data, number),
            "mid": when(of_i_data, number),
            "ppid": when(has("ppid"), number),
            **dict.fromkeys(("unordered", "begins", "ends"), flag),
            **dict.fromkeys(
                ("first_frame", "first_tsn", "last_tsn", "chunks", "bytes", "retransmissions"),
                number,
            ),
            **{
                name: null_at(NO_TIME)
                for name in ("sent_ns", "delivered_ns", "latency_ns", *MESSAGE_PARTS)
            },
            "state": word_in("state"),
            "waited_for": word,
        },
    ),
}

#: The tables of the core.
CORE_TABLES = tuple(name for name, layout in LAYOUTS.items() if isinstance(layout.row, str))
