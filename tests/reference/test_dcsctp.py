# SPDX-License-Identifier: BSD-2-Clause
"""What dcSCTP does otherwise than RFC 9260, by the functions of its source."""

from sctp_rack.reference.profiles import dcsctp, linux, rfc9260
from sctp_rack.reference.tsn import Tsn

from tests.reference.script import MS, Script


def _lose_the_first(script: Script) -> None:
    for tsn in range(1, 7):
        script.send(0, tsn)
    for last in (2, 3, 4):
        script.sack(98 + last, 0, *range(2, last + 1))
    assert script.marks() == [(1, 102, "miss3")]
    script.send(102, 1)


def test_fast_recovery_ends_before_reports_are_counted_as_in_linux() -> None:
    counted = []
    for make in (dcsctp, linux, rfc9260):
        script = Script(make())
        _lose_the_first(script)
        for tsn in range(7, 11):
            script.send(110, tsn)
        script.sack(150, 0, 2, 3, 4, 10)
        script.sack(210, 6, 8, 10)
        counted.append([script.model.misses(Tsn(tsn)) for tsn in (7, 9)])

    assert counted == [[2, 1], [2, 1], [2, 2]]


def test_a_timeout_does_not_end_fast_recovery() -> None:
    script = Script(dcsctp())
    _lose_the_first(script)
    script.model.time_passed(600 * MS)

    assert str(script.model.sender.recovery.phase) == "fast"


def test_doubling_ends_when_the_cumulative_tsn_advances() -> None:
    script = Script(dcsctp())
    for tsn in (1, 2, 3):
        script.send(0, tsn)
    script.model.time_passed(400 * MS)
    script.send(400, 1)
    second = script.model.snapshot("p").rto_ns
    script.model.time_passed(800 * MS)
    script.send(800, 1)
    doubled = script.model.snapshot("p").rto_ns
    script.sack(900, 1, 3)

    assert (second, doubled) == (400 * MS, 800 * MS)
    assert script.model.snapshot("p").rto_ns == 400 * MS


def test_only_a_fast_retransmission_restarts_t3() -> None:
    script = Script(dcsctp())
    for tsn in (1, 2):
        script.send(0, tsn)
    script.model.time_passed(400 * MS)
    script.send(400, 1)
    script.sack(500, 1)
    before = script.timers()
    script.send(520, 2)

    assert script.timers() == before


def test_nothing_is_taken_back_above_the_last_block() -> None:
    script = Script(dcsctp())
    for tsn in range(1, 6):
        script.send(0, tsn)
    script.sack(100, 0, 2, 4)
    script.sack(101, 0, 2)

    assert script.model.state_of(Tsn(4)) == "gap_acked"


def test_a_timeout_whose_data_was_late_at_the_tap_is_seen_by_its_resend() -> None:
    for at, marks in ((385, [(1, 385, "rto")]), (375, [])):
        script = Script(dcsctp())
        script.send(0, 1)
        script.send(at, 1)

        assert script.marks() == marks
