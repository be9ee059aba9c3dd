/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of where feedback may have crossed what was sent again: at hosts that are not too near. */
#include "bytes_builder.h"

#include "facts/late.h"

static bool is_looked_for(bool resends, int64_t loop_ns)
{
    struct sr_journal journal;
    struct sr_association association = {0};
    struct sr_crossing *crossing;
    sr_journal_init(&journal, 1 << 20);
    struct sr_half *half = calloc(1, sizeof *half);
    assert_non_null(half);
    half->journal = &journal;
    half->association = &association;
    half->measured.resends = resends;
    half->measured.sender_loop_ns = loop_ns;
    assert_true(sr_find_late(half, &crossing));
    bool found = crossing != NULL;
    sr_crossing_free(crossing);
    free(half);
    sr_journal_free(&journal);
    return found;
}

static void a_host_that_answers_within_200_us_has_had_all_feedback(void **state)
{
    (void)state;
    assert_false(is_looked_for(true, 199999));
    assert_true(is_looked_for(true, 200000));
    assert_false(is_looked_for(false, 200000)); /* nothing was sent again */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_that_answers_within_200_us_has_had_all_feedback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
