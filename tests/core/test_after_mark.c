/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a sender's code path was, by how soon after its mark a copy left. */
#include "bytes_builder.h"

#include "judge/after_mark.h"

#define MS INT64_C(1000000)

static struct sr_half half;
static struct sr_causes causes;
static uint8_t without; /* stacks that are left out: 1 << enum sr_profile */

/* On the way: at a third missing report a sender marked something, and sent frame 20 because of it. */
static enum sr_cause cause_of(unsigned sender, uint32_t frame, int64_t later_ns)
{
    struct sr_transmission_row row = {.frame = frame, .time_ns = 100 * MS + later_ns};
    struct sr_said said = {.at = {.by_frame = 10, .due_frame = 10, .event = 1, .trigger = SR_TRIGGER_MISS3}, .copy = 1};
    bool first;
    memset(&half, 0, sizeof half);
    memset(&causes, 0, sizeof causes);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    half.told.without = without;
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

/* What is sent together may take as long as a packet of 1500 bytes does at 2.4 Mbit/s. */
static void what_leaves_5_ms_behind_it_left_together_with_it(void **state)
{
    (void)state;
    assert_int_equal(cause_of(SR_SENDER_USRSCTP, 21, 5 * MS), SR_CAUSE_FAST);
    assert_int_equal(cause_of(SR_SENDER_USRSCTP, 21, 5 * MS + 1), SR_CAUSE_FAST_DEFERRED);
}

/* gatherOutboundFastRetransmissionPackets */
static void pion_sends_one_packet_at_once_unless_it_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(cause_of(SR_SENDER_USRSCTP, 21, 1 * MS), SR_CAUSE_FAST);
    assert_int_equal(cause_of(SR_SENDER_EARLY_PION, 21, 1 * MS), SR_CAUSE_FAST_DEFERRED);
    assert_int_equal(cause_of(SR_SENDER_PION, 21, 1 * MS), SR_CAUSE_RACK);
    without = 1 << SR_PROFILE_USRSCTP;
    assert_int_equal(cause_of(SR_SENDER_EARLY_PION, 21, 1 * MS), SR_CAUSE_FAST_DEFERRED);
    without = 1 << SR_PROFILE_PION;
    assert_int_equal(cause_of(SR_SENDER_EARLY_PION, 21, 1 * MS), SR_CAUSE_FAST);
    without = 0;
}

/* At the sender's own tap, whose host takes 100 us to react; it had feedback since its mark, or not. */
static enum sr_cause cause_at_sender(uint32_t feedback_frame, int64_t reaction_ns)
{
    struct sr_transmission_row row = {.frame = 20, .time_ns = 100 * MS};
    struct sr_said said = {.at = {.by_frame = 10, .due_frame = 10, .event = 1, .trigger = SR_TRIGGER_MISS3}, .copy = 1};
    bool first;
    half = (struct sr_half){.measured = {.vantage = SR_VANTAGE_SENDER, .sender_loop_ns = MS / 10}};
    memset(&causes, 0, sizeof causes);
    causes.half = &half;
    causes.feedback_frame = feedback_frame;
    causes.history[SR_SENDER_USRSCTP].event[1] = (struct sr_mark_event){.number = 1};
    return sr_cause_by_mark(&causes, SR_SENDER_USRSCTP, &said, &row, reaction_ns, 12 * MS, &first);
}

static void what_leaves_behind_other_feedback_is_deferred_unless_its_host_took_its_time(void **state)
{
    (void)state;
    assert_int_equal(cause_at_sender(10, 11 * MS), SR_CAUSE_FAST);
    assert_int_equal(cause_at_sender(11, 4 * MS / 10), SR_CAUSE_FAST);
    assert_int_equal(cause_at_sender(11, 4 * MS / 10 + 1), SR_CAUSE_FAST_DEFERRED);
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
        cmocka_unit_test(pion_sends_one_packet_at_once_unless_it_is_left_out),
        cmocka_unit_test(what_leaves_5_ms_behind_it_left_together_with_it),
        cmocka_unit_test(what_leaves_behind_other_feedback_is_deferred_unless_its_host_took_its_time),
        cmocka_unit_test(a_timeout_is_late_by_more_than_a_32nd_of_it_and_30_ms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
