/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a SACK says that the one before said already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/told_before.h"
#include "names.h"

static struct sr_journal journal;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

/* A SACK whose gaps have these ends; its list is the journal's last. */
static struct sr_sack_row sack(uint32_t cum_tsn, const uint32_t *ends, uint16_t gaps)
{
    struct sr_sack_row row = {.cum_tsn = cum_tsn, .gaps = gaps};
    memcpy(sr_journal_numbers(&journal, 2u * gaps, &row.lists), ends, 2u * gaps * sizeof *ends);
    return row;
}

static const uint32_t three[] = {12, 14, 16, 18, 20, 21};

static void a_gap_that_grows_is_new(void **state)
{
    (void)state;
    const uint32_t grown[] = {12, 14, 16, 18, 20, 23};
    struct sr_sack_row before = sack(10, three, 3), row = sack(10, grown, 3);
    uint64_t lists = row.lists;

    sr_told_before(&journal, &before, &row);

    assert_int_equal(row.told, 2);
    assert_int_equal(row.lists, lists);
}

static void gaps_that_the_cumulative_tsn_passed_are_left_out_and_a_list_that_is_told_is_kept_once(void **state)
{
    (void)state;
    struct sr_sack_row before = sack(10, three, 3), row = sack(14, three + 2, 2);
    uint64_t kept = before.lists + 6;

    sr_told_before(&journal, &before, &row);

    assert_int_equal(row.told, 2);
    assert_int_equal(row.lists, before.lists + 2);
    assert_int_equal(journal.numbers.count, kept);
}

static void duplicates_need_a_list_of_their_own(void **state)
{
    (void)state;
    struct sr_sack_row before = sack(10, three, 3), row = sack(10, three, 3);
    uint64_t lists = row.lists;
    row.dups = 1;

    sr_told_before(&journal, &before, &row);

    assert_int_equal(row.told, 3);
    assert_int_equal(row.lists, lists);
}

static void a_hole_that_is_filled_ends_what_was_told(void **state)
{
    (void)state;
    const uint32_t filled[] = {12, 18, 20, 21};
    struct sr_sack_row before = sack(10, three, 3), row = sack(10, filled, 2);

    sr_told_before(&journal, &before, &row);

    assert_int_equal(row.told, 0);
}

static void lists_that_are_malformed_or_promised_are_not_compared(void **state)
{
    (void)state;
    struct sr_sack_row before = sack(10, three, 3), row = sack(10, three, 3);
    before.malformed = 1u << SR_SACK_ANOMALY_GAP_OVERLAP;
    sr_told_before(&journal, &before, &row);
    assert_int_equal(row.told, 0);

    before.malformed = 0;
    before.nr_gaps = 1;
    sr_told_before(&journal, &before, &row);
    assert_int_equal(row.told, 0);
}

static void tsns_wrap(void **state)
{
    (void)state;
    const uint32_t round[] = {UINT32_MAX - 2, UINT32_MAX - 1, 1, 3};
    struct sr_sack_row before = sack(UINT32_MAX - 9, round, 2), row = sack(UINT32_MAX - 1, round + 2, 1);

    sr_told_before(&journal, &before, &row);

    assert_int_equal(row.told, 1);
    assert_int_equal(row.lists, before.lists + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_gap_that_grows_is_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            gaps_that_the_cumulative_tsn_passed_are_left_out_and_a_list_that_is_told_is_kept_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(duplicates_need_a_list_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hole_that_is_filled_ends_what_was_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_that_are_malformed_or_promised_are_not_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tsns_wrap, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
