# SPDX-License-Identifier: BSD-2-Clause
"""What a capture holds, in numbers: its associations, what each side sent, what was not read."""

from collections.abc import Sequence
from dataclasses import dataclass

from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.recovery.delivery import Delivery
from sctp_rack.recovery.direction import Recovery

#: Names of the chunks that are counted as data, and as acknowledgements of it.
CARRY_DATA = ("DATA", "I-DATA")
ACKNOWLEDGE = ("SACK", "NR-SACK", "SHUTDOWN")


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
class Dtls:
    """DTLS as the native reader found it."""

    #: Whose ClientHello was seen.
    connections: int
    #: With application data, as far as can be seen; of them those that were decrypted.
    records: int
    opened: int
    #: Of SCTP in them.
    packets: int
    #: Secrets that were there to decrypt with, of the key log and of the file.
    secrets: int
    #: Records that were not decrypted by reason, the frame of the first, and their connections.
    unopened: dict[str, int]
    unopened_first: dict[str, int]
    unopened_sessions: dict[str, int]


@dataclass(frozen=True, slots=True)
class Time:
    """Both ends, inclusive, in nanoseconds since the Unix epoch; null: it has no such end."""

    begin_ns: int | None
    end_ns: int | None


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
    dtls: Dtls
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
    #: The time that is told of, where one was asked for: of it are `data`, `sacks`, `recovery` and
    #: `delivery` of the sides, their chunks that carry data or acknowledge, and findings with a
    #: direction. `flow` is null then; all else is of the whole capture.
    of_time: Time | None = None

    def association(self, number: int) -> Association:
        """The one with this number, which need not be its place: halves of one have one number."""
        return next(one for one in self.associations if one.assoc == number)
