/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the judge makes of rows by themselves: what is left open in a filtered file, whose
 * next TSN is whose, and what the sender has of feedback. */
#include "bytes_builder.h"

#include "books/belief.h"
#include "books/filtered.h"
#include "facts/late.h"
#include "judge/rack_state.h"
#include "timeline/numbering.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

static struct sr_journal journal;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

static struct sr_transmission_row *add_row(struct sr_transmission_row row)
{
    struct sr_transmission_row *added = sr_spool_append(&journal.transmissions);
    assert_non_null(added);
    *added = row;
    return added;
}

static void in_a_filtered_file_nothing_is_lost_and_what_was_sent_again_is_open(void **state)
{
    (void)state;
    const struct sr_transmission_row again = {.kind = SR_KIND_RETRANSMISSION,
                                              .verdict = SR_VERDICT_NEEDED,
                                              .verdict_class = 4,
                                              .cause = SR_CAUSE_FAST,
                                              .cause_class = 4,
                                              .trigger_frame = 7,
                                              .evidence = 9,
                                              .outcome = SR_OUTCOME_ACKED,
                                              .outcome_class = 4};
    const struct sr_transmission_row lost = {.kind = SR_KIND_ORIGINAL,
                                             .verdict = SR_NO_WORD,
                                             .cause = SR_NO_WORD,
                                             .outcome = SR_OUTCOME_LOST,
                                             .outcome_class = 4};
    add_row(again);
    add_row(lost);
    sr_filtered_leave_open(&journal);
    const struct sr_transmission_row *first = sr_transmission_at(&journal, 0),
                                     *second = sr_transmission_at(&journal, 1);
    assert_int_equal(first->verdict, SR_VERDICT_UNDETERMINED);
    assert_int_equal(first->cause, SR_CAUSE_UNKNOWN);
    assert_int_equal(first->verdict_class, 1);
    assert_int_equal(first->cause_class, 1);
    assert_int_equal(first->trigger_frame, 0);
    assert_int_equal(first->evidence, 0);
    assert_int_equal(first->outcome, SR_OUTCOME_ACKED);
    assert_int_equal(first->outcome_class, 4);
    assert_int_equal(second->outcome, SR_OUTCOME_UNRESOLVED);
    assert_int_equal(second->outcome_class, 0);
    assert_int_equal(second->verdict, SR_NO_WORD);
    assert_int_equal(second->cause, SR_NO_WORD);
}

/* A second and a half: 500 ms for a SACK, RTO.Initial for the way. */
static void a_chunk_is_overdue_after_a_second_and_a_half(void **state)
{
    (void)state;
    struct sr_direction direction = {0};
    struct sr_transmission_row row = {.time_ns = 100 * MS, .frame = 9}, other = {.time_ns = 100 * MS, .frame = 10};
    sr_filtered_waited(&direction, &row, 1600 * MS);
    sr_filtered_waited(&direction, &row, SR_NO_TIME);
    assert_int_equal(direction.figures.overdue_tsns, 0);
    sr_filtered_waited(&direction, &row, 1600 * MS + 1);
    sr_filtered_waited(&direction, &other, 1600 * MS + 1);
    assert_int_equal(direction.figures.overdue_tsns, 2);
    assert_int_equal(direction.figures.overdue_frame, 9);
}

static void a_response_has_the_next_tsn_of_its_sender_first(void **state)
{
    (void)state;
    struct sr_control_row row = {.type = SR_CHUNK_RE_CONFIG, .count = 2, .from = 1};
    uint32_t *list = sr_journal_numbers(&journal, 2, &row.lists);
    struct sr_tsn next;
    list[0] = 500;
    list[1] = 700;
    assert_true(sr_numbered_anew(&journal, &row, 1, &next));
    assert_int_equal(next.value, 500);
    assert_true(sr_numbered_anew(&journal, &row, 0, &next));
    assert_int_equal(next.value, 700);
    row.count = 0;
    assert_false(sr_numbered_anew(&journal, &row, 0, &next));
    row.count = 2;
    row.type = SR_CHUNK_PACKET_DROP;
    assert_false(sr_numbered_anew(&journal, &row, 0, &next));
}

static void broken_and_refuted_sacks_are_not_believed(void **state)
{
    (void)state;
    struct sr_sack_row row = {.crc = SR_CRC_GOOD};
    assert_true(sr_is_believed(&row));
    row.refuted = 1;
    assert_false(sr_is_believed(&row));
    row.refuted = 0;
    row.crc = SR_CRC_BAD;
    assert_false(sr_is_believed(&row));
}

static void the_sender_has_feedback_a_loop_after_the_tap(void **state)
{
    (void)state;
    struct sr_half half = {.journal = &journal, .measured = {.feedback_ns = 7 * MS, .fitted_ns = SR_NO_TIME}};
    struct sr_sack_row row = {.time_ns = 100 * MS,
                              .frame = 4,
                              .cum_tsn = 9,
                              .a_rwnd = 55,
                              .gaps = 1,
                              .nr_gaps = 1,
                              .dups = 1,
                              .kind = SR_SACK_KIND_NR_SACK};
    uint32_t *list = sr_journal_numbers(&journal, 5, &row.lists);
    for (uint32_t i = 0; i < 5; i++)
        list[i] = 20 + i;
    struct sr_model_feedback feedback = sr_feedback_of(&half, &row);
    assert_int_equal(feedback.time_ns, 107 * MS);
    assert_int_equal(feedback.cum_tsn.value, 9);
    assert_int_equal(feedback.gap_count, 1);
    assert_int_equal(feedback.gaps[0].first.value, 20);
    assert_int_equal(feedback.nr_gap_count, 1);
    assert_int_equal(feedback.nr_gaps[0].last.value, 23);
    assert_int_equal(feedback.dup_count, 1);
    assert_int_equal(feedback.dups[0].value, 24);
    assert_true(feedback.has_a_rwnd);
    row.kind = SR_SACK_KIND_SHUTDOWN;
    assert_false(sr_feedback_of(&half, &row).has_a_rwnd);
}

static void blocks_beyond_what_the_model_is_told_are_left_out(void **state)
{
    (void)state;
    struct sr_half half = {.journal = &journal};
    for (uint16_t more = 0; more < 2; more++) {
        struct sr_sack_row row = {.gaps = SR_REPLAY_BLOCKS + more, .dups = 1};
        uint32_t count = 2u * row.gaps + 1;
        uint32_t *list = sr_journal_numbers(&journal, count, &row.lists);
        memset(list, 0, count * sizeof *list);
        list[count - 1] = 77;
        struct sr_model_feedback feedback = sr_feedback_of(&half, &row);
        assert_int_equal(feedback.gap_count, more ? 0 : SR_REPLAY_BLOCKS);
        assert_int_equal(feedback.nr_gap_count, 0);
        assert_int_equal(feedback.dups[0].value, 77);
    }
}

static void states_are_kept_of_rfc8985_and_of_another_profile_that_was_told(void **state)
{
    (void)state;
    struct sr_judgement judgement = {.end_ns = SR_NO_TIME};
    assert_int_equal(sr_states_of_a_sack(&judgement), 1);
    judgement.told.profile = 1 + SR_PROFILE_RFC8985;
    assert_int_equal(sr_states_of_a_sack(&judgement), 1);
    judgement.told.profile = 1 + SR_PROFILE_PION;
    assert_int_equal(sr_states_of_a_sack(&judgement), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(in_a_filtered_file_nothing_is_lost_and_what_was_sent_again_is_open, set_up,
                                        tear_down),
        cmocka_unit_test(a_chunk_is_overdue_after_a_second_and_a_half),
        cmocka_unit_test_setup_teardown(a_response_has_the_next_tsn_of_its_sender_first, set_up, tear_down),
        cmocka_unit_test(broken_and_refuted_sacks_are_not_believed),
        cmocka_unit_test_setup_teardown(the_sender_has_feedback_a_loop_after_the_tap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_beyond_what_the_model_is_told_are_left_out, set_up, tear_down),
        cmocka_unit_test(states_are_kept_of_rfc8985_and_of_another_profile_that_was_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
