/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the scoreboard: what it keeps as it grows, how it follows jumps of the TSN, how it stays in its budget. */
#include "scoreboard_wire.h"

/* ---- what is kept ---- */

static void everything_outstanding_is_kept_as_far_as_two_sacks_can_reach(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    const uint32_t first = 0xffff8000;
    send_run(&wire, first, SR_SCOREBOARD_LARGEST);
    check_copy(send(&wire, first), 2, 1, 1);
    check_copy(send(&wire, first + SR_SCOREBOARD_LARGEST - 1), 2, SR_SCOREBOARD_LARGEST, SR_SCOREBOARD_LARGEST);
    check_ack(&wire, first + SR_SCOREBOARD_LARGEST - 1, SR_SCOREBOARD_LARGEST);
    assert_int_equal(wire.board.forgotten, 0);
    end_wire(&wire);
}

static void beyond_that_the_oldest_are_forgotten_and_said_to_be(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, SR_SCOREBOARD_LARGEST + 10);
    check_copy(send(&wire, 10), 2, 11, 11);
    check_copy(send(&wire, 9), 2, 0, 0);
    assert_int_equal(wire.board.forgotten, 1);
    check_ack(&wire, SR_SCOREBOARD_LARGEST + 9, SR_SCOREBOARD_LARGEST);
    end_wire(&wire);
}

static void of_what_is_acknowledged_the_last_4096_are_kept(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    for (uint32_t tsn = 0; tsn < 100000; tsn++) {
        assert_int_equal(send(&wire, tsn).copy, 1);
        check_ack(&wire, tsn, 1);
    }
    assert_int_equal(wire.board.capacity, SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 100000 - SR_SCOREBOARD_HISTORY), 2, 100001 - SR_SCOREBOARD_HISTORY,
               100001 - SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 99999 - SR_SCOREBOARD_HISTORY), 2, 0, 0);
    end_wire(&wire);
}

static void a_hole_among_acknowledged_tsns_is_kept_too(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, SR_SCOREBOARD_HISTORY);
    static const struct block all_but_5 = {6, SR_SCOREBOARD_HISTORY - 1};
    check_ack_gap(&wire, 4, (struct block){all_but_5.first - 4, all_but_5.last - 4}, SR_SCOREBOARD_HISTORY - 1);
    send(&wire, SR_SCOREBOARD_HISTORY + 20);
    check_copy(send(&wire, 5), 2, 6, 6);
    check_ack(&wire, 5, 1);
    end_wire(&wire);
}

static void what_was_forgotten_does_not_come_back_as_new(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    for (uint32_t tsn = 0; tsn < 10000; tsn++) {
        send(&wire, tsn);
        check_ack(&wire, tsn, 1);
    }
    send_run(&wire, 10000, 9000); /* outstanding: the board grows again */
    assert_true(wire.board.capacity > SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 5000), 2, 0, 0);
    assert_int_equal(wire.board.forgotten, 1);
    check_copy(send(&wire, 10000), 2, 10001, 10001);
    end_wire(&wire);
}

/* ---- jumps ---- */

static void one_tsn_out_of_reach_changes_nothing(void **state)
{
    (void)state;
    static const uint32_t strays[] = {1000000, 0x80000000, 0xff000000, 149 + SR_SCOREBOARD_REACH + 1};
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
        struct wire wire = new_wire();
        send_run(&wire, 100, 50);
        check_copy(send(&wire, strays[i]), 1, 51, 0);
        check_copy(send(&wire, 120), 2, 21, 21);
        check_ack(&wire, 149, 50);
        send_run(&wire, 150, 5);
        assert_int_equal(wire.board.jumps, 0);
        end_wire(&wire);
    }
}

static void a_stray_packet_that_was_captured_twice_is_one_stray(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    struct sr_sent_chunk stray = {.tsn = sr_tsn(1u << 30), .bytes = BYTES, .identity = {9, 9}};
    check_copy(put_on(&wire, stray), 1, 51, 0);
    check_duplicate(put_on(&wire, stray), 1, 51, 51);
    check_copy(send(&wire, 120), 2, 21, 21);
    assert_int_equal(wire.board.jumps, 0);
    end_wire(&wire);
}

static void strays_far_from_each_other_do_not_confirm_each_other(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    send(&wire, 1u << 30);
    send(&wire, 1u << 31);
    send(&wire, 1u << 29);
    check_copy(send(&wire, 120), 2, 21, 21);
    assert_int_equal(wire.board.jumps, 0);
    end_wire(&wire);
}

static void two_tsns_near_each_other_are_a_new_numbering_that_has_both(void **state)
{
    (void)state;
    static const uint32_t near[] = {1, 5, 8000, (uint32_t)-1, (uint32_t)-5000};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        struct wire wire = new_wire();
        const uint32_t first = 1u << 30, second = first + near[i];
        send_run(&wire, 100, 50);
        check_copy(send(&wire, first), 1, 51, 0);
        check_copy(send(&wire, second), 1, 52, 0);
        assert_int_equal(wire.board.jumps, 1);
        check_copy(send(&wire, first), 2, 51, 51);
        check_copy(send(&wire, second), 2, 52, 52);
        check_ack(&wire, sr_tsn_after(sr_tsn(first), sr_tsn(second)) ? first : second, 2);
        end_wire(&wire);
    }
}

static void a_tsn_out_of_reach_that_is_sent_again_is_a_new_numbering(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    check_copy(send(&wire, 1u << 30), 1, 51, 0);
    check_copy(send(&wire, 1u << 30), 2, 51, 51);
    assert_int_equal(wire.board.jumps, 1);
    end_wire(&wire);
}

static void a_new_numbering_knows_nothing_of_the_one_before(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, 6000);
    check_ack(&wire, 2999, 3000);
    send_run(&wire, 1u << 30, 2);
    check_ack(&wire, 5999, 0); /* an acknowledgement of the old numbering */
    send_run(&wire, 0, 6000);  /* and back to the first one, as if for the first time */
    assert_int_equal(wire.board.jumps, 2);
    check_ack(&wire, 5999, 6000);
    end_wire(&wire);
}

/* Numberings are told apart by a small number, which wraps too. */
static void after_many_jumps_nothing_of_old_numberings_is_left(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, 2000);
    check_ack(&wire, 1000, 1001);
    for (uint32_t i = 1; i < 140000; i++) {
        uint32_t first = i % 2 == 0 ? (i % 1000) * 2 : 1u << 30;
        uint32_t frame = wire.frame;
        check_copy(send(&wire, first), 1, frame + 1, 0);
        check_copy(send(&wire, first + 1), 1, frame + 2, 0);
        if (i % 777 == 0)
            check_ack(&wire, first + 1, 2);
    }
    assert_int_equal(wire.board.jumps, 139999);
    end_wire(&wire);
}

static void a_capture_that_begins_with_a_stray_tsn_recovers(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send(&wire, 1u << 30);
    send_run(&wire, 100, 20);
    check_copy(send(&wire, 100), 2, 2, 2);
    check_ack(&wire, 119, 20);
    end_wire(&wire);
}

/* ---- memory ---- */

static void boards_without_a_budget_keep_a_few_tsns_each(void **state)
{
    (void)state;
    enum { BOARDS = 100, KEPT = 16 };
    struct sr_slot_budget budget = {0};
    struct wire wires[BOARDS];
    for (int i = 0; i < BOARDS; i++)
        wires[i] = (struct wire){.budget = budget};
    for (int i = 0; i < BOARDS; i++) {
        send_run(&wires[i], 0, 1000);
        check_copy(send(&wires[i], 1000 - KEPT), 2, 1001 - KEPT, 1001 - KEPT);
        check_copy(send(&wires[i], 0), 2, 0, 0);
        check_ack(&wires[i], 999, KEPT);
        assert_int_equal(wires[i].budget.left, 0);
        sr_scoreboard_free(&wires[i].board, &wires[i].budget);
        assert_int_equal(wires[i].budget.left, 0);
    }
}

static void a_board_that_gets_no_more_forgets_its_oldest(void **state)
{
    (void)state;
    struct wire large = new_wire(), small = new_wire();
    small.budget.left = 1000;
    send_run(&small, 0, 5000);
    assert_true(small.board.capacity <= 1024);
    check_copy(send(&small, 4999), 2, 5000, 5000);
    check_copy(send(&small, 0), 2, 0, 0);
    check_ack(&small, 4999, small.board.capacity);
    small.budget.left += PLENTY - 1000; /* as when another board is freed */
    send_run(&small, 5000, 5000);
    check_copy(send(&small, 5000), 2, 5003, 5003);
    end_wire(&small);
    end_wire(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_outstanding_is_kept_as_far_as_two_sacks_can_reach),
        cmocka_unit_test(beyond_that_the_oldest_are_forgotten_and_said_to_be),
        cmocka_unit_test(of_what_is_acknowledged_the_last_4096_are_kept),
        cmocka_unit_test(a_hole_among_acknowledged_tsns_is_kept_too),
        cmocka_unit_test(what_was_forgotten_does_not_come_back_as_new),
        cmocka_unit_test(one_tsn_out_of_reach_changes_nothing),
        cmocka_unit_test(a_stray_packet_that_was_captured_twice_is_one_stray),
        cmocka_unit_test(strays_far_from_each_other_do_not_confirm_each_other),
        cmocka_unit_test(two_tsns_near_each_other_are_a_new_numbering_that_has_both),
        cmocka_unit_test(a_tsn_out_of_reach_that_is_sent_again_is_a_new_numbering),
        cmocka_unit_test(a_new_numbering_knows_nothing_of_the_one_before),
        cmocka_unit_test(after_many_jumps_nothing_of_old_numberings_is_left),
        cmocka_unit_test(a_capture_that_begins_with_a_stray_tsn_recovers),
        cmocka_unit_test(boards_without_a_budget_keep_a_few_tsns_each),
        cmocka_unit_test(a_board_that_gets_no_more_forgets_its_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
