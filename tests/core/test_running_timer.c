/* SPDX-License-Identifier: BSD-2-Clause */
/* When T3-rtx of usrsctp expires, and what is lost to it then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "limits/running_timer.h"
#include "wire/time.h"

static const int64_t ms_ns = 1000000, rtt_ns = 100000000;

static struct sr_running_timer begun(int64_t phase_ns)
{
    struct sr_running_timer timer;
    sr_running_timer_begin(&timer, rtt_ns, phase_ns);
    return timer;
}

static void it_runs_on_while_something_is_in_flight(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(0);
    assert_true(timer.expires_ns == SR_NO_TIME);
    sr_running_timer_sent(&timer, 0, 0);
    assert_int_equal(timer.expires_ns, 1000 * ms_ns);
    sr_running_timer_sent(&timer, 1, 20 * ms_ns);
    sr_running_timer_acked(&timer, 1, 0, rtt_ns, true);
    assert_int_equal(timer.expires_ns, 1000 * ms_ns); /* RFC 9260 section 6.3.2 R3 would start it anew */
}

static void it_stops_where_nothing_is_in_flight(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(0);
    sr_running_timer_sent(&timer, 0, 0);
    sr_running_timer_acked(&timer, 1, 0, rtt_ns, false);
    assert_true(timer.expires_ns == SR_NO_TIME);
    sr_running_timer_sent(&timer, 1, 300 * ms_ns);
    assert_int_equal(timer.expires_ns, 1300 * ms_ns);
}

static void it_counts_from_the_last_tick(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(4 * ms_ns);
    sr_running_timer_sent(&timer, 0, 9 * ms_ns);
    assert_int_equal(timer.expires_ns, 1006 * ms_ns); /* ticks at -4, 6 and 16 ms */
}

static void it_backs_off_until_data_is_acknowledged(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(0);
    sr_running_timer_sent(&timer, 0, 0);
    sr_running_timer_expire(&timer, 0);
    assert_int_equal(timer.expires_ns, 3000 * ms_ns);
    sr_running_timer_acked(&timer, 1, 0, 1100 * ms_ns, true);
    assert_int_equal(timer.expires_ns, 3000 * ms_ns); /* it runs; what is started next has the shorter time */
    sr_running_timer_expire(&timer, 1);
    assert_int_equal(timer.expires_ns, 3000 * ms_ns + 2 * timer.rto_ms / 2 * ms_ns);
    assert_true(timer.rto_ms < 4000);
}

static void a_slow_path_has_a_longer_timeout(void **state)
{
    (void)state;
    struct sr_running_timer timer;
    sr_running_timer_begin(&timer, 800 * ms_ns, 0);
    sr_running_timer_sent(&timer, 0, 0);
    assert_int_equal(timer.expires_ns, 2000 * ms_ns); /* 800 ms, and 4 * 300 ms of RTTVAR */
}

/* SRTT and four times RTTVAR: 100 ms and 150 ms behind a handshake that measured twice; then less and less, down to
 * RTTVAR of 3 ms, where its arithmetic in whole numbers ends. */
static void what_is_outstanding_longer_than_was_measured_is_lost(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(0);
    assert_int_equal(sr_running_timer_lost_ns(&timer), 250 * ms_ns);
    for (uint64_t packet = 0; packet < 20; packet++) {
        int64_t left_ns = (int64_t)packet * rtt_ns;
        sr_running_timer_sent(&timer, packet, left_ns);
        sr_running_timer_acked(&timer, packet + 1, left_ns, left_ns + rtt_ns, true);
        if (packet == 0)
            assert_int_equal(sr_running_timer_lost_ns(&timer), 213 * ms_ns);
    }
    assert_int_equal(sr_running_timer_lost_ns(&timer), 103 * ms_ns);
}

static void what_does_not_vary_varies_by_a_tick_of_the_clock(void **state)
{
    (void)state;
    struct sr_running_timer timer;
    sr_running_timer_begin(&timer, ms_ns, 0); /* half of a millisecond is none */
    assert_int_equal(sr_running_timer_lost_ns(&timer), 2 * ms_ns);
}

static void one_packet_at_a_time_is_measured_and_none_that_is_lost(void **state)
{
    (void)state;
    struct sr_running_timer timer = begun(0);
    int64_t before_ns = sr_running_timer_lost_ns(&timer);
    sr_running_timer_sent(&timer, 0, 0);
    sr_running_timer_sent(&timer, 1, 0);
    assert_int_equal(timer.timed, 0);
    sr_running_timer_expire(&timer, 1); /* Karn's rule, RFC 9260 section 6.3.1 C5 */
    sr_running_timer_acked(&timer, 2, 0, 1200 * ms_ns, true);
    assert_int_equal(sr_running_timer_lost_ns(&timer), before_ns);
    sr_running_timer_sent(&timer, 2, 1200 * ms_ns);
    assert_int_equal(timer.timed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_on_while_something_is_in_flight),
        cmocka_unit_test(it_stops_where_nothing_is_in_flight),
        cmocka_unit_test(it_counts_from_the_last_tick),
        cmocka_unit_test(it_backs_off_until_data_is_acknowledged),
        cmocka_unit_test(a_slow_path_has_a_longer_timeout),
        cmocka_unit_test(what_is_outstanding_longer_than_was_measured_is_lost),
        cmocka_unit_test(what_does_not_vary_varies_by_a_tick_of_the_clock),
        cmocka_unit_test(one_packet_at_a_time_is_measured_and_none_that_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
