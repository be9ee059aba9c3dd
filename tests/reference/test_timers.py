# SPDX-License-Identifier: BSD-2-Clause
"""Which timer runs when: RFC 8985 sections 7.2 and 8, RFC 9260 sections 6.1 and 6.3."""

from dataclasses import replace

import pytest
from sctp_rack.reference.events import TsnReset
from sctp_rack.reference.profiles import PROFILES, Parameters, rfc8985, rfc9260
from sctp_rack.reference.tsn import Tsn

from tests.reference.script import MS, Script


def test_t3_that_became_due_while_suspended_starts_anew_when_an_ack_ends_the_suspension() -> None:
    script = Script(rfc8985(), warm=False, rtts={"p": 900})
    script.send(0, 1)
    script.send(10, 2)
    script.send(20, 3)
    script.send(140, 4)
    script.sack(910, 0, 2, 3)
    script.sack(1040, 0, 2, 3, 4)

    assert script.marks() == [(1, 1040, "ack")]
    assert script.timers() == {"t3": "2040"}
    script.send(1040.1, 1)
    assert script.marks() == []
    assert script.timers() == {"t3": "2040.1"}


def test_t3_that_is_due_at_an_ack_without_a_suspension_fires_after_it() -> None:
    script = Script(replace(rfc8985(), tlp=None))
    script.send(0, 1)
    script.send(900, 2)
    script.sack(1000, 0, 2)
    script.model.time_passed(1000 * MS)

    assert script.marks() == [(1, 1000, "ack")]


@pytest.mark.parametrize("parameters", [rfc8985(), rfc9260()], ids=["rfc8985", "rfc9260"])
def test_the_resend_of_a_hole_into_a_closed_window_is_no_zero_window_probe(
    parameters: Parameters,
) -> None:
    script = Script(parameters)
    script.send(0, 1)
    script.send(1, 2)
    script.send(60, 3)
    script.sack(101, 0, 2, a_rwnd=1000)
    script.sack(160, 0, 2, 3, a_rwnd=0)
    script.send(160.1, 1)

    assert script.timers() == {"t3": "1160.1"}


@pytest.mark.parametrize("parameters", [rfc8985(), rfc9260()], ids=["rfc8985", "rfc9260"])
def test_a_zero_window_probe_and_its_repetition_run_no_timer(parameters: Parameters) -> None:
    script = Script(parameters)
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    script.send(1100, 2)
    assert script.timers() == {}
    script.sack(1200, 1, a_rwnd=0)
    script.send(3100, 2)

    assert script.timers() == {}
    assert script.marks() == []


@pytest.mark.parametrize("parameters", [rfc8985(), rfc9260()], ids=["rfc8985", "rfc9260"])
def test_t3_starts_when_the_window_opens_and_the_probe_is_still_outstanding(
    parameters: Parameters,
) -> None:
    script = Script(parameters)
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    script.send(1100, 2)
    script.sack(1200, 1, a_rwnd=50000)

    assert script.timers() == {"t3": "2200"}


@pytest.mark.parametrize("parameters", [rfc8985(), rfc9260()], ids=["rfc8985", "rfc9260"])
def test_t3_starts_for_a_zero_window_probe_when_other_data_follows(parameters: Parameters) -> None:
    script = Script(parameters)
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    script.send(1100, 2, path="q")
    script.send(1200, 3)

    assert script.timers("q") == {"t3": "2200"}


@pytest.mark.parametrize("name", ["pion", "usrsctp", "linux", "dcsctp"])
def test_the_stacks_repeat_a_zero_window_probe_by_t3(name: str) -> None:
    script = Script(next(make() for profile, make in PROFILES.items() if profile == name))
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    script.send(1100, 2)

    assert "t3" in script.timers()


def test_pto_starts_when_only_another_path_has_news() -> None:
    script = Script(rfc8985(), rtts={"q": 20})
    script.send(0, 1)
    script.send(1, 2, path="q")
    script.sack(30, 0, 2)
    script.send(60, 3, path="q")
    assert "pto" not in script.timers("q")
    script.sack(100, 2)

    # RTT sample 29 ms: SRTT is 20 * 7/8 + 29/8 = 21.125 ms; one packet: plus 200 ms.
    assert script.timers("q")["pto"] == "342.25"


def test_news_of_another_path_does_not_put_off_a_probe() -> None:
    script = Script(rfc8985(), rtts={"q": 20})
    script.send(0, 1, path="q")
    script.send(1, 2)
    script.send(2, 3)
    script.sack(20, 1)
    script.sack(40, 1)
    before = script.timers()["pto"]
    script.send(50, 4, path="q")
    script.sack(102, 2)
    script.send(110, 5, path="q")
    last = script.timers("q")["pto"]
    script.sack(112, 3)

    assert before == "202"
    assert script.timers("q")["pto"] == last


def test_pto_starts_when_what_was_gap_acked_is_acknowledged_cumulatively() -> None:
    script = Script(rfc8985())
    script.send(0, 5)
    script.send(0.1, 6)
    script.sack(100.1, 4, 6)
    script.forward(110, 5)
    script.send(111, 7)
    script.sack(210, 6)
    script.model.time_passed(1100 * MS)

    assert [(e.action, e.time_ns // MS) for e in script.model.expectations] == [("probe", 610)]


@pytest.mark.parametrize("parameters", [rfc8985(), rfc9260()], ids=["rfc8985", "rfc9260"])
def test_no_timer_stays_on_a_path_that_its_last_chunk_has_left(parameters: Parameters) -> None:
    script = Script(parameters, rtts={"q": 100})
    script.send(0, 1)
    script.send(500, 1, path="q")
    assert script.timers() == {}
    script.send(950, 2)
    script.model.time_passed(1000 * MS)

    assert script.timers()["t3"] == "1950"
    assert (2, 1000, "rto") not in script.marks()


def test_after_a_tsn_reset_no_probe_is_in_flight() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(400, 1)
    script.model.tsn_reset(TsnReset(450 * MS, Tsn(1000)))
    script.send(500, 1000)
    script.sack(600, 1000)

    assert [str(p.outcome) for p in script.model.probes] == ["unresolved"]


def test_a_round_of_duplicate_reports_does_not_outlive_a_tsn_reset() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(0.1, 2)
    script.sack(100, 1, dups=(1,))
    script.model.tsn_reset(TsnReset(450 * MS, Tsn(1000)))
    script.send(500, 1000)
    script.sack(600, 1000, dups=(1000,))

    assert script.model.snapshot("p").reo_wnd_mult == 3


def test_a_timeout_on_another_path_does_not_lose_a_probe() -> None:
    script = Script(rfc8985(), rtts={"q": 100})
    script.send(0, 1, path="q")
    script.send(700, 2)
    script.model.time_passed(1100 * MS)
    script.send(1100, 2)
    script.model.time_passed(1500 * MS)

    assert [str(p.outcome) for p in script.model.probes] == ["unresolved"]
    assert [(t, trigger) for t, _, trigger in script.marks()] == [(1, "rto")]


@pytest.mark.parametrize("name", list(PROFILES))
def test_a_tsn_twice_in_a_packet_is_one_transmission(name: str) -> None:
    script = Script(next(make() for profile, make in PROFILES.items() if profile == name))
    script.send(0, 1, 1, 2)
    script.sack(100, 2, dups=(1,))
    script.model.finish()
    ends = {key: str(end) for key, end in script.model.sender.board.ends.items()}

    assert ends == {(1, 1): "acknowledged", (1, 2): "redundant", (2, 1): "acknowledged"}
    assert "again" not in " ".join(h.event for h in script.model.happenings)


@pytest.mark.parametrize("name", list(PROFILES))
def test_no_timer_runs_after_the_end(name: str) -> None:
    script = Script(next(make() for profile, make in PROFILES.items() if profile == name))
    script.send(0, 1)
    script.model.finish()

    assert script.timers() == {}
    assert script.model.next_timer_ns() is None
