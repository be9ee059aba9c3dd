# SPDX-License-Identifier: BSD-2-Clause
"""pion/sctp where no measured vector goes."""

from sctp_rack.reference.profiles import pion
from sctp_rack.reference.tsn import HALF, Tsn

from tests.reference.script import MS, Script


def _window_ms(script: Script) -> int:
    return script.model.snapshot("p").reo_wnd_ns // MS


def test_the_two_cases_of_the_initial_tsn_mark_differently() -> None:
    marks = []
    for first in (1, HALF + 1):
        script = Script(pion())
        script.send(0, first)
        script.send(1, first + 1)
        script.sack(101, first - 1, first + 1)
        marks.append(len(script.marks()))

    assert marks == [1, 0]


def test_the_window_grows_with_every_sack_that_lists_duplicates_and_decays_by_sacks() -> None:
    script = Script(pion())
    for tsn in (HALF + 1, HALF + 2, HALF + 3):
        script.send(0, tsn)
    script.sack(100, HALF + 1, dups=(HALF + 1,))
    assert _window_ms(script) == 50
    script.sack(101, HALF + 1, dups=(HALF + 1,))
    assert _window_ms(script) == 75
    for at in range(102, 116):
        script.sack(at, HALF + 1)
        assert _window_ms(script) == 75
    script.sack(116, HALF + 1)

    assert _window_ms(script) == 25


def test_below_2_31_the_window_is_zero_while_data_is_in_flight() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 1)

    assert _window_ms(script) == 0


def test_a_recovered_lower_tsn_counts_as_reordering() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(1, 2)
    script.sack(101, 0, 2)
    script.send(102, 1)
    script.sack(203, 2)

    assert script.model.snapshot("p").reordering_seen


def test_reports_count_below_the_highest_tsn_acknowledged_newly_or_not() -> None:
    for newly_acked_only, marks in ((False, [(HALF + 1, 103, "miss3")]), (True, [])):
        script = Script(pion(newly_acked_only=newly_acked_only))
        script.send(0, HALF + 1)
        script.send(0, HALF + 2)
        for at in (101, 102, 103):
            script.sack(at, HALF, HALF + 2)

        assert script.marks() == marks


def test_the_probe_does_not_move_t3() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(400, 1)

    assert script.model.snapshot("p").t3_ns == 1000 * MS
    assert [e.time_ns // MS for e in script.model.expectations] == [400]


def test_a_chunk_that_is_marked_already_is_not_probed() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(1, 2)
    script.send(2, 3)
    script.sack(102, 0, 2, 3)
    script.model.time_passed(900 * MS)

    assert [tsn for tsn, _, _ in script.marks()] == [1]
    assert script.model.expectations == []


def test_t3_ends_fast_recovery_and_goes_on_by_itself() -> None:
    script = Script(pion())
    for tsn in range(HALF + 1, HALF + 6):
        script.send(0, tsn)
    for at, tsn in ((101, 2), (102, 3), (103, 4)):
        script.sack(at, HALF, *range(HALF + 2, HALF + tsn + 1))
    assert script.model.snapshot("p").in_recovery
    script.model.time_passed(3000 * MS)

    assert not script.model.snapshot("p").in_recovery
    t3 = [e.time_ns // MS for e in script.model.expectations if e.action == "t3"]
    assert t3 == [1000, 3000]


def test_a_chunk_that_was_sent_twice_is_marked_neither_by_time_nor_by_counting() -> None:
    script = Script(pion())
    for at, tsn in ((0, 1), (1, 2), (50, 1), (60, 3), (70, 4), (80, 5)):
        script.send(at, tsn)
    for tsn in (3, 4, 5):
        script.sack(160 + tsn, 0, *range(2, tsn + 1))

    assert script.marks() == []
    assert script.model.sender.pion
    assert script.model.sender.pion.delivered_ns == 80 * MS


def test_the_inflated_window_does_not_decay_in_fast_recovery() -> None:
    script = Script(pion())
    for tsn in range(HALF + 1, HALF + 6):
        script.send(0, tsn)
    for at, tsn in ((101, 2), (102, 3), (103, 4)):
        script.sack(at, HALF, *range(HALF + 2, HALF + tsn + 1))
    script.sack(104, HALF, HALF + 2, HALF + 3, HALF + 4, dups=(HALF + 2,))
    for at in range(105, 125):
        script.sack(at, HALF, HALF + 2, HALF + 3, HALF + 4)

    assert _window_ms(script) == 50


def test_the_doubling_ends_when_the_cumulative_tsn_advances_not_with_a_sample() -> None:
    script = Script(pion())
    script.send(0, 1)
    script.send(990, 2)
    script.model.time_passed(1000 * MS)
    script.sack(1090, 0, 2)
    doubled = script.model.snapshot("p").rto_ns
    script.send(1091, 1)
    script.sack(1191, 2)

    assert [doubled, script.model.snapshot("p").rto_ns] == [2000 * MS, 1000 * MS]


def test_the_third_report_of_a_chunk_already_sent_again_begins_fast_recovery() -> None:
    script = Script(pion())
    for at, tsn in ((0, 1), (1, 2), (2, 3), (3, 4), (50, 1)):
        script.send(at, tsn)
    for at, tsn in ((103, 2), (104, 3), (105, 4)):
        script.sack(at, 0, *range(2, tsn + 1))

    assert script.marks() == []
    assert script.model.snapshot("p").in_recovery


def test_the_count_of_missing_reports_outlives_a_mark_and_a_resend() -> None:
    script = Script(pion())
    for at in range(6):
        script.send(at, HALF + 1 + at)
    script.sack(101, HALF, HALF + 2)
    script.sack(102, HALF, HALF + 2, HALF + 3)
    script.send(103, HALF + 1)

    assert script.model.misses(Tsn(HALF + 1)) == 2


def test_in_fast_recovery_reports_count_only_when_the_cumulative_tsn_advances() -> None:
    script = Script(pion(newly_acked_only=True))
    for tsn in range(HALF + 1, HALF + 9):
        script.send(0, tsn)
    for last in (3, 4, 5):
        script.sack(100 + last, HALF, *range(HALF + 3, HALF + last + 1))
    assert script.marks() == [(HALF + 1, 105, "miss3")]
    script.send(105, HALF + 1)
    script.sack(106, HALF, *range(HALF + 3, HALF + 6), HALF + 7)
    assert script.model.misses(Tsn(HALF + 6)) == 0
    script.sack(206, HALF + 1, *range(HALF + 3, HALF + 6), HALF + 7)

    assert script.model.misses(Tsn(HALF + 6)) == 1


def test_fast_retransmission_sends_one_packet_and_the_rest_may_be_marked_by_time() -> None:
    script = Script(pion())
    script.send(0, HALF + 1)
    script.send(0, HALF + 2)
    for at, tsn in ((1, 3), (2, 4), (60, 5)):
        script.send(at, HALF + tsn)
    script.sack(101, HALF, HALF + 3)
    script.sack(102, HALF, HALF + 3, HALF + 4)
    script.sack(103, HALF, HALF + 3, HALF + 4)
    assert script.marks() == [(HALF + 1, 103, "miss3")]
    script.send(103, HALF + 1)
    script.sack(160, HALF, HALF + 3, HALF + 4, HALF + 5)

    assert script.marks() == [(HALF + 2, 160, "ack")]


def test_the_rest_of_a_fast_retransmission_goes_out_when_the_cumulative_tsn_advances() -> None:
    script = Script(pion(newly_acked_only=True))
    for tsn in range(HALF + 1, HALF + 6):
        script.send(0, tsn)
    for last in (3, 4, 5):
        script.sack(100 + last, HALF, *range(HALF + 3, HALF + last + 1))
    script.send(105, HALF + 1)
    script.sack(205, HALF + 1, HALF + 3, HALF + 4, HALF + 5)

    assert script.marks() == [(HALF + 1, 105, "miss3"), (HALF + 2, 205, "miss3")]


def test_what_fits_a_packet_is_fast_retransmitted_together() -> None:
    script = Script(pion())
    script.send(0, HALF + 1, HALF + 2)
    for tsn in (3, 4, 5):
        script.send(0, HALF + tsn)
    for last in (3, 4, 5):
        script.sack(100 + last, HALF, *range(HALF + 3, HALF + last + 1))

    assert [tsn - HALF for tsn, _, _ in script.marks()] == [1, 2]


def test_a_chunk_that_rack_marks_at_its_third_report_is_sent_by_rack() -> None:
    script = Script(pion())
    script.send(0, HALF + 1)
    for at, tsn in ((1, 2), (2, 3), (60, 4)):
        script.send(at, HALF + tsn)
    script.sack(101, HALF, HALF + 2)
    script.sack(102, HALF, HALF + 2, HALF + 3)
    script.sack(160, HALF, HALF + 2, HALF + 3, HALF + 4)

    assert script.marks() == [(HALF + 1, 160, "ack")]
