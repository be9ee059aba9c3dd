# SPDX-License-Identifier: BSD-2-Clause
"""What usrsctp does otherwise than RFC 9260, by the functions of its source."""

from sctp_rack.names import RttTag
from sctp_rack.reference.events import RttMeasurement
from sctp_rack.reference.profiles import pion, usrsctp
from sctp_rack.reference.tsn import Tsn

from tests.reference.script import MS, Script


def _sent(count: int) -> Script:
    script = Script(usrsctp())
    for tsn in range(1, count + 1):
        script.send(0, tsn)
    return script


def _lose_the_first(script: Script) -> None:
    for last in (2, 3, 4):
        script.sack(98 + last, 0, *range(2, last + 1))
    assert script.marks() == [(1, 102, "miss3")]
    script.send(102, 1)


def test_a_sack_without_gap_blocks_strikes_nothing() -> None:
    script = _sent(4)
    script.sack(100, 1)
    script.sack(101, 2)

    assert script.model.misses(Tsn(3)) == 0


def test_only_what_is_below_the_highest_new_gap_is_struck() -> None:
    script = _sent(8)
    script.sack(100, 0, 2, 6)
    script.sack(101, 0, 2, 4, 6)

    assert [script.model.misses(Tsn(tsn)) for tsn in (1, 3, 5)] == [2, 2, 1]


def test_a_gap_that_was_acknowledged_before_strikes_nothing_again() -> None:
    script = _sent(4)
    for at in (100, 101, 102):
        script.sack(at, 0, 4)

    assert script.model.misses(Tsn(1)) == 1


def test_what_waits_to_be_sent_again_is_no_new_acknowledgement() -> None:
    script = _sent(6)
    for last in (3, 4, 5):
        script.sack(100 + last, 0, *range(3, last + 1))
    assert [tsn for tsn, _, _ in script.marks()] == [1, 2]
    script.send(105, 1)
    script.send(106, 7)
    script.sack(200, 0, 2, 3, 4, 5)

    assert script.model.misses(Tsn(1)) == 0


def test_in_fast_recovery_a_sack_that_advances_strikes_what_was_fast_retransmitted() -> None:
    script = _sent(9)
    for last in (4, 5, 6):
        script.sack(100 + last, 0, *range(4, last + 1))
    assert [tsn for tsn, _, _ in script.marks()] == [1, 2, 3]
    for tsn in (1, 2, 3):
        script.send(106, tsn)
    script.sack(206, 1, 4, 5, 6)

    assert script.model.misses(Tsn(3)) == 1


def test_fast_recovery_ends_after_the_strikes_of_the_sack_that_ends_it() -> None:
    script = _sent(6)
    _lose_the_first(script)
    script.send(110, 7)
    script.send(110, 8)
    script.sack(210, 6, 8)

    assert script.model.misses(Tsn(7)) == 1
    assert not script.model.snapshot("p").in_recovery


def test_an_express_sack_does_not_end_fast_recovery() -> None:
    script = _sent(6)
    _lose_the_first(script)
    script.sack(202, 4)
    script.sack(203, 5)
    script.sack(204, 6)

    assert script.model.snapshot("p").in_recovery


def test_fast_recovery_restarts_t3_when_it_begins() -> None:
    script = _sent(6)
    for last in (2, 3, 4):
        script.sack(98 + last, 0, *range(2, last + 1))

    assert script.timers() == {"t3": "1102"}


def test_t3_restarts_for_the_first_sack_without_gaps_after_one_with_gaps_and_not_again() -> None:
    script = _sent(6)
    script.sack(100, 1, 3)
    script.sack(110, 3)
    first = script.timers()
    script.sack(120, 4)

    assert (first, script.timers()) == ({"t3": "1110"}, {"t3": "1110"})


def test_t3_makes_fast_retransmission_start_anew() -> None:
    script = _sent(6)
    _lose_the_first(script)
    script.model.time_passed(1102 * MS)
    assert (1, 1102, "rto") in script.marks()
    script.send(1102, 1)
    for at, tsn in ((1110, 7), (1111, 8), (1112, 9)):
        script.send(at, tsn)
    script.sack(1210, 0, 7)
    script.sack(1211, 0, 7, 8)

    assert script.model.misses(Tsn(1)) == 2


def test_a_fast_retransmission_seen_late_was_made_when_all_before_it_was_sent() -> None:
    script = _sent(4)
    for last in (2, 3, 4):
        script.sack(98 + last, 0, *range(2, last + 1))
    script.send(104, 5)
    script.send(104, 1)
    script.send(105, 6)
    script.sack(202, 0, 2, 3, 4, 5)
    early = script.model.misses(Tsn(1))
    script.sack(203, 0, 2, 3, 4, 5, 6)

    assert (early, script.model.misses(Tsn(1))) == (0, 1)


def test_t3_can_expire_a_tick_early_and_is_seen_by_its_resend() -> None:
    for at, marks in ((991, [(1, 991, "rto")]), (985, [])):
        script = Script(usrsctp())
        script.send(0, 1)
        script.sack(980, 0, 2)
        script.send(at, 1)

        assert script.marks() == marks


def test_t3_ran_on_where_feedback_and_data_crossed_in_the_host() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.sack(100, 1)
    script.send(105, 2)
    script.send(995, 2)

    assert script.marks() == [(2, 995, "rto")]


def test_t3_is_not_believed_early_when_its_timer_began_with_the_data() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.sack(100, 1)
    script.send(200, 2)
    script.send(1100, 2)

    assert script.marks() == []


def test_t3_is_off_while_all_that_is_outstanding_waits_to_be_sent() -> None:
    script = _sent(2)
    script.model.time_passed(1000 * MS)
    script.send(1000, 1)
    script.sack(1100, 1)

    assert script.timers() == {}


def test_the_acknowledgement_of_a_window_probe_leaves_t3_running_and_t3_marks_any_age() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.sack(100, 1, a_rwnd=0)
    for at in (100, 300, 500, 700, 900, 1090):
        tsn = 2 + (100, 300, 500, 700, 900, 1090).index(at)
        script.send(at, tsn)
        if at < 1090:
            script.sack(at + 100, tsn, a_rwnd=0)
    script.model.time_passed(1100 * MS)

    assert script.marks() == [(7, 1100, "rto")]


def test_the_first_data_of_an_association_is_no_window_probe() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.sack(100, 1)

    assert script.timers() == {}


def test_a_mark_is_withdrawn_when_the_chunk_is_given_up_instead() -> None:
    script = _sent(4)
    for last in (2, 3, 4):
        script.sack(98 + last, 0, *range(2, last + 1))
    script.forward(102, 1)

    assert script.model.withdrawn == [(Tsn(1), 1)]


def test_a_mark_stays_when_the_chunk_was_sent_again_before_it_was_given_up() -> None:
    script = _sent(4)
    _lose_the_first(script)
    script.forward(500, 1)

    assert script.model.withdrawn == []


def test_a_resend_of_a_lower_tsn_does_not_spoil_a_sample() -> None:
    script = Script(usrsctp(), warm=False)
    for tsn in (1, 2, 3):
        script.send(0, tsn)
    script.sack(40, 1, 3)
    script.send(50, 4)
    script.send(60, 2)
    script.sack(150, 4)

    assert script.model.snapshot("p").srtt_ns == 40 * MS * 7 // 8 + 100 * MS // 8


def test_doubling_ends_when_something_sent_once_is_acknowledged() -> None:
    script = Script(usrsctp())
    script.send(0, 1)
    script.model.time_passed(1000 * MS)
    script.send(1000, 1)
    script.send(1001, 2, 3)
    script.sack(1101, 0, 3)

    assert script.model.snapshot("p").rto_ns == 1000 * MS


def test_an_older_sack_with_fewer_gaps_takes_nothing_back_above_them() -> None:
    script = _sent(6)
    script.sack(100, 0, 2, 4)
    script.sack(101, 0, 2)

    assert script.model.state_of(Tsn(4)) == "gap_acked"


def test_pion_times_no_handshake() -> None:
    times = []
    for parameters in (pion(), usrsctp()):
        script = Script(parameters, warm=False)
        script.send(0, 1)
        script.model.rtt_measured(RttMeasurement(1 * MS, "p", 50 * MS, RttTag.HANDSHAKE))
        times.append(script.model.snapshot("p").srtt_ns)

    assert times == [None, 50 * MS]


def test_pion_keeps_what_was_acknowledged_once() -> None:
    script = Script(pion())
    for tsn in (1, 2, 3):
        script.send(0, tsn)
    script.sack(100, 0, 2, 3)
    script.sack(101, 0, 2)

    assert script.model.state_of(Tsn(3)) == "gap_acked"
