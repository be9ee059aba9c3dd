/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a lost tail that was sent again, told by time alone. */
#include "bytes_builder.h"

#include "judge/tail.h"
#include "wire/time.h"

#define MS INT64_C(1000000)
#define ALONE true

enum { ROUND_TRIP = 40, RTO = 1000, PTO = 280 }; /* ms */

static struct sr_tail_timers timers(void)
{
    return (struct sr_tail_timers){
        .rto_ns = {RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
        .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    };
}

static void sent(struct sr_tail *tail, int64_t at_ms, enum sr_cause cause)
{
    sr_tail_sent(tail, at_ms * MS, ROUND_TRIP * MS, cause);
}

/* A flight of two from 100 ms on, which is acknowledged at 140 ms. */
static struct sr_tail after_a_flight(void)
{
    struct sr_tail tail;
    sr_tail_begin(&tail);
    sent(&tail, 100, SR_CAUSE_COUNT);
    tail.outstanding = 2;
    sent(&tail, 101, SR_CAUSE_COUNT);
    tail.outstanding = 0;
    tail.feedback_ns = 140 * MS;
    tail.answers = 1;
    return tail;
}

static enum sr_cause cause_at(const struct sr_tail *tail, int64_t at_ms, uint32_t skipped)
{
    struct sr_tail_timers theirs = timers();
    return sr_tail_of(tail, &theirs, at_ms * MS, skipped);
}

static void what_comes_when_a_timer_is_due_was_sent_again(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    assert_int_equal(cause_at(&tail, 140 + RTO, 0), SR_CAUSE_T3);
    assert_int_equal(cause_at(&tail, 100 + RTO, 0), SR_CAUSE_T3); /* T3 from the first packet */
    assert_int_equal(cause_at(&tail, 140 + PTO, 0), SR_CAUSE_TLP);
    assert_int_equal(cause_at(&tail, 140 + PTO + 60, 0), SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 140 + RTO / 2, 0), SR_CAUSE_COUNT);
}

static void before_any_feedback_nothing_can_be_told(void **state)
{
    (void)state;
    struct sr_tail tail;
    sr_tail_begin(&tail);
    sent(&tail, 100, SR_CAUSE_COUNT);
    sent(&tail, 101, SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 100 + RTO, 0), SR_CAUSE_COUNT);
}

static void one_packet_at_a_time_may_be_all_there_is(void **state)
{
    (void)state;
    struct sr_tail tail;
    sr_tail_begin(&tail);
    sent(&tail, 100, SR_CAUSE_COUNT);
    tail.feedback_ns = 140 * MS;
    assert_int_equal(cause_at(&tail, 140 + RTO, 0), SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 140 + PTO, 0), SR_CAUSE_COUNT);
}

static void while_something_seen_is_outstanding_a_timeout_would_send_that(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    tail.outstanding = 1;
    assert_int_equal(cause_at(&tail, 140 + RTO, 0), SR_CAUSE_COUNT);
}

static void after_a_timeout_what_the_next_acknowledgement_lets_out_is_of_it_too(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    sent(&tail, 140 + RTO, SR_CAUSE_T3);
    tail.feedback_ns = (180 + RTO) * MS;
    assert_int_equal(cause_at(&tail, 181 + RTO, 0), SR_CAUSE_T3_GBN);
    assert_int_equal(cause_at(&tail, 280 + RTO, 0), SR_CAUSE_COUNT);
    sent(&tail, 181 + RTO, SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 181 + RTO, 0), SR_CAUSE_COUNT);
}

/* Each acknowledgement lets it send one packet: nothing is left that could have been lost. */
static void a_sender_with_more_to_send_probes_with_new_data(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    sent(&tail, 140, SR_CAUSE_COUNT);
    sent(&tail, 140, SR_CAUSE_COUNT);
    tail.outstanding = 2;
    assert_int_equal(cause_at(&tail, 140 + PTO, 0), SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 140 + PTO, 1), SR_CAUSE_TLP); /* one more was sent and lost */
    tail.outstanding = 0;
    tail.answers = 2;
    tail.feedback_ns = 180 * MS; /* what these let out was lost before the tap */
    assert_int_equal(cause_at(&tail, 180 + PTO, 2), SR_CAUSE_COUNT);
    assert_int_equal(cause_at(&tail, 180 + PTO, 0), SR_CAUSE_TLP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_when_a_timer_is_due_was_sent_again),
        cmocka_unit_test(before_any_feedback_nothing_can_be_told),
        cmocka_unit_test(one_packet_at_a_time_may_be_all_there_is),
        cmocka_unit_test(while_something_seen_is_outstanding_a_timeout_would_send_that),
        cmocka_unit_test(after_a_timeout_what_the_next_acknowledgement_lets_out_is_of_it_too),
        cmocka_unit_test(a_sender_with_more_to_send_probes_with_new_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
