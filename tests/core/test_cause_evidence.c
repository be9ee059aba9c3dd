/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the codes K, which say what a cause rests on (docs/verdict-rules.md, "Why it was sent again"). */
#include "bytes_builder.h"

#include "judge/cause_evidence.h"

static struct sr_journal journal;
static struct sr_half half;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    half = (struct sr_half){.journal = &journal};
    for (uint32_t i = 0; i < 2; i++) {
        struct sr_transmission_row *row = sr_spool_append(&journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.frame = i + 1, .path = 7};
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

static struct sr_explained explained_as(enum sr_cause rfc9260, enum sr_cause rfc8985, uint32_t same)
{
    struct sr_explained explained = {.trigger = {5, 5, 5, 5, 5, 5, 5}};
    memset(explained.cause, SR_CAUSE_UNKNOWN, sizeof explained.cause);
    explained.cause[SR_SENDER_RFC9260] = (uint8_t)rfc9260;
    explained.cause[SR_SENDER_RFC8985] = (uint8_t)rfc8985;
    explained.trigger[SR_SENDER_RFC9260] = explained.trigger[SR_SENDER_RFC8985] = same ? 5 : 4;
    return explained;
}

static void check(enum sr_cause cause, const struct sr_explained *explained, enum sr_evidence expected)
{
    struct sr_transmission_row row = {.cause = (uint8_t)cause, .path = 7, .evidence = 1u << SR_EVIDENCE_S8};
    row.evidence |= UINT64_C(1) << SR_EVIDENCE_K10;
    sr_cause_evidence(&half, explained, SR_SENDER_USRSCTP, &row);
    uint64_t codes = expected == SR_EVIDENCE_COUNT ? 0 : UINT64_C(1) << expected;
    assert_int_equal(row.evidence, codes | 1u << SR_EVIDENCE_S8);
}

static void feedback_says_whether_missing_reports_or_rack_or_both_would_have_sent_it(void **state)
{
    (void)state;
    for (uint32_t same = 0; same < 2; same++) {
        struct sr_explained both = explained_as(SR_CAUSE_FAST, SR_CAUSE_RACK, same);
        check(SR_CAUSE_FAST, &both, same ? SR_EVIDENCE_K3 : SR_EVIDENCE_K1);
        check(SR_CAUSE_FAST_DEFERRED, &both, same ? SR_EVIDENCE_K3 : SR_EVIDENCE_K1);
        check(SR_CAUSE_RACK, &both, same ? SR_EVIDENCE_K3 : SR_EVIDENCE_K2);
    }
    struct sr_explained neither = explained_as(SR_CAUSE_T3, SR_CAUSE_TLP, 1);
    check(SR_CAUSE_FAST, &neither, SR_EVIDENCE_K1);
    check(SR_CAUSE_RACK, &neither, SR_EVIDENCE_K2);
}

static void each_other_cause_has_its_code(void **state)
{
    (void)state;
    struct sr_explained none = explained_as(SR_CAUSE_UNKNOWN, SR_CAUSE_UNKNOWN, 1);
    check(SR_CAUSE_RACK_TIMER, &none, SR_EVIDENCE_K4);
    check(SR_CAUSE_RACK_RTX, &none, SR_EVIDENCE_K13);
    check(SR_CAUSE_T3_GBN, &none, SR_EVIDENCE_K14);
    check(SR_CAUSE_ZERO_WINDOW_PROBE, &none, SR_EVIDENCE_K12);
    check(SR_CAUSE_PACKET_DROP, &none, SR_EVIDENCE_K15);
    check(SR_CAUSE_RENEGE, &none, SR_EVIDENCE_COUNT);
    check(SR_CAUSE_UNKNOWN, &none, SR_EVIDENCE_COUNT);
}

static void a_timer_alone_and_the_other_timer_are_told_apart_where_more_is_outstanding(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        for (int other = 0; other < 2; other++) {
            struct sr_explained timers =
                explained_as(other ? SR_CAUSE_T3 : SR_CAUSE_UNKNOWN, other ? SR_CAUSE_TLP : SR_CAUSE_UNKNOWN, 1);
            timers.alone = alone;
            check(SR_CAUSE_T3, &timers, alone && other ? SR_EVIDENCE_K8 : SR_EVIDENCE_K6);
            check(SR_CAUSE_TLP, &timers, alone && other ? SR_EVIDENCE_K8 : SR_EVIDENCE_K9);
            timers.highest = true;
            check(SR_CAUSE_TLP, &timers, alone && other ? SR_EVIDENCE_K8 : SR_EVIDENCE_K7);
        }
    }
}

static void a_timeout_confirms_the_timeout_before_it_and_may_change_the_address(void **state)
{
    (void)state;
    struct sr_explained timer = explained_as(SR_CAUSE_UNKNOWN, SR_CAUSE_UNKNOWN, 1);
    struct sr_transmission_row *before = sr_transmission_at(&journal, 1);
    struct sr_transmission_row row = {.cause = SR_CAUSE_T3, .path = 7, .prev_row = 2};
    before->evidence = UINT64_C(1) << SR_EVIDENCE_K6;
    sr_cause_evidence(&half, &timer, SR_SENDER_USRSCTP, &row);
    assert_int_equal(row.evidence, UINT64_C(1) << SR_EVIDENCE_K6);
    assert_int_equal(before->evidence, UINT64_C(1) << SR_EVIDENCE_K5);
    before->evidence = UINT64_C(1) << SR_EVIDENCE_K1;
    row.path = 8;
    sr_cause_evidence(&half, &timer, SR_SENDER_USRSCTP, &row);
    assert_int_equal(row.evidence, UINT64_C(1) << SR_EVIDENCE_K16);
    assert_int_equal(before->evidence, UINT64_C(1) << SR_EVIDENCE_K1);
}

/* ---- PACKET-DROP ---- */

static void a_packet_drop_chunk_explains_what_follows_it_within_what_a_sender_takes(void **state)
{
    (void)state;
    struct sr_causes *causes = calloc(1, sizeof *causes);
    struct sr_control_row chunk = {.count = 2, .frame = 40};
    assert_non_null(causes);
    uint32_t *list = sr_journal_numbers(&journal, 2, &chunk.lists);
    list[0] = 11;
    list[1] = 12;
    causes->half = &half;
    half.measured.receiver.jitter_ns = 1000;
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(11), 500), 0);
    sr_causes_dropped(causes, &(struct sr_control_row){.count = 0, .frame = 39}, 400);
    assert_int_equal(causes->drop_count, 0);
    sr_causes_dropped(causes, &chunk, 500);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(11), 499), 0);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(11), 500), 40);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(12), 500), 40);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(13), 500), 0);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(12), 500 + SR_REACTS_WITHIN_NS + 1000), 40);
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(12), 500 + SR_REACTS_WITHIN_NS + 1001), 0);
    for (uint32_t i = 0; i < SR_DROPS; i++) {
        assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(12), 500), 40);
        struct sr_control_row other = {.count = 1, .frame = 50 + i};
        *sr_journal_numbers(&journal, 1, &other.lists) = 100 + i;
        sr_causes_dropped(causes, &other, 500);
        assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(100 + i), 500), 50 + i);
    }
    assert_int_equal(sr_causes_dropped_by(causes, sr_tsn(12), 500), 0); /* the latest are kept */
    free(causes);
}

static void what_is_near_is_within_what_a_sender_takes(void **state)
{
    (void)state;
    assert_true(sr_is_near(SR_REACTS_WITHIN_NS, 0));
    assert_false(sr_is_near(SR_REACTS_WITHIN_NS + 1, 0));
    assert_true(sr_is_near(0, SR_REACTS_WITHIN_NS));
    assert_false(sr_is_near(0, SR_REACTS_WITHIN_NS + 1));
    assert_false(sr_is_near(0, SR_NO_TIME));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_says_whether_missing_reports_or_rack_or_both_would_have_sent_it),
        cmocka_unit_test(each_other_cause_has_its_code),
        cmocka_unit_test(a_timer_alone_and_the_other_timer_are_told_apart_where_more_is_outstanding),
        cmocka_unit_test(a_timeout_confirms_the_timeout_before_it_and_may_change_the_address),
        cmocka_unit_test(a_packet_drop_chunk_explains_what_follows_it_within_what_a_sender_takes),
        cmocka_unit_test(what_is_near_is_within_what_a_sender_takes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
