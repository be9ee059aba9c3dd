# SPDX-License-Identifier: BSD-2-Clause
"""RACK's window, reordering and detection where no vector goes: RFC 8985 section 6."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.names import Profile, SackKind
from sctp_rack.reference.chunk import SendTime
from sctp_rack.reference.profiles import PROFILES, rfc8985, rfc9260
from sctp_rack.reference.rack import LostNow, NotBefore, Rack, RackParameters
from sctp_rack.reference.reo_wnd import ReoWnd, ReoWndParameters
from sctp_rack.reference.tsn import Tsn
from sctp_rack.reference.variants import varied

from tests.reference.script import MS, Script


def test_the_window_is_zero_without_a_round_trip_estimate() -> None:
    window = ReoWnd(ReoWndParameters())

    assert window.window_ns(min_rtt_ns=None, srtt_ns=None, in_recovery=False, segs_sacked=0) == 0


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(1, 50))
def test_the_window_never_exceeds_srtt(min_rtt_ns: int, srtt_ns: int, mult: int) -> None:
    window = ReoWnd(ReoWndParameters())
    window.mult, window.reordering_seen = mult, True
    size_ns = window.window_ns(
        min_rtt_ns=min_rtt_ns, srtt_ns=srtt_ns, in_recovery=True, segs_sacked=9
    )

    assert size_ns == min(mult * min_rtt_ns // 4, srtt_ns)


def test_an_original_delivered_below_the_highest_is_reordering() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    assert not script.model.snapshot("p").reordering_seen
    script.sack(110, 2)

    assert script.model.snapshot("p").reordering_seen


def test_after_reordering_three_sacked_packets_no_longer_collapse_the_window() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    script.sack(110, 2)
    for tsn in (3, 4, 5, 6):
        script.send(200, tsn)
    script.sack(300, 2, 4, 5, 6)

    assert script.marks() == []
    assert script.model.snapshot("p").reo_wnd_ns == 25 * MS


def test_the_predicate_says_when_to_ask_again() -> None:
    rack = Rack(RackParameters())
    rack.segment, rack.rtt_ns, rack.reo_wnd_ns = SendTime(50, 5), 100, 25

    assert rack.check(SendTime(10, 1), 134) == NotBefore(135)
    assert rack.check(SendTime(10, 1), 135) == LostNow()


def test_a_chunk_of_the_same_packet_was_not_sent_later() -> None:
    rack = Rack(RackParameters())
    rack.segment, rack.rtt_ns = SendTime(50, 5), 100

    assert rack.check(SendTime(50, 5), 10**9) is None
    assert rack.check(SendTime(50, 4), 10**9) == LostNow()


def test_a_lost_chunk_that_is_acked_without_a_resend_is_no_retransmission() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(40, 2)
    script.sack(140, 0, 2)
    assert script.marks() == [(1, 140, "ack")]
    script.sack(150, 2)

    assert script.model.snapshot("p").rack_rtt_ns == 150 * MS
    assert script.model.snapshot("p").reordering_seen


def test_a_sack_below_the_cumulative_point_is_dropped() -> None:
    script = Script(rfc8985())
    for tsn in (1, 2, 3, 4):
        script.send(tsn, tsn)
    script.sack(102, 2)
    before = script.model.snapshot("p")
    script.sack(103, 1, 3, 4)

    assert script.model.snapshot("p") == before
    assert script.model.state_of(Tsn(4)) == "in_flight"


def test_a_profile_with_rack_counts_no_missing_reports() -> None:
    assert rfc8985().rack
    assert rfc8985().misses is None


def test_a_profile_with_probes_has_rack() -> None:
    assert all(make().rack for make in PROFILES.values() if make().tlp)


def test_every_profile_is_there_under_its_name() -> None:
    assert {profile: make().profile for profile, make in PROFILES.items()} == {
        profile: profile for profile in Profile
    }


def test_reneging_starts_t3_if_it_does_not_run() -> None:
    script = Script(rfc9260())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 1)
    script.send(102, 3)
    script.send(103, 2)
    script.sack(203, 1, 2, 3)
    assert script.model.snapshot("p").t3_ns is None
    script.sack(204, 1, 2)

    assert script.model.snapshot("p").t3_ns == 1204 * MS
    assert script.model.misses(Tsn(3)) == 1


def test_what_was_reneged_upon_and_comes_back_teaches_rack_nothing() -> None:
    script = Script(rfc8985())
    for tsn in (1, 2, 3):
        script.send(tsn, tsn)
    script.sack(103, 0, 2, 3)
    script.sack(104, 0, 2)
    rtt_ns = script.model.snapshot("p").rack_rtt_ns
    script.sack(400, 0, 2, 3)

    assert script.model.snapshot("p").rack_rtt_ns == rtt_ns


def test_a_shutdown_takes_nothing_back() -> None:
    script = Script(rfc8985())
    for tsn in (1, 2, 3):
        script.send(tsn, tsn)
    script.sack(103, 0, 2, 3)
    script.sack(104, 0, kind=SackKind.SHUTDOWN)

    assert script.model.reneged == []
    assert script.model.state_of(Tsn(3)) == "gap_acked"


@pytest.mark.parametrize(("step", "at"), [("1/4", 125), ("1/2", 150), ("0", 101)])
def test_a_variant_is_tried_by_one_word(step: str, at: int) -> None:
    script = Script(varied(rfc8985(), {"reo_wnd_step": step}))
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    script.model.time_passed(200 * MS)

    assert [(tsn, time) for tsn, time, _ in script.marks()] == [(1, at)]


def test_an_unknown_variant_or_value_is_named() -> None:
    with pytest.raises(ValueError, match="no parameter 'reo_wnd'"):
        varied(rfc8985(), {"reo_wnd": "1"})
    with pytest.raises(ValueError, match="rtt_rule cannot be 'lax'"):
        varied(rfc8985(), {"rtt_rule": "lax"})
    with pytest.raises(ValueError, match="does not count"):
        varied(rfc8985(), {"misses": "4"})


def test_parameters_are_data() -> None:
    assert replace(rfc9260(), tlp=None) == rfc9260()


def test_a_mark_in_recovery_does_not_move_the_exit_point() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(40, 2)
    script.sack(140, 0, 2)
    script.send(141, 1)
    script.send(142, 3)
    script.send(143, 4)
    script.sack(243, 0, 2, 4)

    assert [tsn for tsn, _, _ in script.marks()] == [1, 1, 3]
    assert script.model.sender.recovery.exit_seq == 1


def test_a_tsn_seen_first_below_others_takes_its_place_in_order() -> None:
    script = Script(rfc8985())
    for at, tsn in ((0, 1), (1, 4), (2, 3), (3, 2)):
        script.send(at, tsn)

    assert [chunk.seq for chunk in script.model.sender.board] == [1, 2, 3, 4]
    assert script.model.sender.board.nxt == 5
