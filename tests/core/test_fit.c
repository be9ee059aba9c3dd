/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which sender is believed. */
#include "bytes_builder.h"

#include "judge/fit.h"

/* So many resends, each at its mark. */
static struct sr_fit explains(uint32_t resends)
{
    return (struct sr_fit){.agrees = resends, .at_mark = resends, .marked = resends, .resent = resends};
}

static void a_stack_with_rack_is_not_named_from_a_resend(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION].agrees = fits[SR_SENDER_PION].at_mark = 1; /* when its probe was due */
    assert_int_not_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 1), SR_SENDER_PION);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 1), SR_SENDER_PION); /* the handshake says so */
    fits[SR_SENDER_PION] = explains(3);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 3), SR_SENDER_PION);
}

static void nor_where_others_explain_nearly_as_much(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = explains(10);
    fits[SR_SENDER_USRSCTP] = explains(10);
    fits[SR_SENDER_USRSCTP].at_mark = 8;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 10), SR_SENDER_USRSCTP);
    fits[SR_SENDER_USRSCTP] = explains(8);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 10), SR_SENDER_PION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_with_rack_is_not_named_from_a_resend),
        cmocka_unit_test(nor_where_others_explain_nearly_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
