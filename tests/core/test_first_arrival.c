/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how sure it is which copy arrived first, and of what tells it where the receiver says nothing of
 * duplicates. */
#include "bytes_builder.h"

#include "judge/evidence.h"
#include "judge/first_arrival.h"

static struct sr_journal journal;
static struct sr_association association;
static struct sr_half half;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    half = (struct sr_half){.journal = &journal, .association = &association};
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    for (uint32_t i = 0; i < 2; i++) {
        struct sr_transmission_row *row = sr_spool_append(&journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.frame = i + 1, .prev_row = i};
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

static void what_passed_the_receivers_tap_has_come_as_surely_as_the_tap_is_there(void **state)
{
    (void)state;
    for (uint8_t class = 1; class <= 5; class ++) {
        half.measured.vantage_class = class;
        assert_int_equal(sr_class_of_seen(&half), class);
        assert_int_equal(sr_class_of_likely(&half, 2), class < 4 ? class : 4);
    }
    half.measured.vantage_class = 0; /* as it was told */
    assert_int_equal(sr_class_of_seen(&half), 5);
    half.measured.takes_back = true; /* it may have been thrown away */
    assert_int_equal(sr_class_of_seen(&half), 4);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    assert_int_equal(sr_class_of_likely(&half, 2), 2);
}

static void what_rules_copies_out_is_said(void **state)
{
    (void)state;
    struct sr_ledger_slot by_step = {.by_step = true}, not_accepted = {.not_accepted = true}, none = {0};
    assert_int_equal(sr_evidence_of_ruled_out(&by_step), sr_bit(SR_EVIDENCE_S19));
    assert_int_equal(sr_evidence_of_ruled_out(&not_accepted), sr_bit(SR_EVIDENCE_S21));
    assert_int_equal(sr_evidence_of_ruled_out(&none), 0);
}

/* Both copies may have come first, and both left traces: then the first came, which the receiver's own tap shows. */
static void traces_say_nothing_that_the_receivers_tap_does_not_show(void **state)
{
    (void)state;
    struct sr_ledger_slot slot = {
        .last_row = 2, .first_candidate = 1, .last_candidate = 2, .candidates = 2, .copies = 2, .dups = 1, .traces = 1};
    struct sr_first_arrival first = sr_first_arrival_of(&half, &slot);
    assert_int_equal(first.row, 1);
    assert_int_equal(first.evidence, sr_bit(SR_EVIDENCE_S1));
    slot.first_candidate = 2; /* one before it was ruled out */
    assert_int_equal(sr_first_arrival_of(&half, &slot).row, 2);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    first = sr_first_arrival_of(&half, &slot);
    assert_int_equal(first.row, 1);
    assert_int_equal(first.evidence, sr_bit(SR_EVIDENCE_S22));
    slot.traces = 0;
    assert_int_equal(sr_first_arrival_of(&half, &slot).row, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_passed_the_receivers_tap_has_come_as_surely_as_the_tap_is_there, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_rules_copies_out_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(traces_say_nothing_that_the_receivers_tap_does_not_show, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
