# SPDX-License-Identifier: BSD-2-Clause
"""The figures by which captures are compared: speed, waiting, recovery, and what that cost."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.capture import Capture
from sctp_rack.comparison.acknowledged import acknowledged
from sctp_rack.comparison.delivery import Numbers, delivered
from sctp_rack.comparison.episodes import episodes, waited_ns
from sctp_rack.names import Limit, Vantage, Verdict
from sctp_rack.recovery.direction import Recovery
from sctp_rack.summary.summary import Time
from sctp_rack.wording.causes import family

#: Tables that a capture must have; without `limits` nothing is said of what senders waited for.
TABLES = ("transmissions", "sacks", "messages", "limits")


@dataclass(frozen=True)
class Quantiles:
    """Of times in nanoseconds; each is one that was measured (the nearest rank). None without."""

    count: int
    p50_ns: int | None
    p90_ns: int | None
    p99_ns: int | None
    max_ns: int | None


@dataclass(frozen=True)
class Measures:
    """Of one capture, or of some of its directions together; counts are of chunks on the wire."""

    #: Directions with data.
    directions: int
    #: From the first data to the last acknowledgement of any, nanoseconds.
    duration_ns: int
    chunks: int
    #: User data, every copy counted, and each TSN that was acknowledged once.
    sent_bytes: int
    useful_bytes: int
    lost: int
    #: From the transmission of a TSN, or of a message, until it was acknowledged; of directions
    #: that were not captured at their receiver, where there are any.
    tsn_latency: Quantiles
    message_latency: Quantiles
    messages_pending: int
    messages_given_up: int
    #: Recoveries, those with T3-rtx, and how long all of them took.
    recoveries: int
    timeout_recoveries: int
    in_recovery_ns: int
    #: T3-rtx timeouts that made retransmissions, and how long data had waited for them.
    timeouts: int
    waited_ns: int
    retransmissions: int
    #: By family of causes: `by fast retransmit`, `by timeouts`, …
    causes: dict[str, int]
    spurious: int
    undetermined: int
    probes: int
    #: How long the senders waited for what, nanoseconds: words of the enum `limit`.
    limits_ns: dict[str, int]
    #: Median of the round trips from the tap, of the same directions; None without samples.
    rtt_ns: int | None
    #: Where the tap was on their paths: words of the enum `vantage`.
    vantages: list[str]
    #: The time that all of it is of, where one was asked for: what began in it counts, and what
    #: takes time is cut where it ends.
    of_time: Time | None = None

    @property
    def goodput_bps(self) -> float | None:
        """Useful bits per second; None where no time passed."""
        return 8e9 * self.useful_bytes / self.duration_ns if self.duration_ns else None

    @property
    def lost_share(self) -> float | None:
        """Of the chunks sent."""
        return _share(self.lost, self.chunks)

    @property
    def recovery_share(self) -> float | None:
        """Of the duration of all directions."""
        return _share(self.in_recovery_ns, self.duration_ns * self.directions)

    @property
    def spurious_share(self) -> float | None:
        """Of the retransmissions that can be judged."""
        return _share(self.spurious, self.retransmissions - self.undetermined)

    def limit_share(self, limit: str) -> float:
        """Of the time of all directions."""
        return self.limits_ns.get(limit, 0) / max(sum(self.limits_ns.values()), 1)

    @property
    def bytes_per_useful(self) -> float | None:
        """Bytes sent for each byte that was acknowledged."""
        return _share(self.sent_bytes, self.useful_bytes)


def directions_of(
    capture: Capture, *, assoc: int | None = None, direction: str | None = None
) -> list[Direction]:
    """Those with data."""
    return [
        one
        for association in capture.associations
        for one in association.directions
        if one.data
        and (assoc is None or one.assoc == assoc)
        and (direction is None or one.name == direction)
    ]


def measures_of(directions: Sequence[Direction]) -> Measures:
    """Of directions with data, of one capture: their figures together."""
    datas = [one.data for one in directions if one.data]
    moved = [acknowledged(one) for one in directions]
    recoveries = [one.sender.recovery for one in directions if one.sender.recovery]
    ahead = [one for one in directions if _ahead(one)] or list(directions)
    times = delivered(ahead)
    found = [(one.window, episode) for one in directions for episode in episodes(one.whole)]
    begun = [one for window, one in found if window.meets(one.begin_ns, one.begin_ns)]
    begins = [one.begin_ns for one in moved if one.begin_ns is not None]
    ends = [one.end_ns for one in moved if one.end_ns is not None]
    return Measures(
        directions=len(directions),
        duration_ns=max(max(ends) - min(begins), 0) if begins and ends else 0,
        chunks=sum(one.chunks for one in datas),
        sent_bytes=sum(one.bytes for one in datas),
        useful_bytes=sum(one.bytes for one in moved),
        lost=sum(one.lost for one in recoveries),
        tsn_latency=quantiles(times.tsns_ns),
        message_latency=quantiles(times.messages_ns),
        messages_pending=times.pending,
        messages_given_up=times.given_up,
        recoveries=len(begun),
        timeout_recoveries=sum(one.by_timeout for one in begun),
        in_recovery_ns=sum(window.part_ns(one.begin_ns, one.end_ns) for window, one in found),
        timeouts=sum(one.timeouts for one in recoveries),
        waited_ns=sum(waited_ns(one) for one in directions),
        retransmissions=sum(one.retransmissions for one in directions),
        causes=_families(recoveries),
        spurious=sum(one.spurious for one in recoveries),
        undetermined=_judged(recoveries, Verdict.UNDETERMINED),
        probes=sum(sum(one.probes.values()) for one in recoveries),
        limits_ns=_limits(directions),
        rtt_ns=_rtt(ahead),
        vantages=sorted(set().union(*map(_vantages, ahead))),
        of_time=directions[0].of_time,
    )


def quantiles(times_ns: Numbers) -> Quantiles:
    """Of any number of times."""
    if not len(times_ns):
        return Quantiles(0, None, None, None, None)
    ranks = np.quantile(times_ns, [0.5, 0.9, 0.99, 1.0], method="inverted_cdf")
    return Quantiles(len(times_ns), *(int(rank) for rank in ranks))


def _families(recoveries: Iterable[Recovery]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for one in recoveries:
        for cause, count in one.causes.items():
            counted[family(cause)] += count
    return dict(counted.most_common())


def _judged(recoveries: Iterable[Recovery], verdict: Verdict) -> int:
    return sum(sum(one.verdicts.get(verdict, {}).values()) for one in recoveries)


def _limits(directions: Iterable[Direction]) -> dict[str, int]:
    """Nothing where the table was not read."""
    waited = dict.fromkeys(map(str, Limit), 0)
    for one in directions:
        try:
            rows = one.table("limits")
        except KeyError:
            return {}
        codes = rows.codes("limit")
        took = one.window.parts_ns(rows["begin_ns"], rows["end_ns"])
        for code, limit in enumerate(Limit):
            waited[limit] += int(took[codes == code].sum())
    return {limit: time_ns for limit, time_ns in waited.items() if time_ns}


def _vantages(direction: Direction) -> set[str]:
    recovery = direction.sender.recovery
    return {way.vantage for way in recovery.paths} if recovery else set()


def _ahead(direction: Direction) -> bool:
    """Whether the way of the data lies before the tap, so that latencies mean something."""
    return _vantages(direction) != {Vantage.RECEIVER}


def _rtt(directions: Iterable[Direction]) -> int | None:
    """The median of the direction with the most samples."""
    recoveries = [one.sender.recovery for one in directions if one.sender.recovery]
    rounds = [one.rtt for one in recoveries if one.rtt]
    return max(rounds, key=lambda one: one.samples).median_ns if rounds else None


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
