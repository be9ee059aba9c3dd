# SPDX-License-Identifier: BSD-2-Clause
"""What became of the data of one direction, in numbers: lost, sent again, needed or not, and when.

All of it is counted from rows of docs/tables.md. Confidence classes are those of its columns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sctp_rack.hindsight import Saved, avoided, saved
from sctp_rack.light_rows import AnyRow
from sctp_rack.names import Cause, CountWhat, Kind, Outcome, Profile, Resolution, RttTag, Verdict
from sctp_rack.round_trips import RoundTrips
from sctp_rack.timeouts import Timeout, timeouts

#: What a class is called: no other explanation, and right in at least 97 of 100.
CERTAIN, VERY_LIKELY = 5, 4


@dataclass(frozen=True)
class Rounds:
    """Round trips from the tap to the receiver and back, of TSNs sent once (Karn), nanoseconds."""

    samples: int
    min_ns: int
    median_ns: int
    max_ns: int


@dataclass(frozen=True)
class Burst:
    """The retransmissions of the timeout that made most of the needless ones, or most."""

    #: Of the first of them.
    frame: int
    retransmissions: int
    needless: int


@dataclass(frozen=True)
class Way:
    """One path of the data: where the tap is on it and whose sender it looks like."""

    path: str
    vantage: str
    vantage_class: int | None
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


@dataclass(frozen=True)
class Rack:
    """What RACK-TLP (profile rfc8985) would have made of the same packets."""

    #: Transmissions that it would have marked lost, and those of them that had arrived.
    marks: int
    false_marks: int
    #: Needless retransmissions by feedback, of copies that it never marked.
    avoided: int
    saved: Saved


@dataclass(frozen=True)
class Recovery:
    """Loss and recovery of one direction; counts are of DATA and I-DATA chunks."""

    #: Chunks on the wire of which a copy was lost: all of them, and different TSNs.
    lost: int
    lost_tsns: int
    retransmissions: int
    causes: dict[str, int]
    #: Of the needless ones.
    needless_causes: dict[str, int]
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
    def needless(self) -> int:
        """Retransmissions of a TSN that had been accepted before."""
        return sum(self.verdicts.get(Verdict.SPURIOUS, {}).values())

    def certain(self, verdict: Verdict) -> int:
        """Those with this verdict that nothing else explains."""
        return self.verdicts.get(verdict, {}).get(CERTAIN, 0)

    def very_likely(self, verdict: Verdict) -> int:
        """Those with this verdict of a class that is right in at least 97 of 100."""
        return self.verdicts.get(verdict, {}).get(VERY_LIKELY, 0)


def recovery(
    transmissions: Iterable[AnyRow],
    marks: Iterable[AnyRow],
    counts: Iterable[AnyRow],
    rtts: Mapping[str, RoundTrips],
    paths: Iterable[AnyRow],
) -> Recovery:
    """Of the rows of one direction, each in the order of its table.

    Of `transmissions` only retransmissions, probes and what was lost are needed. `rtts` has the
    round trips of `rtt_samples` by their tag.
    """
    rows = list(transmissions)
    again = [row for row in rows if row["kind"] == Kind.RETRANSMISSION]
    lost = [row for row in rows if row["outcome"] == Outcome.LOST]
    rack_marks = [mark for mark in marks if mark["profile"] == Profile.RFC8985]
    ways = [Way(**{name: row[name] for name in Way.__dataclass_fields__}) for row in paths]
    by_timeout = timeouts(again)
    return Recovery(
        lost=len(lost),
        lost_tsns=len({row["tsn"] for row in lost}),
        retransmissions=len(again),
        causes=_causes(again),
        needless_causes=_causes([r for r in again if r["verdict"] == Verdict.SPURIOUS]),
        verdicts=_verdicts(again),
        probes=dict(Counter(row["probe"] for row in rows if row["probe"])),
        outcomes={
            row["name"]: row["transmissions"] for row in counts if row["what"] == CountWhat.OUTCOME
        },
        timeouts=len(by_timeout),
        worst_timeout=_worst(by_timeout),
        rtt=_rounds(rtts),
        sack_delay_ns=_sack_delay(rtts),
        paths=ways,
        rack=Rack(
            marks=len(rack_marks),
            false_marks=sum(m["resolution"] == Resolution.FALSE_MARK for m in rack_marks),
            avoided=len(avoided(again, rack_marks)),
            saved=saved(by_timeout, rack_marks),
        ),
    )


def _causes(again: Iterable[AnyRow]) -> dict[str, int]:
    return dict(Counter(row["cause"] or Cause.UNKNOWN.value for row in again).most_common())


def _verdicts(again: Iterable[AnyRow]) -> dict[str, dict[int, int]]:
    verdicts: dict[str, dict[int, int]] = {}
    for row in again:
        classes = verdicts.setdefault(row["verdict"] or Verdict.UNDETERMINED.value, {})
        confidence = row["verdict_class"] or 1
        classes[confidence] = classes.get(confidence, 0) + 1
    return verdicts


def _worst(by_timeout: Sequence[Timeout]) -> Burst | None:
    if not by_timeout:
        return None
    worst = max(by_timeout, key=lambda one: (len(one.needless), len(one.rows)))
    return Burst(worst.frame, len(worst.rows), len(worst.needless))


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


def _sack_delay(rtts: Mapping[str, RoundTrips]) -> int | None:
    late = rtts.get(RttTag.DELAYED)
    if late is None:
        return None
    return late.most - min(some.least for tag, some in rtts.items() if tag != RttTag.RTX)
