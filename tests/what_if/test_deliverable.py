# SPDX-License-Identifier: BSD-2-Clause
"""Which data a receiver could have delivered when what it lacks is missing."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from sctp_rack.what_if.deliverable import Receiver
from sctp_rack.what_if.first_copies import FIRST, LAST, UNORDERED, Chunk, TsnLine

ALONE = FIRST | LAST


def data(place: int, message: int = 0, flags: int = ALONE, sid: int = 1) -> Chunk:
    return Chunk(place, place, 100, sid, message, None, flags, None)


def i_data(place: int, message: int = 0, fsn: int = 0, flags: int = ALONE, sid: int = 1) -> Chunk:
    return Chunk(place, place, 100, sid, message, fsn, flags, None)


def delivered(sent: Sequence[Chunk], came: Iterable[int], cum: int = -1) -> set[int]:
    """Places of what is told to be deliverable, also what the cumulative TSN lets go."""
    receiver = Receiver(sent)
    by_place = {chunk.place: chunk for chunk in sent}
    found = [one.place for place in came for one in receiver.gets(by_place[place])]
    found += [one.place for one in receiver.passes(cum)]
    assert len(found) == len(set(found))
    return set(found)


def test_unordered_data_is_deliverable_at_once() -> None:
    sent = [data(place, 0, ALONE | UNORDERED) for place in range(4)]
    assert delivered(sent, [2, 3]) == {2, 3}


def test_ordered_data_waits_for_the_message_before_it_in_its_stream() -> None:
    sent = [data(0, 0), data(1, 1), data(2, 2)]
    assert delivered(sent, [2]) == set()
    assert delivered(sent, [2, 0]) == {0}
    assert delivered(sent, [2, 0, 1]) == {0, 1, 2}


def test_a_stream_does_not_wait_for_another() -> None:
    sent = [data(0, 0, sid=1), data(1, 0, sid=2), data(2, 1, sid=2)]
    assert delivered(sent, [1, 2]) == {1, 2}


def test_a_message_of_fragments_waits_for_all_of_them() -> None:
    sent = [data(0, 0, FIRST | UNORDERED), data(1, 0, UNORDERED), data(2, 0, LAST | UNORDERED)]
    assert delivered(sent, [0, 2]) == set()
    assert delivered(sent, [0, 2, 1]) == {0, 1, 2}


@pytest.mark.parametrize("kept", [(0, 1), (1, 2), (0, 2)])
def test_a_message_of_which_a_fragment_was_not_seen_is_not_whole(kept: tuple[int, ...]) -> None:
    sent = [data(0, 0, FIRST | UNORDERED), data(1, 0, UNORDERED), data(2, 0, LAST | UNORDERED)]
    assert delivered([sent[at] for at in kept], kept) == set()


def test_the_ssn_wraps() -> None:
    sent = [data(place, place % 2**16) for place in range(2**16 + 2)]
    assert len(delivered(sent, range(2**16 + 2))) == 2**16 + 2


def test_where_a_number_does_not_follow_the_cumulative_tsn_has_to_pass() -> None:
    sent = [data(0, 7), data(1, 8), data(3, 9)]
    assert delivered(sent, [0, 1, 3]) == set()
    assert delivered(sent, [0, 1, 3], cum=0) == {1, 3}


def test_what_was_given_up_does_not_hold_back_what_follows_it() -> None:
    sent = [data(0, 0), data(1, 1), data(2, 2)]
    assert delivered(sent, [2], cum=1) == {2}


def test_fragments_of_i_data_are_counted_by_fsn_and_may_lie_between_others() -> None:
    sent = [
        i_data(0, 0, 0, FIRST),
        i_data(1, 0, 0, FIRST, sid=2),
        i_data(2, 0, 1, LAST),
        i_data(3, 0, 1, LAST, sid=2),
    ]
    assert delivered(sent, [1, 3]) == {1, 3}
    assert delivered([sent[0], sent[2], i_data(4, 0, 3, 0)], [0, 2, 4]) == set()


def test_unordered_i_data_has_mids_of_its_own() -> None:
    sent = [i_data(0, 0), i_data(1, 0, flags=ALONE | UNORDERED), i_data(2, 1)]
    assert delivered(sent, [1]) == {1}
    assert delivered(sent, [0, 2]) == {0, 2}


def test_a_tsn_is_near_the_one_before_also_where_it_wraps() -> None:
    line = TsnLine(2**32 - 2)
    assert [line.place(tsn) for tsn in (2**32 - 2, 2**32 - 1, 0, 2**32 - 1, 1)] == [
        2**32 - 2,
        2**32 - 1,
        2**32,
        2**32 - 1,
        2**32 + 1,
    ]


def _plain(sent: Sequence[Chunk], came: set[int]) -> set[int]:
    """The rule as it reads: a message whose fragments came, and each before it in its stream."""
    messages: dict[tuple[int, bool, int], list[Chunk]] = {}
    for chunk in sent:
        key = chunk.sid, bool(chunk.flags & UNORDERED), chunk.message
        messages.setdefault(key, []).append(chunk)
    whole = {key: all(one.place in came for one in some) for key, some in messages.items()}
    return {
        one.place
        for (sid, unordered, number), some in messages.items()
        for one in some
        if whole[sid, unordered, number]
        and (unordered or all(whole[sid, False, before] for before in range(number)))
    }


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_the_rule_says_whatever_is_missing(seed: int) -> None:
    random = Random(seed)
    make = i_data if seed % 2 else data
    sent: list[Chunk] = []
    numbers: dict[tuple[int, bool], int] = {}
    for _ in range(12):
        sid, unordered = random.randrange(2), random.random() < 0.4
        number = numbers.get((sid, unordered), 0)
        numbers[sid, unordered] = number + 1
        count = random.randint(1, 3)
        for at in range(count):
            flags = UNORDERED * unordered | FIRST * (at == 0) | LAST * (at == count - 1)
            more = {"fsn": at} if make is i_data else {}
            sent.append(make(len(sent), number, flags=flags, sid=sid, **more))
    came = [place for place in range(len(sent)) if random.random() < 0.8]
    random.shuffle(came)

    assert delivered(sent, came) == _plain(sent, set(came))
