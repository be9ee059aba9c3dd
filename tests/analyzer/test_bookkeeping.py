# SPDX-License-Identifier: BSD-2-Clause
"""What the judge says of captures whose story is known."""

import struct
from pathlib import Path
from typing import Any

import pytest

from tests.builder import sctp
from tests.builder.talk import COOKIE_ECHO, INIT_ACK, A, B, Talk, init, rows

FORWARD_TSN, HEARTBEAT, HEARTBEAT_ACK = 192, 4, 5
MS = 1_000_000


def forward(tsn: int) -> bytes:
    """RFC 3758 section 3.2."""
    return sctp.chunk(FORWARD_TSN, 0, struct.pack(">I", tsn))


def heartbeat(information: bytes, kind: int = HEARTBEAT) -> bytes:
    """Question or answer."""
    return sctp.chunk(kind, 0, struct.pack(">HH", 1, 4 + len(information)) + information)


def column(talk: Talk, folder: Path, table: str, *names: str) -> list[Any]:
    """One column, or tuples of several."""
    found = rows(talk.write(folder), table)
    return [row[names[0]] if len(names) == 1 else tuple(row[n] for n in names) for row in found]


def test_a_chunk_sent_once_reached_the_receiver_when_it_is_acknowledged(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1, 2, 3):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 2)]))

    names = ("tsn", "outcome", "outcome_class", "acked_frame", "resolved_frame")
    assert column(talk, tmp_path, "transmissions", *names) == [
        (1, "acked", 5, 8, 8),
        (2, "unresolved", 1, None, None),
        (3, "acked", 5, 8, 8),
    ]


def test_an_answer_to_a_lone_packet_says_that_a_copy_had_come_before(tmp_path: Path) -> None:
    """Had the second copy come first, its answer would have been delayed."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sctp.sack(1))

    names = ("copy", "outcome", "outcome_class", "acked_frame")
    assert column(talk, tmp_path, "transmissions", *names) == [
        (1, "acked", 3, 7),
        (2, "acked", 2, 7),
    ]


def test_what_forward_tsn_gives_up_did_not_arrive_though_the_cumulative_tsn_passes_it(
    tmp_path: Path,
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1, 2, 3, 4):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 2)]))
    talk.say(A, B, forward(3))
    talk.say(B, A, sctp.sack(4))

    names = ("tsn", "outcome", "acked_frame", "resolved_frame")
    assert column(talk, tmp_path, "transmissions", *names) == [
        (1, "acked", 9, 9),
        (2, "lost", 11, 10),  # 3 overtook it
        (3, "acked", 9, 9),
        (4, "acked", 11, 11),
    ]
    queue = ("outstanding_bytes", "rtxq_bytes", "rtxq_necessary_bytes")
    assert column(talk, tmp_path, "sacks", *queue) == [(16, 24, 16), (0, 0, 0)]


def test_a_gap_block_says_that_what_was_given_up_arrived(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1, 2, 3):
        talk.say(A, B, sctp.data(tsn))
    talk.say(A, B, forward(3))
    talk.say(B, A, sctp.sack(0, [(3, 3)]))
    talk.say(B, A, sctp.sack(3))

    assert column(talk, tmp_path, "transmissions", "outcome") == ["lost", "lost", "acked"]


def test_what_was_given_up_and_not_overtaken_has_an_unknown_fate(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in (1, 2):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1))
    talk.say(A, B, forward(2))
    talk.say(B, A, sctp.sack(2))

    names = ("tsn", "outcome", "outcome_class")
    assert column(talk, tmp_path, "transmissions", *names) == [(1, "acked", 5), (2, "abandoned", 1)]


def test_nr_acknowledged_data_need_not_be_kept(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 7):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.nr_sack(1, [(2, 2)], [(4, 4)]))

    queue = ("rtxq_bytes", "rtxq_necessary_bytes")
    assert column(talk, tmp_path, "sacks", *queue) == [(4 * 8, 3 * 8)]


def test_the_a_bit_frees_all_that_is_in_gap_blocks_also_what_was_told_before(
    tmp_path: Path,
) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 7):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.nr_sack(1, [(2, 2)]))
    talk.say(B, A, sctp.nr_sack(1, [(2, 2), (4, 4)], promises_all=True))
    talk.say(B, A, sctp.chunk(sctp.SACK, 0x04, sctp.sack(1, [(2, 2), (4, 5)])[4:]))

    queue = ("rtxq_bytes", "rtxq_necessary_bytes")
    assert column(talk, tmp_path, "sacks", *queue) == [
        (5 * 8, 4 * 8),
        (3 * 8, 3 * 8),
        (3 * 8, 2 * 8),
    ]


def test_the_a_bit_says_nothing_beside_a_list_of_what_is_promised(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 7):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.nr_sack(1, [(2, 2)], [(4, 4)], promises_all=True))

    queue = ("rtxq_bytes", "rtxq_necessary_bytes")
    assert column(talk, tmp_path, "sacks", *queue) == [(4 * 8, 3 * 8)]


def test_what_the_a_bit_promises_is_not_in_flight_again_when_it_is_left_out(tmp_path: Path) -> None:
    flights = {}
    for promises_all in (False, True):
        talk = Talk()
        talk.handshake()
        for tsn in range(1000, 1006):
            talk.say(A, B, sctp.data(tsn))
        talk.say(B, A, sctp.nr_sack(1000, [(2, 3)], promises_all=promises_all))
        talk.say(B, A, sctp.nr_sack(1000, [(2, 2)], promises_all=promises_all))
        flights[promises_all] = column(talk, tmp_path, "rack_state", "flight_bytes")

    assert flights == {False: [16, 24], True: [16, 16]}


def test_questions_that_were_asked_once_give_samples(tmp_path: Path) -> None:
    talk = Talk()
    talk.say(A, B, init(A), vtag=0)
    talk.say(B, A, init(B, INIT_ACK), later_us=30_000)
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"))
    talk.say(A, B, sctp.chunk(COOKIE_ECHO, 0, b"cookie"), later_us=1_000_000)
    talk.say(B, A, sctp.cookie_ack())
    talk.say(A, B, heartbeat(b"one"))
    talk.say(A, B, heartbeat(b"two"))
    talk.say(B, A, heartbeat(b"two", HEARTBEAT_ACK), later_us=40_000)
    talk.say(B, A, heartbeat(b"one", HEARTBEAT_ACK))
    talk.say(B, A, heartbeat(b"one", HEARTBEAT_ACK))

    names = ("frame", "dir", "rtt_ns", "tag")
    assert column(talk, tmp_path, "rtt_samples", *names) == [
        (2, "a2b", 30 * MS, "handshake"),
        (8, "a2b", 40 * MS, "heartbeat"),
        (9, "a2b", 60 * MS, "heartbeat"),
    ]


@pytest.mark.parametrize("start", [1, 2**32 - 2])
def test_samples_are_of_the_newest_that_was_sent_once_and_say_why_they_came(
    tmp_path: Path, start: int
) -> None:
    talk = Talk()
    talk.handshake()

    def at(offset: int) -> int:
        return (start + offset) % 2**32

    talk.say(A, B, sctp.data(at(0)))
    talk.say(B, A, sctp.sack(at(0)), later_us=200_000)
    talk.say(A, B, sctp.data(at(1)))
    talk.say(A, B, sctp.data(at(2)))
    talk.say(B, A, sctp.sack(at(2)), later_us=50_000)
    talk.say(A, B, sctp.data(at(3)))
    talk.say(A, B, sctp.data(at(4)))
    talk.say(B, A, sctp.sack(at(2), [(2, 2)]), later_us=50_000)
    talk.say(A, B, sctp.data(at(5)))
    talk.say(A, B, sctp.data(at(3)))  # sent again: 5 was sent before and is no longer measured
    talk.say(A, B, sctp.data(at(6)))
    talk.say(B, A, sctp.sack(at(5)), later_us=50_000)
    talk.say(B, A, sctp.sack(at(6), dups=[at(3)]), later_us=50_000)

    names = ("rtt_ns", "rtt_tag")
    assert column(talk, tmp_path, "sacks", *names) == [
        (200 * MS, "delayed"),
        (50 * MS, "second_packet"),
        (50 * MS, "gap"),
        (None, None),
        (100 * MS, "duplicate"),
    ]
    assert column(talk, tmp_path, "rtt_samples", "tag")[2:] == [
        "delayed",
        "second_packet",
        "gap",
        "rtx",
        "duplicate",
    ]


def test_an_overtaken_sack_takes_nothing_back(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(1, [(2, 2)]))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(0))

    names = ("stale", "reneged")
    assert column(talk, tmp_path, "sacks", *names) == [
        (False, []),
        (True, []),
        (False, []),
        (True, []),
    ]


def test_what_two_sacks_leave_out_was_taken_back_and_must_be_kept(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(A, B, sctp.data(3), sctp.data(4))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))

    names = ("reneged", "stale", "rtxq_necessary_bytes")
    assert column(talk, tmp_path, "sacks", *names) == [
        ([], False, 8),
        ([3, 4], False, 8),
        ([], False, 24),
        ([], False, 8),
    ]


def test_what_was_taken_back_is_needed_again(tmp_path: Path) -> None:
    """Setup: the receiver reports duplicates. It takes two TSNs back, which are sent again at once
    and acknowledged without a duplicate report. Expectation: it had dropped them (class 5), and
    they were needed, for that reason."""
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(A, B, sctp.data(1), later_us=1_000_000)
    talk.say(B, A, sctp.sack(1, [], [1]))
    for tsn in range(2, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(A, B, sctp.data(3), sctp.data(4), later_us=100_000)
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    again = [row for row in rows(talk.write(tmp_path), "transmissions") if row["copy"] == 2][1:]

    names = ("reneged", "reneged_class")
    assert column(talk, tmp_path, "sacks", *names)[2] == ([3, 4], 5)
    assert [(row["tsn"], row["verdict"], row["evidence"]) for row in again] == [
        (3, "needed", ["S15"]),
        (4, "needed", ["S15"]),
    ]
    assert {row["cause"] for row in again} == {"renege"}


def test_a_promise_that_is_broken_is_certain(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.nr_sack(1, [], [(2, 4)]))
    talk.say(B, A, sctp.nr_sack(1, [], [(4, 4)]))
    talk.say(B, A, sctp.nr_sack(1, [], [(4, 4)]))

    names = ("reneged", "reneged_class")
    assert column(talk, tmp_path, "sacks", *names)[1] == ([3, 4], 5)


def test_two_sacks_that_came_late_took_nothing_back(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 6):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(B, A, sctp.sack(1, [(4, 4)]))
    talk.say(B, A, sctp.sack(1, [(2, 4)]))

    assert column(talk, tmp_path, "sacks", "reneged", "stale")[1] == ([], True)


def test_a_full_sack_takes_nothing_back(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 21):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(0, [(9, 9), (11, 11), (13, 13), (15, 15)]))
    talk.say(B, A, sctp.sack(0, [(3, 3), (9, 9), (11, 11), (13, 13)]))
    talk.say(B, A, sctp.sack(0, [(3, 4), (9, 9), (11, 11), (13, 13)]))
    talk.say(B, A, sctp.sack(8, [(1, 1), (3, 3), (5, 5), (7, 7)]))

    names = ("truncated", "reneged", "stale")
    assert column(talk, tmp_path, "sacks", *names) == [
        (False, [], False),
        (True, [], False),
        (True, [], False),
        (False, [], False),
    ]


def test_associations_counts_and_paths_add_up(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, sctp.data(1))
    talk.say(A, B, sctp.data(2))
    talk.say(B, A, sctp.sack(1))
    talk.say(A, B, sctp.data(2), later_us=980_000)
    talk.say(B, A, sctp.sack(2))
    (association,) = rows(talk.write(tmp_path), "associations")

    assert (association["a"], association["b"]) == ("10.0.0.1:5000", "10.0.0.2:6000")
    assert (association["vtag_a"], association["vtag_b"]) == (A.vtag, B.vtag)
    assert (association["how_started"], association["how_ended"]) == ("handshake", "open")
    assert (association["chunks_a2b"], association["bytes_a2b"]) == (3, 24)
    assert association["acked_bytes_a2b"] == 16
    assert association["goodput_a2b"] == int(8 * 16 / 1.01)
    assert (association["goodput_b2a"], association["rtxq_util_b2a"]) == (None, None)
    assert (association["rtxq_util_a2b"], association["rtxq_util_loss_a2b"]) == (1, None)
    names = ("dir", "what", "name", "transmissions", "tsns", "bytes")
    assert column(talk, tmp_path, "counts", *names) == [
        ("a2b", "kind", "original", 2, 2, 16),
        ("a2b", "kind", "retransmission", 1, 1, 8),
        ("a2b", "cause", "t3", 1, 1, 8),
        ("a2b", "verdict", "spurious", 1, 1, 8),
        ("a2b", "outcome", "acked", 3, 2, 24),
    ]
    names = ("dir", "path", "srtt_ns", "min_rtt_ns", "rto_ns", "vantage")
    assert column(talk, tmp_path, "paths", *names) == [
        ("a2b", "10.0.0.1>10.0.0.2", 11_250_000, 10 * MS, 1000 * MS, "middle"),
    ]


def test_the_share_of_the_queue_that_is_needed_is_weighed_by_time(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    talk.say(A, B, *(sctp.data(tsn) for tsn in (1, 2, 3, 4)))
    talk.say(B, A, sctp.sack(0, [(2, 4)]), later_us=100_000)
    talk.say(B, A, sctp.sack(4), later_us=300_000)
    (association,) = rows(talk.write(tmp_path), "associations")

    assert association["rtxq_util_a2b"] == pytest.approx((100 * 1 + 300 * 0.25) / 400)
    assert association["rtxq_util_loss_a2b"] == pytest.approx(0.25)
