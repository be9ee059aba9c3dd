/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of whether a TSN comes when its sender would send it again. */
#include "bytes_builder.h"

#include "judge/cause.h"

#define MS INT64_C(1000000)

/* usrsctp has marked what it sent once, and reacts 14 ms after a mark: that was seen three times. */
enum { ENOUGH = 3, MARKED_MS = 100, REACTS_MS = 14 };

static struct sr_journal journal;
static struct sr_association association;
static struct sr_half half;
static struct sr_causes causes;
static struct sr_tsn_marks marks;
static struct sr_ledger_slot slot;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    association.side[0].family = SR_FAMILY_USRSCTP;
    half = (struct sr_half){.journal = &journal, .association = &association};
    causes = (struct sr_causes){
        .half = &half, .marks = &marks, .reactions = ENOUGH, .reaction_ns = REACTS_MS * MS, .deviation_ns = 0};
    sr_spool_init(&causes.instants, &journal.store, sizeof(struct sr_instant));
    struct sr_instant *instant = sr_spool_append(&causes.instants);
    assert_non_null(instant);
    *instant = (struct sr_instant){.time_ns = MARKED_MS * MS, .by_frame = 7, .due_frame = 7};
    memset(&marks, 0, sizeof marks);
    marks.of[SR_SENDER_USRSCTP] = (struct sr_saying){.instant = 1, .copy = 1};
    slot = (struct sr_ledger_slot){.marks = 1, .copies = 1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_spool_free(&causes.instants);
    sr_journal_free(&journal);
    return 0;
}

static bool is_expected(int64_t time_ns)
{
    const struct sr_transmission_row row = {.time_ns = time_ns};
    return sr_causes_expected(&causes, &slot, &row, 1 * MS);
}

static const int64_t then_ns = (MARKED_MS + REACTS_MS) * MS;

static void what_comes_as_long_after_its_mark_as_its_sender_takes_is_expected(void **state)
{
    (void)state;
    assert_false(is_expected(then_ns - MS - 1));
    assert_true(is_expected(then_ns - MS));
    assert_true(is_expected(then_ns + MS));
    assert_false(is_expected(then_ns + MS + 1));
}

/* As RFC 9260 section 6.3.1 allows for a round trip. */
static void by_four_times_what_that_varies_by_it_may_be_off(void **state)
{
    (void)state;
    causes.deviation_ns = 2 * MS;
    assert_false(is_expected(then_ns - 9 * MS - 1));
    assert_true(is_expected(then_ns - 9 * MS));
    assert_true(is_expected(then_ns + 9 * MS));
    assert_false(is_expected(then_ns + 9 * MS + 1));
}

static void two_reactions_do_not_tell_how_long_it_takes(void **state)
{
    (void)state;
    causes.reactions = ENOUGH - 1;
    assert_false(is_expected(then_ns));
}

static void nor_where_nobody_knows_whose_stack_it_is(void **state)
{
    (void)state;
    association.side[0].family = SR_FAMILY_UNKNOWN;
    assert_false(is_expected(then_ns));
}

static void what_nobody_marked_is_not_expected(void **state)
{
    (void)state;
    slot.marks = 0;
    assert_false(is_expected(then_ns));
    slot.marks = 1;
    marks.of[SR_SENDER_USRSCTP].instant = 0; /* or another sender has */
    marks.of[SR_SENDER_DCSCTP] = (struct sr_saying){.instant = 1, .copy = 1};
    assert_false(is_expected(then_ns));
}

static void nor_what_was_sent_again_since(void **state)
{
    (void)state;
    slot.copies = 2;
    assert_false(is_expected(then_ns));
}

static void nor_what_its_sender_counted_before_what_came_before_it(void **state)
{
    (void)state;
    const struct sr_transmission_row row = {.time_ns = then_ns, .overtaken = true};
    assert_false(sr_causes_expected(&causes, &slot, &row, 1 * MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_comes_as_long_after_its_mark_as_its_sender_takes_is_expected, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(by_four_times_what_that_varies_by_it_may_be_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_reactions_do_not_tell_how_long_it_takes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_where_nobody_knows_whose_stack_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_nobody_marked_is_not_expected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_what_was_sent_again_since, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_what_its_sender_counted_before_what_came_before_it, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
