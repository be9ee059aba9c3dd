/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what it says of a sender that a probe was due and not sent. */
#include "bytes_builder.h"

#include "judge/cause.h"

#define MS INT64_C(1000000)

/* Half a round trip, the jitter of a host, and what any takes. */
#define LATE_NS (40 * MS + 3 * MS + SR_REACTS_WITHIN_NS)

static struct sr_half half;
static struct sr_causes causes;

static int set_up(void **state)
{
    (void)state;
    memset(&half, 0, sizeof half);
    memset(&causes, 0, sizeof causes);
    causes.half = &half;
    causes.data_ns = 200 * MS;
    half.measured.shortest_rto_ns = 1000 * MS;
    half.measured.receiver.jitter_ns = 3 * MS;
    half.measured.receiver.typical_ns = 60 * MS;
    half.measured.sender_loop_ns = 20 * MS;
    struct sr_expectation due = {.time_ns = 500 * MS, .sender = SR_SENDER_PION, .action = SR_ACTION_PROBE};
    sr_causes_expect(&causes, &due);
    return 0;
}

static uint32_t idle(void)
{
    return causes.fit[SR_SENDER_PION].idle;
}

static void data_after_no_timeout_may_be_the_probe(void **state)
{
    (void)state;
    sr_causes_data(&causes, 1199 * MS);
    assert_int_equal(idle(), 0);
    sr_causes_data(&causes, 2900 * MS); /* it is answered for */
    assert_int_equal(idle(), 0);
}

static void data_after_a_timeout_is_not(void **state)
{
    (void)state;
    sr_causes_data(&causes, 1200 * MS);
    assert_int_equal(idle(), 1);
    sr_causes_data(&causes, 2900 * MS);
    assert_int_equal(idle(), 1);
    assert_int_equal(causes.fit[SR_SENDER_EARLY_PION].idle, 0); /* it has none */
}

static void a_timeout_as_soon_as_the_probe_may_be_the_probe(void **state)
{
    (void)state;
    causes.data_ns = -1000 * MS;
    sr_causes_data(&causes, 500 * MS + LATE_NS);
    assert_int_equal(idle(), 0);
}

static void feedback_may_have_come_before_its_timer_expired(void **state)
{
    (void)state;
    sr_causes_feedback(&causes, 500 * MS + LATE_NS, 7);
    assert_int_equal(idle(), 0);
    assert_int_equal(causes.feedback_frame, 7);
    sr_causes_feedback(&causes, 2900 * MS, 8);
    assert_int_equal(idle(), 0);
}

static void feedback_later_did_not_stop_it(void **state)
{
    (void)state;
    sr_causes_feedback(&causes, 500 * MS + LATE_NS + 1, 7);
    assert_int_equal(idle(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(data_after_no_timeout_may_be_the_probe, set_up),
        cmocka_unit_test_setup(data_after_a_timeout_is_not, set_up),
        cmocka_unit_test_setup(a_timeout_as_soon_as_the_probe_may_be_the_probe, set_up),
        cmocka_unit_test_setup(feedback_may_have_come_before_its_timer_expired, set_up),
        cmocka_unit_test_setup(feedback_later_did_not_stop_it, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
