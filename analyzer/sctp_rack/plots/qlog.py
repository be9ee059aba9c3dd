# SPDX-License-Identifier: BSD-2-Clause
"""A direction as qlog, the event log of QUIC, for its tools.

The file is as draft-ietf-quic-qlog-main-schema-13 has it, its events are those of
draft-ietf-quic-qlog-quic-events-12. SCTP is told in QUIC's words: each DATA chunk on the wire is a
packet with a number of its own, a SACK is an ACK frame of the packets that it newly acknowledges,
and user data is one stream in the order of its TSNs. `packet_lost` is what RACK-TLP (profile
rfc8985) would have said; `recovery_metrics_updated` is what it knows at each SACK. The field `sctp`
of an event is ours: frame, TSN, copy, and the words of docs/tables.md.
"""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.names import Cause, Dir, Profile, Trigger
from sctp_rack.plots.data import Data
from sctp_rack.wording.ends import end_text

Event = dict[str, Any]

#: Why a packet was sent, in QUIC's words: RFC 9002 sections 6.1.1, 6.1.2 and 6.2.4.
_SENT = {
    Cause.FAST: "retransmit_reordered",
    Cause.FAST_DEFERRED: "retransmit_reordered",
    Cause.EARLY_RETRANSMIT: "retransmit_reordered",
    Cause.RACK: "retransmit_timeout",
    Cause.RACK_TIMER: "retransmit_timeout",
    Cause.RACK_RTX: "retransmit_timeout",
    Cause.T3: "pto_probe",
    Cause.TLP: "pto_probe",
}

_LOST = {
    Trigger.ACK: "time_threshold",
    Trigger.TIMER: "time_threshold",
    Trigger.MISS3: "reordering_threshold",
    Trigger.RTO: "pto_expired",
}


def qlog_of(direction: Direction) -> str:
    """The JSON text of a file with one trace. Raises `UsageError` where there is no DATA."""
    data = Data(direction, "bytes")
    events = [*_sent(data), *_received(data), *_lost(data)]
    events.sort(key=lambda event: event["time"])
    trace = {
        "title": f"{end_text(direction.sender)} to {end_text(direction.receiver)}",
        "description": "SCTP in QUIC's words: packets are DATA chunks, lost is what RACK-TLP marks",
        "common_fields": {
            "time_format": "relative_to_epoch",
            "reference_time": {"clock_type": "system", "epoch": _epoch(direction.begins_ns)},
            "group_id": f"association {direction.assoc} {direction.name}",
        },
        "vantage_point": {
            "name": "capture",
            "type": "network",
            "flow": "client" if direction.name == Dir.A2B else "server",
        },
        "event_schemas": ["urn:ietf:params:qlog:events:quic-12"],  # a draft must say its number
        "events": events,
    }
    contained = {
        "file_schema": "urn:ietf:params:qlog:file:contained",
        "serialization_format": "application/qlog+json",
        "title": "sctp-rack",
        "traces": [trace],
    }
    return json.dumps(contained, ensure_ascii=False, separators=(",", ":"))


def _epoch(begins_ns: int | None) -> str:
    text = np.datetime_as_string(np.datetime64(begins_ns or 0, "ns"), unit="ms")
    return f"{text}Z"


def _header(number: int) -> dict[str, Any]:
    return {"packet_type": "1RTT", "packet_number": number}


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1e3, 6)


def _sent(data: Data) -> Iterator[Event]:
    sent = data.sent
    offsets = data.scale(data.places).tolist()
    causes = [*(one.value for one in Cause), None]
    words = zip(sent.codes("cause").tolist(), sent.table["kind"].tolist(), strict=True)
    for number, (time, (code, kind), frame, tsn, copy, size, sid) in enumerate(
        zip(
            sent.time.tolist(),
            words,
            *(sent.numbers(name).tolist() for name in ("frame", "tsn", "copy", "bytes", "sid")),
            strict=True,
        )
    ):
        cause = causes[code]
        stream = {
            "frame_type": "stream",
            "stream_id": 0,
            "offset": int(offsets[number]),
            "raw": {"length": size, "payload_length": size},
        }
        event: Event = {
            "time": _milliseconds(time),
            "name": "quic:packet_sent",
            "data": {
                "header": _header(number),
                "frames": [stream],
                "raw": {"payload_length": size},
            },
            "sctp": {"frame": frame, "tsn": tsn, "copy": copy, "sid": sid, "kind": kind},
        }
        if cause:
            event["sctp"]["cause"] = cause
            if Cause(cause) in _SENT:
                event["data"]["trigger"] = _SENT[Cause(cause)]
        yield event


def _received(data: Data) -> Iterator[Event]:
    """Acknowledgements, and what RACK-TLP knows after each."""
    acked_in = data.sent.numbers("acked_frame")
    order = np.argsort(acked_in, kind="stable")
    by_frame = acked_in[order]
    state = data.rows("rack_state", time="")
    metrics = {
        "min_rtt": state.floats("min_rtt_ns") / 1e6,
        "smoothed_rtt": state.floats("srtt_ns") / 1e6,
        "latest_rtt": data.sacks.floats("rtt_ns") / 1e6,
        "rtt_variance": state.floats("rttvar_ns") / 1e6,
        "bytes_in_flight": state.floats("flight_bytes"),
    }
    frames = data.sacks.numbers("frame").tolist()
    cums = data.sacks.table["cum_tsn"].tolist()
    for row, (time, frame, cum) in enumerate(
        zip(data.sacks.time.tolist(), frames, cums, strict=True)
    ):
        begin, end = np.searchsorted(by_frame, [frame, frame + 1])
        ack: dict[str, Any] = {"frame_type": "ack"}
        if ranges := _ranges(np.sort(order[begin:end]).tolist()):
            ack["acked_ranges"] = ranges
        yield {
            "time": _milliseconds(time),
            "name": "quic:packet_received",
            "data": {"header": _header(row), "frames": [ack]},
            "sctp": {"frame": frame, "cum_tsn": cum},
        }
        known: dict[str, float] = {
            name: round(float(values[row]), 6)
            for name, values in metrics.items()
            if np.isfinite(values[row])
        }
        if "bytes_in_flight" in known:
            known["bytes_in_flight"] = int(known["bytes_in_flight"])
        if known:
            yield {
                "time": _milliseconds(time),
                "name": "quic:recovery_metrics_updated",
                "data": known,
            }


def _ranges(numbers: list[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1] = [ranges[-1][0], number]
        else:
            ranges.append([number])
    return ranges


def _lost(data: Data) -> Iterator[Event]:
    marks = data.rows("rack_marks")
    ours = marks.is_("profile", Profile.RFC8985)
    numbers = {
        key: number
        for number, key in enumerate(
            zip(data.sent.numbers("frame").tolist(), data.tsn.tolist(), strict=True)
        )
    }
    triggers = [*Trigger, None]
    for time, frame, tsn, trigger, ms in zip(
        marks.time[ours].tolist(),
        marks.numbers("frame")[ours].tolist(),
        marks.table["tsn"][ours].tolist(),
        marks.codes("trigger")[ours].tolist(),
        marks.floats("reo_wnd_ns")[ours].tolist(),
        strict=True,
    ):
        number = numbers.get((frame, tsn))
        if number is None:  # the tap did not see it
            continue
        word = triggers[trigger]
        event: Event = {
            "time": _milliseconds(time),
            "name": "quic:packet_lost",
            "data": {"header": _header(number)},
            "sctp": {"frame": frame, "tsn": tsn, "profile": Profile.RFC8985.value},
        }
        if word:
            event["data"]["trigger"] = _LOST[word]
        if np.isfinite(ms):
            event["sctp"]["reo_wnd_ns"] = int(ms)
        yield event
