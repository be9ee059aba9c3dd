/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the order of TSNs. */
#include "bytes_builder.h"
#include "wire/tsn.h"

/* All that can be asked about two TSNs, at once and in both directions. */
static void check_pair(uint32_t a, uint32_t b, int64_t a_beyond_b, int64_t b_beyond_a)
{
    assert_int_equal(sr_tsn_distance(sr_tsn(a), sr_tsn(b)), a_beyond_b);
    assert_int_equal(sr_tsn_distance(sr_tsn(b), sr_tsn(a)), b_beyond_a);
    assert_int_equal(sr_tsn_after(sr_tsn(a), sr_tsn(b)), a_beyond_b > 0);
    assert_int_equal(sr_tsn_after(sr_tsn(b), sr_tsn(a)), b_beyond_a > 0);
    assert_int_equal(sr_tsn_equal(sr_tsn(a), sr_tsn(b)), a == b);
}

static void a_tsn_is_at_no_distance_from_itself(void **state)
{
    (void)state;
    check_pair(0, 0, 0, 0);
    check_pair(0x80000000, 0x80000000, 0, 0);
    check_pair(0xffffffff, 0xffffffff, 0, 0);
}

static void the_next_tsn_is_after_also_across_the_wrap(void **state)
{
    (void)state;
    check_pair(1, 0, 1, -1);
    check_pair(0, 0xffffffff, 1, -1);
    check_pair(0x80000000, 0x7fffffff, 1, -1);
    check_pair(5, 0xfffffffa, 11, -11);
}

static void just_below_half_the_circle_is_after(void **state)
{
    (void)state;
    check_pair(0x7fffffff, 0, 0x7fffffff, -0x7fffffff);
    check_pair(0x7ffffffe, 0xffffffff, 0x7fffffff, -0x7fffffff);
}

static void exactly_half_the_circle_is_before_in_both_directions(void **state)
{
    (void)state;
    check_pair(0x80000000, 0, INT64_C(-0x80000000), INT64_C(-0x80000000));
    check_pair(0xffffffff, 0x7fffffff, INT64_C(-0x80000000), INT64_C(-0x80000000));
    check_pair(0x12345678, 0x92345678, INT64_C(-0x80000000), INT64_C(-0x80000000));
}

static void order_is_not_transitive(void **state)
{
    (void)state;
    check_pair(0x60000000, 0, 0x60000000, -0x60000000);
    check_pair(0xc0000000, 0x60000000, 0x60000000, -0x60000000);
    check_pair(0xc0000000, 0, -0x40000000, 0x40000000);
}

static void adding_wraps(void **state)
{
    (void)state;
    assert_int_equal(sr_tsn_add(sr_tsn(0xfffffff0), 0x10).value, 0);
    assert_int_equal(sr_tsn_add(sr_tsn(0xfffffff0), 0xffff).value, 0xffef);
    assert_int_equal(sr_tsn_add(sr_tsn(7), 0).value, 7);
    assert_int_equal(sr_tsn_add(sr_tsn(7), 0xffffffff).value, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tsn_is_at_no_distance_from_itself),
        cmocka_unit_test(the_next_tsn_is_after_also_across_the_wrap),
        cmocka_unit_test(just_below_half_the_circle_is_after),
        cmocka_unit_test(exactly_half_the_circle_is_before_in_both_directions),
        cmocka_unit_test(order_is_not_transitive),
        cmocka_unit_test(adding_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
