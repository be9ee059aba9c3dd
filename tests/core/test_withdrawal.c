/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what SACKs take back: two in a row that leave out what one before acknowledged by a block. The receiver is
 * 20 ms away. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

/* 9 to 15 were sent, and 11 to 13 acknowledged. */
static struct talk *with_blocks(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, 9, 7, 10);
    sack(talk, AT_US + WAY_US, 8, "11-13");
    return talk;
}

/* Two SACKs like that follow: how many TSNs they take back. */
static uint64_t taken_back_by(const char *blocks)
{
    struct talk *talk = with_blocks();
    sack(talk, AT_US + WAY_US + 1000, 8, blocks);
    sack(talk, AT_US + WAY_US + 2000, 8, blocks);
    judge(talk);
    uint64_t count = figures_of(talk, A)->withdrawn_tsns;
    talk_free(talk);
    return count;
}

static void what_two_sacks_leave_out_was_taken_back(void **state)
{
    (void)state;
    assert_int_equal(taken_back_by("11-13"), 0);
    assert_int_equal(taken_back_by("11-12"), 1);
    assert_int_equal(taken_back_by("11"), 2);
    assert_int_equal(taken_back_by(""), 3);
}

static void blocks_that_the_receiver_promises_to_keep_count_as_well(void **state)
{
    (void)state;
    assert_int_equal(taken_back_by("n11-13"), 0);
    assert_int_equal(taken_back_by("n11-12"), 1);
    assert_int_equal(taken_back_by("11 n12-13"), 0);
    assert_int_equal(taken_back_by("11 n13"), 1);
    assert_int_equal(taken_back_by("n11 n13"), 1);
}

/* They should be one, and say what one would. */
static void blocks_that_touch_say_as_much_as_one(void **state)
{
    (void)state;
    assert_int_equal(taken_back_by("11 12"), 1);
    assert_int_equal(taken_back_by("n11 n12"), 1);
}

static void blocks_that_contradict_each_other_say_little(void **state)
{
    (void)state;
    assert_int_equal(taken_back_by("12 11"), 0);
    assert_int_equal(taken_back_by("11-12 12"), 0);
    assert_int_equal(taken_back_by("n12 n11"), 0);
    assert_int_equal(taken_back_by("n11-12 n12"), 0);
}

/* 9 to 24 were sent, and four blocks acknowledge some: no SACK of the capture has more. Two like that follow. */
static void where_there_is_no_room_for_more_blocks_those_above_are_not_taken_back(void **state)
{
    (void)state;
    static const struct {
        const char *blocks;
        uint64_t taken_back, truncated;
    } cases[] = {
        {"10 12 14 20", 0, 0},    {"10 12 14 16", 0, 2}, /* it has no room for that of 20 */
        {"10 12 14", 1, 0},                              /* it has */
        {"10 12 16 18", 1, 2},                           /* that of 14 is below */
        {"10 16 18 22", 3, 0},                           /* none is above */
        {"10 12 14 16-18", 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        flight(talk, AT_US, 9, 16, 10);
        sack(talk, AT_US + WAY_US, 8, "10 12 14 20");
        for (int64_t n = 1; n <= 2; n++)
            sack(talk, AT_US + WAY_US + 1000 * n, 8, cases[i].blocks);
        judge(talk);
        const struct sr_direction_figures *figures = figures_of(talk, A);
        assert_int_equal(figures->withdrawn_tsns, cases[i].taken_back);
        assert_int_equal(figures->truncated_sacks, cases[i].truncated);
        assert_int_equal(figures->truncated_frame, cases[i].truncated ? 38 : 0);
        assert_int_equal(figures->truncated_blocks, cases[i].truncated ? 4 : 0);
        const struct sr_journal *journal = sr_engine_journal(talk->engine);
        uint64_t told = 0; /* of each it is told as true or false */
        for (uint64_t row = 0; row < journal->sacks.count; row++)
            told += sr_sack_at(journal, row)->truncated;
        assert_int_equal(told, cases[i].truncated);
        talk_free(talk);
    }
}

/* Between two SACKs that acknowledge 11 to 13, this one left before them, or with them. */
static uint64_t stale_between(const char *blocks)
{
    struct talk *talk = with_blocks();
    sack(talk, AT_US + WAY_US + 1000, 8, blocks);
    sack(talk, AT_US + WAY_US + 2000, 8, "11-13");
    judge(talk);
    uint64_t count = figures_of(talk, A)->stale_sacks;
    talk_free(talk);
    return count;
}

static void one_that_says_less_than_those_around_it_was_overtaken(void **state)
{
    (void)state;
    assert_int_equal(stale_between("11-12"), 1);
    assert_int_equal(stale_between("11-13"), 0);
    assert_int_equal(stale_between("n11-12"), 1);
    assert_int_equal(stale_between("n11-13"), 0);
    assert_int_equal(stale_between("11 n12-13"), 0);
}

/* So many in a row leave out 11, which is acknowledged then and was not sent again. */
static uint64_t late_of(uint32_t count, bool sent_again)
{
    struct talk *talk = with_blocks();
    for (uint32_t i = 1; i <= count; i++)
        sack(talk, AT_US + WAY_US + 1000 * i, 8, "12-13");
    if (sent_again)
        data(talk, AT_US + 2000000, 11);
    sack(talk, AT_US + 2000000 + WAY_US, 8, "11-13");
    judge(talk);
    uint64_t late = figures_of(talk, A)->stale_sacks;
    assert_int_equal(figures_of(talk, A)->withdrawn_tsns, sent_again);
    talk_free(talk);
    return late;
}

/* A limit on what a crowded capture costs. */
static void what_was_never_dropped_makes_those_late_that_leave_it_out_as_far_as_is_looked(void **state)
{
    (void)state;
    assert_int_equal(late_of(2, true), 0);
    assert_int_equal(late_of(2, false), 2);
    assert_int_equal(late_of(3, false), 3);
    assert_int_equal(late_of(64, false), 64);
    assert_int_equal(late_of(66, false), 64);
}

/* 12 is acknowledged again before 11 is: from there on it is looked as far again. */
static void what_is_acknowledged_again_by_and_by_makes_all_late_that_leave_it_out(void **state)
{
    enum { FIRST = 60, THEN = 10 };
    (void)state;
    struct talk *talk = with_blocks();
    int64_t at_us = AT_US + WAY_US;
    for (uint32_t i = 0; i < FIRST; i++)
        sack(talk, at_us += 1000, 8, "13");
    for (uint32_t i = 0; i < THEN; i++)
        sack(talk, at_us += 1000, 8, "12-13");
    sack(talk, at_us += 1000, 8, "11-13");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->withdrawn_tsns, 0);
    assert_int_equal(figures_of(talk, A)->stale_sacks, FIRST + THEN);
    talk_free(talk);
}

/* 15 was sent last. */
static void what_was_sent_just_before_it_was_taken_back_was_not_sent_again(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct talk *talk = with_blocks();
        sack(talk, AT_US + WAY_US + 1000, 8, "11-15");
        sack(talk, AT_US + WAY_US + 2000, 8, "11-14");
        sack(talk, AT_US + WAY_US + 3000, 8, "11-14");
        if (again)
            data(talk, AT_US + 2000000, 15);
        sack(talk, AT_US + 2000000 + WAY_US, 8, "11-15");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->withdrawn_tsns, again);
        assert_int_equal(figures_of(talk, A)->stale_sacks, again ? 0 : 2);
        talk_free(talk);
    }
}

/* It is sent again, and the receiver, which tells of duplicates, takes it for new. */
static void what_comes_as_new_was_dropped_where_duplicates_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *before, *behind;
        uint64_t proven;
    } cases[] = {{"11-13", "11-13", 0}, /* it may never tell */
                 {"11-13 d8", "11-13", 1},
                 {"11-13 d8", "11-13 d11", 0},
                 {"11-13 d8", "11-13 d12 d11", 0},
                 {"11-13 d8", "11-13 d12", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        flight(talk, AT_US, 9, 7, 10);
        sack(talk, AT_US + WAY_US, 8, cases[i].before);
        for (int64_t n = 1; n <= 2; n++)
            sack(talk, AT_US + WAY_US + 1000 * n, 8, "12-13");
        data(talk, AT_US + 2000000, 11);
        sack(talk, AT_US + 2000000 + WAY_US, 8, cases[i].behind);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->withdrawn_tsns, 1);
        assert_int_equal(figures_of(talk, A)->withdrawn_proven_tsns, cases[i].proven);
        talk_free(talk);
    }
}

/* 15 was acknowledged before anything above it, and is sent again. */
static void what_was_taken_back_was_missed(void **state)
{
    (void)state;
    for (int taken_back = 0; taken_back < 2; taken_back++) {
        struct talk *talk = with_blocks();
        sack(talk, AT_US + WAY_US + 1000, 8, "11-15");
        for (int64_t n = 2; n <= 3; n++)
            sack(talk, AT_US + WAY_US + 1000 * n, 8, taken_back ? "11-14" : "11-15");
        data(talk, AT_US + 2000000, 15);
        judge(talk);
        assert_int_equal(row_of(talk, 15, 2)->never_missed, !taken_back);
        talk_free(talk);
    }
}

/* As a hostile capture may have it, again and again: 400 TSNs are acknowledged, and two SACKs in a row leave them out.
 */
static uint64_t beyond_after(uint32_t times)
{
    enum { MANY = 400 };
    char blocks[32];
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, 9, MANY, 10);
    snprintf(blocks, sizeof blocks, "11-%d", MANY);
    for (uint32_t i = 0; i < times; i++) {
        int64_t at_us = AT_US + 10 * MANY + WAY_US + i * 10000;
        sack(talk, at_us, 8, blocks);
        sack(talk, at_us + 1000, 8, "11");
        sack(talk, at_us + 2000, 8, "11");
    }
    judge(talk);
    uint64_t count = figures_of(talk, A)->withdrawn_beyond;
    /* Of what was not sent again the last is left, if it is listed. */
    assert_int_equal(figures_of(talk, A)->withdrawn_tsns, count > 0 ? 0 : MANY - 11);
    talk_free(talk);
    return count;
}

static void each_that_leaves_out_more_than_can_be_taken_back_is_counted(void **state)
{
    (void)state;
    assert_int_equal(beyond_after(19), 0);
    assert_int_equal(beyond_after(20), 2); /* sixteen for each TSN and each feedback are used up */
    assert_int_equal(beyond_after(21), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_two_sacks_leave_out_was_taken_back),
        cmocka_unit_test(blocks_that_the_receiver_promises_to_keep_count_as_well),
        cmocka_unit_test(blocks_that_touch_say_as_much_as_one),
        cmocka_unit_test(blocks_that_contradict_each_other_say_little),
        cmocka_unit_test(where_there_is_no_room_for_more_blocks_those_above_are_not_taken_back),
        cmocka_unit_test(one_that_says_less_than_those_around_it_was_overtaken),
        cmocka_unit_test(what_was_never_dropped_makes_those_late_that_leave_it_out_as_far_as_is_looked),
        cmocka_unit_test(what_is_acknowledged_again_by_and_by_makes_all_late_that_leave_it_out),
        cmocka_unit_test(what_was_sent_just_before_it_was_taken_back_was_not_sent_again),
        cmocka_unit_test(what_was_taken_back_was_missed),
        cmocka_unit_test(what_comes_as_new_was_dropped_where_duplicates_are_told),
        cmocka_unit_test(each_that_leaves_out_more_than_can_be_taken_back_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
