/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which sender is believed. */
#include "bytes_builder.h"

#include "judge/fit.h"

/* So many resends, each at its mark. */
static struct sr_fit explains(uint32_t resends)
{
    return (struct sr_fit){
        .agrees = resends, .at_mark = resends, .marked = resends, .resent = resends, .soon = resends};
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

static void a_stack_that_does_rfc8985_must_explain_clearly_more(void **state)
{
    (void)state;
    for (uint32_t resends = 4; resends <= 10; resends += 6) {
        struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
        int handicap = resends == 10 ? 10 : 6;
        fits[SR_SENDER_USRSCTP].agrees = 1;
        fits[SR_SENDER_RFC8985].agrees = 1 + (uint32_t)handicap;
        assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, resends), SR_SENDER_USRSCTP);
        fits[SR_SENDER_RFC8985].agrees++;
        assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, resends), SR_SENDER_RFC8985);
    }
}

static void and_half_of_them_at_least(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_RFC8985] = explains(20);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 40), SR_SENDER_RFC8985);
    assert_int_not_equal(sr_fit_best(fits, SR_FAMILY_UNKNOWN, 41), SR_SENDER_RFC8985);
}

static void what_it_marked_and_nobody_sent_speaks_against_it(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_USRSCTP] = explains(5);
    fits[SR_SENDER_LINUX] = explains(5);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_OTHER, 5), SR_SENDER_USRSCTP); /* the first of two */
    fits[SR_SENDER_USRSCTP].marked++;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_OTHER, 5), SR_SENDER_LINUX);
    fits[SR_SENDER_USRSCTP].timed_out++;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_OTHER, 5), SR_SENDER_USRSCTP);
}

static void the_handshake_limits_who_it_may_be(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = explains(20);
    fits[SR_SENDER_USRSCTP] = explains(3);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_OTHER, 20), SR_SENDER_USRSCTP);
    fits[SR_SENDER_PION] = explains(0);
    fits[SR_SENDER_EARLY_PION] = explains(2);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 20), SR_SENDER_EARLY_PION);
    fits[SR_SENDER_USRSCTP] = explains(0);
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_OTHER, 20), SR_SENDER_USRSCTP);
}

static void of_a_profile_that_was_told_the_variant_that_fits_is_taken(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_USRSCTP] = explains(9);
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 9), SR_SENDER_EARLY_PION); /* neither more than the other */
    fits[SR_SENDER_PION].agrees = 1;
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 9), SR_SENDER_PION);
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 10), SR_SENDER_EARLY_PION);
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_LINUX, 9), SR_SENDER_LINUX);
}

static void a_pion_without_rack_has_marked_half_of_what_it_sends_again_or_its_timer_has(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = (struct sr_fit){.marked = 12, .resent = 12};
    fits[SR_SENDER_EARLY_PION] = (struct sr_fit){.marked = 2, .resent = 2};
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 20), SR_SENDER_EARLY_PION);
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 19), SR_SENDER_PION);
    fits[SR_SENDER_PION].marked = 13; /* then it is behind */
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 19), SR_SENDER_EARLY_PION);
    fits[SR_SENDER_PION].marked = 12;
    fits[SR_SENDER_PION].timed_out = fits[SR_SENDER_EARLY_PION].timed_out = 1;
    assert_int_equal(sr_fit_variant(fits, SR_PROFILE_PION, 19), SR_SENDER_EARLY_PION);
}

/* It would speak for RACK, which marks sooner and more, where nothing was sent when it should have been. */
static void what_was_sent_long_after_its_mark_says_nothing_of_the_variant(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = (struct sr_fit){.marked = 55, .resent = 55};
    fits[SR_SENDER_EARLY_PION] = (struct sr_fit){.marked = 48, .resent = 48, .soon = 1};
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 60), SR_SENDER_EARLY_PION);
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 60), SR_ANSWER_UNKNOWN); /* a point is chance */
    fits[SR_SENDER_PION].soon = 8;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 60), SR_SENDER_PION);
    fits[SR_SENDER_PION].marked++;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 60), SR_SENDER_EARLY_PION);
}

static void what_rack_marked_and_nobody_sent_speaks_against_the_variant_that_has_it(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = explains(8);
    fits[SR_SENDER_EARLY_PION] = explains(6);
    fits[SR_SENDER_PION].marked = 8 + 5;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_PION);
    fits[SR_SENDER_PION].marked = 8 + 6;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_EARLY_PION);
    fits[SR_SENDER_EARLY_PION] = explains(8);
    fits[SR_SENDER_PION].marked = 8 + 2;
    assert_true(sr_fit_has_rival(fits, SR_SENDER_EARLY_PION, SR_SENDER_PION, 8));
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 8), SR_ANSWER_UNKNOWN);
    fits[SR_SENDER_PION].marked = 8 + 3;
    assert_false(sr_fit_has_rival(fits, SR_SENDER_EARLY_PION, SR_SENDER_PION, 8));
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 8), SR_ANSWER_NO);
}

/* By two points each, from three on. */
static void what_it_cannot_have_sent_speaks_against_a_pion_without_rack(void **state)
{
    (void)state;
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION] = fits[SR_SENDER_EARLY_PION] = explains(8);
    fits[SR_SENDER_PION].marked = 8 + 1;
    fits[SR_SENDER_EARLY_PION].unmoved = 2;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_EARLY_PION);
    fits[SR_SENDER_EARLY_PION].unmoved = 3;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_PION);
    fits[SR_SENDER_PION].marked = 8 + 4;
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 8), SR_ANSWER_UNKNOWN);
    fits[SR_SENDER_PION].marked = 8 + 3;
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 8), SR_ANSWER_YES);
    fits[SR_SENDER_EARLY_PION].unmoved = 0;
    fits[SR_SENDER_EARLY_PION].probed = 1; /* from the first on */
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_EARLY_PION);
    fits[SR_SENDER_PION].marked = 8 + 1;
    assert_int_equal(sr_fit_best(fits, SR_FAMILY_PION, 8), SR_SENDER_PION);
}

/* Two points, and one for every tenth resend. */
static void whether_the_sender_has_rack_takes_more_than_chance(void **state)
{
    (void)state;
    for (uint32_t resends = 9; resends <= 10; resends++) {
        uint32_t chance = 2 + resends / 10;
        for (int with = 0; with < 2; with++) {
            struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
            uint32_t *agrees = &fits[with ? SR_SENDER_RFC8985 : SR_SENDER_RFC9260].agrees;
            *agrees = chance;
            assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_UNKNOWN, resends), SR_ANSWER_UNKNOWN);
            *agrees = chance + 1;
            assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_UNKNOWN, resends), with ? SR_ANSWER_YES : SR_ANSWER_NO);
            assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_OTHER, resends), with ? SR_ANSWER_YES : SR_ANSWER_NO);
        }
    }
    struct sr_fit fits[SR_SENDER_COUNT] = {{0}};
    fits[SR_SENDER_PION].agrees = 9;
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_OTHER, 9), SR_ANSWER_UNKNOWN); /* it is not pion */
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 9), SR_ANSWER_YES);
    fits[SR_SENDER_USRSCTP].agrees = 9; /* nor usrsctp */
    assert_int_equal(sr_fit_has_rack(fits, SR_FAMILY_PION, 9), SR_ANSWER_YES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_with_rack_is_not_named_from_a_resend),
        cmocka_unit_test(nor_where_others_explain_nearly_as_much),
        cmocka_unit_test(a_stack_that_does_rfc8985_must_explain_clearly_more),
        cmocka_unit_test(and_half_of_them_at_least),
        cmocka_unit_test(what_it_marked_and_nobody_sent_speaks_against_it),
        cmocka_unit_test(the_handshake_limits_who_it_may_be),
        cmocka_unit_test(of_a_profile_that_was_told_the_variant_that_fits_is_taken),
        cmocka_unit_test(a_pion_without_rack_has_marked_half_of_what_it_sends_again_or_its_timer_has),
        cmocka_unit_test(what_was_sent_long_after_its_mark_says_nothing_of_the_variant),
        cmocka_unit_test(what_rack_marked_and_nobody_sent_speaks_against_the_variant_that_has_it),
        cmocka_unit_test(what_it_cannot_have_sent_speaks_against_a_pion_without_rack),
        cmocka_unit_test(whether_the_sender_has_rack_takes_more_than_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
