# SPDX-License-Identifier: BSD-2-Clause
"""What the link of the samples does to packets."""

import struct
from random import Random

import google_crc32c
import pytest

from sample_pcaps.generate.fault import Damage, Damager, Fault
from sample_pcaps.generate.link import MS, Link, Path
from sample_pcaps.generate.loss import Bursts, Independent, Nth, Passenger, Tail
from sample_pcaps.generate.wire import acknowledgement_of, data_of, with_checksum

HEADER = struct.pack("!HHII", 5000, 5001, 1, 0)
DATA_CHUNK = struct.pack("!BBHIHHI", 0, 3, 18, 7, 0, 0, 51) + b"hi\0\0"
PACKET = with_checksum(HEADER + DATA_CHUNK)
ACKNOWLEDGES = Passenger((), acknowledges=True)


def first_copy(place: int) -> Passenger:
    return Passenger(((place, 1),), acknowledges=False)


def dropped(loss: Independent | Bursts | Nth | Tail, packets: list[Passenger]) -> list[int]:
    process, random = loss.process(), Random(1)
    return [at for at, packet in enumerate(packets) if process.drops(packet, random)]


def test_the_checksum_is_that_of_rfc_9260() -> None:
    assert struct.unpack_from("<I", PACKET, 8) == (google_crc32c.value(HEADER + DATA_CHUNK),)


def test_a_chosen_chunk_is_lost_so_many_times() -> None:
    copies = [Passenger(((5, copy),), acknowledges=False) for copy in (1, 2, 3)]

    assert dropped(Nth(frozenset({5}), copies=2), copies) == [0, 1]


def test_the_tail_is_the_end_of_each_burst_and_not_its_retransmission() -> None:
    packets = [first_copy(place) for place in range(8)] + [Passenger(((3, 2),), acknowledges=False)]

    assert dropped(Tail(burst=4, last=1), packets) == [3, 7]


def test_loss_of_sacks_spares_data() -> None:
    packets = [first_copy(0), ACKNOWLEDGES, Passenger(((1, 1),), acknowledges=True)]

    assert dropped(Independent(1.0, sacks_only=True), packets) == [1]


def test_bursts_take_packets_in_a_row() -> None:
    lost = dropped(Bursts(0.05, 0.3), [first_copy(place) for place in range(400)])
    spells = sum(at - 1 not in lost for at in lost)

    assert len(lost) > 2 * spells > 0


def test_a_full_queue_drops_and_the_rate_spaces_the_rest() -> None:
    link = Link(Path(delay_ns=MS, bits_per_s=1_000_000, queue=2), 0.5, Random(1))
    passages = [link.carry(0, PACKET, first_copy(place)) for place in range(5)]
    each_ns = (len(PACKET) + 28) * 8000

    assert [passage.end_ns for passage in passages] == [MS + each_ns * n for n in (1, 2, 3)] + [
        None
    ] * 2
    assert passages[-1].why == "queue"


def test_what_comes_while_the_link_stands_still_leaves_when_it_moves() -> None:
    link = Link(Path(delay_ns=MS, holds=((10 * MS, 90 * MS),)), 0.5, Random(1))

    arrived = link.carry(20 * MS, PACKET, first_copy(0)).end_ns
    assert arrived is not None and 91 * MS < arrived < 92 * MS


@pytest.mark.parametrize("damage", [one for one in Damage if one is not Damage.GAP_REPORTS])
def test_every_nth_packet_is_damaged_as_said(damage: Damage) -> None:
    damager = Damager(Fault(damage, every=2))
    whole, damaged = damager.pass_on(PACKET), damager.pass_on(PACKET)

    assert whole == PACKET != damaged
    assert (with_checksum(damaged) == damaged) == (damage is not Damage.CHECKSUM)
    assert (data_of(damaged) == data_of(PACKET)) == (damage is not Damage.CHUNK_LENGTH)


def test_gap_reports_are_taken_out_of_a_sack_and_all_else_stays() -> None:
    sack = struct.pack("!BBHIIHHHHHHI", 3, 0, 28, 50, 5000, 2, 1, 2, 3, 5, 5, 44)
    without = struct.pack("!BBHIIHHI", 3, 0, 20, 50, 5000, 0, 1, 44)
    damager = Damager(Fault(Damage.GAP_REPORTS, every=1))
    (given, expected) = (with_checksum(HEADER + one + DATA_CHUNK) for one in (sack, without))

    assert damager.pass_on(given) == expected
    assert damager.pass_on(expected) is expected
    assert damager.pass_on(PACKET) is PACKET


def test_gaps_of_an_acknowledgement_count_from_the_cumulative_tsn() -> None:
    sack = struct.pack("!BBHIIHHHHI", 3, 0, 24, 2**32 - 2, 5000, 1, 1, 3, 4, 9)
    acknowledgement = acknowledgement_of(HEADER + sack)

    assert acknowledgement is not None
    covered = [tsn for tsn in (2**32 - 3, 2**32 - 1, 0, 1, 2, 3) if acknowledgement.covers(tsn)]
    assert covered == [2**32 - 3, 1, 2]
    assert acknowledgement.highest == 2
