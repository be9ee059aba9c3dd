# SPDX-License-Identifier: BSD-2-Clause
"""werift is looked at while it decides; what it does otherwise than RFC 9260 is in the truth.

Setup: two hosts with werift, 20 ms apart. Trigger: chosen chunks are lost, or the network repeats
packets. Expectation: each cause is there, at the instant of the feedback or of the timer; packets
leave one by one, as its socket takes them; reports of duplicates are repeated until then."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Nth
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import bulk
from tests.samples.stacks import copies_of, run_of
from tests.samples.test_dcsctp import heard_by_a, reports_missing

#: A chunk is lost out of the middle of a flow that leaves a message each 4 ms.
PACED = Scenario(
    *("werift", "", Stack.WERIFT, 1, bulk(40, 400, interval_ns=4 * MS)),
    Path(losses=(Nth(frozenset({9})),)),
    mtu=512,
)
SOCKET_TAKES_NS = range(20_000, 150_000)  #: node/socket.js


def test_the_third_missing_report_sends_a_chunk_again_at_once() -> None:
    run = run_of(PACED)
    _, again, *_ = copies_of(run, 9)
    reports = [at for at, told in heard_by_a(run) if reports_missing(told, again.tsn)]

    assert (again.cause, again.time_ns) == ("fast", reports[2])


def test_a_second_timeout_comes_as_soon_as_the_first() -> None:
    """Nothing doubles its RTO; timers of Node.js begin with whole milliseconds."""
    run = run_of(
        replace(PACED, messages=bulk(1, 400), forth=Path(losses=(Nth(frozenset({0}), 3),)))
    )
    times = [sent.time_ns for sent in copies_of(run, 0)]

    for later, sooner in ((later, sooner) for sooner, later in pairwise(times)):
        assert 3 * SECOND - MS <= later - sooner <= 3 * SECOND


def test_a_packet_leaves_when_the_socket_has_taken_the_one_before() -> None:
    run = run_of(replace(PACED, messages=bulk(2, 400), forth=Path()))
    first, second = (sent.time_ns for sent in run.sent)

    assert second - first in SOCKET_TAKES_NS


def test_it_reports_a_duplicate_with_each_sack_until_the_socket_has_taken_one() -> None:
    """sendSack() waits for the socket before it empties the list; of what the cumulative TSN covers
    markReceived() takes it out."""
    lost = (Nth(frozenset({9})),)
    repeats = Path(duplicate=0.5, duplicate_after_ns=(1000, 2000), losses=lost)
    run = run_of(replace(PACED, messages=bulk(60, 400), forth=repeats))
    reported = Counter(tsn for frame in run.carried for tsn in duplicates_of(frame.sctp))

    assert len(run.repeated) > 0
    assert sum(reported.values()) > len(run.repeated)


def duplicates_of(sctp: bytes) -> list[int]:
    """Of the SACK with which a packet begins (RFC 9260 section 3.3.4)."""
    if sctp[12:13] != b"\x03":
        return []
    blocks = int.from_bytes(sctp[24:26], "big")
    count = int.from_bytes(sctp[26:28], "big")
    at = 28 + 4 * blocks
    return [int.from_bytes(sctp[at + 4 * n : at + 4 * n + 4], "big") for n in range(count)]
