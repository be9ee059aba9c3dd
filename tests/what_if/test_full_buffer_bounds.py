# SPDX-License-Identifier: BSD-2-Clause
"""Between what the queue would be if the send buffer was full, by hand, a second to a step."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.limits.round_trip import round_trip
from sctp_rack.what_if.chance import chance
from sctp_rack.what_if.full_buffer_bounds import Bounds, QueueLog
from sctp_rack.what_if.nr_sack import OtherAcknowledgements as Captured
from sctp_rack.what_if.queue import Step

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk
from tests.what_if.test_queue import SIZE, data, lost_and_repaired, queue_of

SECOND = 10**9

#: What is kept, what of it is outstanding, and whether the sender is in recovery.
FREE, GAPS, FULL = (400, 400, False), (600, 300, True), (800, 300, True)


def log(
    *sizes: tuple[int, int, bool],
    message: int = SIZE,
    round_trip: float = 0,
    paths: int = 1,
    streams: int = 1,
    told: range | None = None,
    deliverable: int = 0,
    waits: bool = True,
) -> QueueLog:
    """`told`: of which steps; else of all. Of what arrived so much could be delivered."""
    made = QueueLog(
        message=message,
        round_trip_ns=int(round_trip * SECOND),
        paths=paths,
        streams=streams,
        waits=waits,
    )
    for at, (kept, outstanding, recovery) in enumerate(sizes):
        ready = min(deliverable, kept - outstanding)
        begin, end = at * SECOND, (at + 1) * SECOND
        step = Step(begin, end, kept, outstanding, kept, ready, recovery, recovery, None)
        made.add(step, begin, SECOND if told is None or at in told else 0)
    return made


def of_all(*sizes: tuple[int, int, bool], **others: object) -> Bounds:
    found = log(*sizes, **others).of_all()  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_buffer_that_was_never_full_of_what_arrived_changes_nothing() -> None:
    assert log(FREE, GAPS, (800, 800, False), GAPS).of_all() is None
    assert log().of_all() is None


def test_it_was_full_where_there_was_no_room_for_another_message() -> None:
    assert of_all(FREE, (701, 300, True), (800, 800, False)).since_ns == 1 * SECOND
    assert log(FREE, (700, 300, True), (800, 800, False)).of_all() is None
    larger = of_all(FREE, GAPS, (800, 800, False), message=3 * SIZE)
    assert larger.since_ns == 1 * SECOND


def test_while_it_is_full_as_much_may_be_kept_as_it_holds() -> None:
    found = of_all(FREE, FULL, FREE, FREE)

    assert found.filled_bytes == pytest.approx((800 - 300) / 4)


def test_and_until_a_round_trip_later() -> None:
    found = of_all(FREE, FULL, FREE, FREE, round_trip=0.25)

    assert found.filled_bytes == pytest.approx((800 - 300) / 4 + 0.25 * (800 - 400) / 4)


def test_of_a_time_that_begins_in_that_round_trip_what_is_left_of_it() -> None:
    made = QueueLog(message=SIZE, round_trip_ns=SECOND // 2, paths=1, streams=1, waits=True)
    for at, (kept, outstanding, recovery) in enumerate((FULL, FREE)):
        begin, end = at * SECOND, (at + 1) * SECOND
        step = Step(begin, end, kept, outstanding, kept, 0, recovery, recovery, None)
        made.add(step, begin + SECOND // 4, 3 * SECOND // 4 if at else 0)
    found = made.of_all()

    assert found is not None
    assert found.filled_bytes == pytest.approx((800 - 400) * 0.25 / 0.75)


def test_over_several_paths_from_then_on() -> None:
    found = of_all(FREE, FULL, FREE, FREE, paths=2)

    assert found.filled_bytes == pytest.approx((800 - 300) / 4 + 2 * (800 - 400) / 4)


#: Six cycles that are not alike, the last of which has a full buffer.
CYCLES = (FREE, GAPS, (500, 500, False), GAPS, FREE, GAPS, FREE, GAPS, (500, 500, False), FULL)


def test_chance_is_either_way_and_the_buffer_upwards() -> None:
    found = of_all(*CYCLES)

    average = sum(one[1] for one in CYCLES) / len(CYCLES)
    assert found.cycles == 6
    assert found.chance_bytes is not None and 0 < found.chance_bytes < average
    assert found.least_average_bytes == pytest.approx(average - found.chance_bytes)
    most = average + found.filled_bytes + found.chance_bytes
    assert found.most_average_bytes == pytest.approx(most)
    assert (found.least_rtxq_util, found.most_rtxq_util) == (1, 1)


def test_chance_is_as_much_less_as_the_root_of_the_time_in_which_packets_are_others() -> None:
    found = of_all(*CYCLES)

    held = np.array([one[1] for one in CYCLES], float)
    begins = np.diff([one[2] for one in CYCLES], prepend=False) & [one[2] for one in CYCLES]
    whole = chance(held, np.ones(len(CYCLES)), begins).apart
    assert found.since_ns == (len(CYCLES) - 1) * SECOND
    assert found.chance_bytes == pytest.approx((whole or 0) * (1 / len(CYCLES)) ** 0.5)


def test_what_too_few_recoveries_tell_is_between_nothing_and_the_buffer() -> None:
    found = of_all((300, 300, False), (800, 300, False))

    assert (found.cycles, found.chance_bytes) == (1, None)
    assert (found.least_average_bytes, found.most_average_bytes) == (0, 800)
    other = log((300, 300, False), (800, 300, False), deliverable=100).of_delivered()
    assert other is not None and (other.least_rtxq_util, other.most_rtxq_util) == (0, 1)


def test_of_a_time_what_was_full_before_it_counts_and_what_is_full_behind_it_does_not() -> None:
    before = of_all(FULL, *CYCLES, told=range(1, 11))
    assert before.since_ns == 0 and before.filled_bytes == pytest.approx((800 - 300) / 10)
    assert log(*CYCLES, told=range(5)).of_all() is None


def test_of_what_is_delivered_a_filled_buffer_may_hold_more_beside_what_is_outstanding() -> None:
    found = log(*CYCLES, deliverable=100).of_delivered()
    assert found is not None and found.chance_bytes is not None

    # Of 500 bytes 300 are outstanding while there are gaps, of 700 while it is full.
    used = [one[1] / (one[0] - 100 if one[2] else one[0]) for one in CYCLES]
    weights = np.ones(len(CYCLES))
    begins = np.array([one[2] for one in CYCLES])
    apart = chance(np.array(used), weights, begins).apart
    least = np.mean(used) - (300 / 700 - 300 / 800) / 10 - (apart or 0) * 0.1**0.5
    assert found.least_rtxq_util == pytest.approx(least)
    assert found.most_rtxq_util == pytest.approx(min(1, np.mean(used) + (apart or 0) * 0.1**0.5))


def test_what_a_filled_buffer_sends_may_wait_where_all_that_came_could_be_delivered() -> None:
    found = log(*CYCLES, deliverable=800).of_delivered()

    assert found is not None and found.most_rtxq_util == 1
    assert found.least_rtxq_util == pytest.approx(1 - (1 - 300 / 800) / 10)


def test_what_never_waits_to_be_delivered_is_as_all_that_arrived() -> None:
    made = log(*CYCLES, deliverable=100, waits=False)

    assert made.of_delivered() == made.of_all() is not None


def test_other_messages_wait_in_several_streams_as_soon_as_anything_is_freed() -> None:
    never_full = (FREE, GAPS, (800, 800, False), FREE)

    assert log(*never_full, deliverable=100).of_delivered() is None
    several = log(*never_full, deliverable=100, streams=2)
    found = several.of_delivered()
    assert found is not None and found.since_ns == SECOND and found.filled_bytes == 0
    assert several.of_all() is None
    assert log(*never_full, streams=2).of_delivered() is None


def test_nothing_is_said_of_a_time_in_which_nothing_may_have_been_full() -> None:
    assert log((0, 0, False), (300, 100, False), told=range(1)).of_all() is None


def freed_early(folder: Path, sids: tuple[int, int], *, unordered: bool = False) -> Captured:
    """The first of two is lost; later there are four at once, so that two never filled a buffer."""
    talk = Talk()
    talk.handshake()
    for tsn, sid in zip((1000, 1001), sids, strict=True):
        talk.say(
            A, B, data(tsn, tsn - 1000 if len(set(sids)) == 1 else 0, sid=sid, unordered=unordered)
        )
    talk.say(B, A, sctp.sack(999, [(2, 2)]), later_us=20_000)
    talk.say(A, B, data(1000, 0, sid=sids[0], unordered=unordered), later_us=20_000)
    talk.say(B, A, sctp.sack(1001), later_us=20_000)
    for tsn in range(1002, 1006):
        talk.say(A, B, data(tsn, tsn - 1002, sid=9))
    talk.say(B, A, sctp.sack(1005), later_us=20_000)
    return queue_of(talk, folder)


def test_a_capture_tells_over_how_many_ordered_streams_its_data_goes(tmp_path: Path) -> None:
    several = freed_early(tmp_path, (1, 2))
    assert several.bounds_of_all is None and several.bounds_of_delivered is not None
    assert freed_early(tmp_path, (1, 1)).bounds_of_delivered is None
    assert freed_early(tmp_path, (1, 2), unordered=True).bounds_of_delivered is None


def full_once(folder: Path, again: End = A, later: End = A) -> tuple[float, float]:
    """Three of which one is lost and repaired, then one in each of two seconds. By how many
    byte-seconds a full buffer may hold more; and the round trip."""
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1003):
        talk.say(A, B, data(tsn, 0, unordered=True), later_us=0)
    talk.say(B, A, sctp.sack(999, [(2, 3)]), later_us=20_000)
    talk.say(again, B, data(1000, 0, unordered=True), later_us=20_000)
    talk.say(B, again, sctp.sack(1002), later_us=20_000)
    for tsn in (1003, 1004):
        talk.say(later, B, data(tsn, 0, unordered=True), later_us=0)
        talk.say(B, later, sctp.sack(tsn), later_us=1_000_000)
    folder.mkdir()
    queue = queue_of(talk, folder)
    paths = sctp_rack.read(talk.write(folder)).table("paths")
    assert queue.bounds_of_all is not None
    filled = queue.bounds_of_all.filled_bytes * (queue.end_ns - queue.begin_ns) / SECOND
    smoothed_ns = [took.smoothed_ns for row in paths if (took := round_trip(row))]
    return filled, max(smoothed_ns) / SECOND


def test_a_capture_tells_of_round_trips_and_over_which_paths_new_data_went(tmp_path: Path) -> None:
    other = replace(A, address="10.0.1.1")
    one, loop = full_once(tmp_path / "one")
    repaired, other_loop = full_once(tmp_path / "repaired", again=other)
    two, _ = full_once(tmp_path / "two", later=other)

    # For 40 ms a third of what is kept is outstanding; then 100 of 300 bytes are kept.
    full = 0.04 * 2 * SIZE
    assert 0 < loop < 2 and 0 < other_loop < 2
    assert one == pytest.approx(full + loop * 2 * SIZE)
    assert repaired == pytest.approx(full + other_loop * 2 * SIZE)
    assert two == pytest.approx(full + 2 * 2 * SIZE)


def test_a_message_of_several_chunks_has_to_have_room_as_a_whole(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn, flags in ((1000, 0x06), (1001, 0x05)):
        talk.say(A, B, data(tsn, 0, flags=flags))
    talk.say(B, A, sctp.sack(999, [(2, 2)]), later_us=20_000)
    talk.say(A, B, data(1000, 0, flags=0x06), later_us=20_000)
    talk.say(B, A, sctp.sack(1001), later_us=20_000)
    for tsn in range(1002, 1005):
        talk.say(A, B, data(tsn, tsn - 1000, unordered=True))
    talk.say(B, A, sctp.sack(1004), later_us=20_000)

    queue = queue_of(talk, tmp_path)
    assert queue.bounds_of_all is not None and queue.bounds_of_delivered is not None
    # The second of its parts has to wait for the first, though neither has an order.
    assert queue.bounds_of_delivered.least_rtxq_util != queue.bounds_of_all.least_rtxq_util


def test_a_capture_tells_whether_what_arrives_may_have_to_wait(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("unordered", "ordered")]
    queues = []
    for folder, unordered in zip(folders, (True, False), strict=True):
        folder.mkdir()
        talk = Talk()
        lost_and_repaired(talk, unordered=unordered)
        queues.append(queue_of(talk, folder))
    bounds = [(one.bounds_of_delivered, one.bounds_of_all) for one in queues]

    assert bounds[0][0] == bounds[0][1] is not None
    assert bounds[1][0] is not None and bounds[1][0].least_rtxq_util == 0


def test_of_a_capture_with_nr_sacks_nothing_is_bounded(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1000, 1003):
        talk.say(A, B, data(tsn, 0, unordered=True))
    talk.say(B, A, sctp.nr_sack(999, [(2, 3)], []), later_us=20_000)
    talk.say(A, B, data(1000, 0, unordered=True), later_us=20_000)
    talk.say(B, A, sctp.nr_sack(1002), later_us=20_000)
    queue = queue_of(talk, tmp_path)

    assert queue.captured.whole.arrived_byte_seconds > 0
    assert queue.bounds_of_all is None and queue.bounds_of_delivered is None
