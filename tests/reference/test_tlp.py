# SPDX-License-Identifier: BSD-2-Clause
"""Tail loss probes where no vector goes: RFC 8985 section 7."""

from dataclasses import replace

from sctp_rack.names import Answer
from sctp_rack.reference.profiles import ReceiverTraits, rfc8985

from tests.reference.script import MS, Script


def test_a_second_probe_is_not_due_while_one_is_in_flight() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.model.time_passed(400 * MS)
    script.send(400, 1)
    script.send(500, 2)
    script.model.time_passed(1300 * MS)

    assert [(e.action, e.time_ns // MS) for e in script.model.expectations] == [("probe", 400)]


def test_a_probe_needs_a_round_trip_measured_since_the_last_one() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(400, 1)
    script.sack(500, 1, dups=(1,))
    script.send(600, 2)
    script.model.time_passed(1000 * MS)

    assert [e.time_ns // MS for e in script.model.expectations] == [400]
    assert script.model.snapshot("p").t3_ns == 2000 * MS


def test_a_packet_long_after_the_timeout_is_no_probe() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(450, 1)

    assert script.model.probes == []


def test_what_is_sent_after_feedback_is_no_probe() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.sack(410, 1)
    script.send(411, 2)

    assert [e.time_ns // MS for e in script.model.expectations] == [400]
    assert script.model.probes == []


def test_a_resend_bundled_with_new_data_is_no_probe() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(400, 1, 2)

    assert script.model.probes == []


def test_no_probe_is_scheduled_while_something_is_sacked() -> None:
    script = Script(rfc8985())
    script.send(0, 1, 2)
    script.sack(100, 0, 2)
    script.send(150, 3)

    assert script.model.snapshot("p").pto_ns == 400 * MS


def test_no_probe_is_scheduled_while_the_reordering_timer_runs() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(90, 2)
    script.send(100, 1)
    script.sack(205, 1)
    script.send(206, 3)
    state = script.model.snapshot("p")

    assert (state.reo_ns, state.pto_ns) == (220 * MS, None)


def test_a_probe_with_new_data_is_done_when_it_is_acknowledged() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(400, 2)
    script.sack(500, 2)

    (probe,) = script.model.probes
    assert (probe.kind, probe.outcome) == ("new_data", None)
    assert script.model.sender.tlp
    assert script.model.sender.tlp.end_seq is None


def test_a_duplicate_ack_ends_the_probe_if_the_receiver_reports_no_duplicates() -> None:
    for reports, outcome in ((Answer.NO, "spurious"), (Answer.YES, None)):
        receiver = ReceiverTraits(reports_duplicates=reports)
        script = Script(replace(rfc8985(), receiver=receiver))
        script.send(0, 1)
        script.send(400, 1)
        script.sack(410, 1)
        script.sack(500, 1)

        assert [probe.outcome for probe in script.model.probes] == [outcome]


def test_a_window_update_is_no_duplicate_ack() -> None:
    script = Script(replace(rfc8985(), receiver=ReceiverTraits(reports_duplicates=Answer.NO)))
    script.send(0, 1)
    script.send(400, 1)
    script.sack(410, 1, a_rwnd=1000)
    script.sack(500, 1, a_rwnd=2000)

    assert [probe.outcome for probe in script.model.probes] == [None]


def test_the_reordering_timer_suspends_the_probe_and_t3() -> None:
    script = Script(rfc8985())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    state = script.model.snapshot("p")

    assert (state.reo_ns, state.pto_ns, state.t3_ns) == (125 * MS, None, 1000 * MS)
    assert script.model.next_timer_ns() == 125 * MS


def test_t3_does_not_fire_while_the_reordering_timer_runs_nor_right_after_it() -> None:
    script = Script(replace(rfc8985(), tlp=None))
    script.send(0, 1)
    script.send(500, 1)
    script.send(510, 2)
    script.sack(1490, 0, 2)
    before = script.model.snapshot("p")
    script.model.time_passed(2000 * MS)

    assert (before.reo_ns, before.t3_ns) == (1505 * MS, 1500 * MS)
    assert script.marks() == [(1, 1505, "timer")]
    assert script.model.expectations == []
