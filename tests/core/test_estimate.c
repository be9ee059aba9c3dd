/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what observations leave of a parameter, and of what timeouts and answers leave of theirs. */
#include "bytes_builder.h"

#include "facts/ack_habit.h"
#include "facts/timer_bounds.h"

#define MS INT64_C(1000000)

static void check(struct sr_estimate estimate, int64_t lo, int64_t hi, uint32_t count)
{
    assert_int_equal(estimate.lo, lo);
    assert_int_equal(estimate.hi, hi);
    assert_int_equal(estimate.count, count);
}

static void the_value_lies_where_most_ranges_overlap(void **state)
{
    (void)state;
    const struct sr_range ranges[] = {{10, 20}, {15, 30}, {18, 40}, {100, 110}};
    check(sr_estimate_of(ranges, 3, 0), 18, 20, 3);
    check(sr_estimate_of(ranges, 4, 0), 18, 20, 3);
    check(sr_estimate_of(ranges, 0, 0), SR_NO_TIME, SR_NO_TIME, 0);
    const struct sr_range touching[] = {{10, 20}, {20, 30}}, apart[] = {{10, 20}, {21, 30}};
    check(sr_estimate_of(touching, 2, 0), 20, 20, 2);
    check(sr_estimate_of(apart, 2, 0), 10, 20, 1);
    check(sr_estimate_of(apart, 2, 40), 21, 30, 1); /* the stack is known to have more */
}

static void in_whatever_order_they_were_seen(void **state)
{
    (void)state;
    const struct sr_range ranges[] = {{18, 40}, {10, 20}, {15, 30}};
    check(sr_estimate_of(ranges, 3, 0), 18, 20, 3);
}

static void what_less_than_half_say_is_nothing(void **state)
{
    (void)state;
    const struct sr_range ranges[] = {{10, 20}, {30, 40}, {50, 60}, {11, 19}};
    check(sr_estimate_of(ranges, 3, 0), SR_NO_TIME, SR_NO_TIME, 0);
    check(sr_estimate_of(ranges, 4, 0), 11, 19, 2);
}

static void a_range_may_be_open_below(void **state)
{
    (void)state;
    const struct sr_range ranges[] = {{SR_NO_TIME, 50}, {SR_NO_TIME, 40}, {30, 60}};
    check(sr_estimate_of(ranges, 2, 0), SR_NO_TIME, 40, 2);
    check(sr_estimate_of(ranges, 3, 0), 30, 40, 3);
}

static void votes_settle_a_number_where_half_agree(void **state)
{
    (void)state;
    uint32_t votes[5] = {9, 1, 3, 2, 0}; /* those for 0 say nothing */
    check(sr_estimate_of_votes(votes, 5, 3), 2, 2, 3);
    check(sr_estimate_of_votes(votes, 5, 4), SR_NO_TIME, SR_NO_TIME, 0);
    votes[1] = 2;
    check(sr_estimate_of_votes(votes, 5, 3), SR_NO_TIME, SR_NO_TIME, 0);
}

/* A timeout so long after T3-rtx was started; SRTT + 4 RTTVAR is so much, 0: nothing was measured. */
static void times_out(struct sr_timeouts *timeouts, int64_t at_ms, int64_t after_ms, int64_t least_ms, bool again)
{
    struct sr_timeout timeout = {.expired = UINT8_MAX};
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.after_ns[sender] = after_ms * MS;
        timeout.least_ns[sender] = least_ms > 0 ? least_ms * MS : SR_NO_TIME;
    }
    sr_timeouts_add(timeouts, timeout, timeouts->count, again ? timeouts->row : 0, at_ms * MS);
}

static bool away;

static struct sr_timer_bounds bounds_of(const struct sr_timeouts *timeouts, unsigned sender)
{
    struct sr_parameters senders[SR_SENDER_COUNT];
    sr_senders(senders);
    return sr_timer_bounds(timeouts, sender, &senders[sender], (struct sr_timer_view){.at_sender = !away});
}

static void a_timeout_longer_than_the_round_trips_make_it_bounds_rto_min(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 1000, 300, 40, false);
    struct sr_timer_bounds bounds = bounds_of(&timeouts, SR_SENDER_RFC9260);
    check(bounds.min, 288 * MS, 301 * MS, 1); /* a host may be 12 ms late, and 1 ms early */
    check(bounds.initial, SR_NO_TIME, SR_NO_TIME, 0);
    check(bounds_of(&timeouts, SR_SENDER_USRSCTP).min, 288 * MS, 311 * MS, 1); /* its timers tick every 10 ms */
    sr_timeouts_measured(&timeouts);
    times_out(&timeouts, 9000, 310, 40, false);
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, 298 * MS, 301 * MS, 2);
    sr_timeouts_measured(&timeouts);
    times_out(&timeouts, 19000, 305, 293, false); /* what it is made of alone is as long */
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, 298 * MS, 301 * MS, 3);
    away = true; /* the sender may have measured longer ones */
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, SR_NO_TIME, 301 * MS, 3);
    away = false;
    timeouts.at[0].expired = 0; /* its timer was not due */
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, 298 * MS, 306 * MS, 2);
}

static void a_timeout_that_the_round_trips_explain_bounds_rto_min_from_above(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 1000, 300, 288, false);
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, SR_NO_TIME, 301 * MS, 1);
    timeouts.at[0].least_ns[SR_SENDER_RFC9260] = 288 * MS - 1;
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, 288 * MS, 301 * MS, 1);
}

static void away_from_the_sender_what_comes_sooner_than_telephony_sets_it_bounds_nothing(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 1000, 98, 40, false);
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, 86 * MS, 99 * MS, 1);
    away = true;
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, SR_NO_TIME, SR_NO_TIME, 0);
    sr_timeouts_measured(&timeouts);
    times_out(&timeouts, 9000, 99, 40, false);
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).min, SR_NO_TIME, 100 * MS, 1);
    away = false;
}

static void before_the_first_measurement_it_bounds_rto_initial(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 1000, 500, 0, false);
    struct sr_timer_bounds bounds = bounds_of(&timeouts, SR_SENDER_RFC9260);
    check(bounds.initial, 488 * MS, 501 * MS, 1);
    check(bounds.min, SR_NO_TIME, SR_NO_TIME, 0);
}

/* Of a clock that jumps, by some two months. */
static void what_is_too_long_to_be_doubled_and_divided_bounds_nothing(void **state)
{
    (void)state;
    const int64_t longest_ns = INT64_MAX / 2000;
    for (int longer = 0; longer < 2; longer++) {
        struct sr_timeouts timeouts = {0};
        times_out(&timeouts, 1000, 500, 0, false);
        timeouts.at[0].after_ns[SR_SENDER_RFC9260] = longest_ns + longer;
        assert_int_equal(bounds_of(&timeouts, SR_SENDER_RFC9260).initial.count, !longer);
    }
}

static void a_second_timeout_of_a_tsn_bounds_the_back_off(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 10000, 1000, 40, false);
    times_out(&timeouts, 12000, 2000, 40, true);
    struct sr_timer_bounds bounds = bounds_of(&timeouts, SR_SENDER_RFC9260);
    check(bounds.backoff, 1988 * 1000 / 1001, 2001 * 1000 / 988, 1);
    check(bounds.min, 994 * MS, 1000 * MS + MS / 2, 2);
    check(bounds.max, 1988 * MS, SR_NO_TIME, 1); /* RTO.Max is no shorter */
    /* Of dcSCTP the first two are alike. */
    check(bounds_of(&timeouts, SR_SENDER_DCSCTP).backoff, SR_NO_TIME, SR_NO_TIME, 0);
}

static void what_was_doubled_three_times_still_shows_rto_min_and_more_may_have_met_rto_max(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    int64_t at_ms = 10000;
    for (uint32_t doublings = 0; doublings < 6; doublings++) {
        at_ms += 1000 << doublings;
        times_out(&timeouts, at_ms, 1000 << doublings, 40, doublings > 0);
        assert_int_equal(bounds_of(&timeouts, SR_SENDER_RFC9260).min.count, doublings < 4 ? doublings + 1 : 4);
    }
}

/* A host may have been 12 ms late: then nobody knows by how many times a timer became longer. */
static void what_may_have_been_no_time_at_all_shows_no_back_off(void **state)
{
    (void)state;
    for (int64_t first_ms = 11; first_ms <= 13; first_ms++) {
        struct sr_timeouts timeouts = {0};
        times_out(&timeouts, 10000, first_ms, 5, false);
        times_out(&timeouts, 10060, 60, 5, true);
        assert_int_equal(bounds_of(&timeouts, SR_SENDER_RFC9260).backoff.count, first_ms > 12);
    }
}

static void a_third_one_that_is_no_longer_is_rto_max(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 10000, 1000, 40, false);
    times_out(&timeouts, 12000, 2000, 40, true);
    times_out(&timeouts, 14013, 2013, 40, true);
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).max, 2001 * MS, 2014 * MS, 1);
    timeouts.at[2].after_ns[SR_SENDER_RFC9260] = 2014 * MS;
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).max, 2002 * MS, SR_NO_TIME, 2);
}

/* So many answers to so many packets, each so long after the last of them and the loop. */
static void answers(struct sr_ack_habit *habit, uint32_t times, uint32_t packets, int64_t waited_ms)
{
    for (uint32_t i = 0; i < times; i++)
        sr_ack_habit_add(habit, &(struct sr_answer_seen){packets, waited_ms * MS, 2 * MS});
}

static void what_waits_alone_shows_the_delay(void **state)
{
    (void)state;
    struct sr_ack_habit habit = {0};
    answers(&habit, 3, 1, 100);
    check(sr_ack_habit_delay(&habit), 90 * MS, 110 * MS, 3);
    answers(&habit, 1, 1, 10); /* that is at once */
    answers(&habit, 1, 2, 100);
    answers(&habit, 1, 1, 551);
    check(sr_ack_habit_delay(&habit), 90 * MS, 110 * MS, 3);
    answers(&habit, 1, 1, 11);
    answers(&habit, 4, 1, 550);
    check(sr_ack_habit_delay(&habit), 540 * MS, 560 * MS, 4);
}

static void what_is_answered_at_once_shows_after_how_many(void **state)
{
    (void)state;
    struct sr_ack_habit habit = {0};
    answers(&habit, 3, 2, 0);
    check(sr_ack_habit_frequency(&habit), SR_NO_TIME, SR_NO_TIME, 0);
    answers(&habit, 1, 2, 10);
    check(sr_ack_habit_frequency(&habit), 2, 2, 4);
    answers(&habit, 5, 1, 0);
    check(sr_ack_habit_frequency(&habit), 1, 1, 5);
    answers(&habit, 6, 1, 200); /* one is not enough, then */
    check(sr_ack_habit_frequency(&habit), 2, 2, 4);
    answers(&habit, 9, SR_MOST_PACKETS, 0);
    check(sr_ack_habit_frequency(&habit), 2, 2, 4);
    struct sr_ack_habit half = {0};
    answers(&half, 4, 2, 0);
    answers(&half, 4, 3, 0);
    answers(&half, 1, 1, 0);
    answers(&half, 2, 1, 200); /* the one that was is none against the others */
    check(sr_ack_habit_frequency(&half), 2, 2, 4);
    assert_false(sr_ack_habit_is_known(&habit));
    answers(&habit, 232, 2, 0);
    assert_true(sr_ack_habit_is_known(&habit));
}

static void of_two_that_were_seen_once_the_back_off_is_what_is_nearer_to_twice(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    times_out(&timeouts, 10000, 1000, 40, false);
    times_out(&timeouts, 11600, 1600, 40, true); /* 1.6 times as long */
    sr_timeouts_measured(&timeouts);
    times_out(&timeouts, 20000, 1000, 40, false);
    times_out(&timeouts, 22900, 2900, 40, true); /* 2.9 times */
    check(bounds_of(&timeouts, SR_SENDER_RFC9260).backoff, 1588 * 1000 / 1001, 1601 * 1000 / 988, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_lies_where_most_ranges_overlap),
        cmocka_unit_test(in_whatever_order_they_were_seen),
        cmocka_unit_test(what_less_than_half_say_is_nothing),
        cmocka_unit_test(a_range_may_be_open_below),
        cmocka_unit_test(votes_settle_a_number_where_half_agree),
        cmocka_unit_test(a_timeout_longer_than_the_round_trips_make_it_bounds_rto_min),
        cmocka_unit_test(a_timeout_that_the_round_trips_explain_bounds_rto_min_from_above),
        cmocka_unit_test(away_from_the_sender_what_comes_sooner_than_telephony_sets_it_bounds_nothing),
        cmocka_unit_test(before_the_first_measurement_it_bounds_rto_initial),
        cmocka_unit_test(what_is_too_long_to_be_doubled_and_divided_bounds_nothing),
        cmocka_unit_test(a_second_timeout_of_a_tsn_bounds_the_back_off),
        cmocka_unit_test(what_was_doubled_three_times_still_shows_rto_min_and_more_may_have_met_rto_max),
        cmocka_unit_test(what_may_have_been_no_time_at_all_shows_no_back_off),
        cmocka_unit_test(a_third_one_that_is_no_longer_is_rto_max),
        cmocka_unit_test(what_waits_alone_shows_the_delay),
        cmocka_unit_test(what_is_answered_at_once_shows_after_how_many),
        cmocka_unit_test(of_two_that_were_seen_once_the_back_off_is_what_is_nearer_to_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
