/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how an address reads. */
#include "bytes_builder.h"

#include "text/address_text.h"

static void check_text(uint8_t family, const uint16_t groups[8], const char *expected)
{
    struct bytes address = {0};
    for (int i = 0; i < (family == 4 ? 2 : 8); i++)
        put16(&address, groups[i]);
    uint8_t *bytes = exact(address.at, address.length);
    char text[SR_ADDRESS_TEXT];
    memset(text, 'x', sizeof text);
    assert_int_equal(sr_address_text(bytes, family, text), strlen(expected));
    assert_string_equal(text, expected);
    free_exact(bytes, address.length);
}

#define CHECK_IPV6(expected, ...) check_text(6, (const uint16_t[8]){__VA_ARGS__}, expected)

static void ipv4_is_dotted(void **state)
{
    (void)state;
    check_text(4, (const uint16_t[8]){0, 0}, "0.0.0.0");
    check_text(4, (const uint16_t[8]){0xc0a8, 0x010a}, "192.168.1.10");
    check_text(4, (const uint16_t[8]){0xffff, 0xffff}, "255.255.255.255");
}

static void ipv6_groups_are_lower_case_without_leading_zeros(void **state)
{
    (void)state;
    CHECK_IPV6("2001:db8:a:b:c:d:e:f", 0x2001, 0xdb8, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf);
    CHECK_IPV6("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
               0xffff);
}

static void the_longest_run_of_zero_groups_is_two_colons(void **state)
{
    (void)state;
    CHECK_IPV6("::", 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK_IPV6("::1", 0, 0, 0, 0, 0, 0, 0, 1);
    CHECK_IPV6("1::", 1, 0, 0, 0, 0, 0, 0, 0);
    CHECK_IPV6("fe80::1:2", 0xfe80, 0, 0, 0, 0, 0, 1, 2);
    CHECK_IPV6("1:0:0:2::3", 1, 0, 0, 2, 0, 0, 0, 3);
    CHECK_IPV6("1::2:0:0:3", 1, 0, 0, 0, 2, 0, 0, 3);
}

static void of_two_equal_runs_the_first_is_shortened(void **state)
{
    (void)state;
    CHECK_IPV6("2001:db8::1:0:0:1", 0x2001, 0xdb8, 0, 0, 1, 0, 0, 1);
    CHECK_IPV6("::1:2:3:4:0:0", 0, 0, 1, 2, 3, 4, 0, 0);
}

static void one_zero_group_is_not_shortened(void **state)
{
    (void)state;
    CHECK_IPV6("2001:db8:0:1:1:1:1:1", 0x2001, 0xdb8, 0, 1, 1, 1, 1, 1);
    CHECK_IPV6("0:1:0:1:0:1:0:1", 0, 1, 0, 1, 0, 1, 0, 1);
    CHECK_IPV6("1:2:3:4:5:6:7:0", 1, 2, 3, 4, 5, 6, 7, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ipv4_is_dotted),
        cmocka_unit_test(ipv6_groups_are_lower_case_without_leading_zeros),
        cmocka_unit_test(the_longest_run_of_zero_groups_is_two_colons),
        cmocka_unit_test(of_two_equal_runs_the_first_is_shortened),
        cmocka_unit_test(one_zero_group_is_not_shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
