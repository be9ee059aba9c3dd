/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the retransmission timeout of RFC 9260 section 6.3.1, and of the senders that are replayed. */
#include "bytes_builder.h"

#include "books/rto.h"
#include "facts/senders.h"

#define MS INT64_C(1000000)

static void it_is_what_c1_to_c7_say(void **state)
{
    (void)state;
    struct sr_rto rto = {0};
    assert_int_equal(sr_observed_rto_ns(&rto), 1000 * MS); /* C1 */
    sr_rto_measured(&rto, 800 * MS);                       /* C2 */
    assert_int_equal(rto.srtt_ns, 800 * MS);
    assert_int_equal(rto.rttvar_ns, 400 * MS);
    assert_int_equal(sr_observed_rto_ns(&rto), 2400 * MS);
    sr_rto_measured(&rto, 1600 * MS); /* C3 */
    assert_int_equal(rto.rttvar_ns, 500 * MS);
    assert_int_equal(rto.srtt_ns, 900 * MS);
    sr_rto_measured(&rto, 100 * MS);
    assert_int_equal(rto.rttvar_ns, 575 * MS);
    assert_int_equal(rto.srtt_ns, 800 * MS);
}

static void it_stays_between_its_limits(void **state)
{
    (void)state;
    assert_int_equal(sr_rto_within(300 * MS - 1, 300 * MS), 300 * MS); /* C6 */
    assert_int_equal(sr_rto_within(300 * MS + 1, 300 * MS), 300 * MS + 1);
    assert_int_equal(sr_rto_within(60000 * MS - 1, 300 * MS), 60000 * MS - 1); /* C7 */
    assert_int_equal(sr_rto_within(60000 * MS + 1, 300 * MS), 60000 * MS);
    struct sr_rto rto = {.measured = true, .srtt_ns = 600 * MS, .rttvar_ns = 100 * MS};
    assert_int_equal(sr_observed_rto_ns(&rto), 1000 * MS);
    rto.rttvar_ns++;
    assert_int_equal(sr_observed_rto_ns(&rto), 1000 * MS + 4);
}

static void a_variation_of_nothing_is_the_granularity_of_the_clock(void **state)
{
    (void)state;
    struct sr_rto rto = {0};
    sr_rto_measured(&rto, 1);
    assert_int_equal(rto.rttvar_ns, SR_RTO_GRANULARITY_NS);
    rto = (struct sr_rto){.measured = true, .srtt_ns = 8, .rttvar_ns = 1};
    sr_rto_measured(&rto, 8);
    assert_int_equal(rto.rttvar_ns, SR_RTO_GRANULARITY_NS);
}

static void each_sender_is_the_profile_whose_name_it_has(void **state)
{
    (void)state;
    struct sr_parameters senders[SR_SENDER_COUNT];
    const enum sr_profile profiles[SR_SENDER_COUNT] = {SR_PROFILE_PION,   SR_PROFILE_PION,  SR_PROFILE_USRSCTP,
                                                       SR_PROFILE_DCSCTP, SR_PROFILE_LINUX, SR_PROFILE_RFC9260,
                                                       SR_PROFILE_RFC8985};
    sr_senders(senders);
    for (int i = 0; i < SR_SENDER_COUNT; i++)
        assert_int_equal(senders[i].profile, profiles[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_c1_to_c7_say),
        cmocka_unit_test(it_stays_between_its_limits),
        cmocka_unit_test(a_variation_of_nothing_is_the_granularity_of_the_clock),
        cmocka_unit_test(each_sender_is_the_profile_whose_name_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
