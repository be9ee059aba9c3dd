/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of packets that a sender's count shows to be missing. */
#include "bytes_builder.h"

#include "association/unseen.h"

#define OWES true

static struct sr_unseen after(uint16_t last)
{
    struct sr_unseen unseen = {0};
    sr_unseen_packet(&unseen, last, false);
    return unseen;
}

static void a_packet_that_follows_the_one_before_misses_none(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(0xffff);
    sr_unseen_packet(&unseen, 1, false); /* 0 says nothing: some count over it */
    assert_int_equal(sr_unseen_take(&unseen), 1);
    sr_unseen_packet(&unseen, 2, false);
    assert_int_equal(sr_unseen_take(&unseen), 0);
}

static void holes_add_up_until_there_is_data(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_packet(&unseen, 12, false);
    sr_unseen_packet(&unseen, 15, false);
    assert_int_equal(sr_unseen_take(&unseen), 3);
    assert_int_equal(sr_unseen_take(&unseen), 0);
}

static void what_comes_late_was_not_missing(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_packet(&unseen, 13, false);
    sr_unseen_packet(&unseen, 11, false);
    assert_int_equal(sr_unseen_take(&unseen), 1);
    sr_unseen_packet(&unseen, 12, false);
    sr_unseen_packet(&unseen, 14, false);
    assert_int_equal(sr_unseen_take(&unseen), 0);
}

static void a_packet_seen_twice_changes_nothing(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_packet(&unseen, 12, false);
    sr_unseen_packet(&unseen, 12, false);
    assert_int_equal(unseen.steps, 1);
    assert_int_equal(sr_unseen_take(&unseen), 1);
}

static void what_is_missing_between_two_feedbacks_is_counted_apart(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    assert_int_equal(sr_unseen_take_feedback(&unseen), SR_UNSEEN_MOST); /* nobody knows what came before the first */
    sr_unseen_packet(&unseen, 11, OWES);
    sr_unseen_packet(&unseen, 12, OWES);
    assert_int_equal(sr_unseen_take_feedback(&unseen), 0);
    sr_unseen_packet(&unseen, 14, OWES);
    sr_unseen_packet(&unseen, 16, OWES);
    sr_unseen_packet(&unseen, 15, OWES); /* late */
    assert_int_equal(sr_unseen_take_feedback(&unseen), 1);
    sr_unseen_packet(&unseen, 18, OWES);
    assert_int_equal(sr_unseen_take_feedback(&unseen), 1);
}

static void what_is_not_numbered_may_hide_others(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_take_feedback(&unseen);
    sr_unseen_packet(&unseen, 0, false);
    assert_int_equal(sr_unseen_take_feedback(&unseen), SR_UNSEEN_MOST);
    sr_unseen_packet(&unseen, 11, false);
    assert_int_equal(sr_unseen_take_feedback(&unseen), 0);
    sr_unseen_packet(&unseen, 11, false);
    assert_int_equal(sr_unseen_take_feedback(&unseen), SR_UNSEEN_MOST);
}

static void so_many_or_more_are_not_counted(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_take_feedback(&unseen);
    sr_unseen_packet(&unseen, 11 + SR_UNSEEN_MOST - 1, false);
    assert_int_equal(unseen.since_feedback, SR_UNSEEN_MOST - 1);
    sr_unseen_packet(&unseen, 11 + SR_UNSEEN_MOST + 100, false);
    assert_int_equal(unseen.since_feedback, SR_UNSEEN_MOST);
    sr_unseen_packet(&unseen, 11 + SR_UNSEEN_MOST + 90, false); /* late: still so many or more */
    assert_int_equal(sr_unseen_take_feedback(&unseen), SR_UNSEEN_MOST);
}

static void who_owes_an_answer_may_have_sent_that(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_packet(&unseen, 12, OWES);
    assert_int_equal(sr_unseen_take(&unseen), 0);
}

static void a_wide_hole_is_another_count(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    sr_unseen_packet(&unseen, 12, false);
    sr_unseen_packet(&unseen, 12 + SR_UNSEEN_MOST + 2, false);
    assert_int_equal(sr_unseen_take(&unseen), 0);
    for (int i = 0; i < 3; i++)
        sr_unseen_packet(&unseen, (uint16_t)(unseen.last + 5), false);
    assert_int_equal(sr_unseen_take(&unseen), SR_UNSEEN_MOST);
}

static void a_host_that_counts_much_else_does_not_tell(void **state)
{
    (void)state;
    struct sr_unseen unseen = after(10);
    for (int i = 0; i < 8; i++)
        sr_unseen_packet(&unseen, (uint16_t)(unseen.last + 1 + i % 2), false);
    assert_false(sr_unseen_tells(&unseen));
    sr_unseen_packet(&unseen, (uint16_t)(unseen.last + 1), false);
    assert_true(sr_unseen_tells(&unseen));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_that_follows_the_one_before_misses_none),
        cmocka_unit_test(holes_add_up_until_there_is_data),
        cmocka_unit_test(what_comes_late_was_not_missing),
        cmocka_unit_test(a_packet_seen_twice_changes_nothing),
        cmocka_unit_test(what_is_missing_between_two_feedbacks_is_counted_apart),
        cmocka_unit_test(what_is_not_numbered_may_hide_others),
        cmocka_unit_test(so_many_or_more_are_not_counted),
        cmocka_unit_test(who_owes_an_answer_may_have_sent_that),
        cmocka_unit_test(a_wide_hole_is_another_count),
        cmocka_unit_test(a_host_that_counts_much_else_does_not_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
