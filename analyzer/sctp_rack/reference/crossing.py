# SPDX-License-Identifier: BSD-2-Clause
"""Decides which feedback the sender cannot have had yet, though the capture shows it already.

ADAPTATION: a host takes its time between its tap and its stack, both ways. No stack sends a TSN
again that it knows to be acknowledged; so a resend soon after such feedback left the stack before
the feedback came to it. The feedback then belongs behind the resend, and what followed it too.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from sctp_rack.reference.events import Event, Feedback, Transmission, TsnReset
from sctp_rack.reference.tsn import MODULUS, Tsn, TsnLine, tsn_at

# How long after its cause a packet can pass the tap; TlpParameters has the same.
REACTION_NS = 20_000_000

# Further ahead of the highest sent no receiver acknowledges: it is of another numbering.
_WINDOW = 1 << 17


def in_the_senders_order(events: Iterable[Event]) -> list[Event]:
    """Return the events of one direction, with feedback late where its resends show that it was.

    Feedback that moves gets the time of what it moves behind.
    """
    given = list(events)
    release = releases(given)
    ordered: list[Event] = []
    waiting: deque[tuple[int, Feedback]] = deque()
    for at, event in enumerate(given):
        if isinstance(event, Feedback):
            if waiting or at in release:
                waiting.append((release.get(at, at), event))
            else:
                ordered.append(event)
            continue
        ordered.append(event)
        while waiting and isinstance(event, Transmission) and waiting[0][0] <= at:
            late = waiting.popleft()[1]
            ordered.append(replace(late, time_ns=max(late.time_ns, event.time_ns)))
    return [*ordered, *(late for _, late in waiting)]


def releases(events: list[Event]) -> dict[int, int]:
    """Return for feedback that comes too early the last resend that it has to wait for."""
    line: TsnLine | None = None
    una = highest = 0
    first: Tsn | None = None
    in_flight: set[int] = set()
    acked_by: dict[int, int] = {}
    release: dict[int, int] = {}
    for at, event in enumerate(events):
        if isinstance(event, Transmission):
            if line is None:
                line = TsnLine(event.chunks[0].tsn)
                highest = event.chunks[0].tsn.value
            for seq in (line.seq(data.tsn) for data in event.chunks):
                by = acked_by.get(seq)
                if by is not None:
                    if event.time_ns - events[by].time_ns <= REACTION_NS:
                        release[by] = at
                elif seq >= una:
                    highest = max(highest, seq)
                    in_flight.add(seq)
        elif isinstance(event, Feedback) and line is not None:
            cum = line.seq(event.cum_tsn)
            if cum < una - 1 or cum > highest + _WINDOW:
                continue
            una = cum + 1
            line.move_reference(cum)
            blocks = [(line.seq(a), line.seq(b)) for a, b in event.gaps + event.nr_gaps]
            newly = {s for s in in_flight if s <= cum or any(a <= s <= b for a, b in blocks)}
            in_flight -= newly
            acked_by |= dict.fromkeys(newly, at)
        elif isinstance(event, TsnReset) and line is not None:
            if event.next_tsn in (first, tsn_at(highest + 1)):
                continue
            first = event.next_tsn
            una = highest + 1 + (first.value - (highest + 1)) % MODULUS
            highest = una - 1
            line.move_reference(una)
            in_flight.clear()
    return release
