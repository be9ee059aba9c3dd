/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of RTO.Min as timeouts show it. */
#include "bytes_builder.h"

#include "facts/timeouts.h"

#define MS INT64_C(1000000)

enum { SENDER = SR_SENDER_LINUX, TICKING = SR_SENDER_USRSCTP, ROUND_TRIP = 40 /* SRTT + 4 RTTVAR, ms */ };

struct seen {
    struct sr_timeouts timeouts;
    uint32_t row;
    int64_t now_ms;
};

/* A timeout that comes so long after T3-rtx was started, a minute after the one before; row `repeats` - 1 is sent
 * again. */
static void times_out(struct seen *seen, int64_t after_ms, int64_t least_ms, uint8_t expired, uint32_t repeats)
{
    struct sr_timeout timeout = {.expired = expired};
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.after_ns[sender] = after_ms * MS;
        timeout.least_ns[sender] = least_ms * MS;
    }
    seen->now_ms += 60000;
    sr_timeouts_add(&seen->timeouts, timeout, seen->row++, repeats, seen->now_ms * MS);
    sr_timeouts_measured(&seen->timeouts);
}

static int64_t rto_min_of(const struct seen *seen, unsigned sender, uint32_t needed)
{
    struct sr_parameters senders[SR_SENDER_COUNT];
    sr_senders(senders);
    struct sr_timeout_limits limits = {.round_trip_ns = 30 * MS, .needed = needed};
    int64_t rto_min_ns = sr_timeouts_rto_min(&seen->timeouts, sender, senders, limits);
    return rto_min_ns == SR_NO_TIME ? -1 : rto_min_ns / MS;
}

static void a_stack_that_is_left_out_does_as_rfc_9260_says(void **state)
{
    (void)state;
    struct sr_parameters senders[SR_SENDER_COUNT];
    sr_senders(senders);
    sr_leave_out(senders, 1 << SR_PROFILE_PION | 1 << SR_PROFILE_DCSCTP);
    assert_int_equal(senders[SR_SENDER_PION].profile, SR_PROFILE_RFC9260);
    assert_int_equal(senders[SR_SENDER_EARLY_PION].profile, SR_PROFILE_RFC9260);
    assert_int_equal(senders[SR_SENDER_USRSCTP].profile, SR_PROFILE_USRSCTP);
    assert_int_equal(senders[SR_SENDER_DCSCTP].rto.min_ns / MS, 1000);
    assert_int_equal(senders[SR_SENDER_LINUX].profile, SR_PROFILE_LINUX);
    assert_false(senders[SR_SENDER_PION].pion.on);
}

static void the_first_sender_of_a_profile_stands_for_it(void **state)
{
    (void)state;
    assert_int_equal(sr_sender_of_profile(SR_PROFILE_PION), SR_SENDER_PION);
    assert_int_equal(sr_sender_of_profile(SR_PROFILE_LINUX), SR_SENDER_LINUX);
    assert_int_equal(sr_sender_of_profile(UINT8_MAX), SR_SENDER_COUNT); /* none has it */
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        assert_int_equal(sr_profile_of_sender(sr_sender_of_profile(sr_profile_of_sender(sender))),
                         sr_profile_of_sender(sender));
}

static void timeouts_sooner_than_the_profiles_show_rto_min(void **state)
{
    (void)state;
    struct seen seen = {0};
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
    times_out(&seen, 204, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), 204);
    assert_int_equal(rto_min_of(&seen, SENDER, 2), -1);
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    times_out(&seen, 211, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 2), 200);
}

static void a_timer_that_ticks_is_up_to_a_tick_early(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 193, ROUND_TRIP, 0, 0);
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    times_out(&seen, 191, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, TICKING, 1), 200);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), 191);
}

/* A tick is 10 ms, and a clock a millisecond early: then it is the latest that all of them go with. */
static void a_tick_and_a_millisecond_are_as_early_as_it_gets(void **state)
{
    (void)state;
    for (int64_t soonest_ms = 188; soonest_ms <= 189; soonest_ms++) {
        struct seen seen = {0};
        times_out(&seen, 200, ROUND_TRIP, 0, 0);
        times_out(&seen, soonest_ms, ROUND_TRIP, 0, 0);
        assert_int_equal(rto_min_of(&seen, TICKING, 2), soonest_ms == 189 ? 200 : 188);
    }
}

static void a_wheel_of_timers_is_up_to_an_eighth_late(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 300, ROUND_TRIP, 0, 0);
    times_out(&seen, 336, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 2), 300);
    seen = (struct seen){0};
    times_out(&seen, 300, ROUND_TRIP, 0, 0);
    times_out(&seen, 345, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 2), -1);
}

/* Both are late by what the host takes, or its wheel of timers. */
static void what_is_as_late_as_it_gets_is_still_that_timeout(void **state)
{
    (void)state;
    int64_t wheel_ns = sr_wheel_late_ns(300 * MS);
    int64_t late_ns = wheel_ns > SR_TIMEOUT_LATE_NS ? wheel_ns : SR_TIMEOUT_LATE_NS;
    for (int64_t later = 0; later < 2; later++) {
        struct seen seen = {0};
        times_out(&seen, 300, ROUND_TRIP, 0, 0);
        times_out(&seen, 300, ROUND_TRIP, 0, 0);
        for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
            seen.timeouts.at[1].after_ns[sender] += late_ns + later;
        assert_int_equal(rto_min_of(&seen, SENDER, 2), later ? -1 : 300);
    }
}

static void where_the_timer_of_the_profile_expires_its_value_stands(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (int i = 0; i < 3; i++)
        times_out(&seen, 1000, ROUND_TRIP, UINT8_MAX, 0);
    times_out(&seen, 70, ROUND_TRIP, 0, 0); /* whatever that was */
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
}

static void what_one_profile_explains_is_not_held_against_another(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (int i = 0; i < 5; i++)
        times_out(&seen, 957, ROUND_TRIP, 1u << TICKING, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
}

/* Of which stack that is does not matter: beside it one that is sooner may be anything. */
static void where_any_profile_explains_a_timeout_another_value_needs_two(void **state)
{
    (void)state;
    for (unsigned only = 0; only < SR_SENDER_COUNT; only++) {
        struct seen seen = {0};
        struct sr_parameters senders[SR_SENDER_COUNT];
        sr_senders(senders);
        times_out(&seen, 60, ROUND_TRIP, 0, 0);
        assert_int_equal(rto_min_of(&seen, SENDER, 1), 60);
        times_out(&seen, senders[only].rto.min_ns / MS, ROUND_TRIP, 0, 0);
        for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
            if (sender != only)
                seen.timeouts.at[1].after_ns[sender] = SR_NO_TIME;
        assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
        times_out(&seen, 60, ROUND_TRIP, 0, 0);
        assert_int_equal(rto_min_of(&seen, SENDER, 1), 60);
    }
}

static void no_timeout_is_shorter_than_a_round_trip(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 25, 20, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
}

static void what_looks_like_long_round_trips_is_outvoted_by_three(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 200, 280, 0, 0);
    times_out(&seen, 201, 300, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
    times_out(&seen, 202, 350, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), 200);
}

static void a_longer_one_may_have_been_started_anew(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 2500, ROUND_TRIP, 0, 0);
    times_out(&seen, 2500, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), -1);
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 1), 200); /* what came later does not speak against it */
}

static void long_round_trips_leave_it_open_and_fit_nonetheless(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 260, 255, 0, 0);
    times_out(&seen, 400, 395, 0, 0);
    times_out(&seen, 600, 590, 0, 0);
    assert_int_equal(rto_min_of(&seen, SENDER, 3), 260); /* at most */
}

static void the_second_timeout_of_a_tsn_takes_twice_as_long(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct sr_timeout timeout;
    memset(&timeout, 0, sizeof timeout);
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.after_ns[sender] = 5000 * MS; /* of a timer that the model has not started anew */
        timeout.least_ns[sender] = ROUND_TRIP * MS;
    }
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    sr_timeouts_add(&seen.timeouts, timeout, 7, 1, (seen.now_ms + 400) * MS);
    sr_timeouts_add(&seen.timeouts, timeout, 8, 8, (seen.now_ms + 1200) * MS);
    assert_int_equal(seen.timeouts.at[1].doublings, 1);
    assert_int_equal(seen.timeouts.at[2].doublings, 2);
    assert_int_equal(seen.timeouts.at[2].after_ns[SENDER], 800 * MS);
    assert_int_equal(rto_min_of(&seen, SR_SENDER_PION, 3), 200);
}

static void the_second_timeout_of_dcsctp_takes_as_long_as_the_first(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct sr_timeout timeout;
    memset(&timeout, 0, sizeof timeout);
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.after_ns[sender] = 5000 * MS;
        timeout.least_ns[sender] = ROUND_TRIP * MS;
    }
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    sr_timeouts_add(&seen.timeouts, timeout, 7, 1, (seen.now_ms + 200) * MS);
    sr_timeouts_add(&seen.timeouts, timeout, 8, 8, (seen.now_ms + 600) * MS);
    assert_int_equal(rto_min_of(&seen, SR_SENDER_DCSCTP, 3), 200);
    assert_int_equal(rto_min_of(&seen, SR_SENDER_PION, 3), -1);
}

static void a_doubled_timer_stays_so_until_something_is_measured(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct sr_timeout timeout;
    memset(&timeout, 0, sizeof timeout);
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.after_ns[sender] = 400 * MS;
        timeout.least_ns[sender] = ROUND_TRIP * MS;
    }
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    sr_timeouts_add(&seen.timeouts, timeout, 7, 0, (seen.now_ms + 9000) * MS); /* of another TSN */
    assert_int_equal(rto_min_of(&seen, SENDER, 2), -1);
    seen.timeouts.at[1].unmeasured = 1;
    assert_int_equal(rto_min_of(&seen, SENDER, 2), 200);
    sr_timeouts_add(&seen.timeouts, timeout, 8, 0, (seen.now_ms + 9900) * MS);
    assert_int_equal(seen.timeouts.at[2].unmeasured, 1);
    sr_timeouts_measured(&seen.timeouts);
    sr_timeouts_add(&seen.timeouts, timeout, 9, 0, (seen.now_ms + 99000) * MS);
    assert_int_equal(seen.timeouts.at[3].unmeasured, 0);
}

static void a_timer_that_marks_nothing_expires_unseen(void **state)
{
    (void)state;
    struct seen seen = {0};
    times_out(&seen, 200, ROUND_TRIP, 0, 0);
    times_out(&seen, 595, ROUND_TRIP, 0, 0);
    assert_int_equal(rto_min_of(&seen, TICKING, 2), 200);
    assert_int_equal(rto_min_of(&seen, SENDER, 2), -1);
}

static void it_is_known_of_the_first_timeouts_only(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (int i = 0; i < 2 * SR_TIMEOUTS; i++)
        times_out(&seen, 200, ROUND_TRIP, 0, 0);
    assert_int_equal(seen.timeouts.count, SR_TIMEOUTS);
    assert_int_equal(rto_min_of(&seen, SENDER, SR_TIMEOUTS), 200);
}

/* RTO.Max ends it long before. */
static void a_back_off_is_counted_to_sixteen_at_most(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (uint32_t i = 0; i < 20; i++) {
        times_out(&seen, 60000, ROUND_TRIP, 0, seen.row);
        assert_int_equal(seen.timeouts.doublings, i < 16 ? i : 16);
    }
}

static void timeouts_before_anything_is_measured_are_counted_to_sixteen_as_well(void **state)
{
    (void)state;
    struct sr_timeouts timeouts = {0};
    struct sr_timeout timeout;
    memset(&timeout, 0, sizeof timeout);
    for (uint32_t i = 0; i < 20; i++) {
        sr_timeouts_add(&timeouts, timeout, i, 0, i * 60000 * MS);
        assert_int_equal(timeouts.at[i < SR_TIMEOUTS ? i : SR_TIMEOUTS - 1].unmeasured, i < 16 ? i : 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_that_is_left_out_does_as_rfc_9260_says),
        cmocka_unit_test(the_first_sender_of_a_profile_stands_for_it),
        cmocka_unit_test(timeouts_sooner_than_the_profiles_show_rto_min),
        cmocka_unit_test(a_timer_that_ticks_is_up_to_a_tick_early),
        cmocka_unit_test(a_tick_and_a_millisecond_are_as_early_as_it_gets),
        cmocka_unit_test(a_wheel_of_timers_is_up_to_an_eighth_late),
        cmocka_unit_test(what_is_as_late_as_it_gets_is_still_that_timeout),
        cmocka_unit_test(where_the_timer_of_the_profile_expires_its_value_stands),
        cmocka_unit_test(what_one_profile_explains_is_not_held_against_another),
        cmocka_unit_test(where_any_profile_explains_a_timeout_another_value_needs_two),
        cmocka_unit_test(no_timeout_is_shorter_than_a_round_trip),
        cmocka_unit_test(what_looks_like_long_round_trips_is_outvoted_by_three),
        cmocka_unit_test(a_longer_one_may_have_been_started_anew),
        cmocka_unit_test(long_round_trips_leave_it_open_and_fit_nonetheless),
        cmocka_unit_test(the_second_timeout_of_a_tsn_takes_twice_as_long),
        cmocka_unit_test(the_second_timeout_of_dcsctp_takes_as_long_as_the_first),
        cmocka_unit_test(a_doubled_timer_stays_so_until_something_is_measured),
        cmocka_unit_test(a_timer_that_marks_nothing_expires_unseen),
        cmocka_unit_test(it_is_known_of_the_first_timeouts_only),
        cmocka_unit_test(a_back_off_is_counted_to_sixteen_at_most),
        cmocka_unit_test(timeouts_before_anything_is_measured_are_counted_to_sixteen_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
