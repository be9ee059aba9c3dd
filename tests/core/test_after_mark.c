/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a sender's code path was, by how soon after its mark a copy left. */
#include "bytes_builder.h"

#include "judge/after_mark.h"

#define MS INT64_C(1000000)

static struct sr_half half;
static struct sr_causes causes;

/* On the way: at a third missing report a sender marked something, and sent frame 20 because of it. */
static enum sr_cause cause_of(unsigned sender, uint32_t frame, int64_t later_ns)
{
    struct sr_transmission_row row = {.frame = frame, .time_ns = 100 * MS + later_ns};
    struct sr_said said = {.at = {.by_frame = 10, .due_frame = 10, .event = 1, .trigger = SR_TRIGGER_MISS3}, .copy = 1};
    bool first;
    memset(&half, 0, sizeof half);
    memset(&causes, 0, sizeof causes);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    causes.half = &half;
    causes.history[sender].event[1] = (struct sr_mark_event){.number = 1, .first_frame = 20, .last_ns = 100 * MS};
    return sr_cause_by_mark(&causes, sender, &said, &row, later_ns, 12 * MS, &first);
}

static void what_leaves_with_the_first_is_fast(void **state)
{
    (void)state;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        assert_int_equal(cause_of(sender, 20, 0), SR_CAUSE_FAST);
}

static void what_leaves_later_is_deferred(void **state)
{
    (void)state;
    assert_int_equal(cause_of(SR_SENDER_USRSCTP, 21, 60 * MS), SR_CAUSE_FAST_DEFERRED);
    assert_int_equal(cause_of(SR_SENDER_EARLY_PION, 21, 60 * MS), SR_CAUSE_FAST_DEFERRED);
}

static void of_a_pion_with_rack_that_had_marked_it_meanwhile(void **state)
{
    (void)state;
    assert_int_equal(cause_of(SR_SENDER_PION, 21, 60 * MS), SR_CAUSE_RACK);
}

/* At the sender's own tap; the copy before left so long before. */
static bool is_late(int64_t age_ns, int64_t reaction_ns)
{
    struct sr_journal journal;
    sr_journal_init(&journal, 1 << 20);
    struct sr_transmission_row *before = sr_spool_append(&journal.transmissions);
    *before = (struct sr_transmission_row){.time_ns = 100 * MS};
    const struct sr_transmission_row row = {.time_ns = 100 * MS + age_ns, .prev_row = 1};
    half = (struct sr_half){.journal = &journal};
    half.measured.vantage = SR_VANTAGE_SENDER;
    causes.half = &half;
    bool late = sr_is_late_for_timeout(&causes, &row, reaction_ns, 12 * MS);
    sr_journal_free(&journal);
    return late;
}

static void a_timeout_is_late_by_more_than_a_32nd_of_it_and_30_ms(void **state)
{
    (void)state;
    assert_false(is_late(32 * 40 * MS, 40 * MS));
    assert_true(is_late(32 * 40 * MS, 40 * MS + 1));
    assert_false(is_late(32 * 20 * MS, 30 * MS));
    assert_true(is_late(32 * 20 * MS, 30 * MS + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaves_with_the_first_is_fast),
        cmocka_unit_test(what_leaves_later_is_deferred),
        cmocka_unit_test(of_a_pion_with_rack_that_had_marked_it_meanwhile),
        cmocka_unit_test(a_timeout_is_late_by_more_than_a_32nd_of_it_and_30_ms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
