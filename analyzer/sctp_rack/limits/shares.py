# SPDX-License-Identifier: BSD-2-Clause
"""How much of its time the sender of each direction waited for what, summed up from `limits`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sctp_rack.columns.moments import Moment, nanoseconds
from sctp_rack.columns.table import Row
from sctp_rack.limits.buffered import buffered
from sctp_rack.limits.doubled import doubled
from sctp_rack.limits.limited_from import LimitedCapture, LimitedHalf
from sctp_rack.limits.of_time import cut
from sctp_rack.limits.round_trip import round_trip
from sctp_rack.limits.undelayed import held_back, undelayed
from sctp_rack.names import Dir, Limit
from sctp_rack.summary.only import no_data
from sctp_rack.summary.summary import Flow, Summary
from sctp_rack.wording.ends import end_text, ends_text

#: Tables that shares are made of; those of a time of `OF_TIME`, too, of which these fields matter.
TABLES = ("limits", "paths", "windows")
OF_TIME = {"sacks": ("time_ns", "assoc", "from", "newly_acked_bytes")}

#: Of the strip of a direction: so many parts of its time, as wide as a line of text.
PARTS = 60


@dataclass(frozen=True)
class Share:
    """One limit of a direction, all of its intervals together."""

    limit: str
    time_ns: int
    #: Of the time of the direction.
    share: float
    intervals: int
    #: Confidence, 1 to 5: half of its time or more has it, or a higher one.
    limit_class: int
    #: User data that was sent meanwhile, every copy counted.
    bytes: int
    #: The most that was outstanding meanwhile.
    outstanding_bytes: int
    #: The largest window that the receiver told in it; null where it told none.
    a_rwnd: int | None
    #: For how much of it SACKs that data left with had been held back, or the last of all.
    held_ns: int


@dataclass(frozen=True)
class LimitedDirection:
    """What the sender of one direction of data waited for."""

    assoc: int
    dir: str
    #: Both ends.
    ends: str
    #: From the first data to the last acknowledgement, or what of that lies in a time.
    begin_ns: int
    end_ns: int
    vantage: str | None
    #: From the sender to the receiver and back; null where it was not measured.
    round_trip_ns: int | None
    #: What the path gave at best, in bit/s: user data acknowledged in a round trip over its time;
    #: null without one.
    best_rate: float | None
    #: Of user data acknowledged, over all of its time.
    mean_rate: float
    #: What the mean would be with twice the peer's window, if nothing else held the sender back
    #: then; null where it did not wait for that window, or mostly while the receiver did not read.
    mean_rate_doubled: float | None
    #: The least and the most that it may be.
    mean_rate_doubled_least: float | None
    mean_rate_doubled_most: float | None
    #: Whether it hangs on what T3-rtx of usrsctp finds outstanding, which no capture tells.
    mean_rate_doubled_by_timer: bool
    #: User data that the send buffer should have room for to let it go on: twice what left in a
    #: round trip, or twice the congestion window; null where the sender did not wait for it.
    send_buffer: int | None
    #: What the mean would be with that, if nothing else held the sender back then.
    mean_rate_buffered: float | None
    #: The least and the most that it may be.
    mean_rate_buffered_least: float | None
    mean_rate_buffered_most: float | None
    #: Likewise.
    mean_rate_buffered_by_timer: bool
    #: What the mean would be with a SACK for each packet, at once, if the application goes by a
    #: clock where it was waited for; null where no SACK was held back that data left with, or the
    #: last of all.
    mean_rate_undelayed: float | None
    #: The least and the most that it may be.
    mean_rate_undelayed_least: float | None
    mean_rate_undelayed_most: float | None
    #: TSNs that its sender gave up with a FORWARD-TSN before they were acknowledged (RFC 3758), in
    #: all of the capture, and the share that they are of those given up or acknowledged.
    given_up_tsns: int
    given_up_share: float
    #: Longest first.
    limits: list[Share]
    #: Its time in 60 equal parts: what was waited for longest in each.
    parts: list[str]


def limited_directions(
    capture: LimitedCapture,
    assoc: int | None = None,
    direction: str | None = None,
    *,
    begin: Moment | None = None,
    end: Moment | None = None,
) -> list[LimitedDirection]:
    """Those with data, of a time those that wait or send in it.

    `begin` and `end` are as `Table.between` takes them: intervals are cut there, and round trips
    are of the time in which they begin. Raises `UsageError` where there is no data of that
    association or direction.
    """
    first_ns, ends_of_time = capture.summary.first_time_ns or 0, (begin, end)
    begin_ns, end_ns = (one if one is None else nanoseconds(one, first_ns) for one in ends_of_time)
    trips: dict[tuple[int, str], list[Row]] = {}
    for row in capture.table("windows").between(begin, end):
        trips.setdefault((row["assoc"], row["dir"]), []).append(row)
    ends = {one.assoc: ends_text(one) for one in capture.summary.associations}
    paths = {(row["assoc"], row["dir"]): row for row in reversed(list(capture.table("paths")))}
    rows = (
        row
        for row in capture.table("limits")
        if assoc in (None, row["assoc"]) and direction in (None, row["dir"])
    )
    timed = ends_of_time != (None, None)
    flows = _flows(capture.summary)
    acked = _acked_of(capture, begin, end) if timed else _acked(flows)
    found, any_data = [], False
    for which, group in groupby(rows, key=lambda row: (row["assoc"], row["dir"])):
        any_data = True
        if intervals := list(cut(group, begin_ns, end_ns)):
            moved = _Moved(trips.get(which, []), acked(which), flows.get(which))
            who = ends.get(which[0], "?")
            found.append(_of(intervals, who, paths.get(which), moved))
    if not any_data and (assoc, direction) != (None, None):
        raise no_data(capture.path, capture.summary, assoc, direction)
    return found


Which = tuple[int, str]


@dataclass(frozen=True)
class _Moved:
    """Round trips of a direction, and user data acknowledged in and between them, in bytes."""

    trips: Sequence[Row]
    acked: int
    flow: Flow | None  #: what became of all of its data


def _flows(summary: Summary) -> dict[Which, Flow | None]:
    return {
        (one.assoc, way.value): side.flow
        for one in summary.associations
        for side, way in ((one.a, Dir.A2B), (one.b, Dir.B2A))
    }


def _acked(flows: Mapping[Which, Flow | None]) -> Callable[[Which], int]:
    """Of each direction in all."""

    def of(which: Which) -> int:
        flow = flows.get(which)
        return flow.acked_bytes if flow else 0

    return of


def _acked_of(
    capture: LimitedCapture, begin: Moment | None, end: Moment | None
) -> Callable[[Which], int]:
    """Of each direction by the feedback of a time."""
    sacks = capture.table("sacks").between(begin, end)
    return lambda which: int(sacks.taken(sacks.of_direction(*which))["newly_acked_bytes"].sum())


def limited(
    direction: LimitedHalf, begin_ns: int | None = None, end_ns: int | None = None
) -> LimitedDirection | None:
    """Shares of one direction, without rates; None where nothing is known of its waits.

    Of a time, in nanoseconds since the Unix epoch, what lies in it.
    """
    intervals = list(cut(direction.table("limits"), begin_ns, end_ns))
    ends = f"{end_text(direction.sender)} - {end_text(direction.receiver)}"
    path = next(iter(direction.table("paths")), None)
    return _of(intervals, ends, path, _Moved([], 0, direction.sender.flow)) if intervals else None


def _of(intervals: Sequence[Row], ends: str, path: Row | None, moved: _Moved) -> LimitedDirection:
    begin_ns, end_ns = intervals[0]["begin_ns"], intervals[-1]["end_ns"]
    by_limit = [(limit, [row for row in intervals if row["limit"] == limit]) for limit in Limit]
    shares = [_share(limit, rows, end_ns - begin_ns) for limit, rows in by_limit if rows]
    trips, acked = moved.trips, moved.acked
    window = max((row["a_rwnd"] or 0 for row in intervals), default=0)
    took = round_trip(path)
    twice = doubled(intervals, trips, acked, window, took) if took else None
    more = buffered(intervals, trips, acked, window, took) if took else None
    at_once = undelayed(intervals, acked)
    return LimitedDirection(
        assoc=intervals[0]["assoc"],
        dir=intervals[0]["dir"],
        ends=ends,
        begin_ns=begin_ns,
        end_ns=end_ns,
        vantage=path["vantage"] if path else None,
        round_trip_ns=took.smoothed_ns if took else None,
        best_rate=max(
            (_rate(row) for row in trips if row["end_ns"] > row["begin_ns"]), default=None
        ),
        mean_rate=8e9 * acked / (end_ns - begin_ns),
        mean_rate_doubled=twice.rate if twice else None,
        mean_rate_doubled_least=twice.least if twice else None,
        mean_rate_doubled_most=twice.most if twice else None,
        mean_rate_doubled_by_timer=twice is not None and twice.by_timer,
        send_buffer=more.size if more else None,
        mean_rate_buffered=more.rate.rate if more else None,
        mean_rate_buffered_least=more.rate.least if more else None,
        mean_rate_buffered_most=more.rate.most if more else None,
        mean_rate_buffered_by_timer=more is not None and more.rate.by_timer,
        mean_rate_undelayed=at_once.rate if at_once else None,
        mean_rate_undelayed_least=at_once.least if at_once else None,
        mean_rate_undelayed_most=at_once.most if at_once else None,
        given_up_tsns=moved.flow.abandoned_tsns if moved.flow else 0,
        given_up_share=_given_up(moved.flow) if moved.flow else 0.0,
        limits=sorted(shares, key=lambda share: -share.time_ns),
        parts=list(_parts(intervals, begin_ns, end_ns)),
    )


def _given_up(flow: Flow) -> float:
    return flow.abandoned_tsns / max(1, flow.abandoned_tsns + flow.acked_tsns)


def _time(rows: Iterable[Row]) -> int:
    return sum(row["end_ns"] - row["begin_ns"] for row in rows)


def _rate(trip: Row) -> float:
    return 8e9 * float(trip["acked_bytes"]) / float(trip["end_ns"] - trip["begin_ns"])


def _share(limit: str, rows: Sequence[Row], whole_ns: int) -> Share:
    time_ns = _time(rows)
    return Share(
        limit=str(limit),
        time_ns=time_ns,
        share=time_ns / whole_ns,
        intervals=len(rows),
        limit_class=_class(rows, time_ns),
        bytes=sum(row["bytes"] for row in rows),
        outstanding_bytes=max(row["outstanding_bytes"] for row in rows),
        a_rwnd=max((row["a_rwnd"] for row in rows if row["a_rwnd"] is not None), default=None),
        held_ns=held_back(rows),
    )


def _class(rows: Sequence[Row], time_ns: int) -> int:
    left_ns = time_ns
    for row in sorted(rows, key=lambda row: -row["limit_class"]):
        left_ns -= row["end_ns"] - row["begin_ns"]
        if 2 * left_ns <= time_ns:
            return int(row["limit_class"])
    return 1


def _parts(intervals: Iterable[Row], begin_ns: int, end_ns: int) -> Iterator[str]:
    """The limit of most of each part."""
    bounds = [begin_ns + (end_ns - begin_ns) * at // PARTS for at in range(PARTS + 1)]
    times: list[dict[str, int]] = [{} for _ in range(PARTS)]
    at = 0
    for row in intervals:
        while at < PARTS - 1 and bounds[at + 1] <= row["begin_ns"]:
            at += 1
        part = at
        while part < PARTS and bounds[part] < row["end_ns"]:
            within = min(bounds[part + 1], row["end_ns"]) - max(bounds[part], row["begin_ns"])
            times[part][row["limit"]] = times[part].get(row["limit"], 0) + within
            part += 1
    for one in times:
        yield max(one, key=one.__getitem__, default=Limit.UNKNOWN.value)
