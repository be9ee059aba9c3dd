# SPDX-License-Identifier: BSD-2-Clause
"""SRTT, RTO, Karn's rule and the minimum round trip: RFC 9260 section 6.3.1."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.names import RttTag
from sctp_rack.reference.chunk import FirstFlight, GapAcked, RepeatFlight, SendTime
from sctp_rack.reference.profiles import dcsctp, pion, rfc8985, rfc9260, usrsctp
from sctp_rack.reference.rtt import MinRtt, RtoParameters, RttEstimator, WindowedMinimum
from sctp_rack.reference.rtt_samples import KarnFence
from sctp_rack.reference.scoreboard import Delivered

from tests.reference.script import MS, Script


def test_the_first_sample_sets_srtt_and_half_of_it() -> None:
    estimator = RttEstimator(RtoParameters(min_ns=0))
    estimator.measured(101)

    assert (estimator.srtt_ns, estimator.rttvar_ns, estimator.rto_ns) == (101, 50, 301)


def test_later_samples_are_smoothed_with_floor_division() -> None:
    estimator = RttEstimator(RtoParameters(min_ns=0))
    estimator.warm(101, 51)
    estimator.measured(132)

    # 51 * 3 // 4 + 31 // 4 = 38 + 7, not (153 + 31) // 4 = 46; 101 * 7 // 8 + 132 // 8 = 88 + 16
    assert (estimator.srtt_ns, estimator.rttvar_ns, estimator.rto_ns) == (104, 45, 284)


def test_a_variance_of_zero_becomes_the_clock_granularity() -> None:
    estimator = RttEstimator(RtoParameters(min_ns=0, granularity_ns=10))
    estimator.warm(80, 0)
    estimator.measured(80)

    assert (estimator.rttvar_ns, estimator.rto_ns) == (10, 120)


@given(st.lists(st.integers(1, 100_000 * MS), min_size=1), st.integers(0, 12))
def test_rto_stays_between_its_limits(samples: list[int], doublings: int) -> None:
    parameters = RtoParameters()
    estimator = RttEstimator(parameters)
    for sample in samples:
        estimator.measured(sample)
    for _ in range(doublings):
        estimator.back_off()

    assert parameters.min_ns <= estimator.rto_ns <= parameters.max_ns


def test_dcsctp_keeps_the_variance_above_its_floor() -> None:
    estimator = RttEstimator(dcsctp().rto)
    for _ in range(40):
        estimator.measured(300 * MS)

    assert estimator.rttvar_ns == 220 * MS // 8


def test_the_minimum_forgets_samples_older_than_its_window() -> None:
    minimum = WindowedMinimum(window_ns=30)
    for now, sample in ((0, 5), (10, 7), (20, 9)):
        minimum.add(now, sample)

    assert [minimum.value_ns(now) for now in (20, 30, 31, 1000)] == [5, 5, 7, 9]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), min_size=1))
def test_the_minimum_is_the_least_sample_in_the_window(steps: list[tuple[int, int]]) -> None:
    minimum, now, samples = WindowedMinimum(30), 0, list[tuple[int, int]]()
    for step, sample in steps:
        now += step
        samples.append((now, sample))
        minimum.add(now, sample)

        assert minimum.value_ns(now) == min(s for t, s in samples if t >= now - 30)


def test_a_sample_that_may_be_delayed_is_not_the_paths_minimum() -> None:
    minimum = MinRtt(30)
    minimum.measured(0, 5, RttTag.DELAYED)
    minimum.measured(1, 8, RttTag.GAP)

    assert (minimum.model_ns(1), minimum.path_ns(1)) == (5, 8)


def test_an_acked_or_repeated_chunk_has_no_round_trip_to_ask_for() -> None:
    sent = SendTime(0, 1)

    assert FirstFlight(sent).rtt_ns(7) == 7
    assert not hasattr(GapAcked(sent), "rtt_ns")
    assert not hasattr(RepeatFlight(sent), "rtt_ns")


def test_a_retransmitted_chunk_gives_no_sample() -> None:
    for parameters in (rfc8985(), rfc9260(), usrsctp(), dcsctp(), pion()):
        script = Script(parameters)
        script.send(0, 1)
        script.send(50, 1)
        script.sack(400, 1)

        assert script.model.snapshot("p").srtt_ns == 100 * MS


def test_a_gap_acked_chunk_gives_no_sample_when_it_is_cumulatively_acked() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    before = script.model.snapshot("p").srtt_ns
    script.send(102, 1)
    script.sack(900, 2)

    assert script.model.snapshot("p").srtt_ns == before


def test_a_resend_of_a_lower_tsn_spoils_the_sample_of_a_higher_one() -> None:
    for parameters in (rfc8985(), rfc9260()):
        script = Script(parameters)
        script.send(0, 1)
        script.send(10, 2)
        script.send(20, 1)
        script.sack(400, 2)

        assert script.model.snapshot("p").srtt_ns == 100 * MS


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5))), st.integers(0, 9))
def test_the_fence_remembers_every_resend_that_matters(
    steps: list[tuple[int, int]], seq: int
) -> None:
    fence, now, resends = KarnFence(), 0, list[tuple[int, int]]()
    for resent, step in steps:
        now += step
        resends.append((resent, now))
        fence.retransmitted(resent, now)
    for sent in range(now + 2):
        delivered = Delivered(seq, "p", SendTime(sent, 1), False, False, 1)

        assert fence.clean(delivered) is not any(r <= seq and t >= sent for r, t in resends)


def test_a_resend_of_a_higher_tsn_spoils_no_sample() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(10, 2)
    script.send(20, 2)
    script.sack(180, 1)

    assert script.model.snapshot("p").srtt_ns == (100 * 7 // 8 * MS + MS // 2) + 180 * MS // 8


def test_one_chunk_is_timed_at_a_time() -> None:
    script = Script(rfc9260())
    for tsn in (1, 2, 3):
        script.send(tsn, tsn)
    script.sack(181, 1)
    once = script.model.snapshot("p").srtt_ns
    script.sack(300, 3)

    assert once == 110 * MS
    assert script.model.snapshot("p").srtt_ns == once


def test_pion_samples_once_for_each_flight() -> None:
    script = Script(pion())
    for tsn in (1, 2, 3):
        script.send(tsn, tsn)
    script.sack(181, 1)
    script.sack(300, 3)
    once = script.model.snapshot("p").srtt_ns
    script.send(301, 4)
    script.sack(401, 4)

    assert once == 110 * MS
    assert script.model.snapshot("p").srtt_ns == once * 7 // 8 + 100 * MS // 8


def test_dcsctp_samples_no_sack_with_gaps() -> None:
    script = Script(dcsctp())
    for tsn in (1, 2, 3):
        script.send(tsn, tsn)
    script.sack(181, 1, 3)

    assert script.model.snapshot("p").srtt_ns == 100 * MS


def test_time_does_not_run_backwards() -> None:
    script = Script(replace(rfc9260()))
    script.send(10, 1)

    with pytest.raises(ValueError, match="backwards"):
        script.sack(9, 1)


def test_dcsctp_doubles_from_the_second_timeout_on() -> None:
    """Timer::get_backoff_duration; RFC 9260 section 6.3.3 E2 doubles at each."""
    estimator = RttEstimator(dcsctp().rto)
    timeouts_ns = []
    for _ in range(4):
        timeouts_ns.append(estimator.rto_ns)
        estimator.back_off()

    assert timeouts_ns == [500 * MS, 500 * MS, 1000 * MS, 2000 * MS]
