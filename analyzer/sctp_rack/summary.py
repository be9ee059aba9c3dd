# SPDX-License-Identifier: BSD-2-Clause
"""What a capture holds, in numbers: its associations, what each side sent, what was not read."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.addresses import address_text
from sctp_rack.crowd import divided
from sctp_rack.delivery import Delivery, delivery
from sctp_rack.finding import CaptureFinding
from sctp_rack.names import Checksum, ChunkAnomaly, Dir, Ended, Kind, SackAnomaly, Skip, Started
from sctp_rack.recoveries import Place, Recovered, RecoveryRows, Told
from sctp_rack.recovery import Recovery
from sctp_rack.rows import NO_TIME, narrow_dtype
from sctp_rack.session import Session
from sctp_rack.words import cause_name, chunk_name, words

#: Associations that are made together.
_TOGETHER = 64

#: Fewer characters are no text.
_SHORTEST_TEXT = 3


@dataclass(frozen=True, slots=True)
class Data:
    """DATA and I-DATA of a side; TSNs are absolute, in the serial order of RFC 9260 section 1.6."""

    chunks: int
    #: User data, by the length fields, every copy counted that it sent.
    bytes: int
    #: Different TSNs.
    tsns: int
    #: Of the chunks, those whose TSN was seen before.
    repeated: int
    #: Different TSNs that were acknowledged, and their user data.
    acked: int
    acked_bytes: int
    first_tsn: int
    lowest_tsn: int
    highest_tsn: int
    #: Chunks by what they are on the wire: original, retransmission, … What the capture or the
    #: network repeats stands here alone.
    kinds: dict[str, int]
    #: Of TSNs before they were numbered anew (RFC 6525), from the lowest to the highest.
    span_before: int
    #: Times they were; `lowest_tsn` and `highest_tsn` are those since the last.
    resets: int
    #: Times the numbering jumped out of reach.
    jumps: int
    #: First chunk with other user data than one of the same TSN; None without.
    conflicting_frame: int | None


@dataclass(frozen=True, slots=True)
class Sacks:
    """SACK, NR-SACK and SHUTDOWN chunks that a side sent for the data of the other."""

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


@dataclass(frozen=True, slots=True)
class Flow:
    """What became of the data of a side, and how the other side acknowledges it.

    A frame is None where there is none; times are nanoseconds.
    """

    acked_tsns: int
    acked_bytes: int
    #: Given up by FORWARD-TSN.
    abandoned_tsns: int
    #: Sent, and acknowledged by nothing when the capture ends.
    necessary_bytes: int
    first_data_ns: int | None
    last_data_ns: int | None
    last_data_frame: int | None
    last_acked_ns: int | None
    rto_ns: int
    #: Retransmissions since the last feedback that acknowledges anything.
    sent_again_since_feedback: int
    #: Acknowledged, never captured, and sent while the capture ran.
    unseen_tsns: int
    unseen_frame: int | None
    #: Chunks that stand in the capture up to 2 ms behind the feedback that acknowledges them.
    inverted: int
    inverted_frame: int | None
    #: Times that the clock stepped forward or the sender stood still, and the longest of them.
    clock_steps: int
    clock_step_ns: int
    clock_step_frame: int | None
    capture_duplicates: int
    capture_duplicate_frame: int | None
    withdrawn_tsns: int
    #: Of them, in class 5; the others are in class 4.
    withdrawn_proven_tsns: int
    #: Rows of `rack_marks` beyond what is kept.
    marks_left_out: int
    #: SACKs that take back more than can be followed.
    withdrawn_beyond: int
    #: Chunks sent again while they were taken back.
    withdrawn_resent: int
    withdrawn_frame: int | None
    stale_sacks: int
    stale_frame: int | None
    truncated_sacks: int
    truncated_frame: int | None
    #: Blocks of those that are full.
    truncated_blocks: int
    #: SACKs without blocks that newly acknowledge 1, 2, 3, or more packets with data.
    sacks_of_packets: list[int]
    #: Longest sample that may have been delayed, and the shortest that was not.
    delay_longest_ns: int | None
    delay_base_ns: int | None
    #: Sent once, and so long without feedback as no receiver waits.
    overdue_tsns: int
    overdue_frame: int | None
    zero_windows: int
    zero_window_longest_ns: int
    #: Where the longest begins and ends.
    zero_window_frame: int | None
    zero_window_end_frame: int | None


@dataclass(frozen=True, slots=True)
class Reported:
    """What a side says that is wrong: ABORT and ERROR chunks of one cause."""

    #: `ABORT` or `ERROR`.
    chunk: str
    #: The side that sent them: `a` or `b`.
    side: str
    #: Its code and name (RFC 9260 section 3.3.10); None where it gives none, or has no name.
    cause: int | None
    cause_name: str | None
    #: As its sender wrote it; None where it is no text.
    reason: str | None
    #: An ABORT with the T bit: its sender knows no such association.
    reflected: bool
    count: int
    first_frame: int


@dataclass(frozen=True, slots=True)
class SilentPath:
    """Where the HEARTBEATs of a side go unanswered."""

    #: `src>dst`.
    path: str
    #: In a row, up to the end.
    heartbeats: int
    first_frame: int


@dataclass(frozen=True, slots=True)
class IcmpError:
    """ICMP errors that say the same of SCTP packets between the same ends."""

    #: Of IP: 4 or 6; type and code are those of its ICMP.
    version: int
    type: int
    code: int
    #: Who sent them.
    reporter: str | None
    #: Ends of the packet that they quote, `address:port`, without port where the quote is cut.
    source: str | None
    destination: str | None
    #: Of the next link, where the packet was too big and the error says so.
    mtu: int | None
    count: int
    frames: list[int]


@dataclass(frozen=True, slots=True)
class Side:
    """One end of an association and what it was seen to send."""

    #: Announced or seen, in that order; empty where no IP header lies below.
    addresses: list[str]
    port: int
    #: Its verification tag, which packets to it carry; None where none was seen.
    vtag: int | None
    packets: int
    #: Packets that the capture has once more, and those that the network repeated: nothing else
    #: counts them. Frame of the first of both.
    captured_again: int
    repeated_by_network: int
    repeated_first: int | None
    #: Chunks by name.
    chunks: dict[str, int]
    data: Data | None
    sacks: Sacks | None
    #: None where it sent no data, or nothing was judged.
    flow: Flow | None
    checksums: dict[str, int]
    #: First frame of each kind of checksum and of each anomaly.
    checksums_first: dict[str, int]
    anomalies: dict[str, int]
    anomalies_first: dict[str, int]
    #: Bytes that were on the wire and not in the capture.
    blind_bytes: int
    #: What became of its data: lost, sent again, needed or not. None without data.
    recovery: Recovery | None
    #: How fast and how soon it came to the application. None without data, and where nothing was
    #: judged or packets were filtered out.
    delivery: Delivery | None
    #: Where its HEARTBEATs are not answered.
    silent_paths: list[SilentPath]


@dataclass(frozen=True, slots=True)
class Association:
    """Numbered by its first packet; a sent the INIT that led to it, or was seen first."""

    assoc: int
    a: Side
    b: Side
    features: list[str]
    first_frame: int
    last_frame: int
    last_time_ns: int | None
    packets: int
    how_started: str
    how_ended: str
    #: Whether its packets come from more than one interface of the capture file.
    several_interfaces: bool
    #: Whether the capture has it as seen at two places of its path.
    two_taps: bool
    #: What its sides say that is wrong.
    reported: list[Reported]
    #: Causes of ABORT and ERROR of more kinds than are kept.
    reported_more: int


class Unanswered:
    """An association of INITs that were never answered."""

    def __init__(self, end: str, inits: int, first_frame: int, last_time_ns: int | None) -> None:
        #: `address:port` that they were sent to.
        self.end = end
        self.inits = inits
        self.first_frame = first_frame
        self.last_time_ns = last_time_ns


@dataclass(frozen=True, slots=True)
class Summary:
    """One capture."""

    capture: str
    #: What was read: `pcap`, `pcapng`, …; None where not even that is known.
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
    associations: Sequence[Association]
    #: Packets of associations beyond the limit.
    uncounted_packets: int
    #: Whether packets without DATA were filtered out of the input.
    filtered: bool
    #: Frames without an SCTP packet that could be decoded, by reason, and the first of each.
    skipped: dict[str, int]
    skipped_first: dict[str, int]
    #: IP fragments that make no datagram and may have carried SCTP.
    fragments_left_over: int
    #: ICMP errors that quote an SCTP packet, by what they say.
    icmp_errors: list[IcmpError]
    #: LINKTYPE number of the first frame with one that is not read.
    unknown_link_type: int | None
    #: Packets without a whole common header.
    short_packets: int
    dropped_by_capture: int
    decryption_secrets: int
    #: TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2): what was told, else 200 ms.
    max_ack_delay_ns: int
    #: On loss and recovery, by association and direction; `findings.find` adds the others.
    findings: list[CaptureFinding]

    def association(self, number: int) -> Association:
        """The one with this number, which need not be its place: halves of one have one number."""
        return next(one for one in self.associations if one.assoc == number)


def summarise(session: Session) -> Summary:
    """Reads `session`, which must have `recoveries.TABLES`, to its end and sums up."""
    rows = RecoveryRows()
    for batch in session.batches():
        rows.add(batch)
    return summary_of(session, rows.recovered(session.max_ack_delay_ns))


def summary_of(session: Session, recovered: Recovered) -> Summary:
    """Of a session that was read to its end."""
    reader, totals, engine = session.reader_totals, session.totals, session.engine_totals
    skipped = _by_word(_WORDS[Skip], totals.skipped)
    return Summary(
        capture=session.path,
        format=session.format,
        stopped=session.end.message,
        broken=session.end.is_error,
        frames=totals.frames,
        packets=engine.packets,
        chunks=engine.chunks,
        first_time_ns=_time(totals.earliest_ns),
        last_time_ns=_time(totals.latest_ns),
        time_steps_back=totals.time_steps_back,
        associations=Associations(session, recovered),
        uncounted_packets=engine.uncounted,
        filtered=session.filtered,
        skipped=skipped,
        skipped_first=_firsts(_WORDS[Skip], totals.skipped_first, skipped),
        fragments_left_over=totals.fragments_left_over,
        icmp_errors=_icmp_errors(session.icmp_errors),
        unknown_link_type=totals.unknown_link_type if Skip.UNKNOWN_LINK in skipped else None,
        short_packets=engine.short_packets,
        dropped_by_capture=reader.interface_drops + reader.system_drops + reader.record_drops,
        decryption_secrets=reader.secrets,
        max_ack_delay_ns=session.max_ack_delay_ns,
        findings=[] if session.filtered else list(recovered.findings()),
    )


class Associations(Sequence[Association]):
    """Those of a session: each is made when it is asked for, and kept by nobody.

    A hundred small ones take the room of one that is made. Of a crowd of them nothing is told by
    itself: what tells of all adds `others` to what `crowd` comes to.
    """

    def __init__(self, session: Session, recovered: Recovered) -> None:
        self._session = session
        self._recovered = recovered
        self.crowd, self._others = divided(session, recovered.sent_again())
        self._numbers = np.fromiter((one.number for one in session.associations), np.uint32)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Association]:
        return self._one_by_one(self._numbers)

    @property
    def others(self) -> Iterator[Association]:
        """All that are not in the crowd, in their order."""
        return self._one_by_one(self._others)

    def numbered(self, numbers: Sequence[int]) -> list[Association]:
        """Those with these numbers."""
        return list(self._made(list(numbers))) if numbers else []

    def unanswered(self) -> Iterator[Unanswered]:
        """Of the crowd those whose INIT was never answered."""
        for number in self.crowd.unanswered:
            one = self._session.association(number)
            inits = lib.sr_side_chunks(one.side, lib.SR_CHUNK_INIT)
            end = next(iter(_addresses(one.side[1])), "?")
            last_ns = _time(one.last_time_ns)
            yield Unanswered(f"{end}:{one.side[1].port}", inits, one.first_frame, last_ns)

    def _one_by_one(self, numbers: npt.NDArray[np.uint32]) -> Iterator[Association]:
        for at in range(0, len(numbers), _TOGETHER):
            yield from self._made(numbers[at : at + _TOGETHER].tolist())

    @overload
    def __getitem__(self, at: int) -> Association: ...

    @overload
    def __getitem__(self, at: slice) -> list[Association]: ...

    def __getitem__(self, at: int | slice) -> Association | list[Association]:
        if isinstance(at, slice):
            return list(self._made(self._numbers[at].tolist()))
        return next(self._made([int(self._numbers[at])]))

    def _made(self, numbers: list[int]) -> Iterator[Association]:
        told = self._recovered.of(numbers)
        for number in numbers:
            yield _association(self._session, self._session.association(number), told)


def _association(session: Session, association: Any, recovered: dict[Place, Told]) -> Association:
    a, b = association.side[0], association.side[1]
    number = association.number
    open_ = _ENDED[association.ended] == Ended.OPEN
    last_ns = _time(session.totals.latest_ns if open_ else association.last_time_ns)
    return Association(
        assoc=number,
        a=_side(session, a, session.figures(number, 0), recovered.get((number, Dir.A2B)), last_ns),
        b=_side(session, b, session.figures(number, 1), recovered.get((number, Dir.B2A)), last_ns),
        features=words("feature", association.features | (a.init_features & b.init_features)),
        first_frame=association.first_frame,
        last_frame=association.last_frame,
        last_time_ns=_time(association.last_time_ns),
        packets=association.packets,
        how_started=_STARTED[association.started],
        how_ended=_ENDED[association.ended],
        several_interfaces=association.several_interfaces,
        two_taps=lib.sr_has_two_taps(association),
        reported=[_reported(association.errors.kept[i]) for i in range(association.errors.kinds)],
        reported_more=association.errors.more,
    )


def _reported(error: Any) -> Reported:
    return Reported(
        chunk=chunk_name(error.chunk) or str(error.chunk),
        side="ab"[getattr(error, "from")],
        cause=error.cause if error.has_cause else None,
        cause_name=cause_name(error.cause) if error.has_cause else None,
        reason=_text(bytes(ffi.buffer(error.text, error.text_length))),
        reflected=error.reflected,
        count=error.count,
        first_frame=error.first_frame,
    )


def _text(value: bytes) -> str | None:
    """Its printable beginning, of some length: behind a text some stacks quote a chunk."""
    text = value.decode(errors="replace")
    end = next(
        (i for i, char in enumerate(text) if not char.isprintable() or char == "\ufffd"), None
    )
    told = text[:end].strip()
    return told if len(told) >= _SHORTEST_TEXT else None


def _icmp_errors(errors: Any) -> list[IcmpError]:
    return [
        IcmpError(
            version=one.version,
            type=one.type,
            code=one.code,
            reporter=_address(one.reporter),
            source=_end(one.src, one.sport),
            destination=_end(one.dst, one.dport),
            mtu=one.mtu or None,
            count=one.count,
            frames=[frame for frame in one.frames if frame],
        )
        for one in (errors.kept[i] for i in range(errors.kinds))
    ]


def _address(address: Any) -> str | None:
    return address_text(bytes(ffi.buffer(ffi.addressof(address))))


def _end(address: Any, port: int) -> str | None:
    text = _address(address)
    return f"{text}:{port}" if text and port else text


def _side(
    session: Session, side: Any, figures: Any, told: Told | None, last_ns: int | None
) -> Side:
    checksums = _read(_WORDS[Checksum], "u4", bytes(ffi.buffer(side.checksums)))
    anomalies = _by_word(_WORDS[ChunkAnomaly], side.anomalies)
    by_network = 0 if lib.sr_is_doubled(ffi.addressof(side)) else side.repeated_late
    has_data = side.data.chunks > 0
    flow = _flow(figures) if has_data and figures != ffi.NULL else None
    return Side(
        addresses=_addresses(side),
        port=side.port,
        vtag=side.tag if side.tag_known else None,
        packets=side.packets,
        captured_again=side.repeated - by_network,
        repeated_by_network=by_network,
        repeated_first=side.repeated_first or None,
        chunks=_chunks(side),
        data=_data(side, told) if has_data else None,
        sacks=_sacks(side.sacks) if side.sacks.chunks > 0 else None,
        flow=flow,
        checksums=checksums,
        checksums_first=_firsts(_WORDS[Checksum], side.checksums_first, checksums),
        anomalies=anomalies,
        anomalies_first=_firsts(_WORDS[ChunkAnomaly], side.anomalies_first, anomalies),
        blind_bytes=side.blind_bytes,
        recovery=told.recovery if told and has_data else None,
        delivery=_delivery(told, flow, last_ns) if told and flow and not session.filtered else None,
        silent_paths=[] if figures == ffi.NULL else _silent_paths(session, figures),
    )


def _addresses(side: Any) -> list[str]:
    """Those that are known, in their order."""
    if not side.addresses:
        return []
    kept = bytes(ffi.buffer(side.address, side.addresses * _ADDRESS))
    texts = [address_text(kept[at : at + _ADDRESS]) for at in range(0, len(kept), _ADDRESS)]
    return [text for text in texts if text]


def _delivery(told: Told, flow: Flow, last_ns: int | None) -> Delivery:
    begin, end = flow.first_data_ns, flow.last_acked_ns
    took_ns = end - begin if begin is not None and end is not None else 0
    goodput = round(8e9 * flow.acked_bytes / took_ns) if took_ns > 0 else None
    return delivery(told.served, goodput, last_ns)


def _silent_paths(session: Session, figures: Any) -> list[SilentPath]:
    kept = min(figures.silent_paths, lib.SR_SILENT_PATHS)
    return [
        SilentPath(session.path_of(one.path) or "?", one.heartbeats, one.frame)
        for one in (figures.silent[i] for i in range(kept))
    ]


def _data(side: Any, told: Told | None) -> Data:
    data = side.data
    plain = {name: getattr(data, name) for name in _OF_DATA}
    kinds = told.kinds if told else _by_word(_WORDS[Kind], data.kinds)
    frame = data.conflicting_frame or None
    return Data(**plain, kinds=kinds, jumps=data.board.jumps, conflicting_frame=frame)


def _sacks(sacks: Any) -> Sacks:
    plain = {name: getattr(sacks, name) for name in _OF_SACKS}
    return Sacks(
        **plain,
        malformed=_by_word(_WORDS[SackAnomaly], sacks.malformed),
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
        return _read(_NAMES, "u1", bytes(ffi.buffer(side.few_chunks)))
    return _by_word(_NAMES, side.many_chunks)


@functools.lru_cache(maxsize=256)
def _read(words: Sequence[str], kind: str, counts: bytes) -> dict[str, int]:
    """Of equal bytes once: a look at each count by itself takes longer."""
    return _by_word(words, np.frombuffer(counts, kind).tolist())


def _by_word(words: Sequence[str], counts: Any) -> dict[str, int]:
    if counts == ffi.NULL:
        return {}
    return _shared(
        tuple([(word, counts[index]) for index, word in enumerate(words) if counts[index]])
    )


def _firsts(words: Sequence[str], frames: Any, counted: dict[str, int]) -> dict[str, int]:
    if not counted:
        return _shared(())
    return _shared(
        tuple([(word, frames[index]) for index, word in enumerate(words) if word in counted])
    )


@functools.lru_cache(maxsize=256)
def _shared(counted: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Return the same for equal counts: a hundred thousand associations have few that differ."""
    return dict(counted)


def _time(time_ns: int) -> int | None:
    return None if time_ns == NO_TIME else time_ns


#: Bytes of one.
_ADDRESS = ffi.sizeof("struct sr_address")

#: Name of each chunk counter; several unknown types share the last.
_COUNTERS = {
    lib.sr_chunk_counter(number): chunk_name(number) or "unknown types" for number in range(256)
}
_NAMES = tuple(_COUNTERS.get(counter, "") for counter in range(lib.SR_SIDE_CHUNK_TYPES))

#: Words in the order of their numbers in the core.
_WORDS = {
    enum: tuple(word.value for word in enum)
    for enum in (Skip, Checksum, ChunkAnomaly, Kind, SackAnomaly)
}
_STARTED, _ENDED = ([word.value for word in enum] for enum in (Started, Ended))

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
