# SPDX-License-Identifier: BSD-2-Clause
"""One row of the table: what a run's capture says of the queue, and what the stack and the link
know of the run."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.what_if.what_if import TABLES

from bench.nrsack.greedy_run import GreedyRun, Held
from bench.nrsack.interval import time_average
from bench.nrsack.paper import CHUNK, WARM_UP, Case
from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.run import Run, Sent
from sample_pcaps.generate.scenario import SECOND

#: Causes of resends behind a timeout.
_TIMEOUTS = ("t3", "t3_gbn", "failover")


@dataclass(frozen=True)
class Row:
    """Of the time behind the warm-up. Bytes are of user data, times seconds."""

    paths: int
    load: str
    loss: str
    data: str
    sndbuf: int
    acks: str
    seed: int
    #: By our engine from the capture at the sender: over all, and while gaps are reported.
    rtxq_util: float | None
    rtxq_util_gaps: float | None
    gaps_share: float
    average_bytes: float
    largest_bytes: int
    #: What the same capture says of NR-SACKs of what was delivered, and of all that arrived.
    said_util_delivered: float | None
    said_bytes_delivered: float
    said_util_all: float | None
    said_bytes_all: float
    #: Its bounds if the send buffer was full, of what the receiver of these runs tells of; null
    #: where a full buffer changes nothing.
    least_util: float | None
    most_util: float | None
    least_bytes: float | None
    most_bytes: float | None
    #: The part of the time in which other packets may leave for it.
    others_share: float
    #: Of what was kept though it had arrived, the part that waited for a TSN on the first path.
    waste_of_first_path: float | None
    #: The part of the time that the buffer looks full while part of it had arrived.
    full_share: float
    #: By the link: bits per second that arrive for the first time, and what it lost of all sent.
    throughput: float
    lost: float
    resent: int
    timeouts: int
    #: By usrsctp itself: the queue, and the part of the time in which it fills the buffer and the
    #: application has more.
    stack_average_bytes: float
    stack_blocked_share: float


def row(case: Case, seed: int, *, nr_sack: bool) -> Row | None:
    """Runs it. None where it had no data to measure: its INIT was lost again and again."""
    run = GreedyRun(case.scenario(seed, nr_sack=nr_sack), case.greedy)
    run.run()
    begin_ns, end_ns = WARM_UP * SECOND, case.end * SECOND
    sent = [one for one in run.sent if one.side == "a" and begin_ns <= one.time_ns < end_ns]
    if not sent:
        return None
    found = captured(run).what_if(
        rack=False, direction="a2b", begin=float(WARM_UP), end=float(case.end)
    )
    assert found.nr_sack is not None
    (queue,) = found.nr_sack
    whole, gaps = queue.captured.whole, queue.captured.gaps
    delivered, everything = queue.with_nr_sacks_of_delivered, queue.with_nr_sacks_of_all
    bounds = queue.bounds_of_all if case.unordered else queue.bounds_of_delivered
    waste = {one.path: one.arrived_byte_seconds for one in queue.paths}
    first = f"{run.addresses['a'][0]}>{run.addresses['b'][0]}"
    return Row(
        paths=case.paths,
        load=case.load.name,
        loss="bursts" if case.bursts else "independent",
        data="unordered" if case.unordered else "ordered",
        sndbuf=case.sndbuf,
        acks="NR-SACK" if nr_sack else "SACK",
        seed=seed,
        rtxq_util=whole.rtxq_util,
        rtxq_util_gaps=gaps.rtxq_util,
        gaps_share=gaps.time_ns / whole.time_ns,
        average_bytes=whole.average_bytes,
        largest_bytes=whole.largest_bytes,
        said_util_delivered=delivered.whole.rtxq_util,
        said_bytes_delivered=delivered.whole.average_bytes,
        said_util_all=everything.whole.rtxq_util,
        said_bytes_all=everything.whole.average_bytes,
        least_util=bounds.least_rtxq_util if bounds else None,
        most_util=bounds.most_rtxq_util if bounds else None,
        least_bytes=bounds.least_average_bytes if bounds else None,
        most_bytes=bounds.most_average_bytes if bounds else None,
        others_share=others_share(
            bounds.since_ns if bounds else None, queue.begin_ns, queue.end_ns
        ),
        waste_of_first_path=waste.get(first, 0.0) / sum(waste.values()) if waste else None,
        full_share=queue.full_buffer.time_ns / whole.time_ns if queue.full_buffer else 0.0,
        throughput=arrived_bytes(run.sent, begin_ns, end_ns) * 8e9 / (end_ns - begin_ns),
        lost=sum(one.lost for one in sent) / len(sent),
        resent=sum(one.copy > 1 for one in sent),
        timeouts=timeouts(sent),
        stack_average_bytes=time_average(
            ((one.time_ns, one.sent) for one in run.held),
            queue.begin_ns - run.start_ns,
            queue.end_ns - run.start_ns,
        ),
        stack_blocked_share=blocked_share(run.held, case.sndbuf, begin_ns, end_ns),
    )


def others_share(since_ns: int | None, begin_ns: int, end_ns: int) -> float:
    """The part of a time behind a moment, which may be before it; None: there is none."""
    if since_ns is None:
        return 0.0
    return (end_ns - max(since_ns, begin_ns)) / (end_ns - begin_ns)


def captured(run: Run) -> Capture:
    """What our engine reads at the sender's tap."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sender.pcap"
        link_type = run.scenario.encapsulation.link_type
        write_pcap(path, link_type, run.taps["sender"].frames(run.start_ns))
        return sctp_rack.read(path, tables=TABLES)


def arrived_bytes(sent: Iterable[Sent], begin_ns: int, end_ns: int) -> int:
    """User bytes of chunks whose first copy to arrive does so in a time."""
    first: dict[int, tuple[int, int]] = {}
    for one in sent:
        if one.side == "a" and one.arrive_ns is not None:
            so_far = first.get(one.tsn)
            if so_far is None or one.arrive_ns < so_far[0]:
                first[one.tsn] = one.arrive_ns, one.user_bytes
    return sum(size for at, size in first.values() if begin_ns <= at < end_ns)


def timeouts(sent: Iterable[Sent]) -> int:
    """Timeouts that sent something again: what one resends leaves at the same time and goes on as
    acknowledgements come, so those are counted that are `t3` or the first of a row."""
    count, in_row = 0, False
    for one in sent:
        if one.copy > 1:
            behind_one = one.cause in _TIMEOUTS
            count += behind_one and (not in_row or one.cause == "t3")
            in_row = behind_one
    return count


def blocked_share(held: Iterable[Held], sndbuf: int, begin_ns: int, end_ns: int) -> float:
    """The part of a time in which the application has more, and what was sent fills the buffer
    but for less than a chunk: nothing new can be sent, whatever the windows are."""
    return time_average(
        ((one.time_ns, one.blocked and one.sent > sndbuf - CHUNK) for one in held),
        begin_ns,
        end_ns,
    )
