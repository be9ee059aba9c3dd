# SPDX-License-Identifier: BSD-2-Clause
"""Which differences of two captures an observer could see."""

import struct

import pytest

from sample_pcaps.generate.likeness import first_difference, tolerance_ns
from sample_pcaps.generate.link import MS
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.tap import Sighting, TapOptions
from sample_pcaps.generate.wire import DATA, HEARTBEAT, HEARTBEAT_ACK, with_checksum

TOLERANCE, LATER = 2 * MS, 1000 * MS
HEADER = struct.pack("!HHII", 5000, 5001, 1, 0)


def packet(kind: int, value: bytes) -> bytes:
    return with_checksum(HEADER + struct.pack("!BBH", kind, 0, 4 + len(value)) + value)


A, B = packet(DATA, b"a" * 16), packet(DATA, b"b" * 16)


def file(*sightings: tuple[bytes, int], copy: int = 1) -> list[Sighting]:
    return [Sighting(0, time_ns, b"", sctp, copy) for sctp, time_ns in sightings]


def differs(ours: list[Sighting], theirs: list[Sighting], until_ns: int = LATER) -> int | None:
    first = first_difference(ours, theirs, TOLERANCE, until_ns)
    assert first == first_difference(theirs, ours, TOLERANCE, until_ns)
    return first


def test_times_within_what_hosts_take_are_the_same_also_when_packets_change_places() -> None:
    assert differs(file((A, 10), (B, 11)), file((B, 10), (A, 12))) is None
    assert differs(file((A, 0)), file((A, TOLERANCE))) is None
    assert differs(file((A, 0)), file((A, TOLERANCE + 1))) == 0


def test_the_first_difference_is_when_the_first_packet_passes_that_the_other_has_not() -> None:
    one = file((A, 10), (A, 50 * MS), (B, 90 * MS))

    assert differs(one, file((A, 10), (B, 90 * MS))) == 50 * MS
    assert differs(one, file((A, 10), (B, 90 * MS)), until_ns=49 * MS) is None
    assert differs(one, []) == 10


def test_other_bytes_differ_but_for_what_nobody_can_foretell() -> None:
    wrong = A[:8] + bytes(4) + A[12:]

    assert differs(file((A, 5)), file((B, 5))) == 5
    assert differs(file((A, 5)), file((wrong, 5))) is None


@pytest.mark.parametrize("kind", [HEARTBEAT, HEARTBEAT_ACK])
def test_what_a_heartbeat_carries_is_its_senders_own_business(kind: int) -> None:
    one, other = packet(kind, b"\0\1\0\x08time"), packet(kind, b"\0\1\0\x08date")

    assert differs(file((one, 5)), file((other, 5))) is None
    assert differs(file((one, 5)), file((packet(kind, b"\0\1\0\x0clonger.."), 5))) == 5


def test_what_a_tap_has_twice_it_has_once() -> None:
    assert differs(file((A, 5)) + file((A, 6), copy=2), file((A, 5))) is None


def test_hosts_take_their_time_twice_and_a_clock_has_its_resolution() -> None:
    slow = Scenario("", "", Stack.PION, 1, (), host_jitter_ns=3 * MS)
    coarse = Scenario("", "", Stack.PION, 1, (), tap=TapOptions(clock_ns=1 * MS))

    assert tolerance_ns(slow) == 6 * MS + 100_000
    assert tolerance_ns(coarse) == 1 * MS - 1 + 100_000
