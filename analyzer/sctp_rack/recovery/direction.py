# SPDX-License-Identifier: BSD-2-Clause
"""What became of the data of one direction, in numbers: lost, sent again, needed or not, and when.

All of it is counted from rows of docs/tables.md. Confidence classes are those of its columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from sctp_rack.columns.table import Row
from sctp_rack.names import Outcome, RttTag, Verdict
from sctp_rack.recovery.delivery import Served
from sctp_rack.recovery.hindsight import Saved
from sctp_rack.recovery.retransmissions import Resends
from sctp_rack.recovery.round_trips import RoundTrips
from sctp_rack.recovery.stalls import HEALTHY_NS, ROUNDS, Stalls

_Key = TypeVar("_Key")

#: What a class is called: no other explanation, and right in at least 97 of 100.
CERTAIN, VERY_LIKELY = 5, 4

#: How long a receiver may hold back its SACK unless configured (RFC 9260 section 6.2), nanoseconds.
SACK_DELAY = 200_000_000

#: What clocks and hosts add to a wait that ends with a timer, nanoseconds.
_SLACK = 10_000_000


@dataclass(frozen=True, slots=True)
class Rounds:
    """Round trips from the tap to the receiver and back, of TSNs sent once (Karn), nanoseconds."""

    samples: int
    min_ns: int
    median_ns: int
    max_ns: int


@dataclass(frozen=True, slots=True)
class Burst:
    """The retransmissions of the timeout that made most of the spurious ones, or most."""

    #: Of the first of them.
    frame: int
    retransmissions: int
    spurious: int


@dataclass(frozen=True, slots=True)
class Way:
    """One path of the data: where the tap is on it and whose sender it looks like."""

    path: str
    vantage: str
    vantage_class: int | None
    #: Most time from the tap to the sender and back; where feedback after that leaves most
    #: retransmissions unexplained, the one with which most are explained. Nanoseconds.
    loop_hi_ns: int | None
    loop_fitted_ns: int | None
    #: Smoothed round trip from the tap at the end (RFC 9260 section 6.3.1), nanoseconds.
    srtt_ns: int | None
    min_rtt_ns: int | None
    profile: str | None
    #: Share of the retransmissions that the profile explains.
    profile_score: float | None
    sender_has_rack: str | None
    dup_capable: str | None
    #: What of this the user told: words of the enum `told_what`.
    told: list[str]
    #: Whether the sender's stack is one of the profiles.
    sender_known: str | None
    #: Between which values parameters of the hosts lie, and how many observations say so.
    rto_initial_lo_ns: int | None
    rto_initial_hi_ns: int | None
    rto_initial_count: int
    rto_min_lo_ns: int | None
    rto_min_hi_ns: int | None
    rto_min_count: int
    rto_max_lo_ns: int | None
    rto_max_hi_ns: int | None
    rto_max_count: int
    rto_backoff_lo: float | None
    rto_backoff_hi: float | None
    rto_backoff_count: int
    sack_delay_lo_ns: int | None
    sack_delay_hi_ns: int | None
    sack_delay_count: int
    sack_frequency_lo: int | None
    sack_frequency_hi: int | None
    sack_frequency_count: int
    missing_reports_lo: int | None
    missing_reports_hi: int | None
    missing_reports_count: int


@dataclass(frozen=True, slots=True)
class Rack:
    """What RACK-TLP (profile rfc8985) would have made of the same packets."""

    #: Transmissions that it would have marked lost, and those of them that had arrived.
    marks: int
    false_marks: int
    #: Spurious retransmissions by feedback, of copies that it never marked.
    avoided: int
    saved: Saved


@dataclass(frozen=True, slots=True)
class Recovery:
    """Loss and recovery of one direction; counts are of DATA and I-DATA chunks."""

    #: Chunks on the wire of which a copy was lost: all of them, and different TSNs.
    lost: int
    lost_tsns: int
    retransmissions: int
    causes: dict[str, int]
    #: By cause, then by class.
    cause_classes: dict[str, dict[int, int]]
    #: Of the spurious ones.
    spurious_causes: dict[str, int]
    spurious_cause_classes: dict[str, dict[int, int]]
    #: By verdict, then by class.
    verdicts: dict[str, dict[int, int]]
    #: Tail loss probes by what they carried.
    probes: dict[str, int]
    #: Fates of all transmissions.
    outcomes: dict[str, int]
    #: T3-rtx timeouts that made retransmissions.
    timeouts: int
    worst_timeout: Burst | None
    rtt: Rounds | None
    #: Longest that a SACK was late that may have been delayed, over the shortest round trip.
    sack_delay_ns: int | None
    paths: list[Way]
    rack: Rack

    @property
    def spurious(self) -> int:
        """Retransmissions of a TSN that had been accepted before."""
        return sum(self.verdicts.get(Verdict.SPURIOUS, {}).values())

    def certain(self, verdict: Verdict) -> int:
        """Those with this verdict that nothing else explains."""
        return self.verdicts.get(verdict, {}).get(CERTAIN, 0)

    def very_likely(self, verdict: Verdict) -> int:
        """Those with this verdict of a class that is right in at least 97 of 100."""
        return self.verdicts.get(verdict, {}).get(VERY_LIKELY, 0)


@dataclass
class Tally:
    """What the rows of one direction add up to while they come.

    Those of `transmissions` come behind all others.
    """

    #: Rows of `paths`.
    paths: list[Row] = field(default_factory=list)
    #: Kinds of all transmissions, as they were judged.
    kinds: dict[str, int] = field(default_factory=dict)
    #: Fates of all transmissions, and of those that were lost the TSNs.
    outcomes: dict[str, int] = field(default_factory=dict)
    lost_tsns: int = 0
    #: Round trips by their tag: all that are known, and those that are told of.
    rtts: dict[str, RoundTrips] = field(default_factory=dict)
    told_rtts: dict[str, RoundTrips] = field(default_factory=dict)
    #: Of RACK-TLP, and those that were wrong.
    marks: int = 0
    false_marks: int = 0
    #: Messages by their state, how long they took, and when nothing of them came.
    served: Served = field(default_factory=lambda: Served({}, RoundTrips(), Stalls()))

    @cached_property
    def resends(self) -> Resends:
        """Of which the rows are added here."""
        soon_ns = self.min_rtt_ns + max(self.sack_delay_ns or 0, SACK_DELAY) + _SLACK
        return Resends(self.srtt_ns, soon_ns)

    @property
    def min_rtt_ns(self) -> int:
        """The shortest round trip over its paths, nanoseconds; 0 without."""
        return min((path["min_rtt_ns"] or 0 for path in self.paths), default=0)

    @property
    def srtt_ns(self) -> int:
        """The longest smoothed round trip of its paths, nanoseconds; 0 without."""
        return max((path["srtt_ns"] or 0 for path in self.paths), default=0)

    @cached_property
    def stall_ns(self) -> int:
        """A path that is well delivers sooner, even what is repaired by feedback; nanoseconds."""
        rounds = [some for tag, some in self.rtts.items() if tag != RttTag.RTX]
        usual_ns = RoundTrips.median(rounds) if rounds else 0
        return HEALTHY_NS + ROUNDS * max(self.srtt_ns, usual_ns)

    @property
    def sack_delay_ns(self) -> int | None:
        """Longest that a SACK was late that may have been delayed, over the shortest round trip."""
        late = self.rtts.get(RttTag.DELAYED)
        if late is None:
            return None
        return late.most - min(some.least for tag, some in self.rtts.items() if tag != RttTag.RTX)


def recovery(tally: Tally) -> Recovery:
    """When all rows were added."""
    resends = tally.resends
    worst = resends.worst
    burst = Burst(worst.frame, worst.resent.count, worst.spurious) if worst else None
    return Recovery(
        lost=tally.outcomes.get(Outcome.LOST, 0),
        lost_tsns=tally.lost_tsns,
        retransmissions=resends.count,
        causes=dict(resends.causes.most_common()),
        cause_classes=resends.cause_classes,
        spurious_causes=dict(resends.spurious_causes.most_common()),
        spurious_cause_classes=resends.spurious_cause_classes,
        verdicts=resends.verdicts,
        probes=dict(resends.probes),
        outcomes=tally.outcomes,
        timeouts=resends.timeouts,
        worst_timeout=burst,
        rtt=_rounds(tally.told_rtts),
        sack_delay_ns=tally.sack_delay_ns,
        paths=[
            Way(**{name: path[name] for name in Way.__dataclass_fields__}) for path in tally.paths
        ],
        rack=Rack(tally.marks, tally.false_marks, resends.avoided, resends.saved),
    )


def _rounds(rtts: Mapping[str, RoundTrips]) -> Rounds | None:
    first = [some for tag, some in rtts.items() if tag != RttTag.RTX]
    if not first:
        return None
    return Rounds(
        sum(some.count for some in first),
        min(some.least for some in first),
        RoundTrips.median(first),
        max(some.most for some in first),
    )


def added(recoveries: Sequence[Recovery]) -> Recovery:
    """What several directions, at least one, come to: of round trips and paths nothing is told."""
    worst = (one.worst_timeout for one in recoveries if one.worst_timeout)
    racks = [one.rack for one in recoveries]
    saved = [rack.saved for rack in racks]
    return Recovery(
        lost=sum(one.lost for one in recoveries),
        lost_tsns=sum(one.lost_tsns for one in recoveries),
        retransmissions=sum(one.retransmissions for one in recoveries),
        causes=_sum(one.causes for one in recoveries),
        cause_classes=_sums(one.cause_classes for one in recoveries),
        spurious_causes=_sum(one.spurious_causes for one in recoveries),
        spurious_cause_classes=_sums(one.spurious_cause_classes for one in recoveries),
        verdicts=_sums(one.verdicts for one in recoveries),
        probes=_sum(one.probes for one in recoveries),
        outcomes=_sum(one.outcomes for one in recoveries),
        timeouts=sum(one.timeouts for one in recoveries),
        worst_timeout=max(worst, key=lambda burst: burst.spurious, default=None),
        rtt=None,
        sack_delay_ns=None,
        paths=[],
        rack=Rack(
            sum(rack.marks for rack in racks),
            sum(rack.false_marks for rack in racks),
            sum(rack.avoided for rack in racks),
            Saved(
                sum(one.timeouts for one in saved),
                sum(one.total_ns for one in saved),
                max(one.largest_ns for one in saved),
            ),
        ),
    )


def _sum(counts: Iterable[Mapping[_Key, int]]) -> dict[_Key, int]:
    total: dict[_Key, int] = {}
    for one in counts:
        for key, count in one.items():
            total[key] = total.get(key, 0) + count
    return total


def _sums(counts: Iterable[Mapping[str, Mapping[int, int]]]) -> dict[str, dict[int, int]]:
    total: dict[str, dict[int, int]] = {}
    for one in counts:
        for word, classes in one.items():
            total[word] = _sum([total.get(word, {}), classes])
    return total
