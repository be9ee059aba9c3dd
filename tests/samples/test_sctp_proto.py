# SPDX-License-Identifier: BSD-2-Clause
"""sctp-proto, the SCTP of str0m, tells its decisions as it makes them.

Setup: two hosts with it, 20 ms apart. Trigger: chosen chunks are lost. Expectation: each cause is
there, at the instant of the feedback or of the timer; and what it does otherwise than RFC 9260 is
in the truth."""

from dataclasses import replace
from itertools import pairwise

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.wire import SACK
from sample_pcaps.generate.workload import bulk, bursts
from tests.samples.stacks import copies_of, run_of
from tests.samples.test_dcsctp import heard_by_a, reports_missing

#: A chunk is lost out of the middle of a flow that leaves a message each 4 ms.
PACED = Scenario(
    *("sctp-proto", "", Stack.SCTP_PROTO, 1, bulk(40, 400, interval_ns=4 * MS)),
    Path(losses=(Nth(frozenset({9})),)),
    mtu=512,
)


def test_the_third_missing_report_sends_a_chunk_again_at_once() -> None:
    run = run_of(PACED)
    first, again = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    assert (again.cause, again.time_ns) == ("fast", reports[2])
    assert (first.accepted, again.accepted) == (None, True)


def test_what_was_fast_retransmitted_and_is_lost_again_waits_for_the_timer() -> None:
    run = run_of(replace(PACED, forth=Path(losses=(Nth(frozenset({9}), 2),))))

    assert [sent.cause for sent in copies_of(run, 9)] == [None, "fast", "t3"]


def test_a_timeout_sends_one_packet_and_the_rest_with_feedback() -> None:
    """get_data_packets_to_retransmit() sends what the window of one packet lets out."""
    tail = bursts(1, 3, 400, side="a", every_ns=SECOND)
    run = run_of(replace(PACED, messages=tail, forth=Path(losses=(Nth(frozenset({0, 1, 2})),))))
    original, again = copies_of(run, 0)
    _, behind = copies_of(run, 1)

    assert (again.cause, behind.cause) == ("t3", "t3_gbn")
    assert again.time_ns == original.time_ns + 3 * SECOND


def test_timeouts_in_a_row_double() -> None:
    alone = bulk(1, 400)
    run = run_of(replace(PACED, messages=alone, forth=Path(losses=(Nth(frozenset({0}), 3),))))
    times = [sent.time_ns for sent in copies_of(run, 0)]

    waits = [later - sooner for sooner, later in pairwise(times)]
    assert waits == [3 * SECOND, 6 * SECOND, 12 * SECOND]


def test_it_reports_no_duplicates() -> None:
    run = run_of(replace(PACED, forth=Path(duplicate=0.5, duplicate_after_ns=(MS, 2 * MS))))

    packets = [carried.sctp for carried in run.carried if carried.side == "b"]
    sacks = [packet[12:] for packet in packets if packet[12] == SACK]
    assert run.repeated
    assert {int.from_bytes(sack[14:16]) for sack in sacks} == {0}
