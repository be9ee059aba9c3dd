# SPDX-License-Identifier: BSD-2-Clause
"""One end of an association, of what the core counts of it."""

from typing import Any

import numpy as np

from sctp_rack._core import ffi, lib
from sctp_rack.binding.addresses import address_text
from sctp_rack.binding.rows import NO_TIME, narrow_dtype
from sctp_rack.binding.session import Session
from sctp_rack.binding.words import chunk_name
from sctp_rack.names import Checksum, ChunkAnomaly, Kind, SackAnomaly
from sctp_rack.recovery.delivery import Delivery, delivery
from sctp_rack.recovery.gathering import DirectionSums
from sctp_rack.summary.counted import WORDS, by_word, firsts, read_counts
from sctp_rack.summary.summary import Data, Flow, Sacks, Side, SilentPath

#: Bytes of one.
_ADDRESS = ffi.sizeof("struct sr_address")

#: Name of each chunk counter; several unknown types share the last.
_COUNTERS = {
    lib.sr_chunk_counter(number): chunk_name(number) or "unknown types" for number in range(256)
}
_NAMES = tuple(_COUNTERS.get(counter, "") for counter in range(lib.SR_SIDE_CHUNK_TYPES))

#: Fields that are as in the core.
_OF_DATA = [
    name
    for name in Data.__dataclass_fields__
    if name not in ("kinds", "jumps", "conflicting_frame")
]
_OF_SACKS = [name for name in Sacks.__dataclass_fields__ if not name.startswith("malformed")]

#: Fields of a flow that are as in the core, and what each is there without one; None: it has
#: always one.
_NONE = {
    name: 0 if name.endswith("_frame") else NO_TIME if name.endswith("_ns") else None
    for name in Flow.__dataclass_fields__
    if name != "sacks_of_packets"
}
_FIGURES = narrow_dtype("struct sr_direction_figures", list(_NONE))


def side_of(
    session: Session, side: Any, figures: Any, sums: DirectionSums | None, last_ns: int | None
) -> Side:
    checksums = read_counts(WORDS[Checksum], "u4", bytes(ffi.buffer(side.checksums)))
    anomalies = by_word(WORDS[ChunkAnomaly], side.anomalies)
    by_network = 0 if lib.sr_is_doubled(ffi.addressof(side)) else side.repeated_late
    has_data = side.data.chunks > 0
    flow = _flow(figures) if has_data and figures != ffi.NULL else None
    return Side(
        addresses=addresses_of(side),
        port=side.port,
        vtag=side.tag if side.tag_known else None,
        packets=side.packets,
        captured_again=side.repeated - by_network,
        repeated_by_network=by_network,
        repeated_first=side.repeated_first or None,
        chunks=_chunks(side),
        data=_data(side, sums) if has_data else None,
        sacks=_sacks(side.sacks) if side.sacks.chunks > 0 else None,
        flow=flow,
        checksums=checksums,
        checksums_first=firsts(WORDS[Checksum], side.checksums_first, checksums),
        anomalies=anomalies,
        anomalies_first=firsts(WORDS[ChunkAnomaly], side.anomalies_first, anomalies),
        blind_bytes=side.blind_bytes,
        recovery=sums.recovery if sums and has_data else None,
        delivery=_delivery(sums, flow, last_ns) if sums and flow and not session.filtered else None,
        silent_paths=[] if figures == ffi.NULL else _silent_paths(session, figures),
    )


def addresses_of(side: Any) -> list[str]:
    """Those that are known, in their order."""
    if not side.addresses:
        return []
    kept = bytes(ffi.buffer(side.address, side.addresses * _ADDRESS))
    texts = [address_text(kept[at : at + _ADDRESS]) for at in range(0, len(kept), _ADDRESS)]
    return [text for text in texts if text]


def _delivery(sums: DirectionSums, flow: Flow, last_ns: int | None) -> Delivery:
    begin, end = flow.first_data_ns, flow.last_acked_ns
    took_ns = end - begin if begin is not None and end is not None else 0
    goodput = round(8e9 * flow.acked_bytes / took_ns) if took_ns > 0 else None
    return delivery(sums.served, goodput, last_ns)


def _silent_paths(session: Session, figures: Any) -> list[SilentPath]:
    kept = min(figures.silent_paths, lib.SR_SILENT_PATHS)
    return [
        SilentPath(session.path_of(one.path) or "?", one.heartbeats, one.frame)
        for one in (figures.silent[i] for i in range(kept))
    ]


def _data(side: Any, sums: DirectionSums | None) -> Data:
    data = side.data
    plain = {name: getattr(data, name) for name in _OF_DATA}
    kinds = sums.kinds if sums else by_word(WORDS[Kind], data.kinds)
    frame = data.conflicting_frame or None
    return Data(**plain, kinds=kinds, jumps=data.board.jumps, conflicting_frame=frame)


def _sacks(sacks: Any) -> Sacks:
    plain = {name: getattr(sacks, name) for name in _OF_SACKS}
    return Sacks(
        **plain,
        malformed=by_word(WORDS[SackAnomaly], sacks.malformed),
        malformed_first=sacks.malformed_first or None,
    )


def _flow(figures: Any) -> Flow:
    (values,) = np.frombuffer(ffi.buffer(figures), _FIGURES).tolist()
    plain: dict[str, Any] = {
        name: None if value == none else value
        for (name, none), value in zip(_NONE.items(), values, strict=True)
    }
    return Flow(**plain, sacks_of_packets=list(figures.sacks_of_packets))


def _chunks(side: Any) -> dict[str, int]:
    if side.many_chunks == ffi.NULL:
        return read_counts(_NAMES, "u1", bytes(ffi.buffer(side.few_chunks)))
    return by_word(_NAMES, side.many_chunks)


def time_or_none(time_ns: int) -> int | None:
    """A time of the core."""
    return None if time_ns == NO_TIME else time_ns
