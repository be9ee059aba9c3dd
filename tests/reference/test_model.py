# SPDX-License-Identifier: BSD-2-Clause
"""Where a history begins, jumps or is cut: what the model keeps, and what it forgets."""

import pytest
from sctp_rack.reference.events import DataChunk, Feedback, Transmission, TsnReset
from sctp_rack.reference.profiles import PROFILES, pion, rfc8985
from sctp_rack.reference.tsn import Tsn

from tests.reference.script import MS, Script


def _script(name: str) -> Script:
    return Script(next(make() for profile, make in PROFILES.items() if profile == name))


def test_the_first_feedback_may_speak_of_holes_before_the_first_data() -> None:
    script = Script(rfc8985())
    script.send(0, 500)
    script.send(40, 501)
    script.sack(140, 490, *range(492, 500), 501)

    assert script.marks() == [(500, 140, "ack")]


def test_a_later_feedback_below_the_cumulative_point_is_still_out_of_date() -> None:
    script = Script(rfc8985())
    script.send(0, 500)
    script.send(40, 501)
    script.sack(100, 500)
    script.sack(140, 490, 501)

    assert script.model.state_of(Tsn(501)) == "in_flight"


@pytest.mark.parametrize("name", ["rfc9260", "usrsctp", "linux", "rfc8985"])
def test_another_chunk_is_timed_when_the_timed_one_is_given_up(name: str) -> None:
    script = _script(name)
    script.send(0, 1)
    script.forward(10, 1)
    script.send(20, 2)
    script.sack(160, 2)

    # A sample of 140 ms: 100 * 7/8 + 140 / 8.
    assert script.model.snapshot("p").srtt_ns == 105 * MS


@pytest.mark.parametrize("name", ["rfc9260", "usrsctp", "linux", "rfc8985"])
def test_another_chunk_is_timed_after_a_tsn_reset(name: str) -> None:
    script = _script(name)
    script.send(0, 1)
    script.model.tsn_reset(TsnReset(10 * MS, Tsn(70)))
    script.send(20, 70)
    script.sack(160, 70)

    assert script.model.snapshot("p").srtt_ns == 105 * MS


def test_pion_widens_its_window_for_any_duplicate_whatever_it_is() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(1, 2)
    script.forward(50, 1)
    script.sack(101, 2, dups=(1,))

    assert script.model.sender.pion is not None
    assert script.model.sender.pion.keep_inflated == 15
    assert script.model.snapshot("p").reo_wnd_ns > 0


def test_a_duplicate_of_a_tsn_gap_acked_earlier_counts_where_the_lists_are_cut() -> None:
    model = Script(rfc8985()).model
    for frame, tsn in enumerate((1, 2, 3), 1):
        model.data_sent(Transmission(frame, frame * MS, "p", (DataChunk(Tsn(tsn), 1000),)))
    model.feedback_arrived(Feedback(4, 102 * MS, Tsn(0), gaps=((Tsn(3), Tsn(3)),)))
    cut = Feedback(5, 103 * MS, Tsn(0), dups=(Tsn(3),), lists_cut=True)
    model.feedback_arrived(cut)

    assert model.snapshot("p").reo_wnd_mult == 2


def test_a_duplicate_of_a_tsn_that_was_never_acknowledged_does_not_count() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, dups=(2,))

    assert script.model.snapshot("p").reo_wnd_mult == 1


def test_feedback_without_a_window_leaves_the_window_as_it_was() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    script.sack(200, 1)

    assert script.model.sender.a_rwnd_bytes == 0
