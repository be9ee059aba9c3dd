/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of whether a sender had sent no data for as long as its RTO when a TSN was sent again. */
#include "bytes_builder.h"

#include "judge/cause.h"

#define MS INT64_C(1000000)

static struct sr_journal journal;
static struct sr_association association;
static struct sr_half half;
static struct sr_causes causes;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    half = (struct sr_half){.journal = &journal, .association = &association};
    causes = (struct sr_causes){.half = &half, .data_ns = 1000 * MS, .feedback_ns = SR_NO_TIME};
    sr_spool_init(&causes.explained, &journal.store, sizeof(struct sr_explained));
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        causes.history[sender].rto_ns = SR_NO_TIME;
    for (uint32_t i = 0; i < 2; i++) {
        struct sr_transmission_row *row = sr_spool_append(&journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.frame = i + 1, .prev_row = i};
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_spool_free(&causes.explained);
    sr_journal_free(&journal);
    return 0;
}

/* The second copy of a TSN, so long after the data before. */
static uint8_t of_resend_after(int64_t silent_ns)
{
    struct sr_ledger_slot slot = {.copies = 2};
    sr_transmission_at(&journal, 1)->time_ns = 1000 * MS + silent_ns;
    (void)sr_causes_resent(&causes, 1, &slot, 2);
    return sr_causes_explained(&causes, causes.explained_count - 1)->silent_for_rto;
}

static void each_sender_has_an_rto_of_its_own(void **state)
{
    (void)state;
    causes.history[SR_SENDER_DCSCTP].rto_ns = 400 * MS;
    causes.history[SR_SENDER_USRSCTP].rto_ns = 1000 * MS;
    assert_int_equal(of_resend_after(400 * MS - SR_REACTS_WITHIN_NS - 1), 0); /* clocks are off by what hosts take */
    assert_int_equal(of_resend_after(400 * MS - SR_REACTS_WITHIN_NS), 1u << SR_SENDER_DCSCTP);
    assert_int_equal(of_resend_after(1000 * MS), 1u << SR_SENDER_DCSCTP | 1u << SR_SENDER_USRSCTP);
}

static void where_nothing_was_sent_before_no_timer_runs(void **state)
{
    (void)state;
    causes.history[SR_SENDER_DCSCTP].rto_ns = 400 * MS;
    causes.data_ns = SR_NO_TIME;
    assert_int_equal(of_resend_after(1000 * MS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_sender_has_an_rto_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_nothing_was_sent_before_no_timer_runs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
