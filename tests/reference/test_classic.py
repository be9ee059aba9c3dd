# SPDX-License-Identifier: BSD-2-Clause
"""Missing reports and T3-rtx where no vector goes: RFC 9260, and where stacks differ from it."""

from sctp_rack.reference.profiles import dcsctp, linux, rfc9260, usrsctp

from tests.reference.script import MS, Script


def _lose_one_of(script: Script, last: int) -> None:
    for tsn in range(1, last + 1):
        script.send(tsn, tsn)
    for tsn in (2, 3, 4):
        script.sack(100 + tsn, 0, *range(2, tsn + 1))


def test_a_chunk_is_fast_retransmitted_once() -> None:
    for make in (rfc9260, linux):
        script = Script(make())
        _lose_one_of(script, 8)
        script.send(105, 1)
        for tsn in (5, 6, 7, 8):
            script.sack(105 + tsn, 0, *range(2, tsn + 1))

        assert script.marks() == [(1, 104, "miss3")]


def test_dcsctp_counts_anew_after_each_resend() -> None:
    script = Script(dcsctp())
    _lose_one_of(script, 8)
    script.send(105, 1)
    for tsn in (5, 6, 7):
        script.sack(105 + tsn, 0, *range(2, tsn + 1))

    assert script.marks() == [(1, 104, "miss3"), (1, 112, "miss3")]


def test_usrsctp_counts_anew_when_newer_data_than_the_resend_is_acknowledged() -> None:
    script = Script(usrsctp())
    _lose_one_of(script, 6)
    script.send(105, 1)
    for tsn in (7, 8, 9):
        script.send(100 + tsn, tsn)
    script.sack(110, 0, 2, 3, 4, 5)
    script.sack(111, 0, 2, 3, 4, 5, 6)
    for tsn in (7, 8, 9):
        script.sack(200 + tsn, 0, *range(2, tsn + 1))

    assert script.marks() == [(1, 104, "miss3"), (1, 209, "miss3")]


def test_a_mark_in_fast_recovery_does_not_move_the_exit_point() -> None:
    script = Script(rfc9260())
    for tsn in range(1, 11):
        script.send(tsn, tsn)
    for tsn in (2, 3, 4):
        script.sack(100 + tsn, 0, *range(2, tsn + 1))
    exit_seq = script.model.sender.recovery.exit_seq
    script.send(105, 1)
    script.send(106, 11)
    for tsn in (6, 7, 8):
        script.sack(110 + tsn, 0, 2, 3, 4, *range(6, tsn + 1))

    assert script.marks() == [(1, 104, "miss3"), (5, 118, "miss3")]
    assert (exit_seq, script.model.sender.recovery.exit_seq) == (10, 10)


def test_a_resend_of_a_later_chunk_does_not_restart_t3() -> None:
    script = Script(rfc9260())
    script.send(0, 1)
    script.send(1, 2)
    script.send(500, 2)

    assert script.model.snapshot("p").t3_ns == 1000 * MS


def test_usrsctp_lets_t3_run_on_when_a_sack_has_no_gaps() -> None:
    for make, t3_ms in ((rfc9260, 1500), (usrsctp, 1000)):
        script = Script(make())
        script.send(0, 1)
        script.send(1, 2)
        script.sack(500, 1)

        assert script.model.snapshot("p").t3_ns == t3_ms * MS


def test_usrsctp_can_let_t3_expire_and_mark_nothing() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.send(950, 2)
    script.sack(960, 1)
    script.model.time_passed(1000 * MS)

    assert script.marks() == []
    assert script.model.expectations == []
    state = script.model.snapshot("p")
    assert state.t3_ns == 1000 * MS + state.rto_ns
