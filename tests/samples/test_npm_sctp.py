# SPDX-License-Identifier: BSD-2-Clause
"""npm's package sctp is looked at while it decides; what leaves later leaves for the same cause.

Setup: two hosts with it, 20 ms apart. Trigger: chosen chunks are lost. Expectation: each cause is
there; what it sends waits for the next tick of its timers."""

from dataclasses import replace

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import bulk, bursts
from tests.samples.stacks import copies_of, run_of
from tests.samples.test_dcsctp import heard_by_a, reports_missing

#: A chunk is lost out of the middle of a flow that leaves a message each 4 ms.
PACED = Scenario(
    *("npm-sctp", "", Stack.NPM_SCTP, 1, bulk(40, 400, interval_ns=4 * MS)),
    Path(losses=(Nth(frozenset({9})),)),
    mtu=512,
)


def test_the_third_missing_report_sends_a_chunk_again_with_the_next_tick() -> None:
    run = run_of(PACED)
    _, again, *_ = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    marks = {mark.time_ns for mark in run.senders["a"].marks}
    marked = max(at for at in reports if at <= again.time_ns and at in marks)
    assert again.cause == "fast"
    assert 0 < again.time_ns - marked <= MS


def test_a_timeout_sends_a_packet_at_once_and_the_rest_with_feedback() -> None:
    tail = bursts(1, 4, 200, side="a", every_ns=SECOND)
    lost = Path(losses=(Nth(frozenset({0, 1, 2, 3})),))
    run = run_of(replace(PACED, messages=tail, forth=lost))
    again = [sent for sent in run.sent if sent.copy > 1]

    assert again[0].cause == "t3"
    assert {sent.cause for sent in again} == {"t3", "t3_gbn"}
