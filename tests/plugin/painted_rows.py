# SPDX-License-Identifier: BSD-2-Clause
"""The rows that tshark shows with the plugin, and the same rows of our own export, in one shape."""

import itertools
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sctp_rack.binding.session import Session
from sctp_rack.columns.of_rows import columns_of
from sctp_rack.names import Evidence
from sctp_rack.readers.packet import PacketSource

from tests.plugin.wireshark import Wireshark

Row = dict[str, Any]
Tables = dict[str, list[Row]]

#: Whose marks the plugin shows without a preference.
PROFILE = "rfc8985"

TABLES = ("transmissions", "sacks", "rack_state", "rack_marks", "probes", "storms")


def _ns(text: str) -> int:
    seconds, _, fraction = text.partition(".")
    ns = abs(int(seconds)) * 10**9 + int(fraction.ljust(9, "0"))
    return -ns if text.startswith("-") else ns


def _bool(text: str) -> bool:
    return text in ("1", "True")


#: Field of a chunk's tree -> column, and how it reads; times are told from the frame's.
_SHARED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sctp_rack.assoc": ("assoc", int),
    "sctp_rack.dir.str": ("dir", str),
    "sctp_rack.path": ("path", str),
}
_TRANSMISSION: dict[str, tuple[str, Callable[[str], Any]]] = {
    **_SHARED,
    "sctp_rack.data.tsn": ("tsn", int),
    "sctp_rack.data.chunk": ("chunk", int),
    "sctp_rack.data.bytes": ("bytes", int),
    "sctp_rack.data.crc.str": ("crc", str),
    "sctp.analysis.copy": ("copy", int),
    "sctp.analysis.kind.str": ("kind", str),
    "sctp.analysis.retransmission": ("prev_frame", lambda text: int(text) or None),
    "sctp.analysis.duplicate_of": ("prev_frame", int),
    "sctp.analysis.retransmission.first": ("first_frame", int),
    "sctp.analysis.cause.str": ("cause", str),
    "sctp.analysis.cause_class": ("cause_class", int),
    "sctp.analysis.trigger": ("trigger_frame", int),
    "sctp.analysis.verdict.str": ("verdict", str),
    "sctp.analysis.verdict_class": ("verdict_class", int),
    "sctp.analysis.probe.str": ("probe", str),
    "sctp.analysis.probe_class": ("probe_class", int),
    "sctp.analysis.outcome.str": ("outcome", str),
    "sctp.analysis.outcome_class": ("outcome_class", int),
    "sctp.analysis.acked_in": ("acked_frame", int),
    "sctp.analysis.duplicate_reported_in": ("dup_frame", int),
    "sctp.analysis.resolved_in": ("resolved_frame", int),
}
_SACK: dict[str, tuple[str, Callable[[str], Any]]] = {
    **_SHARED,
    "sctp_rack.sack.cum_tsn": ("cum_tsn", int),
    "sctp_rack.sack.kind.str": ("kind", str),
    "sctp_rack.sack.chunk": ("chunk", int),
    "sctp_rack.sack.flags": ("flags", lambda text: int(text, 16)),
    "sctp_rack.a_rwnd": ("a_rwnd", int),
    "sctp_rack.sack.newly_acked": ("newly_acked", int),
    "sctp_rack.sack.newly_acked_bytes": ("newly_acked_bytes", int),
    "sctp.analysis.duplicate_of": ("repeats", int),
    "sctp_rack.sack.rtt": ("rtt_ns", _ns),
    "sctp_rack.sack.rtt_tag.str": ("rtt_tag", str),
    "sctp_rack.sack.stale": ("stale", _bool),
    "sctp_rack.sack.truncated": ("truncated", _bool),
    "sctp.analysis.reneged_class": ("reneged_class", int),
    "sctp_rack.outstanding_bytes": ("outstanding_bytes", int),
    "sctp_rack.rtxq_bytes": ("rtxq_bytes", int),
    "sctp_rack.rtxq_necessary_bytes": ("rtxq_necessary_bytes", int),
}
_STATE: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sctp_rack.srtt": ("srtt_ns", _ns),
    "sctp_rack.rttvar": ("rttvar_ns", _ns),
    "sctp_rack.min_rtt": ("min_rtt_ns", _ns),
    "sctp_rack.rack_rtt": ("rack_rtt_ns", _ns),
    "sctp_rack.rack_tsn": ("rack_tsn", int),
    "sctp_rack.reo_wnd": ("reo_wnd_ns", _ns),
    "sctp_rack.rto": ("rto_ns", _ns),
    "sctp_rack.reordering_seen": ("reordering_seen", _bool),
    "sctp_rack.in_recovery": ("in_recovery", _bool),
    "sctp_rack.flight_bytes": ("flight_bytes", int),
    "sctp_rack.cwnd_hint_bytes": ("cwnd_hint_bytes", int),
}
_STATE_TIMES = {"sctp_rack.rack_xmit": "rack_xmit_ns", "sctp_rack.pto": "pto_ns"}
_MARK: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sctp.analysis.rack_lost": ("tsn", int),
    "sctp.analysis.rack_lost_in": ("by_frame", int),
    "sctp.analysis.rack_lost.trigger.str": ("trigger", str),
    "sctp.analysis.rack_lost.resolution.str": ("resolution", str),
    "sctp.analysis.rack_lost.reo_wnd": ("reo_wnd_ns", _ns),
    "sctp.analysis.rack_lost.lead": ("sender_lead_ns", _ns),
}
_STORM: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sctp.analysis.storm": ("retransmissions", int),
    "sctp.analysis.storm.spurious": ("spurious", int),
    "sctp.analysis.storm.bytes_wasted": ("bytes_wasted", int),
    "sctp.analysis.storm.duration": ("duration_ns", _ns),
}
_RANGES = {"gap": "gaps", "nr_gap": "nr_gaps"}

Chunk = list[tuple[str, str]]


def painted(wireshark: Wireshark, capture: Path, *options: str) -> Tables:
    """What tshark shows of a capture."""
    pdml = wireshark.tshark(capture, *options, "-T", "pdml", "-J", "sctp_rack")
    return rows_of_pdml(pdml)


def rows_of_pdml(pdml: str) -> Tables:
    """The rows of all frames."""
    tables: Tables = {name: [] for name in TABLES}
    for packet in ET.fromstring(pdml).iter("packet"):
        number, time_ns = _frame(packet)
        for protocol in packet.findall("proto[@name='sctp_rack']"):
            for chunk in protocol.findall("field"):
                fields = [(f.get("name", ""), f.get("show", "")) for f in chunk.iter("field")]
                if fields[0][0] == "sctp_rack.data.tsn":
                    _transmission(fields, number, time_ns, tables)
                elif fields[0][0] == "sctp_rack.sack.cum_tsn":
                    _sack(fields, number, time_ns, tables)
    return tables


def _frame(packet: ET.Element) -> tuple[int, int]:
    general = {field.get("name"): field for field in packet[0]}
    return int(general["num"].get("show", "")), _ns(general["timestamp"].get("value", ""))


def _take(
    fields: Chunk, known: dict[str, tuple[str, Callable[[str], Any]]]
) -> Iterator[tuple[str, Any]]:
    for name, show in fields:
        if name in known:
            column, read = known[name]
            yield column, read(show)


def _transmission(fields: Chunk, frame: int, time_ns: int, tables: Tables) -> None:
    columns = {column for column, _ in _TRANSMISSION.values()}
    row: Row = dict.fromkeys(columns) | dict(_take(fields, _TRANSMISSION))
    row |= {"frame": frame, "acked_time_ns": None}
    evidence = [show for name, show in fields if name == "sctp.analysis.evidence.str"]
    # The cause, and what speaks for it, are painted before the verdict.
    evidence.sort(key=lambda code: list(Evidence).index(Evidence(code)))
    row["evidence"] = None if row["assoc"] is None else evidence
    for name, show in fields:
        if name == "sctp.analysis.acked_after":
            row["acked_time_ns"] = time_ns + _ns(show)
        if name == "sctp.analysis.probe.outcome.str":
            pto = next((_ns(s) for n, s in fields if n == "sctp.analysis.probe.pto"), None)
            tables["probes"].append(
                {"frame": frame, "tsn": row["tsn"], "pto_ns": pto, "outcome": show}
            )
        if name == "sctp.analysis.storm":
            tables["storms"].append({"frame": frame, **dict(_take(fields, _STORM))})
    tables["transmissions"].append(row)
    place = {"frame": frame, "assoc": row["assoc"], "dir": row["dir"], "copy": row["copy"]}
    starts = [at for at, (name, _) in enumerate(fields) if name == "sctp.analysis.rack_lost"]
    for start, end in itertools.pairwise([*starts, len(fields)]):
        tables["rack_marks"].append(place | _mark(fields[start:end], time_ns))


def _mark(fields: Chunk, time_ns: int) -> Row:
    row: Row = {column: None for column, _ in _MARK.values()} | dict(_take(fields, _MARK))
    row["time_ns"] = time_ns + next(
        _ns(show) for name, show in fields if name == "sctp.analysis.rack_lost.after"
    )
    return row


def _sack(fields: Chunk, frame: int, time_ns: int, tables: Tables) -> None:
    columns = {column for column, _ in _SACK.values()}
    row: Row = dict.fromkeys(columns) | dict(_take(fields, _SACK)) | {"frame": frame}
    for field, column in _RANGES.items():
        first, last = (
            [int(show) for name, show in fields if name == f"sctp_rack.sack.{field}.{end}_tsn"]
            for end in ("start", "end")
        )
        row[column] = [list(pair) for pair in zip(first, last, strict=True)]
    row["dups"] = [int(show) for name, show in fields if name == "sctp_rack.sack.dup_tsn"]
    row["malformed"] = [show for name, show in fields if name == "sctp_rack.sack.malformed.str"]
    row["reneged"] = [int(show) for name, show in fields if name == "sctp.analysis.reneged"]
    tables["sacks"].append(row)
    state: Row = {column: None for column, _ in _STATE.values()} | dict(_take(fields, _STATE))
    for field, column in _STATE_TIMES.items():
        state[column] = next((time_ns + _ns(show) for name, show in fields if name == field), None)
    tables["rack_state"].append({"frame": frame, "chunk": row["chunk"], **state})


def exported(capture: Path, source: PacketSource | None = None, **told: Any) -> Tables:
    """Our own rows, with the columns that the plugin shows."""
    tables: Tables = {name: [] for name in TABLES}
    session = Session(str(capture), TABLES, source=source, **told)
    for batch in session.batches():
        for name in TABLES:
            if name in batch.tables:
                columns = columns_of(name, batch)
                keys = list(columns)
                rows = zip(*columns.values(), strict=True)
                tables[name] += [dict(zip(keys, row, strict=True)) for row in rows]
    marks = [row for row in tables["rack_marks"] if row["profile"] == PROFILE and row["frame"]]
    tables["rack_marks"] = marks
    for row in tables["transmissions"]:
        if row["first_frame"] == row["frame"] and row["copy"] == 1:
            row["first_frame"] = None  # the plugin does not link a frame to itself
    return tables
