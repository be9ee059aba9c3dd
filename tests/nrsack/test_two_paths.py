# SPDX-License-Identifier: BSD-2-Clause
"""What is under way on which path, by hand; and a run in which our tables have it as the stack."""

import struct
from dataclasses import replace

import pytest

from bench.nrsack.flight import Copy, apart, changes_of
from bench.nrsack.greedy_run import GreedyRun
from bench.nrsack.measured import captured
from bench.nrsack.paper import CHECKED, LOADS, Case
from bench.nrsack.two_paths import packets_to_count, two_paths
from sample_pcaps.generate.link import Passage
from sample_pcaps.generate.run import Carried
from tests.builder import sctp
from tests.samples.stacks import need

P, Q = "first", "second"


def packet(*chunks: bytes) -> bytes:
    return sctp.packet(*chunks, sport=1, dport=2, vtag=3)


def sack(counts: int) -> bytes:
    """One that answers so many packets, by its DAC count."""
    return sctp.chunk(3, counts << 6, struct.pack(">IIHH", 7, 65536, 0, 0))


def test_a_copy_counts_until_it_is_acknowledged_or_sent_again_elsewhere() -> None:
    sent = [Copy(1, P, 0, 50), Copy(2, P, 5, None), Copy(2, Q, 30, 70), Copy(3, Q, 40, None)]

    assert changes_of(sent) == [
        (0, P, 1),
        (5, P, 1),
        (30, P, -1),
        (30, Q, 1),
        (40, Q, 1),
        (50, P, -1),
        (70, Q, -1),
    ]


def test_an_acknowledgement_of_the_first_copy_ends_it_and_the_second() -> None:
    sent = [Copy(1, P, 0, 60), Copy(1, Q, 30, None)]

    assert changes_of(sent) == [(0, P, 1), (30, P, -1), (30, Q, 1), (60, Q, -1)]


def test_counts_are_compared_path_by_path_and_from_its_first_chunk_on() -> None:
    ours = [(0, P, 1), (60, P, -1), (50, Q, 1)]
    stack = [(0, P, 1), (80, P, -1), (50, Q, 1)]

    assert apart(ours, stack, 100) == {P: (0.8, 0.8), Q: (1.0, 1.0)}


def test_packets_that_no_sack_answers_yet_are_not_to_be_counted() -> None:
    data = Carried("a", 1, 0, packet(sctp.data(1)), Passage(b"", end_ns=10))
    later, lost = (
        replace(data, passage=Passage(b"", end_ns=95)),
        replace(data, passage=Passage(b"")),
    )
    back = Carried("b", 2, 30, packet(sack(1)), Passage(b"", end_ns=40))
    gone = replace(back, time_ns=20, sctp=packet(sack(2)), passage=Passage(b""))
    too_late = replace(back, time_ns=50, sctp=packet(sack(3)), passage=Passage(b"", end_ns=120))

    assert packets_to_count([data, data, data, later, lost, gone, back, too_late], 100) == (3, 2)


@pytest.mark.long
def test_of_two_paths_our_tables_have_what_the_stack_has() -> None:
    case = CHECKED[-1]
    need(case.scenario(100, nr_sack=True))

    found = two_paths(case, 100, nr_sack=True)

    assert (found.same_first, found.same_second) == (1, 1)
    assert found.counted == found.came
    assert found.verdicts_wrong == found.causes_wrong == 0
    assert found.verdicts_right == found.resent > 0
    assert found.stale > found.reordered == 0


@pytest.mark.long
def test_a_sender_that_counts_by_path_is_not_taken_for_one_that_marks_by_time() -> None:
    case = Case(2, LOADS[1], 0)
    need(scenario := case.scenario(100, nr_sack=True))
    run = GreedyRun(scenario, case.greedy)
    run.run()

    paths = [one for one in captured(run).table("paths") if one["dir"] == "a2b"]

    assert len(paths) == 2
    assert {one["sender_has_rack"] for one in paths} == {"no"}
