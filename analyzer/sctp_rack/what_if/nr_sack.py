# SPDX-License-Identifier: BSD-2-Clause
"""How much the sender of a direction kept for nothing, and with other acknowledgements would have.

RtxQ_Util is that of the NR-SACK paper, section IV.B: the average of k/r over the time in which the
queue holds anything, r what it holds and k what of that is outstanding.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.limits.round_trip import round_trip
from sctp_rack.names import SackKind
from sctp_rack.what_if.first_copies import FIRST, LAST, UNORDERED, of_the_sender
from sctp_rack.what_if.full_buffer_bounds import Bounds, QueueLog
from sctp_rack.what_if.queue import QueueWalk, Step
from sctp_rack.what_if.send_buffer import FullBuffer, FullBufferWatch

#: Why the figures may be others in truth.
ASSUMPTIONS = (
    "The same packets leave at the same times, as long as the send buffer was not full. If it was"
    " when the queue held most, more leaves from then on, at other times, and other packets are"
    " lost: 95 of 100 such runs lie between the bounds.",
    "Bounds, with the same losses: the least is what was outstanding; the most is a whole buffer"
    " while it was full and a round trip longer, on several paths at once from then on.",
    "Bounds, by chance: it is in the capture and in the other run alike, and so large as what the"
    " queue held from one recovery to the next is far from its average (Student).",
    "NR-SACKs of what was delivered: a message once all of it, and in its stream all before it, is"
    " acknowledged; the least that they free, as a receiver may promise parts of messages, too.",
    "NR-SACKs of all that arrived: of a receiver that never drops what it has acknowledged; the"
    " most that they can free.",
    "Times are those of the tap: the sender has each acknowledgement up to a loop later.",
    "NR-SACKs would have told of as many blocks as the acknowledgements in the capture did.",
)


@dataclass(frozen=True)
class Kept:
    """What the queue held in some time. Bytes of user data."""

    time_ns: int
    #: Of that time, in which it held anything.
    busy_ns: int
    #: Over all of that time.
    average_bytes: float
    largest_bytes: int
    #: What was kept though it had arrived, times how long.
    arrived_byte_seconds: float
    #: RtxQ_Util; null where the queue held nothing.
    rtxq_util: float | None


@dataclass(frozen=True)
class Periods:
    """The queue under one way to acknowledge."""

    #: From the first data to the last feedback.
    whole: Kept
    #: While the receiver reports gaps: recovery by the paper's rule, from the first gap block to
    #: feedback without any that moves the cumulative TSN.
    gaps: Kept
    #: While the model of RFC 8985 is in recovery.
    recovery: Kept


@dataclass(frozen=True)
class HolePath:
    """What one path made the sender keep though it had arrived."""

    #: On it the lowest missing TSN had been sent last; null where that was not seen.
    path: str | None
    arrived_byte_seconds: float


@dataclass(frozen=True)
class OtherAcknowledgements:
    """The retransmission queue of one direction as it was, and as it would have been."""

    assoc: int
    dir: str
    #: Both ends.
    ends: str
    #: From the first data to the last feedback, or what of that lies in the time asked for.
    begin_ns: int
    end_ns: int
    #: Chunks that acknowledge, and those of them that are NR-SACKs.
    acknowledgements: int
    nr_sacks: int
    #: With the acknowledgements of the capture.
    captured: Periods
    #: If only cumulative TSNs had freed anything.
    with_sacks: Periods
    #: If NR-SACKs had told of what could be delivered.
    with_nr_sacks_of_delivered: Periods
    #: If NR-SACKs had told of all that arrived.
    with_nr_sacks_of_all: Periods
    #: With the acknowledgements of the capture; most first.
    paths: list[HolePath]
    #: Null where it does not look full. Where it does, the sender would have sent more with less to
    #: keep: what is said of NR-SACKs then lies between the bounds.
    full_buffer: FullBuffer | None
    #: If the send buffer was full when the queue held most. Null where that changes nothing: part
    #: of it had never arrived then; and where the capture has NR-SACKs.
    bounds_of_delivered: Bounds | None
    bounds_of_all: Bounds | None


class _Sum:
    def __init__(self) -> None:
        self.time = self.busy = self.largest = 0
        self.kept = self.arrived = self.necessary = 0.0

    def add(self, time_ns: int, kept: int, outstanding: int) -> None:
        self.time += time_ns
        self.kept += kept * time_ns
        self.arrived += (kept - outstanding) * time_ns
        self.largest = max(self.largest, kept)
        if kept:
            self.busy += time_ns
            self.necessary += time_ns * (outstanding / kept)

    def told(self) -> Kept:
        return Kept(
            time_ns=self.time,
            busy_ns=self.busy,
            average_bytes=self.kept / self.time if self.time else 0.0,
            largest_bytes=self.largest,
            arrived_byte_seconds=self.arrived / 1e9,
            rtxq_util=self.necessary / self.busy if self.busy else None,
        )


#: Ways to acknowledge, and what the queue holds with each.
_WAYS: dict[str, Callable[[Step], int]] = {
    "captured": lambda step: step.kept,
    "with_sacks": lambda step: step.with_sacks,
    "with_nr_sacks_of_delivered": lambda step: step.with_nr_sacks_of_delivered,
    "with_nr_sacks_of_all": lambda step: step.outstanding,
}


def other_acknowledgements(direction: Direction, ends: str) -> OtherAcknowledgements:
    """Of a direction with data, whose `transmissions`, `sacks`, `rack_state` and
    `paths` were read.

    Of a time what the queue holds then, of all that was sent and acknowledged before.
    """
    window, sacks = direction.window, direction.told("sacks")
    sums = {way: (_Sum(), _Sum(), _Sum()) for way in _WAYS}
    paths: dict[str | None, int] = {}
    begin_ns = end_ns = None
    watch = FullBufferWatch(int(direction.transmissions["bytes"].max(initial=0)))
    walk = QueueWalk(direction)
    log = _log(direction, walk.largest_message)
    for step in walk.steps():
        time_ns = window.part_ns(step.begin_ns, step.end_ns)
        watch.add(step, time_ns)
        log.add(step, window.begin_of(step.begin_ns), time_ns)
        if not time_ns:
            continue
        if begin_ns is None:
            begin_ns = window.begin_of(step.begin_ns)
        end_ns = window.begin_of(step.begin_ns) + time_ns
        for way, holds in _WAYS.items():
            for one, counts in zip(sums[way], (True, step.gaps, step.recovery), strict=True):
                if counts:
                    one.add(time_ns, holds(step), step.outstanding)
        if step.kept > step.outstanding:
            waste = (step.kept - step.outstanding) * time_ns
            paths[step.hole_path] = paths.get(step.hole_path, 0) + waste
    told = {way: Periods(*(one.told() for one in three)) for way, three in sums.items()}
    nr_sacks = len(sacks.where(kind=SackKind.NR_SACK))
    return OtherAcknowledgements(
        assoc=direction.assoc,
        dir=direction.name,
        ends=ends,
        begin_ns=begin_ns or 0,
        end_ns=end_ns or 0,
        acknowledgements=len(sacks),
        nr_sacks=nr_sacks,
        paths=[
            HolePath(path, waste / 1e9)
            for path, waste in sorted(paths.items(), key=lambda one: -one[1])
        ],
        full_buffer=watch.found(),
        bounds_of_delivered=None if nr_sacks else log.of_delivered(),
        bounds_of_all=None if nr_sacks else log.of_all(),
        **told,
    )


def _log(direction: Direction, message: int) -> QueueLog:
    """For the steps of its queue; where nothing tells of a round trip, none is added."""
    rows = of_the_sender(direction.transmissions)
    first = rows.where(np.ma.filled(rows["first_frame"] == rows["frame"], False))
    flags = np.ma.filled(first["flags"], 0)
    ordered = first.where(flags & UNORDERED == 0)
    at_once = FIRST | LAST | UNORDERED
    round_trips = [
        took.smoothed_ns for path in direction.table("paths") if (took := round_trip(path))
    ]
    return QueueLog(
        message=message,
        round_trip_ns=max(round_trips, default=0),
        paths=len(set(first["path"].tolist())),
        streams=len(set(ordered["sid"].tolist())),
        waits=bool((flags & at_once != at_once).any()),
    )
