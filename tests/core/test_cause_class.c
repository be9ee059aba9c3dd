/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how sure a cause is (docs/verdict-rules.md, "Why it was sent again"). */
#include "bytes_builder.h"

#include "judge/cause_class.h"

static struct sr_association association;
static struct sr_half half;
static struct sr_causes causes;

/* At the sender's tap, of a stack that a handshake shows, of ten resends usrsctp explains so many. */
static void explains(uint32_t agrees)
{
    half = (struct sr_half){.association = &association};
    association.side[0].family = SR_FAMILY_USRSCTP;
    half.measured.vantage = SR_VANTAGE_SENDER;
    half.measured.shortest_rto_ns = 400;
    causes = (struct sr_causes){.half = &half, .telling_count = 10};
    causes.fit[SR_SENDER_USRSCTP].agrees = causes.fit[SR_SENDER_EARLY_PION].agrees = agrees;
}

static struct sr_explained marked_as(enum sr_cause cause)
{
    struct sr_explained explained = {.at_feedback = true};
    memset(explained.cause, cause, sizeof explained.cause);
    return explained;
}

/* Linux would have sent it for another cause. */
static struct sr_explained disputed(enum sr_cause cause)
{
    struct sr_explained explained = marked_as(cause);
    explained.cause[SR_SENDER_LINUX] = cause == SR_CAUSE_T3 ? SR_CAUSE_FAST : SR_CAUSE_T3;
    return explained;
}

static void check(const struct sr_explained *explained, uint8_t expected)
{
    assert_int_equal(sr_cause_class(&causes, explained, SR_SENDER_USRSCTP), expected);
}

static void what_no_sender_disputes_has_class_4(void **state)
{
    (void)state;
    explains(10);
    struct sr_explained agreed = marked_as(SR_CAUSE_FAST), other = disputed(SR_CAUSE_FAST);
    check(&agreed, 4);
    check(&other, 3);
    explains(0); /* whoever it is */
    check(&agreed, 4);
}

static void where_the_replay_explains_less_than_half_of_the_direction_what_is_disputed_has_class_2(void **state)
{
    (void)state;
    struct sr_explained other = disputed(SR_CAUSE_FAST), deferred = disputed(SR_CAUSE_FAST_DEFERRED);
    explains(5);
    check(&other, 3);
    check(&deferred, 3);
    explains(4);
    check(&other, 2);
    check(&deferred, 1); /* it rests on when the window opened as well */
}

static void without_a_handshake_a_class_is_lost(void **state)
{
    (void)state;
    explains(10);
    association.side[0].family = SR_FAMILY_UNKNOWN;
    struct sr_explained agreed = marked_as(SR_CAUSE_FAST), other = disputed(SR_CAUSE_FAST);
    check(&agreed, 3);
    check(&other, 3);
    agreed.doubts[SR_SENDER_USRSCTP] = other.doubts[SR_SENDER_USRSCTP] = 1;
    check(&agreed, 2);
    check(&other, 2);
    other.doubts[SR_SENDER_USRSCTP] = 3;
    check(&other, 1);
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    check(&agreed, 3);
}

static void and_with_the_handshake_of_a_stack_that_is_none_of_the_known(void **state)
{
    (void)state;
    explains(10);
    association.side[0].family = SR_FAMILY_OTHER;
    struct sr_explained agreed = marked_as(SR_CAUSE_FAST), other = disputed(SR_CAUSE_FAST);
    check(&agreed, 3);
    check(&other, 2);
    assert_int_equal(sr_cause_class_by_occasion(&causes, &agreed, SR_SENDER_USRSCTP, SR_CAUSE_FAST), 2);
    assert_int_equal(sr_cause_class_by_occasion(&causes, &agreed, SR_SENDER_USRSCTP, SR_CAUSE_T3), 1);
    agreed.late = 0xff;
    check(&agreed, 1);
    agreed.late = 0;
    agreed.doubts[SR_SENDER_USRSCTP] = 3;
    check(&agreed, 1);
    agreed.certain = 3; /* whatever the sender is */
    check(&agreed, 3);
    agreed = marked_as(SR_CAUSE_FAST);
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    check(&agreed, 4);
}

static void how_it_counts_and_whether_it_looks_at_the_window_is_its_own(void **state)
{
    (void)state;
    struct sr_explained first = marked_as(SR_CAUSE_FAST_DEFERRED), again = first;
    struct sr_explained probe = marked_as(SR_CAUSE_ZERO_WINDOW_PROBE);
    again.sent_again_before = true;
    explains(10);
    check(&first, 4);
    check(&again, 4);
    check(&probe, 4);
    association.side[0].family = SR_FAMILY_OTHER;
    check(&first, 2);
    check(&again, 1);
    check(&probe, 2);
    association.side[0].family = SR_FAMILY_UNKNOWN; /* or may be, where no handshake was captured */
    check(&first, 3);
    check(&again, 1);
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    check(&again, 4);
}

/* Both versions of pion explain the direction; one sends at the mark of RACK, the other at the third report. */
static void what_two_versions_of_a_stack_call_otherwise_has_class_2(void **state)
{
    (void)state;
    explains(10);
    struct sr_explained rack = marked_as(SR_CAUSE_RACK);
    rack.cause[SR_SENDER_EARLY_PION] = SR_CAUSE_FAST;
    causes.fit[SR_SENDER_PION] = (struct sr_fit){.agrees = 13};
    assert_int_equal(sr_cause_class(&causes, &rack, SR_SENDER_PION), 2);
    causes.fit[SR_SENDER_PION].agrees = 14; /* clearly more */
    assert_int_equal(sr_cause_class(&causes, &rack, SR_SENDER_PION), 3);
    causes.fit[SR_SENDER_PION].agrees = 13;
    rack.cause[SR_SENDER_EARLY_PION] = SR_CAUSE_UNKNOWN;
    rack.cause[SR_SENDER_LINUX] = SR_CAUSE_FAST; /* another stack */
    assert_int_equal(sr_cause_class(&causes, &rack, SR_SENDER_PION), 3);
}

/* That without RACK explains as much. */
static void a_pion_that_lists_i_data_has_rack(void **state)
{
    (void)state;
    explains(10);
    struct sr_explained rack = marked_as(SR_CAUSE_RACK);
    rack.cause[SR_SENDER_EARLY_PION] = SR_CAUSE_FAST;
    causes.fit[SR_SENDER_PION] = (struct sr_fit){.agrees = 9};
    association.side[0].family = SR_FAMILY_PION;
    assert_int_equal(sr_causes_chosen(&causes), SR_SENDER_EARLY_PION);
    assert_int_equal(sr_cause_class(&causes, &rack, SR_SENDER_PION), 2);
    association.side[0].init_features = 1u << SR_FEATURE_I_DATA;
    assert_int_equal(sr_causes_chosen(&causes), SR_SENDER_PION);
    assert_int_equal(sr_cause_class(&causes, &rack, SR_SENDER_PION), 3);
    association.side[0].family = SR_FAMILY_DCSCTP; /* any other may list it */
    assert_int_not_equal(sr_causes_chosen(&causes), SR_SENDER_PION);
    association.side[0].init_features = 0;
}

static void away_from_the_sender_what_leaves_without_feedback_is_less_sure_to_be_fast(void **state)
{
    (void)state;
    struct sr_explained agreed = marked_as(SR_CAUSE_FAST), other = disputed(SR_CAUSE_FAST);
    for (int away = 0; away < 2; away++) {
        explains(10);
        half.measured.vantage = away ? SR_VANTAGE_MIDDLE : SR_VANTAGE_SENDER;
        agreed.at_feedback = other.at_feedback = true;
        check(&agreed, 4);
        check(&other, 3);
        agreed.at_feedback = other.at_feedback = false;
        check(&agreed, away ? 3 : 4);
        check(&other, away ? 2 : 3);
    }
}

static void away_from_the_sender_a_replay_that_explains_less_than_half_is_out_of_step(void **state)
{
    (void)state;
    struct sr_explained agreed = marked_as(SR_CAUSE_FAST);
    explains(5);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    check(&agreed, 4);
    explains(4);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    check(&agreed, 3);
}

static void and_a_timeout_whose_tsn_was_asked_for_while_data_was_sent(void **state)
{
    (void)state;
    explains(10);
    struct sr_explained timeout = disputed(SR_CAUSE_T3);
    timeout.asked_for = true;
    timeout.at_feedback = false;
    timeout.silent_ns = 399;
    check(&timeout, 3);
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    check(&timeout, 2);
    timeout.silent_ns = 400;
    check(&timeout, 3);
    timeout.silent_ns = 399;
    timeout.asked_for = false;
    check(&timeout, 3);
}

static void and_a_deferred_one_is_a_guess(void **state)
{
    (void)state;
    explains(10);
    struct sr_explained deferred = marked_as(SR_CAUSE_FAST_DEFERRED);
    check(&deferred, 4);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    check(&deferred, 1);
}

static void a_pion_of_which_little_is_explained_may_have_rack(void **state)
{
    (void)state;
    struct sr_explained fast = marked_as(SR_CAUSE_FAST);
    for (uint32_t agrees = 4; agrees <= 5; agrees++) {
        explains(agrees);
        assert_int_equal(sr_cause_class(&causes, &fast, SR_SENDER_EARLY_PION), agrees == 4 ? 1 : 4);
        uint8_t class = sr_cause_class_by_occasion(&causes, &fast, SR_SENDER_EARLY_PION, SR_CAUSE_FAST);
        assert_int_equal(class, agrees == 4 ? 1 : 3);
    }
}

static void check_occasion(const struct sr_explained *explained, enum sr_cause cause, uint8_t expected)
{
    assert_int_equal(sr_cause_class_by_occasion(&causes, explained, SR_SENDER_USRSCTP, cause), expected);
}

static void what_the_occasion_tells_has_class_2_unless_it_is_clear(void **state)
{
    (void)state;
    explains(5);
    struct sr_explained fed = marked_as(SR_CAUSE_UNKNOWN), alone = fed;
    alone.at_feedback = false;
    check_occasion(&fed, SR_CAUSE_UNKNOWN, 1);
    check_occasion(&fed, SR_CAUSE_T3, 2);
    check_occasion(&fed, SR_CAUSE_RACK, 2);
    check_occasion(&fed, SR_CAUSE_TLP, 2);
    check_occasion(&fed, SR_CAUSE_ZERO_WINDOW_PROBE, 3);
    check_occasion(&fed, SR_CAUSE_FAST, 3);
    check_occasion(&alone, SR_CAUSE_FAST, 2);
    check_occasion(&fed, SR_CAUSE_T3_GBN, 3);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    check_occasion(&fed, SR_CAUSE_T3_GBN, 2);
    check_occasion(&fed, SR_CAUSE_FAST, 3);
    association.side[0].family = SR_FAMILY_UNKNOWN;
    check_occasion(&fed, SR_CAUSE_FAST, 2);
    explains(4);
    check_occasion(&fed, SR_CAUSE_FAST, 2);
    explains(5);
    half.measured.adrift = true;
    check_occasion(&fed, SR_CAUSE_FAST, 2);
    check_occasion(&fed, SR_CAUSE_ZERO_WINDOW_PROBE, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_sender_disputes_has_class_4),
        cmocka_unit_test(where_the_replay_explains_less_than_half_of_the_direction_what_is_disputed_has_class_2),
        cmocka_unit_test(without_a_handshake_a_class_is_lost),
        cmocka_unit_test(and_with_the_handshake_of_a_stack_that_is_none_of_the_known),
        cmocka_unit_test(how_it_counts_and_whether_it_looks_at_the_window_is_its_own),
        cmocka_unit_test(what_two_versions_of_a_stack_call_otherwise_has_class_2),
        cmocka_unit_test(a_pion_that_lists_i_data_has_rack),
        cmocka_unit_test(away_from_the_sender_what_leaves_without_feedback_is_less_sure_to_be_fast),
        cmocka_unit_test(and_a_timeout_whose_tsn_was_asked_for_while_data_was_sent),
        cmocka_unit_test(away_from_the_sender_a_replay_that_explains_less_than_half_is_out_of_step),
        cmocka_unit_test(and_a_deferred_one_is_a_guess),
        cmocka_unit_test(a_pion_of_which_little_is_explained_may_have_rack),
        cmocka_unit_test(what_the_occasion_tells_has_class_2_unless_it_is_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
