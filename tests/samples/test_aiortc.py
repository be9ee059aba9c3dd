# SPDX-License-Identifier: BSD-2-Clause
"""aiortc is looked at while it decides; its decisions come at the instants that its source has.

Setup: two hosts with aiortc, 20 ms apart. Trigger: chosen chunks are lost, the path stands still.
Expectation: each cause is there, at the instant of the feedback or of the timer; and what aiortc
does otherwise than RFC 9260 is in the truth."""

from dataclasses import replace
from itertools import pairwise

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import bulk, bursts
from tests.samples.stacks import copies_of, run_of
from tests.samples.test_dcsctp import heard_by_a, reports_missing

#: A chunk is lost out of the middle of a flow that leaves a message each 4 ms.
PACED = Scenario(
    *("aiortc", "", Stack.AIORTC, 1, bulk(40, 400, interval_ns=4 * MS)),
    Path(losses=(Nth(frozenset({9})),)),
    mtu=512,
)


def test_the_third_missing_report_sends_a_chunk_again_at_once() -> None:
    run = run_of(PACED)
    _, again, *_ = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    assert (again.cause, again.time_ns) == ("fast", reports[2])


def test_three_more_reports_of_the_same_loss_send_it_once_more_and_that_is_spurious() -> None:
    """_transmit() sets _misses to 0, and what was under way before strikes it again. In fast
    recovery it waits for the window."""
    run = run_of(PACED)
    first, second, third, *_ = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, first.tsn)]

    mark = run.senders["a"].marks[1]
    assert (mark.tsn, mark.what, mark.time_ns) == (first.tsn, "fast", reports[5])
    assert third.cause == "fast_deferred"
    assert third.time_ns in reports[6:]
    assert (first.accepted, second.accepted, third.accepted) == (None, True, True)


def test_a_timeout_sends_again_what_gap_blocks_have_acknowledged() -> None:
    """_t3_expired() marks all of _sent_queue, out of which only the cumulative TSN takes."""
    tail = bursts(1, 3, 400, side="a", every_ns=SECOND)
    run = run_of(replace(PACED, messages=tail, forth=Path(losses=(Nth(frozenset({0})),))))
    original, again = copies_of(run, 0)
    _, acknowledged_before = copies_of(run, 1)

    assert again.cause == "t3"
    assert again.time_ns >= original.time_ns + SECOND
    assert acknowledged_before.cause == "t3_gbn"
    assert any(told.covers(acknowledged_before.tsn) for _, told in heard_by_a(run))


def test_a_second_timeout_comes_as_soon_as_the_first() -> None:
    """Nothing doubles _rto."""
    alone = bulk(1, 400)
    run = run_of(replace(PACED, messages=alone, forth=Path(losses=(Nth(frozenset({0}), 3),))))
    times = [sent.time_ns for sent in copies_of(run, 0)]

    assert [later - sooner for sooner, later in pairwise(times)] == [3 * SECOND] * 3
