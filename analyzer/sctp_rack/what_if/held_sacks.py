# SPDX-License-Identifier: BSD-2-Clause
"""How long the sender of a direction would have waited for SACKs that another rule holds back.

A wait counts where data left with a SACK that was held back: those that `limits` has for a delayed
SACK, and those for the congestion window or a send buffer that a SACK ended which came when the
receiver's timer is over. What waits for the peer's window does not: a SACK that comes sooner tells
of no more room. Each ends when the SACK of the other rule would have come, so that no more is saved
than was waited.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from sctp_rack.association import Direction
from sctp_rack.columns.table import Row
from sctp_rack.names import Limit, Outcome, RttTag, SackKind
from sctp_rack.what_if.first_copies import TsnLine, of_the_sender
from sctp_rack.what_if.sack_rule import Packet, SackRule, acknowledged_ns, sacks_of

#: Why the figures may be others in truth.
ASSUMPTIONS = (
    "A wait for a SACK that was held back ends when that of the other rule would have come, and the"
    " next one begins as it did; a round trip of each stays: what an earlier or later SACK would"
    " have changed afterwards is not in the figures.",
    "The least and the most are with as many packets counted before as the rule allows; the figure"
    " is with none, as the SACK before acknowledged all that had come.",
    "What a rule holds back that the receiver did not is not in the figures, nor that data which"
    " waits for longer may leave together: of a slower rule they may be off either way.",
    "While there are gaps, and for duplicates and the I bit (RFC 7053), a SACK is sent at once, by"
    " any rule; packets arrive in the order in which they passed the tap.",
    "What the receiver's rule is where it was not asked for is what its answers show, else a SACK"
    " for 2 packets, and 200 ms (RFC 9260 section 6.2 and 16).",
)

#: RFC 9260 section 6.2, section 16.
_EVERY, _DELAY_NS = 2, 200_000_000

#: DATA chunk flag (RFC 7053).
_IMMEDIATE = 0x08

#: What a SACK that is held back keeps full.
_FULL = (Limit.SEND_BUFFER, Limit.CONGESTION_WINDOW)

#: Timers of some stacks tick so often, as in core/facts/ack_habit.c.
_TICK_NS = 10_000_000
#: What is less is jitter, as in core/limits/limits.c.
_LEAST_HELD_NS = 2 * _TICK_NS

#: So many answers show a timer; a single one that is late may have been late on its way.
_ANSWERS = 2

_PROMPT = (RttTag.GAP, RttTag.SECOND_PACKET, RttTag.I_BIT, RttTag.DUPLICATE)


@dataclass(frozen=True)
class HeldSacks:
    """Waits of one direction for SACKs that were held back, and with another rule."""

    assoc: int
    dir: str
    #: Both ends.
    ends: str
    #: The rule that is imagined.
    sack_every: int
    sack_delay_ns: int
    #: Of the receiver, as its answers show it; null where they do not.
    receiver_every: int | None
    receiver_delay_ns: int | None
    #: From the first data to the last acknowledgement, as `limits` has it, or what of that lies in
    #: the time that was asked for.
    time_ns: int
    #: Until data left with a SACK that was held back; round trips are part of them.
    waits: int
    waited_ns: int
    #: With the other rule, and the least and the most that it may be.
    would_wait_ns: int
    would_wait_least_ns: int
    would_wait_most_ns: int
    #: Chunks that acknowledge in the capture; as many as the rule of the receiver replayed, which
    #: tells how right the next one is; and as many as the other rule sends.
    sacks: int
    sacks_replayed: int
    would_send_sacks: int


@dataclass(frozen=True)
class _Wait:
    """One that a SACK ended at `sack_ns`, times as they pass the tap."""

    limit: str
    begin_ns: int
    end_ns: int
    sack_ns: int
    #: The packets that it acknowledges first, then those that left before it came.
    left_ns: Sequence[int]
    covered: int
    #: When data left with it; null where none did.
    released_ns: int | None


def held_sacks(
    direction: Direction, ends: str, every: int | None, delay_ms: float | None
) -> HeldSacks:
    """Of a direction with data whose tables were read; of a time waits that begin in it."""
    path = next(iter(direction.table("paths")), None)
    seen_every, seen_delay_ns = _habit(path)
    today = SackRule(seen_every or _EVERY, seen_delay_ns or _DELAY_NS)
    delay_ns = None if delay_ms is None else round(1e6 * delay_ms)
    rule = SackRule(every or today.every, today.delay_ns if delay_ns is None else delay_ns)
    intervals = list(direction.table("limits"))
    rows = [row for row in of_the_sender(direction.transmissions) if row["time_ns"] is not None]
    sacks = [row for row in direction.sacks if row["kind"] != SackKind.SHUTDOWN]
    first, packets = _packets(rows)
    loop_ns = _loop(sacks, path)
    shift_ns = path["loop_lo_ns"] or 0 if path else 0
    waits = (
        []
        if loop_ns is None
        else [
            one
            for one in _waits(intervals, rows, _held_back(sacks, loop_ns), shift_ns)
            if _is_by_timer(one, path, loop_ns)
        ]
    )
    released_ns = {one.released_ns for one in waits if one.released_ns is not None}
    window = direction.window
    waits = [one for one in waits if window.meets(one.begin_ns, one.begin_ns)]
    changes = [_changes(one, rule, delay_ns, loop_ns or 0) for one in waits]
    waited_ns = sum(one.end_ns - one.begin_ns for one in waits)
    # Packets count when they pass the tap, and their SACKs a loop later.
    there = window.earlier(loop_ns or 0)
    return HeldSacks(
        assoc=direction.assoc,
        dir=direction.name,
        ends=ends,
        sack_every=rule.every,
        sack_delay_ns=rule.delay_ns,
        receiver_every=seen_every,
        receiver_delay_ns=seen_delay_ns,
        time_ns=window.part_ns(intervals[0]["begin_ns"], intervals[-1]["end_ns"])
        if intervals
        else 0,
        waits=len(waits),
        waited_ns=waited_ns,
        would_wait_ns=waited_ns + sum(change[0] for change in changes),
        would_wait_least_ns=waited_ns + sum(min(change) for change in changes),
        would_wait_most_ns=waited_ns + sum(max(change) for change in changes),
        sacks=sum(row["kind"] != SackKind.SHUTDOWN for row in direction.told("sacks")),
        sacks_replayed=sacks_of(today, packets, first, released_ns, there),
        would_send_sacks=sacks_of(rule, packets, first, released_ns, there),
    )


def _habit(path: Row | None) -> tuple[int | None, int | None]:
    """A number of packets where it is told apart, and the middle of the delays that are left."""
    if path is None:
        return None, None
    every, delay_ns = path["sack_frequency_lo"], path["sack_delay_lo_ns"]
    if every != path["sack_frequency_hi"]:
        every = None
    if delay_ns is not None and path["sack_delay_hi_ns"] is not None:
        delay_ns = (delay_ns + path["sack_delay_hi_ns"]) // 2
    return every, delay_ns


def _loop(sacks: Sequence[Row], path: Row | None) -> int | None:
    """From the tap to the receiver and back, where nothing was held back."""
    prompt = [row["rtt_ns"] for row in sacks if row["rtt_tag"] in _PROMPT]
    if prompt:
        return int(median(prompt))
    return path["min_rtt_ns"] if path else None


def _held_back(sacks: Sequence[Row], loop_ns: int) -> list[Row]:
    return [
        row
        for row in sacks
        if row["rtt_tag"] == RttTag.DELAYED and row["rtt_ns"] - loop_ns > _LEAST_HELD_NS
    ]


def _packets(rows: Sequence[Row]) -> tuple[int, list[Packet]]:
    """The first place, and what reached the receiver."""
    if not rows:
        return 0, []
    line = TsnLine(rows[0]["tsn"])
    of_frame: dict[int, list[Row]] = {}
    places: dict[tuple[int, int], int] = {}
    for row in rows:
        places[row["frame"], row["chunk"]] = line.place(row["tsn"])
        if row["outcome"] == Outcome.ACKED:
            of_frame.setdefault(row["frame"], []).append(row)
    packets = [
        Packet(
            frame,
            chunks[0]["time_ns"],
            tuple(places[row["frame"], row["chunk"]] for row in chunks),
            any(row["flags"] & _IMMEDIATE for row in chunks),
        )
        for frame, chunks in of_frame.items()
    ]
    return min(places.values()), packets


def _waits(
    intervals: Sequence[Row], rows: Sequence[Row], held_back: Sequence[Row], shift_ns: int
) -> Iterator[_Wait]:
    """Those that a SACK held back ended: an interval may have several, one behind the other."""
    left_ns = sorted({row["time_ns"] for row in rows})
    covered: dict[int, set[int]] = {}
    for row in rows:
        if row["outcome"] == Outcome.ACKED:
            covered.setdefault(row["acked_frame"], set()).add(row["time_ns"])
    held = [row for row in held_back if row["frame"] in covered]
    there_ns = [row["time_ns"] + shift_ns for row in held]
    for interval in intervals:
        if interval["limit"] not in (Limit.DELAYED_SACK, *_FULL):
            continue
        begin = bisect_right(there_ns, interval["begin_ns"])
        end = bisect_right(there_ns, interval["end_ns"])
        # By what left next: the last SACK before it is what was waited for.
        ending = {bisect_left(left_ns, there_ns[at]): at for at in range(begin, end)}
        for next_one, at in ending.items():
            sack_ns = held[at]["time_ns"]
            released_ns = left_ns[next_one] if next_one < len(left_ns) else None
            group = sorted(covered[held[at]["frame"]])
            under_way = left_ns[bisect_right(left_ns, group[-1]) : bisect_left(left_ns, sack_ns)]
            yield _Wait(
                limit=interval["limit"],
                begin_ns=max(interval["begin_ns"], left_ns[next_one - 1]),
                end_ns=min(interval["end_ns"], released_ns or interval["end_ns"]),
                sack_ns=sack_ns,
                left_ns=[*group, *under_way],
                covered=len(group),
                released_ns=released_ns,
            )


def _is_by_timer(wait: _Wait, path: Row | None, loop_ns: int) -> bool:
    """Whether the receiver's answers show the same delay, or as `limits` says if they show none."""
    if path is None or path["sack_delay_count"] < _ANSWERS:
        return wait.limit == Limit.DELAYED_SACK
    held_ns = wait.sack_ns - loop_ns - wait.left_ns[0]
    least_ns, most_ns = path["sack_delay_lo_ns"], path["sack_delay_hi_ns"]
    return bool(least_ns - _TICK_NS <= held_ns <= most_ns + _TICK_NS)


def _changes(wait: _Wait, rule: SackRule, delay_ns: int | None, loop_ns: int) -> list[int]:
    """How much longer it would have lasted, for each number of packets that count before."""
    if delay_ns is None:
        # As long as this one was held back, where that is not what is imagined otherwise.
        rule = SackRule(rule.every, max(0, wait.sack_ns - loop_ns - wait.left_ns[0]))
    at_most_ns = wait.end_ns - wait.begin_ns
    return [
        max(
            acknowledged_ns(rule, wait.left_ns, wait.covered - 1, counted) + loop_ns - wait.sack_ns,
            -at_most_ns,
        )
        for counted in range(rule.every)
    ]
