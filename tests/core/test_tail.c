/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a lost tail that was sent again: told by packets that are missing, and by time which timer it was. */
#include "bytes_builder.h"

#include "judge/tail.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

enum { ROUND_TRIP = 40, RTO = 1000, PTO = 280 }; /* ms */

static const struct sr_tail_timers timers = {
    .rto_ns = {RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
};

/* A flight from 100 ms on, which is acknowledged at 140 ms. */
static struct sr_tail after_a_flight(void)
{
    struct sr_tail tail;
    sr_tail_begin(&tail);
    sr_tail_sent(&tail, 100 * MS, ROUND_TRIP * MS);
    tail.feedback_ns = 140 * MS;
    return tail;
}

static enum sr_cause look(struct sr_tail *tail, struct sr_tail_chunk chunk)
{
    sr_tail_look(tail, &timers, &chunk);
    sr_tail_sent(tail, chunk.time_ns, ROUND_TRIP * MS);
    return (enum sr_cause)tail->cause;
}

/* Alone after a silence, with so many packets missing. */
static enum sr_cause at(struct sr_tail *tail, int64_t at_ms, uint32_t missing)
{
    return look(tail, (struct sr_tail_chunk){at_ms * MS, (uint32_t)at_ms, missing, 0, true, true});
}

/* One of several that an acknowledgement lets out. */
static enum sr_cause next(struct sr_tail *tail, int64_t at_ms, uint32_t missing)
{
    return look(tail, (struct sr_tail_chunk){at_ms * MS, (uint32_t)at_ms, missing, 0, false, false});
}

static void a_silence_that_fits_a_timer_proves_nothing(void **state)
{
    (void)state;
    const int64_t due_ms[] = {140 + RTO, 100 + RTO, 140 + PTO};
    for (int i = 0; i < 3; i++) {
        struct sr_tail tail = after_a_flight();
        assert_int_equal(at(&tail, due_ms[i], 0), SR_CAUSE_COUNT);
    }
}

static void what_comes_behind_a_missing_packet_was_in_it(void **state)
{
    (void)state;
    struct {
        int64_t at_ms;
        enum sr_cause cause;
        uint8_t class;
    } cases[] = {
        {140 + RTO, SR_CAUSE_T3, 3},
        {100 + RTO, SR_CAUSE_T3, 3}, /* from the first packet */
        {140 + PTO, SR_CAUSE_TLP, 3},
        {140 + PTO + 60, SR_CAUSE_T3, 2}, /* a timer that is not known */
    };
    for (int i = 0; i < 4; i++) {
        struct sr_tail tail = after_a_flight();
        assert_int_equal(at(&tail, cases[i].at_ms, 1), cases[i].cause);
        assert_int_equal(tail.cause_class, cases[i].class);
    }
}

static void tsns_that_were_skipped_account_for_packets(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    struct sr_tail_chunk chunk = {(140 + RTO) * MS, 1, 2, 2, true, true};
    assert_int_equal(look(&tail, chunk), SR_CAUSE_COUNT);
    tail = after_a_flight();
    chunk.skipped = 1;
    assert_int_equal(look(&tail, chunk), SR_CAUSE_T3);
}

static void what_is_missing_may_be_a_tsn_below_sent_again(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    tail.open = 1;
    assert_int_equal(at(&tail, 140 + RTO, 1), SR_CAUSE_COUNT);
}

static void a_timer_sends_one_packet(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    struct sr_tail_chunk chunk = {(140 + RTO) * MS, 1, 1, 0, true, false};
    assert_int_equal(look(&tail, chunk), SR_CAUSE_COUNT);
}

static void while_something_seen_is_outstanding_only_a_probe_sends_the_last(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    tail.outstanding = 1;
    assert_int_equal(at(&tail, 140 + RTO, 1), SR_CAUSE_COUNT);
    tail = after_a_flight();
    tail.outstanding = 1;
    assert_int_equal(at(&tail, 140 + PTO, 1), SR_CAUSE_TLP);
}

static void after_a_timeout_as_many_follow_as_are_missing(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    assert_int_equal(at(&tail, 140 + RTO, 3), SR_CAUSE_T3);
    assert_int_equal(next(&tail, 181 + RTO, 0), SR_CAUSE_T3_GBN);
    assert_int_equal(next(&tail, 182 + RTO, 0), SR_CAUSE_T3_GBN);
    assert_int_equal(next(&tail, 221 + RTO, 0), SR_CAUSE_COUNT);
}

static void what_is_lost_again_is_not_owed_any_more(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    assert_int_equal(at(&tail, 140 + RTO, 3), SR_CAUSE_T3);
    assert_int_equal(next(&tail, 181 + RTO, 1), SR_CAUSE_T3_GBN);
    assert_int_equal(next(&tail, 182 + RTO, 0), SR_CAUSE_COUNT);
}

static void after_another_silence_nothing_is_owed(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    assert_int_equal(at(&tail, 140 + RTO, 3), SR_CAUSE_T3);
    assert_int_equal(at(&tail, 600 + RTO, 0), SR_CAUSE_COUNT);
    assert_int_equal(next(&tail, 601 + RTO, 0), SR_CAUSE_COUNT);
}

static void of_a_timer_that_expired_twice_some_of_what_is_missing_was_sent_again(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    assert_int_equal(at(&tail, 100 + 3 * RTO, 3), SR_CAUSE_T3);
    assert_int_equal(next(&tail, 141 + 3 * RTO, 0), SR_CAUSE_COUNT);
}

/* A TSN that was seen is sent again at `at_ms`, when so many packets are missing. */
static void timeout_at(struct sr_tail *tail, int64_t at_ms, uint32_t missing)
{
    const struct sr_tail_timers backed_off = {
        .rto_ns = {2 * RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
        .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    };
    sr_tail_sent(tail, at_ms * MS, ROUND_TRIP * MS);
    sr_tail_timeout(tail, &backed_off, missing);
}

static void a_timeout_that_sends_what_was_seen_owes_what_was_not(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    timeout_at(&tail, 100 + RTO, 1);
    assert_int_equal(next(&tail, 181 + RTO, 0), SR_CAUSE_T3_GBN);
    assert_int_equal(next(&tail, 182 + RTO, 0), SR_CAUSE_COUNT);
}

static void what_is_missing_before_it_may_be_another_copy_of_it_or_of_a_tsn_below(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    timeout_at(&tail, 100 + 3 * RTO, 1);
    assert_int_equal(next(&tail, 141 + 3 * RTO, 0), SR_CAUSE_COUNT);
    tail = after_a_flight();
    tail.open = 1;
    timeout_at(&tail, 100 + RTO, 1);
    assert_int_equal(next(&tail, 181 + RTO, 0), SR_CAUSE_COUNT);
}

static void chunks_of_a_packet_are_sent_again_together(void **state)
{
    (void)state;
    struct sr_tail tail = after_a_flight();
    struct sr_tail_chunk chunk = {(140 + RTO) * MS, 7, 1, 0, true, true};
    assert_int_equal(look(&tail, chunk), SR_CAUSE_T3);
    chunk.missing = 0;
    assert_int_equal(look(&tail, chunk), SR_CAUSE_T3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silence_that_fits_a_timer_proves_nothing),
        cmocka_unit_test(what_comes_behind_a_missing_packet_was_in_it),
        cmocka_unit_test(tsns_that_were_skipped_account_for_packets),
        cmocka_unit_test(what_is_missing_may_be_a_tsn_below_sent_again),
        cmocka_unit_test(a_timer_sends_one_packet),
        cmocka_unit_test(while_something_seen_is_outstanding_only_a_probe_sends_the_last),
        cmocka_unit_test(after_a_timeout_as_many_follow_as_are_missing),
        cmocka_unit_test(what_is_lost_again_is_not_owed_any_more),
        cmocka_unit_test(after_another_silence_nothing_is_owed),
        cmocka_unit_test(of_a_timer_that_expired_twice_some_of_what_is_missing_was_sent_again),
        cmocka_unit_test(a_timeout_that_sends_what_was_seen_owes_what_was_not),
        cmocka_unit_test(what_is_missing_before_it_may_be_another_copy_of_it_or_of_a_tsn_below),
        cmocka_unit_test(chunks_of_a_packet_are_sent_again_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
