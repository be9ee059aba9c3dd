/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the books take for another numbering, and what they hold: each at both sides of how far they reach. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

static struct talk *begin(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

/* As the scoreboard takes it: two near each other are of another numbering, and what acknowledges them is. */
static void a_second_chunk_out_of_reach_is_near_the_first_within_reach_up_or_down(void **state)
{
    enum { OTHER = 10000000, REACH = 8192 };
    (void)state;
    for (int32_t further = 0; further < 2; further++)
        for (int32_t side = -1; side <= 1; side += 2) {
            struct talk *talk = begin();
            uint32_t second = (uint32_t)(OTHER + side * (REACH + further));
            data(talk, AT_US, OTHER);
            data(talk, AT_US + 1000, second);
            sack(talk, AT_US + 1000 + WAY_US, second, "");
            judge(talk);
            assert_int_equal(figures_of(talk, A)->acked_tsns, further ? 8 : 9);
            talk_free(talk);
        }
}

static void two_chunks_so_far_below_are_of_another_numbering(void **state)
{
    enum { HIGH = 10000000, PAST = 1 << 18 };
    (void)state;
    for (uint32_t nearer = 0; nearer <= 2; nearer += 2) {
        struct talk *talk = talk_new();
        uint32_t low = HIGH - PAST + nearer;
        data(talk, AT_US, HIGH);
        sack(talk, AT_US + WAY_US, HIGH, "");
        data(talk, AT_US + 100000, low);
        data(talk, AT_US + 101000, low - 1);
        data(talk, AT_US + 102000, low + 1);
        sack(talk, AT_US + 102000 + WAY_US, low + 1, "");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->acked_tsns, nearer ? 1 : 3); /* the first of the two has no place */
        talk_free(talk);
    }
}

/* The first feedback of a capture that begins in the middle: a block of it is of what is seen late. */
static void what_lies_above_the_first_cumulative_tsn_is_held_from_there_on(void **state)
{
    enum { HIGH = 1 << 20, REACH = 8192, LATE = HIGH - 5 };
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *talk = talk_new();
        char block[16];
        data(talk, 0, HIGH);
        snprintf(block, sizeof block, "%d", LATE);
        sack(talk, WAY_US, HIGH - REACH - further, block);
        data(talk, WAY_US + 1000, LATE);
        judge(talk);
        assert_int_equal(row_of(talk, LATE, 1)->acked_frame, further ? 0 : 2);
        talk_free(talk);
    }
}

/* As far above what was sent as a window can hold, and further below: else it is of another numbering. */
static void feedback_out_of_reach_says_nothing(void **state)
{
    enum { LARGEST = 1 << 17, PAST = 1 << 18, HIGH = 1 << 20 };
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *above = talk_new(), *below = talk_new();
        data(above, 0, HIGH);
        sack(above, WAY_US, HIGH - 1, "");
        sack(above, WAY_US + 1000, HIGH + LARGEST + further, "");
        judge(above);
        assert_int_equal(figures_of(above, A)->acked_tsns, !further);
        talk_free(above);
        data(below, 0, HIGH);
        sack(below, WAY_US, HIGH, "");
        sack(below, WAY_US + 1000, HIGH - PAST - further, "");
        judge(below);
        assert_int_equal(figures_of(below, A)->stale_sacks, !further);
        talk_free(below);
    }
}

/* Of TSNs 8,192 apart a window holds 16. */
static void what_was_forgotten_is_not_acknowledged(void **state)
{
    enum { HIGH = 1 << 20, REACH = 8192, STEPS = 18, HELD = 16 };
    (void)state;
    struct talk *talk = talk_new();
    data(talk, 0, HIGH);
    sack(talk, WAY_US, HIGH, "");
    for (uint32_t i = 1; i <= STEPS; i++)
        data(talk, 100000 + 10 * i, HIGH + REACH * i);
    sack(talk, 100000 + 10 * STEPS + WAY_US, HIGH + REACH * STEPS, "");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->acked_tsns, 1 + HELD);
    assert_int_equal(figures_of(talk, A)->queued_bytes, 0);
    talk_free(talk);
}

static void a_forward_tsn_out_of_reach_is_broken(void **state)
{
    enum { REACH = 8192 };
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 2, 10);
        forward_tsn(talk, AT_US + 1000, 10 + REACH + further);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->abandoned_tsns, further ? 0 : 2);
        talk_free(talk);
    }
}

/* However far above what was sent it is acknowledged. */
static void what_was_never_seen_is_counted_as_far_as_the_history_holds_it(void **state)
{
    enum { REACH = 8192, HISTORY = 4096 };
    (void)state;
    for (uint32_t further = 0; further < 4; further++) {
        struct talk *talk = begin();
        sack(talk, AT_US, 8 + REACH - 1 + further, "");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->unseen_tsns, HISTORY);
        talk_free(talk);
        /* 9 is outstanding: then there is more room, but a block is followed no further than that. */
        talk = begin();
        char block[16];
        snprintf(block, sizeof block, "%u-%u", 9 + REACH - 1, 9 + REACH - 1 + further);
        data(talk, AT_US, 9);
        sack(talk, AT_US + WAY_US, 8, block);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->unseen_tsns, further == 0 ? 1 : 2);
        talk_free(talk);
    }
}

/* The first feedback is too far below what was seen for all between them to be held; what is seen late may lie on
 * either side of its cumulative TSN. */
static void what_is_seen_late_was_acknowledged_as_far_as_the_first_cumulative_tsn(void **state)
{
    enum { HIGH = 1 << 20, FIRST = HIGH - 8192 - 1 };
    (void)state;
    struct talk *talk = talk_new();
    data(talk, 0, HIGH);
    sack(talk, WAY_US, FIRST, "");
    data(talk, WAY_US + 1000, FIRST - 10);
    data(talk, WAY_US + 2000, FIRST);
    data(talk, WAY_US + 3000, FIRST + 1);
    data(talk, WAY_US + 4000, HIGH - 5);
    judge(talk);
    assert_int_equal(row_of(talk, FIRST - 10, 1)->acked_frame, 2);
    assert_int_equal(row_of(talk, FIRST, 1)->acked_frame, 2);
    assert_int_equal(row_of(talk, FIRST + 1, 1)->acked_frame, 0);
    assert_int_equal(row_of(talk, HIGH - 5, 1)->acked_frame, 0);
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_chunk_out_of_reach_is_near_the_first_within_reach_up_or_down),
        cmocka_unit_test(two_chunks_so_far_below_are_of_another_numbering),
        cmocka_unit_test(what_lies_above_the_first_cumulative_tsn_is_held_from_there_on),
        cmocka_unit_test(feedback_out_of_reach_says_nothing),
        cmocka_unit_test(what_was_forgotten_is_not_acknowledged),
        cmocka_unit_test(a_forward_tsn_out_of_reach_is_broken),
        cmocka_unit_test(what_was_never_seen_is_counted_as_far_as_the_history_holds_it),
        cmocka_unit_test(what_is_seen_late_was_acknowledged_as_far_as_the_first_cumulative_tsn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
