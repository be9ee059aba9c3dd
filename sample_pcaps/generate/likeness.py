# SPDX-License-Identifier: BSD-2-Clause
"""From when on a tap sees of a twin something else than of the run: as an observer could tell it.

The same packets have to pass it, each so nearly at its time that hosts and the tap's clock may have
made the difference; so packets that close together may change places. Of a packet everything counts
but what nobody can foretell: the IP-ID, which counts all that a host sends, the record of DTLS, the
checksum, and what a HEARTBEAT carries. What a tap has twice it has once.
"""

from collections.abc import Iterable
from functools import lru_cache

from .scenario import Scenario
from .tap import Sighting
from .wire import COMMON_HEADER, HEARTBEAT, HEARTBEAT_ACK, chunks

_SAME_NS = 100_000  #: nobody knows a stack and a link better
_CHECKSUM = slice(8, 12)


def tolerance_ns(scenario: Scenario) -> int:
    """A host takes its time when a packet comes and when it answers."""
    return _SAME_NS + 2 * scenario.host_jitter_ns + (scenario.tap.clock_ns - 1)


def first_difference(
    ours: Iterable[Sighting], theirs: Iterable[Sighting], tolerance_ns: int, until_ns: int
) -> int | None:
    """When the first packet passes that the other does not have, at the latest at `until_ns`."""
    differences = []
    last_ns = until_ns + tolerance_ns  # what passes later is near nothing that passes before
    times, their_times = _times(ours, last_ns), _times(theirs, last_ns)
    for packet in times.keys() | their_times.keys():
        one, other = times.get(packet, []), their_times.get(packet, [])
        for at in range(max(len(one), len(other))):
            both = one[at : at + 1] + other[at : at + 1]
            if len(both) == 1 or abs(both[0] - both[1]) > tolerance_ns:
                differences.append(min(both))
                break
    first_ns = min(differences, default=None)
    return None if first_ns is None or first_ns > until_ns else first_ns


def _times(sightings: Iterable[Sighting], last_ns: int) -> dict[bytes, list[int]]:
    """When each packet passes."""
    times: dict[bytes, list[int]] = {}
    for seen in sightings:
        if seen.copy == 1 and seen.time_ns <= last_ns:
            times.setdefault(_foretold(seen.sctp), []).append(seen.time_ns)
    return {packet: sorted(passed) for packet, passed in times.items()}


@lru_cache(1 << 12)
def _foretold(packet: bytes) -> bytes:
    """A packet without what nobody can foretell."""
    at = COMMON_HEADER
    told = bytearray(packet)
    told[_CHECKSUM] = bytes(len(told[_CHECKSUM]))
    for kind, _, value in chunks(packet):
        if kind in (HEARTBEAT, HEARTBEAT_ACK):
            told[at + 4 : at + 4 + len(value)] = bytes(len(value))
        at += 4 + len(value) + -len(value) % 4
    return bytes(told)
