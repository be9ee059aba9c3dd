/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of where feedback may have crossed what was sent again: at hosts that are not too near. */
#include "halves_of_talk.h"

#include "facts/late.h"

static bool is_looked_for(bool resends, int64_t loop_ns)
{
    struct sr_journal journal;
    struct sr_association association = {0};
    struct sr_crossing *crossing;
    sr_journal_init(&journal, 1 << 20);
    struct sr_half *half = calloc(1, sizeof *half);
    assert_non_null(half);
    half->journal = &journal;
    half->association = &association;
    half->measured.resends = resends;
    half->measured.sender_loop_ns = loop_ns;
    assert_true(sr_find_late(half, &crossing));
    bool found = crossing != NULL;
    sr_crossing_free(crossing);
    free(half);
    sr_journal_free(&journal);
    return found;
}

static void a_host_that_answers_within_200_us_has_had_all_feedback(void **state)
{
    (void)state;
    assert_false(is_looked_for(true, 199999));
    assert_true(is_looked_for(true, 200000));
    assert_false(is_looked_for(false, 200000)); /* nothing was sent again */
}

/* The host is 30 ms away, and has feedback 29.8 ms after it passed the tap: 9 is sent again so much later than that. */
static uint32_t has_to_wait_for(int64_t later_us)
{
    enum { WAY_US = 20000, SENDER_US = 30000, FED_US = 29800, AT_US = 3000000, SACK = 9 };
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    struct sr_crossing *crossing;
    data(talk, AT_US, 9);
    sack(talk, AT_US + WAY_US, 9, "");
    data(talk, AT_US + WAY_US + FED_US + later_us, 9);
    judge(talk);
    struct sr_half *halves = halves_of(talk);
    assert_true(sr_find_late(&halves[A], &crossing));
    assert_non_null(crossing);
    uint32_t frame = sr_crossing_release(crossing, SACK);
    sr_crossing_free(crossing);
    halves_free(halves);
    talk_free(talk);
    return frame;
}

static void what_is_sent_again_as_soon_as_feedback_acknowledges_it_left_before(void **state)
{
    enum { AGAIN = 23 };
    (void)state;
    assert_int_equal(has_to_wait_for(-1), 0); /* the feedback is there behind it anyway */
    assert_int_equal(has_to_wait_for(0), AGAIN);
    assert_int_equal(has_to_wait_for(1), AGAIN);
}

/* RFC 6525 section 5.1.4: 9 was given up, and another TSN is the next. */
static void what_is_numbered_anew_is_looked_at_as_what_was_before(void **state)
{
    enum { WAY_US = 20000, SENDER_US = 30000, FED_US = 29800, AT_US = 3000000, SACK = 9, AGAIN = 26 };
    static const uint32_t nexts[] = {9, 11, 7000, 3000000000};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int64_t later_us = -1; later_us < 1; later_us++) {
            struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
            struct sr_crossing *crossing;
            uint32_t next = nexts[i];
            data(talk, AT_US, 9);
            control(talk, AT_US + 1000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
            control(talk, AT_US + 1000 + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, next);
            data(talk, AT_US + 100000, next);
            sack(talk, AT_US + 100000 + WAY_US, next, "");
            data(talk, AT_US + 100000 + WAY_US + FED_US + later_us, next);
            judge(talk);
            struct sr_half *halves = halves_of(talk);
            assert_true(sr_find_late(&halves[A], &crossing));
            assert_int_equal(sr_crossing_release(crossing, SACK), later_us < 0 ? 0 : AGAIN);
            sr_crossing_free(crossing);
            halves_free(halves);
            talk_free(talk);
        }
}

static void what_was_sent_before_that_belongs_to_the_numbering_before(void **state)
{
    enum { WAY_US = 20000, SENDER_US = 30000, FED_US = 29800, AT_US = 3000000, SACK = 9, AGAIN = 23 };
    (void)state;
    for (uint32_t next = 9; next < 12; next++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        struct sr_crossing *crossing;
        data(talk, AT_US, 9);
        sack(talk, AT_US + WAY_US, 9, "");
        data(talk, AT_US + WAY_US + FED_US, 9);
        control(talk, AT_US + 100000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
        control(talk, AT_US + 100000 + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, next);
        data(talk, AT_US + 200000, next);
        sack(talk, AT_US + 200000 + WAY_US, next, "");
        judge(talk);
        struct sr_half *halves = halves_of(talk);
        assert_true(sr_find_late(&halves[A], &crossing));
        assert_int_equal(sr_crossing_release(crossing, SACK), AGAIN);
        assert_int_equal(sr_crossing_release(crossing, SACK + 1), 0);
        sr_crossing_free(crossing);
        halves_free(halves);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_that_answers_within_200_us_has_had_all_feedback),
        cmocka_unit_test(what_is_sent_again_as_soon_as_feedback_acknowledges_it_left_before),
        cmocka_unit_test(what_is_numbered_anew_is_looked_at_as_what_was_before),
        cmocka_unit_test(what_was_sent_before_that_belongs_to_the_numbering_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
