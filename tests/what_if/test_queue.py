# SPDX-License-Identifier: BSD-2-Clause
"""The queue over time in captures that hold one thing each."""

import struct
from pathlib import Path

import pytest
import sctp_rack
from sctp_rack.errors import UsageError
from sctp_rack.what_if.nr_sack import OtherAcknowledgements
from sctp_rack.what_if.queue import QueueWalk, Step
from sctp_rack.what_if.send_buffer import FullBuffer, FullBufferWatch

from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED

SIZE = 100


def data(tsn: int, ssn: int, *, unordered: bool = False, sid: int = 1, flags: int = 0x03) -> bytes:
    """One message, or by its flags a part of one."""
    fixed = struct.pack(">IHHI", tsn, sid, ssn, 51)
    return sctp.chunk(sctp.DATA, flags | 0x04 if unordered else flags, fixed + bytes(SIZE))


def queue_of(talk: Talk, folder: Path) -> OtherAcknowledgements:
    """Of the data of A."""
    found = sctp_rack.read(talk.write(folder)).what_if(rack=False)
    assert found.rack is None and found.nr_sack is not None
    return next(one for one in found.nr_sack if one.dir == "a2b")


def lost_and_repaired(talk: Talk, *, unordered: bool, nr: bool = False) -> None:
    """1000 is lost; 1001 and 1002 arrive, and 20 ms pass; then it is sent again."""
    talk.handshake()
    for ssn in range(3):
        talk.say(A, B, data(1000 + ssn, ssn, unordered=unordered), later_us=0 if ssn else 10_000)
    blocks = [(2, 3)]
    said = sctp.nr_sack(999, [], blocks) if nr else sctp.sack(999, blocks)
    talk.say(B, A, said, later_us=20_000)
    talk.say(A, B, data(1000, 0, unordered=unordered), later_us=20_000)
    talk.say(B, A, sctp.nr_sack(1002) if nr else sctp.sack(1002), later_us=20_000)


def test_unordered_data_that_arrived_need_not_be_kept(tmp_path: Path) -> None:
    talk = Talk()
    lost_and_repaired(talk, unordered=True)
    queue = queue_of(talk, tmp_path)

    assert (queue.acknowledgements, queue.nr_sacks) == (2, 0)
    assert queue.captured == queue.with_sacks
    assert queue.captured.whole.average_bytes == pytest.approx(3 * SIZE)
    assert queue.captured.whole.rtxq_util == pytest.approx((20 * 1 + 40 / 3) / 60)
    assert queue.captured.gaps.rtxq_util == pytest.approx(1 / 3)
    assert queue.captured.gaps.time_ns == 40_000_000
    assert queue.captured.whole.arrived_byte_seconds == pytest.approx(2 * SIZE * 0.04)
    for other in (queue.with_nr_sacks_of_delivered, queue.with_nr_sacks_of_all):
        assert other.whole.rtxq_util == 1
        assert other.whole.average_bytes == pytest.approx((20 * 300 + 40 * 100) / 60)
        assert other.gaps.largest_bytes == SIZE


def test_ordered_data_behind_a_hole_in_its_stream_is_kept_unless_nothing_is_dropped(
    tmp_path: Path,
) -> None:
    talk = Talk()
    lost_and_repaired(talk, unordered=False)
    queue = queue_of(talk, tmp_path)

    assert queue.with_nr_sacks_of_delivered == queue.captured
    assert queue.with_nr_sacks_of_all.gaps.largest_bytes == SIZE


def test_with_sacks_a_capture_with_nr_sacks_is_what_it_was_with_them(tmp_path: Path) -> None:
    with_sacks, with_nr_sacks = Talk(), Talk()
    lost_and_repaired(with_sacks, unordered=True)
    lost_and_repaired(with_nr_sacks, unordered=True, nr=True)
    (tmp_path / "nr").mkdir()
    was, other = queue_of(with_sacks, tmp_path), queue_of(with_nr_sacks, tmp_path / "nr")

    assert other.nr_sacks == 2 and other.captured.whole.rtxq_util == 1
    assert other.with_sacks == was.captured
    assert other.captured == was.with_nr_sacks_of_delivered


def test_what_is_taken_back_was_not_delivered(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for ssn in range(3):
        talk.say(A, B, data(1000 + ssn, ssn, unordered=True))
    talk.say(B, A, sctp.sack(999, [(2, 3)]))
    talk.say(B, A, sctp.sack(999, [(2, 2)]), later_us=20_000)
    talk.say(B, A, sctp.sack(999, [(2, 2)]), later_us=20_000)
    talk.say(A, B, data(1000, 0, unordered=True), later_us=20_000)
    talk.say(B, A, sctp.sack(1001), later_us=20_000)
    queue = queue_of(talk, tmp_path)

    steps = QueueWalk(sctp_rack.read(talk.write(tmp_path)).associations[0].a2b).steps()
    kept = [(one.outstanding, one.deliverable) for one in steps]
    assert kept[-2:] == [(2 * SIZE, SIZE), (2 * SIZE, SIZE)]
    assert queue.with_nr_sacks_of_delivered.gaps.largest_bytes == 2 * SIZE


def test_a_path_with_a_hole_has_what_waits_for_it(tmp_path: Path) -> None:
    talk = Talk()
    lost_and_repaired(talk, unordered=True)
    (path,) = queue_of(talk, tmp_path).paths

    assert path.path == f"{A.address}>{B.address}"
    assert path.arrived_byte_seconds == pytest.approx(2 * SIZE * 0.04)


def steps(*sizes: tuple[int, int]) -> list[Step]:
    """A second each: what is kept, and what of it is outstanding."""
    return [
        Step(at * 10**9, (at + 1) * 10**9, kept, outstanding, kept, 0, False, False, None)
        for at, (kept, outstanding) in enumerate(sizes)
    ]


def full(*sizes: tuple[int, int]) -> FullBuffer | None:
    watch = FullBufferWatch(SIZE)
    for step in steps(*sizes):
        watch.add(step)
    return watch.found()


def test_a_buffer_is_full_that_three_times_holds_no_more_though_part_of_it_arrived() -> None:
    blocked, free = ((800, 800), (800, 300)), ((300, 300),)
    assert full(*blocked, *free, *blocked, *free, *blocked) == FullBuffer(800, 3, 3 * 10**9)
    assert full(*blocked, *free, *blocked) is None


def test_what_is_told_of_a_full_buffer_is_of_a_time_and_that_it_is_full_of_all() -> None:
    watch = FullBufferWatch(SIZE)
    for at, step in enumerate(steps(*[(800, 300), (300, 300)] * 3)):
        watch.add(step, 10**9 // 4 if at >= 3 else 0)

    assert watch.found() == FullBuffer(800, 1, 10**9 // 4)


def test_what_is_full_of_what_is_outstanding_waits_for_something_else() -> None:
    assert full(*([(800, 800), (300, 300)] * 5)) is None


def test_a_buffer_that_once_holds_a_chunk_more_was_not_full_before() -> None:
    blocked, free = ((800, 300),), ((300, 300),)
    assert full(*(blocked + free) * 3, (900, 900)) is None
    assert full(*(blocked + free) * 3, (899, 899)) == FullBuffer(899, 3, 3 * 10**9)


def test_nothing_is_said_of_a_direction_without_data(tmp_path: Path) -> None:
    talk = Talk()
    lost_and_repaired(talk, unordered=True)
    found = sctp_rack.read(talk.write(tmp_path)).what_if()

    assert found.nr_sack is not None and [one.dir for one in found.nr_sack] == ["a2b"]
    with pytest.raises(UsageError, match="all goes the other way"):
        sctp_rack.read(talk.write(tmp_path)).what_if(direction="b2a")


@pytest.mark.parametrize(
    "name",
    ["usrsctp-both-ways.sender.pcap", "usrsctp-nth-loss.middle.pcap", "pion-tsn-wrap.sender.pcap"],
)
def test_the_queue_is_used_as_the_core_says(name: str) -> None:
    capture = sctp_rack.read(BUNDLED / name)
    told = {row["assoc"]: row for row in capture.table("associations")}
    for one in capture.what_if(rack=False).nr_sack or []:
        util = told[one.assoc][f"rtxq_util_{one.dir}"]
        assert one.captured.whole.rtxq_util == pytest.approx(util, abs=1e-9)
        assert one.captured == one.with_sacks
        kept = one.with_nr_sacks_of_delivered.whole.average_bytes
        least = one.with_nr_sacks_of_all.whole.average_bytes
        assert least <= kept <= one.captured.whole.average_bytes


def test_what_the_capture_has_twice_makes_the_time_no_longer(tmp_path: Path) -> None:
    once, twice = Talk(), Talk()
    for talk in (once, twice):
        lost_and_repaired(talk, unordered=True)
    last = sctp.sack(1002)
    twice.say(B, A, last, ident=twice.frames, later_us=500)
    (tmp_path / "twice").mkdir()

    assert queue_of(once, tmp_path).captured == queue_of(twice, tmp_path / "twice").captured
