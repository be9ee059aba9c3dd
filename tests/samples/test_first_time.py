# SPDX-License-Identifier: BSD-2-Clause
"""What tells at a tap that a chunk is sent again and not for the first time.

Setup: the last of some messages, or one among them, is lost before a tap, which never saw it.
Trigger: it is sent again. Expectation: without a number that counts packets the tap cannot know it
where nothing higher came before."""

from dataclasses import replace

import pytest

from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.first_time import FirstTimes
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.run import TAPS, Run, Sent
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import run_of

BEFORE_MIDDLE, BEHIND_MIDDLE = 1.0, 0.0


def scenario(lost: set[int], *, messages: int = 3, middle: float = BEFORE_MIDDLE) -> Scenario:
    """These are lost once; from a to b, usrsctp, IPv4 with IDs that count."""
    forth = Path(losses=(Nth(frozenset(lost)),))
    return Scenario(
        "tail", "", Stack.USRSCTP, 1, bulk(messages, 400), forth, mtu=512, middle=middle
    )


def again_in(run: Run, place: int) -> Sent:
    """The retransmission of the chunk at `place` in the flow."""
    first = next(sent.tsn for sent in run.sent if sent.side == "a")
    return next(sent for sent in run.sent if sent.copy > 1 and sent.tsn == first + place)


def kinds(run: Run, place: int) -> list[bool]:
    """Whether it is known to be one at the sender's, the middle and the receiver's tap."""
    first_times, again = FirstTimes(run), again_in(run, place)
    return [first_times.is_known_again(again, tap) for tap in TAPS]


def begun_at(run: Run, time_ns: int) -> Run:
    """The same with captures that begin in the middle of it."""
    for tap in run.taps.values():
        tap.sightings = [seen for seen in tap.sightings if seen.time_ns >= time_ns]
    return run


def test_without_ip_ids_a_tap_that_saw_no_copy_cannot_know_what_comes_in_order() -> None:
    run = run_of(replace(scenario({2}), ip_id_zero=True))

    assert kinds(run, 2) == [True, False, False]


def test_a_tap_that_saw_the_lost_copy_knows_that_it_comes_again() -> None:
    run = run_of(replace(scenario({2}, middle=BEHIND_MIDDLE), ip_id_zero=True))

    assert kinds(run, 2) == [True, True, False]


def test_a_gap_in_the_ip_ids_tells_nothing_where_another_flow_may_have_taken_the_number() -> None:
    assert kinds(run_of(scenario({2})), 2) == [True, False, False]


@pytest.mark.parametrize("middle", [BEFORE_MIDDLE, BEHIND_MIDDLE])
def test_a_gap_tells_what_was_lost_where_missing_tsns_show_that_gaps_are_losses(
    middle: float,
) -> None:
    """The last of eight messages is lost, and one whose TSN is missed by others."""
    run = run_of(scenario({2, 7}, messages=8, middle=middle))

    assert kinds(run, 7) == [True, True, True]


def test_a_gap_tells_nothing_where_an_acknowledgement_may_be_what_was_lost() -> None:
    """Data of the other host comes before the next packet of this side."""
    one = scenario({2, 7}, messages=7)
    last, other = (replace(bulk(1, 100, side=side)[0], at_ns=400 * MS) for side in "ab")
    quiet = run_of(replace(one, messages=(*one.messages, last)))
    run = run_of(replace(one, messages=(*one.messages, last, other)))

    assert kinds(quiet, 7) == [True, True, True]
    assert kinds(run, 7) == [True, False, False]


@pytest.mark.parametrize(("other_flows", "known"), [(0.0, True), (0.3, True), (3.0, False)])
def test_a_gap_tells_nothing_where_most_gaps_are_other_flows(
    other_flows: float, known: bool
) -> None:
    """Of 40 messages each fourth is lost, and the last; 0.3: one packet of six has another's
    before it."""
    lost = {*range(2, 36, 4), 39}
    run = run_of(replace(scenario(lost, messages=40), other_flows=other_flows))

    assert kinds(run, 39) == [True, known, known]


def test_records_of_dtls_count_for_the_association_alone() -> None:
    dtls = replace(scenario({2}), stack=Stack.PION, encapsulation=Encapsulation.DTLS)

    assert kinds(run_of(dtls), 2) == [True, True, True]


def test_without_ip_ids_what_comes_behind_a_higher_tsn_is_known_to_come_again() -> None:
    run = run_of(replace(scenario({2}, messages=8), ip_id_zero=True))

    assert kinds(run, 2) == [True, True, True]


def test_a_tap_that_missed_the_copy_knows_no_more_than_one_that_it_never_passed() -> None:
    run = run_of(replace(scenario({2}, middle=BEHIND_MIDDLE), ip_id_zero=True))
    missed = next(sent.packet for sent in run.sent if sent.tsn == again_in(run, 2).tsn)
    middle = run.taps["middle"]
    middle.sightings = [seen for seen in middle.sightings if seen.key != missed]

    assert kinds(run, 2) == [True, False, False]


def test_what_is_sent_again_when_the_file_begins_looks_like_the_first() -> None:
    """Also at the sender's tap, and with IP-IDs: the gap is before the file."""
    run = run_of(scenario({2, 7}, messages=8))
    again = again_in(run, 7)

    assert kinds(begun_at(run, again.time_ns), 7) == [False, False, False]


def test_an_acknowledgement_of_a_higher_tsn_says_that_it_had_been_sent() -> None:
    """The file begins between the copies, with a SACK that reports a gap."""
    run = run_of(replace(scenario({2}, messages=8), ip_id_zero=True))
    again = again_in(run, 2)
    sack_ns = max(
        seen.time_ns
        for seen in run.taps["receiver"].in_order()
        if seen.time_ns < (again.arrive_ns or 0) and seen.key > 4 and _side(run, seen.key) == "b"
    )

    assert kinds(begun_at(run, sack_ns), 2)[2]


def _side(run: Run, packet: int) -> str:
    return next(one.side for one in run.carried if one.packet == packet)


@pytest.mark.parametrize(("ip_id_zero", "known"), [(True, False), (False, True)])
def test_of_two_copies_that_change_places_only_numbers_say_which_is_which(
    ip_id_zero: bool, known: bool
) -> None:
    """The third message is held back for so long that its retransmission overtakes it."""
    held = Path(late=0.05, late_ns=400 * MS)
    late = replace(scenario(set(), messages=40, middle=0.5), forth=held, ip_id_zero=ip_id_zero)
    run = run_of(late)
    order = [seen.key for seen in run.taps["receiver"].in_order()]
    (overtaking, *_) = [
        sent
        for sent in run.sent
        if sent.copy > 1
        for first in run.sent
        if (first.tsn, first.copy) == (sent.tsn, 1)
        and order.index(sent.packet) < order.index(first.packet)
    ]

    assert FirstTimes(run).is_known_again(overtaking, "receiver") == known
