/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of Karn's rule (RFC 9260 section 6.3.1, C5): no TSN is measured that is not below what was sent again since. */
#include "bytes_builder.h"

#include "books/karn.h"

enum { ROUNDS = 300, SENT = 60 };

static void a_tsn_is_measured_where_all_that_was_sent_again_since_lies_above(void **state)
{
    (void)state;
    struct sr_karn karn = {0};
    uint32_t again[SENT], random = 3;
    assert_true(sr_karn_allows(&karn, sr_tsn(5), 0));
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t base = round % 2 ? 1000 : UINT32_MAX - 15;
        for (uint32_t row = 0; row < SENT; row++) {
            random = random * 1664525u + 1013904223u;
            again[row] = base + (random >> 8) % 31; /* no more lowest ones than are kept */
            sr_karn_sent_again(&karn, sr_tsn(again[row]), 2 * row + 1);
            random = random * 1664525u + 1013904223u;
            uint32_t tsn = base + (random >> 8) % 31, since = (random >> 16) % (2 * row + 3);
            bool allowed = true;
            for (uint32_t i = 0; i <= row; i++)
                allowed &= 2 * i + 1 <= since || again[i] - base > tsn - base;
            assert_int_equal(sr_karn_allows(&karn, sr_tsn(tsn), since), allowed);
        }
        karn.count = 0;
    }
    sr_karn_free(&karn);
    assert_null(karn.kept);
}

static void what_is_kept_no_longer_is_not_measured(void **state)
{
    (void)state;
    struct sr_karn karn = {0};
    for (uint32_t i = 0; i < SR_KARN_KEPT; i++)
        sr_karn_sent_again(&karn, sr_tsn(100 + i), 10 * i);
    assert_int_equal(karn.forgotten_row, 0);
    sr_karn_sent_again(&karn, sr_tsn(100 + SR_KARN_KEPT), 10 * SR_KARN_KEPT);
    const uint32_t forgotten = 10 * (SR_KARN_KEPT / 2 - 1);
    assert_int_equal(karn.count, SR_KARN_KEPT / 2 + 1);
    assert_false(sr_karn_allows(&karn, sr_tsn(1), forgotten));
    assert_true(sr_karn_allows(&karn, sr_tsn(1), forgotten + 1));
    assert_true(sr_karn_allows(&karn, sr_tsn(100 + SR_KARN_KEPT / 2 - 1), forgotten + 1));
    assert_false(sr_karn_allows(&karn, sr_tsn(100 + SR_KARN_KEPT / 2), forgotten + 1));
    assert_false(sr_karn_allows(&karn, sr_tsn(100 + SR_KARN_KEPT), 10 * SR_KARN_KEPT - 1));
    assert_true(sr_karn_allows(&karn, sr_tsn(100 + SR_KARN_KEPT), 10 * SR_KARN_KEPT));
    sr_karn_free(&karn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tsn_is_measured_where_all_that_was_sent_again_since_lies_above),
        cmocka_unit_test(what_is_kept_no_longer_is_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
