# SPDX-License-Identifier: BSD-2-Clause
"""What one way of carrying SCTP looks like, and what has to be seen of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.builder import sctp
from tests.differential.tshark_oracle import Seen

Packets = Mapping[int, Sequence[int]]

TSN = 100
PACKET = sctp.both(TSN)

ALL: Packets = {1: [TSN]}  #: a single frame that holds PACKET
NOTHING: Packets = {}


@dataclass(frozen=True)
class Case:
    """Frames of one link type. `ours` tells the TSNs of the `sctp.both` packets that each frame,
    from 1, completes; `theirs` those that tshark shows where that is not the same, and `reason`
    why. `skips` are the frames without SCTP by their reason."""

    name: str
    link_type: int
    frames: Sequence[bytes]
    ours: Packets = field(default_factory=lambda: ALL)
    skips: Mapping[str, int] = field(default_factory=dict)
    theirs: Packets | None = None
    reason: str = ""


def theirs(packets: Packets, reason: str) -> dict[str, Any]:
    """The arguments of a case where tshark differs."""
    return {"theirs": packets, "reason": reason}


def expected(packets: Packets, before: int = 0) -> Seen:
    """The chunks of `sctp.both` packets; frames are counted on from `before`."""
    seen = Seen()
    for frame, tsns in packets.items():
        for tsn in tsns:
            at = before + frame
            seen.chunks.update([(at, sctp.DATA), (at, sctp.SACK)])
            seen.data[at, tsn] += 1
            seen.sacks[at, tsn, sctp.A_RWND, (tsn + 2, tsn + 3), (), (tsn,)] += 1
    return seen


def within(seen: Seen, first: int, last: int) -> Seen:
    """Only the frames from `first` to `last`."""

    def kept(counter: Counter) -> Counter:  # type: ignore[type-arg]
        return Counter({key: n for key, n in counter.items() if first <= key[0] <= last})

    return Seen(kept(seen.chunks), kept(seen.data), kept(seen.sacks))
