# SPDX-License-Identifier: BSD-2-Clause
"""What a capture holds, in numbers: data and acknowledgements by flow, and what was not read."""

from dataclasses import dataclass
from typing import Any

from sctp_rack._core import ffi, lib
from sctp_rack.columns import address_text, chunk_name
from sctp_rack.names import Checksum, ChunkAnomaly, Encapsulation, SackAnomaly, Skip
from sctp_rack.session import Session


@dataclass(frozen=True)
class Data:
    """DATA and I-DATA of a flow; TSNs are absolute, in the serial order of RFC 9260 section 1.6."""

    chunks: int
    #: User data, by the length fields, every copy counted.
    bytes: int
    #: Different TSNs.
    tsns: int
    #: Chunks whose TSN was seen before: sent again, or duplicated by the network or the capture.
    repeated: int
    #: Chunks more than 65535 below the highest TSN; whether seen before is not known.
    below: int
    first_tsn: int
    lowest_tsn: int
    highest_tsn: int


@dataclass(frozen=True)
class Sacks:
    """SACK, NR-SACK and SHUTDOWN chunks that a flow carries for the data of the other direction."""

    chunks: int
    first_cum_tsn: int
    highest_cum_tsn: int
    #: Of the chunks, those with gap or NR-gap blocks.
    with_gaps: int
    gaps: int
    nr_gaps: int
    #: Most blocks in one chunk.
    most_blocks: int
    #: Duplicate TSNs reported.
    dups: int
    #: Of the chunks, those with a_rwnd 0.
    zero_window: int
    malformed: dict[str, int]
    #: Frame of the first malformed one; None without.
    malformed_first: int | None


@dataclass(frozen=True)
class Flow:
    """Packets with the same addresses, ports and verification tag, one way."""

    source: str | None
    destination: str | None
    sport: int
    dport: int
    vtag: int
    encapsulation: str
    packets: int
    first_frame: int
    last_frame: int
    #: Chunks by name; unknown types by number.
    chunks: dict[str, int]
    data: Data | None
    sacks: Sacks | None
    checksums: dict[str, int]
    #: First frame of each kind of checksum and of each anomaly.
    checksums_first: dict[str, int]
    anomalies: dict[str, int]
    anomalies_first: dict[str, int]
    #: Bytes that were on the wire and not in the capture.
    blind_bytes: int


@dataclass(frozen=True)
class Summary:
    """One capture."""

    capture: str
    #: `pcap` or `pcapng`; None where not even that was read.
    format: str | None
    #: Where and why the input stopped before its end; None otherwise.
    stopped: str | None
    #: True where it stopped at something broken, False where it was only cut short.
    broken: bool
    frames: int
    packets: int
    chunks: int
    first_time_ns: int | None
    last_time_ns: int | None
    time_steps_back: int
    flows: list[Flow]
    #: Packets whose flow is not in `flows` because there were too many.
    uncounted_packets: int
    #: Frames without an SCTP packet that could be decoded, by reason, and the first of each.
    skipped: dict[str, int]
    skipped_first: dict[str, int]
    fragments_left_over: int
    #: LINKTYPE number of the first frame with one that is not read.
    unknown_link_type: int | None
    #: Packets without a whole common header.
    short_packets: int
    dropped_by_capture: int
    decryption_secrets: int


def summarise(session: Session) -> Summary:
    """Reads `session` to its end and sums up."""
    session.read_all()
    reader, totals, engine = session.reader_totals, session.totals, session.engine_totals
    skipped = _by_word(Skip, totals.skipped)
    return Summary(
        capture=session.path,
        format=session.format,
        stopped=session.end.message,
        broken=session.end.is_error,
        frames=reader.frames,
        packets=engine.packets,
        chunks=engine.chunks,
        first_time_ns=_time(totals.first_time_ns),
        last_time_ns=_time(totals.last_time_ns),
        time_steps_back=totals.time_steps_back,
        flows=[_flow(flow) for flow in session.flows],
        uncounted_packets=engine.uncounted,
        skipped=skipped,
        skipped_first=_firsts(Skip, totals.skipped_first, skipped),
        fragments_left_over=totals.fragments_left_over + skipped.get(Skip.FRAGMENT_LEFT_OVER, 0),
        unknown_link_type=totals.unknown_link_type if Skip.UNKNOWN_LINK in skipped else None,
        short_packets=engine.short_packets,
        dropped_by_capture=reader.interface_drops + reader.system_drops + reader.record_drops,
        decryption_secrets=reader.secrets,
    )


def _flow(flow: Any) -> Flow:
    path = bytes(ffi.buffer(flow.key.path.bytes))
    checksums = _by_word(Checksum, flow.checksums)
    anomalies = _by_word(ChunkAnomaly, flow.anomalies)
    return Flow(
        source=address_text(path[:17]),
        destination=address_text(path[17:]),
        sport=flow.key.sport,
        dport=flow.key.dport,
        vtag=flow.key.vtag,
        encapsulation=list(Encapsulation)[flow.encapsulation].value,
        packets=flow.packets,
        first_frame=flow.first_frame,
        last_frame=flow.last_frame,
        chunks={
            chunk_name(kind) or f"type {kind}": flow.chunks[kind]
            for kind in range(lib.SR_CHUNK_TYPES)
            if flow.chunks[kind]
        },
        data=_data(flow.data) if flow.data.chunks else None,
        sacks=_sacks(flow.sacks) if flow.sacks.chunks else None,
        checksums=checksums,
        checksums_first=_firsts(Checksum, flow.checksums_first, checksums),
        anomalies=anomalies,
        anomalies_first=_firsts(ChunkAnomaly, flow.anomalies_first, anomalies),
        blind_bytes=flow.blind_bytes,
    )


def _data(data: Any) -> Data:
    return Data(**{name: getattr(data, name) for name in Data.__dataclass_fields__})


def _sacks(sacks: Any) -> Sacks:
    plain = {
        name: getattr(sacks, name)
        for name in Sacks.__dataclass_fields__
        if not name.startswith("malformed")
    }
    return Sacks(
        **plain,
        malformed=_by_word(SackAnomaly, sacks.malformed),
        malformed_first=sacks.malformed_first or None,
    )


def _by_word(enum: Any, counts: Any) -> dict[str, int]:
    return {word.value: counts[index] for index, word in enumerate(enum) if counts[index]}


def _firsts(enum: Any, frames: Any, counted: dict[str, int]) -> dict[str, int]:
    return {word.value: frames[i] for i, word in enumerate(enum) if word.value in counted}


def _time(time_ns: int) -> int | None:
    return None if time_ns == -(1 << 63) else time_ns
