# SPDX-License-Identifier: BSD-2-Clause
"""Records of few numbers, and the stalls of directions of which most have one."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from sctp_rack.binding.session import Session
from sctp_rack.recovery.by_number import Few
from sctp_rack.recovery.gathering import TABLES
from sctp_rack.recovery.stalls import Stall
from sctp_rack.recovery.stalls_of import StallsOf
from sctp_rack.summary.of_session import summarise

from tests.hostile.chunks import sack
from tests.hostile.talk import Attack, Wire

PLACE, OTHER = 70_000, 3


def numbers(*those: int) -> np.ndarray:
    return np.array(those, np.int64)


def test_who_has_no_record_takes_none_up() -> None:
    few = Few([("sum", "u4")])
    assert few.of(5) is None
    few.to_change(numbers(1000))
    assert few.of(5) is None
    assert len(few.records) == 1


def test_what_was_added_is_found_by_its_number() -> None:
    few = Few([("sum", "u4")])
    for those in ((9, 2, 9), (2, 400), (9,)):
        places = few.to_change(numbers(*those))
        np.add.at(few.records["sum"], places, 1)
    assert [int(few.of(number)["sum"]) for number in (2, 9, 400)] == [2, 3, 1]
    assert few.known(0, None).tolist() == [2, 9, 400]
    assert few.known(3, 400).tolist() == [9]


@pytest.mark.parametrize("end_ns", [None, 9_000_000_000])
def test_the_only_stall_of_a_direction_is_found_as_it_was(end_ns: int | None) -> None:
    stalls, stall = StallsOf(), Stall(0xFFFFFFFF, 7, 10**18, end_ns)
    stalls.begin([(PLACE, stall)])
    assert stalls.of(PLACE).longest == [stall]
    assert stalls.of(PLACE).count == 1
    assert stalls.of(OTHER).count == stalls.of(PLACE + 1).count == 0


def test_a_second_stall_of_a_direction_stands_beside_the_first() -> None:
    stalls = StallsOf()
    those = [Stall(tsn, tsn, tsn, 10**10 + tsn) for tsn in (1, 2, 3)]
    for stall in those:
        stalls.begin([(PLACE, stall)])
    assert stalls.of(PLACE).longest == those
    assert stalls.of(PLACE).count == len(those)


def test_what_is_added_to_the_only_stall_stays() -> None:
    stalls = StallsOf()
    assert stalls.to_change(PLACE) is None
    stalls.begin([(PLACE, Stall(1, 1, 0, None))])
    changed = stalls.to_change(PLACE)
    assert changed is stalls.to_change(PLACE) is stalls.of(PLACE)


def test_sums_of_a_direction_are_its_own_whoever_comes_first(tmp_path: Path) -> None:
    """Setup: in the second association the other side sends, so that there are sums of the first
    and the last of four directions."""
    path = tmp_path / "two.pcap"
    with Wire(path) as wire:
        attack = Attack(wire, 0, Random(1))
        for sender in (0, 1):
            flow = attack.flow()
            attack.open(flow)
            attack.send(flow, 1 - sender, sack(attack.new(flow, way=sender)))
    first, second = summarise(Session(str(path), TABLES)).associations
    assert first.b.delivery is second.a.delivery is None
    for side in (first.a, second.b):
        assert side.delivery is not None
        assert side.delivery.latency is not None
        assert side.delivery.latency.messages == 1
