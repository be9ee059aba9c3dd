# SPDX-License-Identifier: BSD-2-Clause
"""Decides what the model sees and says: transmissions, feedback and time in; marks out.

Times are integer nanoseconds on the sender's clock: the time of feedback is when the sender had
it. Nothing here knows how a chunk looks on the wire.
"""

from dataclasses import dataclass
from enum import StrEnum

from sctp_rack.names import Probe, ProbeOutcome, Profile, RttTag, SackKind, Trigger
from sctp_rack.reference.tsn import Tsn


@dataclass(frozen=True, slots=True)
class DataChunk:
    """A DATA or I-DATA chunk of a transmission.

    `size_bytes` counts user data only. `ack_now` is the I bit (RFC 9260 section 3.3.1).
    """

    tsn: Tsn
    size_bytes: int
    ack_now: bool = False


@dataclass(frozen=True, slots=True)
class Transmission:
    """A packet with data that the sender sent. Frames number the packets, in the order sent."""

    frame: int
    time_ns: int
    path: str
    chunks: tuple[DataChunk, ...]


@dataclass(frozen=True, slots=True)
class Feedback:
    """A SACK, an NR-SACK, or the cumulative TSN of a SHUTDOWN, when the sender had it.

    `gaps` and `nr_gaps` are inclusive blocks of absolute TSNs. `all_non_renegable` is the NR-SACK
    A bit. `lists_cut` says that the capture cut the lists, `overtaken` that the packet is known
    (by its IP-ID, say) to have left the receiver before one that was processed already. `packets`
    is how many it answers, as far as it says (CMT with DAC); 0: it does not.
    """

    frame: int
    time_ns: int
    cum_tsn: Tsn
    gaps: tuple[tuple[Tsn, Tsn], ...] = ()
    nr_gaps: tuple[tuple[Tsn, Tsn], ...] = ()
    dups: tuple[Tsn, ...] = ()
    a_rwnd_bytes: int | None = None
    kind: SackKind = SackKind.SACK
    all_non_renegable: bool = False
    lists_cut: bool = False
    overtaken: bool = False
    packets: int = 0


@dataclass(frozen=True, slots=True)
class ForwardTsn:
    """A FORWARD-TSN or I-FORWARD-TSN that the sender sent (RFC 3758, RFC 8260)."""

    frame: int
    time_ns: int
    new_cum_tsn: Tsn


@dataclass(frozen=True, slots=True)
class RttMeasurement:
    """A round-trip sample that does not come from DATA: handshake or HEARTBEAT."""

    time_ns: int
    path: str
    rtt_ns: int
    tag: RttTag


@dataclass(frozen=True, slots=True)
class TsnReset:
    """An SSN/TSN reset took effect (RFC 6525 section 5.2.4): the next new TSN is this one."""

    time_ns: int
    next_tsn: Tsn


Event = Transmission | Feedback | ForwardTsn | RttMeasurement | TsnReset


@dataclass(frozen=True, slots=True)
class Mark:
    """A transmission that the profile holds to be lost, and what it knew when it said so.

    `frame` is the marked transmission, `by_frame` the feedback (None for a timer), `due_frame` the
    same, or one before: since that it waited, with its third missing report. The three durations
    are None where the profile has no such value.
    """

    profile: Profile
    path: str
    tsn: Tsn
    copy: int
    frame: int
    by_frame: int | None
    due_frame: int | None
    time_ns: int
    trigger: Trigger
    reo_wnd_ns: int | None
    rack_rtt_ns: int | None
    min_rtt_ns: int | None


class Action(StrEnum):
    """What a timer makes the sender do."""

    # send a tail loss probe: new data if there is any, else the named TSN again
    PROBE = "probe"
    # send the named TSN, the earliest outstanding one, again
    T3 = "t3"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the profile's sender does now by itself; the capture may show something else.

    `armed_ns` is when the timer was last started: its duration is the difference.
    """

    action: Action
    path: str
    time_ns: int
    tsn: Tsn
    armed_ns: int


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """A tail loss probe that was seen, and what came of it.

    `outcome` is None while that is open, and stays None for new data that was delivered in order:
    nothing was lost and nothing was repeated. `armed_ns` is when its timer was last started.
    """

    path: str
    tsn: Tsn
    frame: int
    kind: Probe
    armed_ns: int
    expected_ns: int
    sent_ns: int
    outcome: ProbeOutcome | None


class CopyEnd(StrEnum):
    """How one transmission of a TSN ended in the sender's books; each ends exactly once."""

    # acknowledged, and not marked or repeated before
    ACKNOWLEDGED = "acknowledged"
    # marked lost, then sent again (or never, if the association ended)
    MARKED_LOST = "marked_lost"
    # sent again without a mark: a probe, or a sender that knows more than the profile
    REPEATED = "repeated"
    # sent although the TSN was acknowledged or abandoned, or is in the same packet already
    REDUNDANT = "redundant"
    # given up by FORWARD-TSN
    ABANDONED = "abandoned"
    # the association ended first
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the model's own diary: what happened when, in words, for a timeline."""

    time_ns: int
    event: str
    marks: tuple[Mark, ...] = ()
