/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is left of a mark that its sender takes back. */
#include "bytes_builder.h"

#include "journal/judgement.h"
#include "judge/marks.h"

static uint32_t marked_behind(uint32_t marked, enum sr_trigger trigger)
{
    struct sr_fit fit = {.marked = marked};
    const struct sr_said said = {.at = {.trigger = (uint8_t)trigger}, .any = true};
    sr_marks_withdrawn(&fit, &said);
    return fit.marked;
}

static void what_is_taken_back_does_not_count_as_marked(void **state)
{
    (void)state;
    assert_int_equal(marked_behind(7, SR_TRIGGER_MISS3), 6);
    assert_int_equal(marked_behind(7, SR_TRIGGER_ACK), 6);
    assert_int_equal(marked_behind(7, SR_TRIGGER_RTO), 7); /* nor does a timeout */
    assert_int_equal(marked_behind(0, SR_TRIGGER_MISS3), 0);
}

static void leaves(void *context, const struct sr_ledger_slot *slot)
{
    (void)context;
    (void)slot;
}

static void what_nobody_marked_cannot_be_taken_back(void **state)
{
    (void)state;
    static struct sr_half half;
    static struct sr_causes causes;
    assert_true(sr_ledger_init(&half.ledger));
    causes.half = &half;
    assert_non_null(sr_ledger_sent(&half.ledger, sr_tsn(5), leaves, NULL));
    for (uint32_t tsn = 4; tsn <= 6; tsn++)
        sr_causes_withdraw(&causes, &(struct sr_withdrawal){.tsn = sr_tsn(tsn), .copy = 1});
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        assert_int_equal(causes.fit[sender].marked, 0);
    sr_ledger_free(&half.ledger);
}

static void of_an_event_long_ago_nothing_is_known(void **state)
{
    (void)state;
    static struct sr_mark_history history;
    for (uint32_t number = 1; number <= SR_MARK_EVENTS + 1; number++)
        history.event[number % SR_MARK_EVENTS].number = number;
    assert_null(sr_marks_event(&history, 1));
    assert_ptr_equal(sr_marks_event(&history, 2), &history.event[2 % SR_MARK_EVENTS]);
    assert_int_equal(sr_marks_event(&history, SR_MARK_EVENTS + 1)->number, SR_MARK_EVENTS + 1);
}

static void what_was_not_marked_says_nothing(void **state)
{
    (void)state;
    static struct sr_causes causes;
    static struct sr_tsn_marks marks;
    assert_false(sr_marks_said(&causes, NULL, SR_SENDER_USRSCTP).any);
    assert_false(sr_marks_said(&causes, &marks, SR_SENDER_USRSCTP).any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_back_does_not_count_as_marked),
        cmocka_unit_test(what_nobody_marked_cannot_be_taken_back),
        cmocka_unit_test(of_an_event_long_ago_nothing_is_known),
        cmocka_unit_test(what_was_not_marked_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
