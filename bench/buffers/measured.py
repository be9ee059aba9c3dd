# SPDX-License-Identifier: BSD-2-Clause
"""What a run came to, and what `sctp-rack limits` says of its capture at the sender."""

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import sctp_rack
from sctp_rack.limits.shares import TABLES, limited_directions
from sctp_rack.limits.text import bound

from bench.buffers.cases import GREEDY, LASTS_S, Case
from bench.buffers.fixed_run import FixedRun
from bench.buffers.tuned_run import Size, TunedRun
from sample_pcaps.generate.capture_file import write_pcap
from sample_pcaps.generate.run import Sent
from sample_pcaps.generate.scenario import SECOND

_KIB = 1024


@dataclass(frozen=True)
class Transfer:
    """One run; rates in bit/s of user data."""

    stack: str
    delay_ms: int
    kind: str
    #: Of both buffers, in bytes: at the end, where they grow.
    send: int
    receive: int
    #: Bytes that were acknowledged; from the first data to the acknowledgement of the last, or of
    #: so many bytes; and what arrived in the last second.
    acked: int
    rate: float
    last_rate: float
    lost: int
    resent: int
    #: Retransmission timeouts of the stack, where it tells them.
    timeouts: int | None
    #: What limited it for longest, and for which part of the time; then what did so next.
    limit: str
    share: float
    outstanding: int
    next_limit: str | None
    next_share: float | None
    #: Smoothed, and the highest rate of a round trip.
    round_trip_ms: float | None
    best_rate: float | None
    #: What `limits` says of the first in brackets.
    says: str
    #: Of twice the peer's window, with bounds.
    twice: float | None
    twice_least: float | None
    twice_most: float | None
    #: Bytes of a receive buffer that it names, in place of a rate.
    advised: int | None


def transfer(case: Case) -> tuple[Transfer, Sequence[Size]]:
    """Runs it."""
    tuning = case.tuning
    run = TunedRun(case.scenario, GREEDY, tuning) if tuning else FixedRun(case.scenario, GREEDY)
    run.run()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sender.pcap"
        link_type = run.scenario.encapsulation.link_type
        write_pcap(path, link_type, run.taps["sender"].frames(run.start_ns))
        capture = sctp_rack.read(path, tables=(*TABLES, "sacks"))
        (found,) = limited_directions(capture, direction="a2b")
        acked = [(row["time_ns"], row["newly_acked_bytes"]) for row in capture.table("sacks")]
    sizes = run.sizes if isinstance(run, TunedRun) else []
    at_end = {one.which: one.bytes for one in sizes}
    main, following = [*found.limits, None][:2]
    assert main is not None
    says = bound(found, main)
    done = Transfer(
        stack=case.stack.value[0],
        delay_ms=case.delay_ms,
        kind=case.kind,
        send=at_end.get("send", case.bytes),
        receive=at_end.get("receive", case.bytes),
        acked=sum(size for _, size in acked),
        rate=rate_of(acked, found.begin_ns, case.amount) if case.amount else found.mean_rate,
        last_rate=last_rate(run.sent),
        lost=sum(one.lost for one in run.sent if one.side == "a"),
        resent=sum(one.copy > 1 for one in run.sent if one.side == "a"),
        timeouts=run.counters["a"].get("timodata"),
        limit=main.limit,
        share=main.share,
        outstanding=main.outstanding_bytes,
        next_limit=following.limit if following else None,
        next_share=following.share if following else None,
        round_trip_ms=found.round_trip_ns and found.round_trip_ns / 1e6,
        best_rate=found.best_rate,
        says=says,
        twice=found.mean_rate_doubled,
        twice_least=found.mean_rate_doubled_least,
        twice_most=found.mean_rate_doubled_most,
        advised=advised_by(says),
    )
    return done, sizes


def rate_of(acked: Iterable[tuple[int, int]], begin_ns: int, amount: int) -> float:
    """Until so many bytes are acknowledged; `acked`: when how many are, in order."""
    left = amount
    for time_ns, size in acked:
        left -= size
        if left <= 0:
            return 8e9 * amount / (time_ns - begin_ns)
    raise ValueError(f"{left} bytes were never acknowledged")


def last_rate(sent: Sequence[Sent]) -> float:
    """Of the first copies that arrived in the last second."""
    begin_ns = (LASTS_S - 1) * SECOND
    arrived = [
        one.user_bytes
        for one in sent
        if one.side == "a" and one.copy == 1 and one.arrive_ns and one.arrive_ns >= begin_ns
    ]
    return 8.0 * sum(arrived)


def advised_by(says: str) -> int | None:
    """The buffer that the sentence names, as a reader would take it."""
    found = re.search(r"([\d,]+) KiB would allow", says)
    return _KIB * int(found[1].replace(",", "")) if found else None


def more_of(case: Case, one: Transfer) -> list[Case]:
    """The same data with twice the buffers, if a rate is predicted of that, and with what is
    advised the same time."""
    more = []
    if case.kind == "fixed" and one.twice is not None:
        more.append(replace(case, kind="twice", bytes=2 * case.bytes, amount=one.acked))
    if case.kind == "fixed" and one.advised is not None:
        more.append(replace(case, kind="advised", bytes=one.advised))
    return more
