/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose stack an INIT or INIT ACK is of: the order of its parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "association/family.h"

enum { ADDRESS_TYPES = SR_INIT_ADDRESS_TYPES, COOKIE = SR_INIT_COOKIE, ECN = SR_INIT_ECN, LIST = SR_INIT_EXTENSIONS };
enum { FORWARD = SR_INIT_FORWARD_TSN, ZERO = SR_INIT_ZERO_CHECKSUM, RANDOM = 0x8002, ALL = UINT16_MAX };

struct example {
    const char *of;
    enum sr_stack_family family;
    uint16_t streams;
    uint8_t first_extension;
    bool knows_forward_tsn;
    uint16_t parameter[SR_INIT_PARAMETERS + 1]; /* up to 0 */
};

static const struct example examples[] = {
    {"Linux 6.1, INIT", SR_FAMILY_LINUX, 4, SR_CHUNK_I_DATA, true, {ADDRESS_TYPES, ECN, LIST, FORWARD}},
    {"Linux 6.1, INIT ACK", SR_FAMILY_LINUX, 4, SR_CHUNK_I_DATA, true, {COOKIE, ECN, LIST, FORWARD}},
    {"Linux without a list", SR_FAMILY_LINUX, 10, 0, true, {ADDRESS_TYPES, ECN, FORWARD}},
    {"Linux with AUTH alone", SR_FAMILY_LINUX, 10, SR_CHUNK_AUTH, false, {ADDRESS_TYPES, ECN, LIST, RANDOM}},
    {"Linux, answering where ECN is unknown", SR_FAMILY_LINUX, 10, SR_CHUNK_RE_CONFIG, true, {COOKIE, LIST, FORWARD}},
    {"types of addresses alone", SR_FAMILY_OTHER, 4, 0, false, {ADDRESS_TYPES}},
    {"a cookie alone", SR_FAMILY_OTHER, 4, 0, false, {COOKIE}},
    {"a cookie and FORWARD-TSN", SR_FAMILY_OTHER, 4, 0, true, {COOKIE, FORWARD}},
    {"a cookie and a list", SR_FAMILY_OTHER, 4, SR_CHUNK_RE_CONFIG, false, {COOKIE, LIST}},
    {"ECN first", SR_FAMILY_OTHER, 4, SR_CHUNK_RE_CONFIG, true, {ECN, LIST, FORWARD}},
    {"ECN before the wrong order", SR_FAMILY_OTHER, 4, SR_CHUNK_I_DATA, true, {ADDRESS_TYPES, ECN, FORWARD, LIST}},
    {"usrsctp, INIT", SR_FAMILY_USRSCTP, 16, SR_CHUNK_FORWARD_TSN, true, {FORWARD, LIST}},
    {"usrsctp, INIT ACK", SR_FAMILY_USRSCTP, 16, SR_CHUNK_FORWARD_TSN, true, {ECN, FORWARD, LIST, COOKIE}},
    {"dcSCTP, INIT", SR_FAMILY_DCSCTP, ALL, SR_CHUNK_RE_CONFIG, true, {FORWARD, LIST}},
    {"dcSCTP with zero checksums", SR_FAMILY_DCSCTP, ALL, SR_CHUNK_RE_CONFIG, true, {FORWARD, ZERO, LIST, COOKIE}},
    {"as dcSCTP, with fewer streams", SR_FAMILY_OTHER, 1024, SR_CHUNK_RE_CONFIG, true, {FORWARD, LIST}},
    {"pion, INIT", SR_FAMILY_PION, ALL, SR_CHUNK_RE_CONFIG, true, {LIST}},
    {"pion, INIT ACK", SR_FAMILY_PION, ALL, SR_CHUNK_RE_CONFIG, true, {COOKIE, LIST}},
    {"pion, answering usrsctp", SR_FAMILY_PION, 4, SR_CHUNK_RE_CONFIG, true, {COOKIE, LIST}},
    {"pion with zero checksums, answering usrsctp", SR_FAMILY_PION, 4, SR_CHUNK_RE_CONFIG, true, {COOKIE, ZERO, LIST}},
    {"as pion's answer, with another list", SR_FAMILY_OTHER, 4, SR_CHUNK_I_DATA, true, {COOKIE, LIST}},
    {"as pion's answer, knowing no FORWARD-TSN", SR_FAMILY_OTHER, ALL, SR_CHUNK_RE_CONFIG, false, {COOKIE, LIST}},
    {"as pion, but for a parameter behind others",
     SR_FAMILY_OTHER,
     ALL,
     SR_CHUNK_RE_CONFIG,
     true,
     {LIST, ZERO, RANDOM, RANDOM, RANDOM, RANDOM, FORWARD}},
    {"as pion, with fewer streams", SR_FAMILY_OTHER, 1024, SR_CHUNK_RE_CONFIG, true, {LIST}},
    {"aiortc 1.16, INIT", SR_FAMILY_OTHER, ALL, SR_CHUNK_FORWARD_TSN, true, {FORWARD, LIST}},
    {"aiortc 1.16, INIT ACK", SR_FAMILY_OTHER, ALL, SR_CHUNK_FORWARD_TSN, true, {FORWARD, LIST, COOKIE}},
    {"usrsctp with all streams", SR_FAMILY_USRSCTP, ALL, SR_CHUNK_FORWARD_TSN, true, {FORWARD, LIST, RANDOM}},
    {"usrsctp with ECN and all streams", SR_FAMILY_USRSCTP, ALL, SR_CHUNK_FORWARD_TSN, true, {ECN, FORWARD, LIST}},
    {"libdatachannel 0.23, INIT", SR_FAMILY_USRSCTP, 1024, SR_CHUNK_FORWARD_TSN, true, {FORWARD, ZERO, LIST, RANDOM}},
    {"mediasoup-sys 0.24, INIT", SR_FAMILY_OTHER, ALL, SR_CHUNK_RE_CONFIG, true, {LIST, FORWARD}},
    {"mediasoup-sys 0.24, INIT ACK", SR_FAMILY_OTHER, ALL, SR_CHUNK_RE_CONFIG, true, {COOKIE, LIST, FORWARD}},
    {"Linux with ECN and all streams", SR_FAMILY_LINUX, ALL, SR_CHUNK_RE_CONFIG, true, {COOKIE, ECN, LIST, FORWARD}},
    {"nothing", SR_FAMILY_OTHER, 4, 0, false, {0}},
};

static void the_order_of_parameters_tells_whose_stack_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        const struct example *example = &examples[i];
        struct sr_init init = {.out_streams = example->streams,
                               .in_streams = example->streams,
                               .first_extension = example->first_extension,
                               .features = example->knows_forward_tsn ? 1u << SR_FEATURE_FORWARD_TSN : 0};
        while (example->parameter[init.parameters] != 0) {
            init.parameter[init.parameters] = example->parameter[init.parameters];
            init.parameters++;
        }
        if (sr_family_of_init(&init) != example->family)
            fail_msg("%s: %d", example->of, sr_family_of_init(&init));
    }
}

static void of_more_parameters_than_are_looked_at_nothing_is_told(void **state)
{
    (void)state;
    struct sr_init init = {
        .out_streams = ALL,
        .in_streams = ALL,
        .features = 1u << SR_FEATURE_FORWARD_TSN,
        .parameters = SR_INIT_PARAMETERS,
        .parameter = {LIST},
    };
    assert_int_equal(sr_family_of_init(&init), SR_FAMILY_PION);
    init.parameters++;
    assert_int_equal(sr_family_of_init(&init), SR_FAMILY_OTHER);
}

static void a_stack_and_its_profile_are_each_others(void **state)
{
    (void)state;
    unsigned stacks = 0;
    for (enum sr_stack_family family = SR_FAMILY_UNKNOWN; family < SR_FAMILY_COUNT; family++) {
        unsigned profile = sr_profile_of_family(family);
        bool is_known = family != SR_FAMILY_UNKNOWN && family != SR_FAMILY_OTHER;
        assert_int_equal(profile < SR_PROFILE_COUNT, is_known);
        if (is_known)
            assert_int_equal(sr_family_of_profile(profile), family);
        stacks += is_known;
    }
    assert_int_equal(stacks, SR_PROFILE_COUNT - 2);
    assert_int_equal(sr_family_of_profile(SR_PROFILE_RFC9260), SR_FAMILY_UNKNOWN);
    assert_int_equal(sr_family_of_profile(SR_PROFILE_RFC8985), SR_FAMILY_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_parameters_tells_whose_stack_it_is),
        cmocka_unit_test(of_more_parameters_than_are_looked_at_nothing_is_told),
        cmocka_unit_test(a_stack_and_its_profile_are_each_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
