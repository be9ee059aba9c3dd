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
        cmocka_unit_test(one_that_says_less_than_those_around_it_was_overtaken),
        cmocka_unit_test(each_that_leaves_out_more_than_can_be_taken_back_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
