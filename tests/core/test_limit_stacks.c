/* SPDX-License-Identifier: BSD-2-Clause */
/* What limits are told by whose stack the sender's is, as its INIT tells or as the caller does. */
#include "bytes_builder.h"

#include "limits/walk.h"

enum { TEXT = 1 + SR_PROFILE_RFC8985 };

static struct sr_association association;

static struct sr_half half_of(enum sr_stack_family family, uint8_t told_profile)
{
    association = (struct sr_association){.side = {{.family = (uint8_t)family}, {.family = SR_FAMILY_OTHER}}};
    return (struct sr_half){.association = &association, .told = {.profile = told_profile}};
}

static void usrsctp_and_what_may_be_it_charge_chunks(void **state)
{
    (void)state;
    static const bool charges[SR_FAMILY_COUNT] = {
        [SR_FAMILY_UNKNOWN] = true, [SR_FAMILY_USRSCTP] = true, [SR_FAMILY_OTHER] = true};
    for (enum sr_stack_family family = SR_FAMILY_UNKNOWN; family < SR_FAMILY_COUNT; family++) {
        struct sr_half half = half_of(family, 0);
        struct sr_limits_walk walk = {.half = &half};
        assert_int_equal(sr_limits_wait_now(&walk).charges_chunks, charges[family]);
    }
}

static void dcsctp_and_linux_take_messages_whole_and_limit_bursts(void **state)
{
    (void)state;
    for (enum sr_stack_family family = SR_FAMILY_UNKNOWN; family < SR_FAMILY_COUNT; family++) {
        struct sr_half half = half_of(family, 0);
        struct sr_limits_walk walk = {.half = &half};
        bool takes = family == SR_FAMILY_DCSCTP || family == SR_FAMILY_LINUX;
        assert_int_equal(sr_limits_wait_now(&walk).whole_messages, takes);
    }
}

static void check_rules(enum sr_stack_family family, uint8_t told_profile, uint32_t count, enum sr_cwnd_rules first)
{
    struct sr_half half = half_of(family, told_profile);
    struct sr_windows windows;
    sr_windows_begin(&windows, NULL, &half, true);
    assert_int_equal(windows.rules, 2 * count); /* the MTU may be larger than what was sent, or not */
    assert_int_equal(windows.cwnd[0].rules, first);
}

static void the_congestion_window_is_that_of_the_stack(void **state)
{
    (void)state;
    check_rules(SR_FAMILY_PION, 0, 1, SR_CWND_PION);
    check_rules(SR_FAMILY_USRSCTP, 0, 1, SR_CWND_USRSCTP);
    check_rules(SR_FAMILY_DCSCTP, 0, 1, SR_CWND_DCSCTP);
    check_rules(SR_FAMILY_LINUX, 0, 1, SR_CWND_LINUX);
    check_rules(SR_FAMILY_OTHER, 0, 4, SR_CWND_RFC9260);
    check_rules(SR_FAMILY_UNKNOWN, 0, 4, SR_CWND_RFC9260);
    check_rules(SR_FAMILY_PION, TEXT, 1, SR_CWND_RFC9260); /* what is told comes before what the INIT tells */
    check_rules(SR_FAMILY_PION, 1 + SR_PROFILE_USRSCTP, 1, SR_CWND_USRSCTP);
}

static uint64_t below_of(uint8_t address_family, uint32_t features)
{
    struct sr_address address = {.family = address_family};
    struct sr_half half = half_of(SR_FAMILY_LINUX, 0);
    struct sr_windows windows;
    association.side[0].address = &address;
    association.side[0].addresses = 1;
    association.features = features;
    sr_windows_begin(&windows, NULL, &half, true);
    return windows.cwnd[0].below;
}

static void the_mtu_of_ip_has_the_headers_below_sctp(void **state)
{
    (void)state;
    assert_int_equal(below_of(4, 0), 20);
    assert_int_equal(below_of(6, 0), 40);
    assert_int_equal(below_of(4, 1u << SR_FEATURE_UDP), 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usrsctp_and_what_may_be_it_charge_chunks),
        cmocka_unit_test(dcsctp_and_linux_take_messages_whole_and_limit_bursts),
        cmocka_unit_test(the_congestion_window_is_that_of_the_stack),
        cmocka_unit_test(the_mtu_of_ip_has_the_headers_below_sctp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
