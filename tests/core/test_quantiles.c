/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of quantiles of many durations in little memory. */
#include "bytes_builder.h"

#include "facts/quantiles.h"

static struct sr_quantiles *of_range(int64_t first, int64_t count)
{
    struct sr_quantiles *samples = calloc(1, sizeof *samples);
    assert_non_null(samples);
    for (int64_t i = 0; i < count; i++)
        sr_quantiles_add(samples, first + i * 7919 % count); /* each once, in no order: 7919 is prime */
    return samples;
}

static void quantiles_are_exact_while_all_are_kept(void **state)
{
    (void)state;
    struct sr_quantiles *samples = of_range(-3, SR_SAMPLES);
    assert_int_equal(samples->count, SR_SAMPLES);
    assert_int_equal(samples->kept, SR_SAMPLES);
    assert_int_equal(samples->least, -3);
    assert_int_equal(samples->greatest, SR_SAMPLES - 4);
    assert_int_equal(sr_quantiles_quantile(samples, 0), -3);
    assert_int_equal(sr_quantiles_quantile(samples, 500), 1023 / 2 - 3);
    assert_int_equal(sr_quantiles_quantile(samples, 1000), SR_SAMPLES - 4);
    free(samples);
}

static void one_sample_is_every_quantile(void **state)
{
    (void)state;
    struct sr_quantiles *samples = of_range(5, 1);
    for (uint32_t permille = 0; permille <= 1000; permille += 250)
        assert_int_equal(sr_quantiles_quantile(samples, permille), 5);
    free(samples);
}

static void of_many_a_share_is_kept_that_lies_as_they_do(void **state)
{
    (void)state;
    enum { MANY = 1000003 };
    struct sr_quantiles *samples = of_range(0, MANY);
    assert_int_equal(samples->count, MANY);
    assert_in_range(samples->kept, SR_SAMPLES / 2, SR_SAMPLES);
    assert_int_equal(samples->least, 0);
    assert_int_equal(samples->greatest, MANY - 1);
    for (uint32_t permille = 50; permille < 1000; permille += 50) {
        int64_t off = sr_quantiles_quantile(samples, permille) - (int64_t)permille * MANY / 1000;
        assert_in_range(off + MANY / 20, 0, MANY / 10);
    }
    free(samples);
}

static void what_is_kept_is_spread_over_all_that_came(void **state)
{
    (void)state;
    struct sr_quantiles *samples = calloc(1, sizeof *samples);
    assert_non_null(samples);
    for (int64_t i = 0; i < 5 * SR_SAMPLES; i++)
        sr_quantiles_add(samples, i);
    assert_int_equal(samples->every, 8);
    for (uint32_t i = 0; i < samples->kept; i++)
        assert_int_equal(samples->value[i], 8 * i);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_exact_while_all_are_kept),
        cmocka_unit_test(one_sample_is_every_quantile),
        cmocka_unit_test(of_many_a_share_is_kept_that_lies_as_they_do),
        cmocka_unit_test(what_is_kept_is_spread_over_all_that_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
