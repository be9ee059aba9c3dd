# SPDX-License-Identifier: BSD-2-Clause
"""What the sender of a run waited for, by what its application had handed over and what it knew.

Where data waits, the stack's own windows say for which it waits; where none waits in the stack it
is the send buffer if the application has some that it could not hand over, else the application.
Repairs are those of docs/limits.md: from the first resend to when all is acknowledged that was
outstanding then, a timeout from the silence before it on.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sctp_rack.names import Limit

from bench.limits.observed import ObservedRun
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.run import Sent
from sample_pcaps.generate.scenario import Stack

#: What a receiver holds back longer than that it delays: stacks answer at once or after 100 ms.
_HELD_NS = 20 * MS

_HEADER = 16

_TIMEOUTS = ("t3", "t3_gbn", "failover")


@dataclass(frozen=True)
class Stretch:
    """A time in which one thing limits, at the sender, since the start of the run."""

    begin_ns: int
    end_ns: int
    limit: Limit


@dataclass
class _Sender:
    handed: int = 0
    sent: int = 0
    cwnd: int = 0
    peer_window: int = 1 << 30
    refused: int = 0
    cut: int = 0
    largest: int = 0
    outstanding: dict[int, int] = field(default_factory=dict)
    is_linux: bool = False

    def has_room(self, next_bytes: int) -> bool:
        """In the congestion window, with the headers of chunks, which stacks count in it; Linux
        does not, and sends as long as less is outstanding (sctp_packet_can_append_data)."""
        if self.is_linux:
            return sum(self.outstanding.values()) < self.cwnd
        flight = sum(self.outstanding.values()) + _HEADER * len(self.outstanding)
        return flight + next_bytes + _HEADER <= self.cwnd

    def waits_for(self, next_bytes: int) -> Limit:
        """Outside of a repair."""
        if self.sent >= self.handed or not next_bytes:
            return Limit.APPLICATION
        if self.sent >= self.handed - self.refused:
            return Limit.SEND_BUFFER
        silly = min(self.largest, self.peer_window * 2)  # Linux sends whatever has room
        if self.peer_window < max(next_bytes, 0 if self.is_linux else silly):
            return Limit.PEER_WINDOW
        if self.cut == 2 or (self.cut == 1 and self.has_room(next_bytes)):
            return Limit.BURST_LIMIT
        return Limit.CONGESTION_WINDOW


def truth_of(run: ObservedRun) -> list[Stretch]:
    """From the first data to the last acknowledgement that says anything new."""
    return list(_joined(_with_repairs(run, list(_waits(run)))))


def _packets(run: ObservedRun) -> dict[int, list[Sent]]:
    packets: dict[int, list[Sent]] = {}
    for sent in run.sent:
        if sent.side == run.scenario.main:
            packets.setdefault(sent.packet, []).append(sent)
    return packets


def _waits(run: ObservedRun) -> Iterator[Stretch]:
    """Outside of repairs: from event to event."""
    sender = _Sender(is_linux=run.scenario.stack is Stack.LINUX)
    events: list[tuple[int, int, Any]] = sorted(
        [
            *((one.time_ns, 0, one) for one in run.handed),
            *((one.time_ns, 1, one) for one in run.heard),
            *((packet[0].time_ns, 2, packet) for packet in _packets(run).values()),
            *((one.time_ns, 3, one) for one in run.windows),
        ],
        key=lambda event: event[:2],
    )
    firsts = [s for p in _packets(run).values() for s in p if s.copy == 1]
    sizes = [sent.user_bytes for sent in firsts]
    begun_ns, last_ns, waiting, limit, until_held = None, 0, 0, Limit.APPLICATION, 0
    pending: list[Stretch] = []
    for time_ns, kind, event in events:
        if begun_ns is not None and time_ns > last_ns:
            following = sizes[waiting] if waiting < len(sizes) else 0
            waits_for = sender.waits_for(following)
            busy = waits_for is Limit.CONGESTION_WINDOW and sender.has_room(following)
            if run.scenario.nagle or not busy:  # else the host takes its time over what came
                limit = waits_for
            pending.append(Stretch(last_ns, time_ns, limit))
        last_ns = time_ns
        if kind == 0:
            sender.handed += event.size
        elif kind == 1:
            new = [tsn for tsn in sender.outstanding if event.said.covers(tsn)]
            for tsn in new:
                del sender.outstanding[tsn]
            held = bool(new) and event.held_ns > _HELD_NS
            if new:
                until_held = len(pending) if held else 0
        elif kind == 2:
            yield from (_of_held(one) for one in pending[:until_held])
            yield from pending[until_held:]
            pending, until_held = [], 0
            begun_ns = begun_ns or time_ns
            for sent in event:
                sender.outstanding[sent.tsn] = sent.user_bytes
                if sent.copy == 1:
                    sender.sent += sent.user_bytes
                    waiting += 1
            sender.largest = max(sender.largest, sum(sent.user_bytes for sent in event))
        else:
            sender.cwnd, sender.peer_window = event.cwnd, event.peer_window
            sender.refused, sender.cut = event.refused, event.cut
    yield from pending


def _of_held(one: Stretch) -> Stretch:
    """Data left with feedback that was held back: but for the peer's window it waited for that."""
    if one.limit in (Limit.CONGESTION_WINDOW, Limit.BURST_LIMIT, Limit.SEND_BUFFER):
        return Stretch(one.begin_ns, one.end_ns, Limit.DELAYED_SACK)
    return one


def _repairs(run: ObservedRun) -> Iterator[Stretch]:
    """One after the other, the silence before a timeout among them."""
    main = run.scenario.main
    events: list[tuple[int, int, Any]] = sorted(
        [
            *((one.time_ns, 0, one) for one in run.heard),
            *((packet[0].time_ns, 1, packet) for packet in _packets(run).values()),
        ],
        key=lambda event: event[:2],
    )
    outstanding: set[int] = set()
    highest = None
    begin_ns, limit, until, quiet_ns = 0, None, 0, 0
    paths: dict[int, str] = {}
    for time_ns, kind, event in events:
        if kind == 0:
            if any(event.said.covers(tsn) for tsn in outstanding):
                quiet_ns = time_ns
            outstanding = {tsn for tsn in outstanding if not event.said.covers(tsn)}
            if limit and (event.said.cum_tsn - until) % 2**32 < 2**31:
                yield Stretch(begin_ns, time_ns, limit)
                limit = None
            continue
        assert all(sent.side == main for sent in event)
        for sent in event:
            if sent.copy == 1 or sent.cause == "zero_window_probe":
                continue
            timer = sent.cause in _TIMEOUTS
            elsewhere = paths.get(sent.tsn) not in (None, sent.ends.destination)
            fresh = limit is None or (sent.cause in ("t3", "failover") and limit == Limit.RECOVERY)
            if not fresh or (limit and timer is False):
                if limit == Limit.TIMEOUT and elsewhere and sent.cause in ("t3", "failover"):
                    yield Stretch(begin_ns, quiet_ns, limit)
                    begin_ns, limit, until = quiet_ns, Limit.PATH_FAILURE, highest or sent.tsn
                continue
            if limit:
                yield Stretch(begin_ns, quiet_ns, limit)
            begin_ns = quiet_ns if timer else time_ns
            limit = Limit.TIMEOUT if timer else Limit.RECOVERY
            if timer and (elsewhere or sent.cause == "failover"):
                limit = Limit.PATH_FAILURE
            until = highest if highest is not None else sent.tsn
        for sent in event:
            paths[sent.tsn] = sent.ends.destination
            outstanding.add(sent.tsn)
            if highest is None or 0 < (sent.tsn - highest) % 2**32 < 2**31:
                highest = sent.tsn
        quiet_ns = time_ns
    if limit:
        yield Stretch(begin_ns, quiet_ns, limit)


def _with_repairs(run: ObservedRun, waits: list[Stretch]) -> Iterator[Stretch]:
    repairs = list(_repairs(run))
    end_ns = _end(run)
    cuts = sorted({edge for one in (*waits, *repairs) for edge in (one.begin_ns, one.end_ns)})
    at = repair = 0
    for begin_ns, to_ns in pairwise(cuts):
        if to_ns > end_ns:
            return
        while at < len(waits) and waits[at].end_ns <= begin_ns:
            at += 1
        while repair < len(repairs) and repairs[repair].end_ns <= begin_ns:
            repair += 1
        if repair < len(repairs) and repairs[repair].begin_ns <= begin_ns:
            yield Stretch(begin_ns, to_ns, repairs[repair].limit)
        elif at < len(waits) and waits[at].begin_ns <= begin_ns:
            yield Stretch(begin_ns, to_ns, waits[at].limit)


def _end(run: ObservedRun) -> int:
    """When the last of the data was acknowledged."""
    left = {sent.tsn for sent in run.sent if sent.side == run.scenario.main}
    end_ns = 0
    for one in run.heard:
        acked = {tsn for tsn in left if one.said.covers(tsn)}
        if acked:
            end_ns = one.time_ns
            left -= acked
    return end_ns


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    open_one: Stretch | None = None
    for one in stretches:
        if open_one and open_one.limit is one.limit and open_one.end_ns == one.begin_ns:
            open_one = Stretch(open_one.begin_ns, one.end_ns, one.limit)
            continue
        if open_one:
            yield open_one
        open_one = one
    if open_one:
        yield open_one
