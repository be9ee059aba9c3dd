# SPDX-License-Identifier: BSD-2-Clause
"""When a receiver acknowledges by a rule: SACK frequency and SACK.Delay (RFC 9260 section 6.2).

Times are arrivals; what is said is as long behind them as the loop to the receiver takes.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sctp_rack.recovery.window import Window


@dataclass(frozen=True)
class SackRule:
    """A SACK for each `every` packets, or `delay_ns` behind the first that has none."""

    every: int
    delay_ns: int


@dataclass(frozen=True, slots=True)
class Packet:
    """One with data that reached the receiver."""

    frame: int
    time_ns: int
    #: Places of its chunks on the line of TSNs.
    places: tuple[int, ...]
    #: It asks to be answered at once (the I bit, RFC 7053).
    immediate: bool


def sacks_of(
    rule: SackRule,
    packets: Iterable[Packet],
    first: int,
    released_ns: Container[int] = (),
    window: Window | None = None,
) -> int:
    """How many SACKs the packets get; at once while there are gaps, and for duplicates.

    A packet of `released_ns` waited for a SACK of all before it: it completes no number with them.
    Of a `window` those count that are said in it.
    """
    said = _said_ns(rule, packets, first, released_ns)
    return sum(1 for at_ns in said if window is None or window.meets(at_ns, at_ns))


def _said_ns(
    rule: SackRule, packets: Iterable[Packet], first: int, released_ns: Container[int]
) -> Iterator[int]:
    """When each of them is said."""
    cum, above = first - 1, set[int]()
    waiting, due_ns = 0, 0
    for packet in packets:
        if waiting and (packet.time_ns > due_ns or packet.time_ns in released_ns):
            yield min(due_ns, packet.time_ns)
            waiting = 0
        had_gap = bool(above)
        repeats = any(place <= cum or place in above for place in packet.places)
        above.update(place for place in packet.places if place > cum)
        while cum + 1 in above:
            cum += 1
            above.remove(cum)
        if not waiting:
            due_ns = packet.time_ns + rule.delay_ns
        waiting += 1
        if waiting >= rule.every or had_gap or above or repeats or packet.immediate:
            yield packet.time_ns
            waiting = 0
    if waiting:
        yield due_ns


def acknowledged_ns(rule: SackRule, arrivals_ns: Sequence[int], last: int, counted: int = 0) -> int:
    """When the SACK leaves that covers the arrival at index `last`.

    So many packets count that came before the first of these and have no SACK yet.
    """
    group = (last + counted) // rule.every
    begin = max(0, group * rule.every - counted)
    end = (group + 1) * rule.every - counted - 1
    due_ns = arrivals_ns[begin] + rule.delay_ns
    while due_ns < arrivals_ns[last]:
        # The timer was over before: what came since counts anew.
        begin = next(at for at in range(begin, last + 1) if arrivals_ns[at] > due_ns)
        end = begin + rule.every - 1
        due_ns = arrivals_ns[begin] + rule.delay_ns
    return min(due_ns, arrivals_ns[end]) if end < len(arrivals_ns) else due_ns
