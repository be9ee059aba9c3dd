/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is said of probes. The sender is pion, the receiver is 20 ms away. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };
enum { PTO_US = 2 * WAY_US + 2000 }; /* of two that are outstanding, and what a host takes */

static enum sr_probe_outcome last_outcome(const struct talk *talk)
{
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    assert_int_not_equal(judgement->probes.count, 0);
    const struct sr_probe_row *probe = sr_spool_visit(&judgement->probes, judgement->probes.count - 1);
    assert_int_equal(probe->tsn, 10);
    return (enum sr_probe_outcome)probe->outcome;
}

/* 10 is lost, or its answer is: its probe is answered, which was needed either way. */
static enum sr_probe_outcome repaired(bool reports)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    if (reports) {
        data(talk, 2000000, 8);
        sack(talk, 2000000 + WAY_US, 8, "d8");
    }
    data(talk, AT_US, 9);
    data(talk, AT_US + 100, 10);
    data(talk, AT_US + 100 + PTO_US, 10);
    sack(talk, AT_US + 100 + PTO_US + WAY_US, 10, "");
    judge(talk);
    enum sr_probe_outcome outcome = last_outcome(talk);
    assert_int_equal(row_of(talk, 10, 2)->verdict, SR_VERDICT_NEEDED);
    talk_free(talk);
    return outcome;
}

static void who_reports_duplicates_tells_a_lost_packet_from_lost_feedback(void **state)
{
    (void)state;
    assert_int_equal(repaired(true), SR_PROBE_OUTCOME_REPAIRED_SINGLE_LOSS);
    assert_int_equal(repaired(false), SR_PROBE_OUTCOME_REPAIRED_OR_ACK_LOSS);
}

/* Packets may follow, and all is judged anew. */
static void a_probe_is_told_once_however_often_it_is_judged(void **state)
{
    (void)state;
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    data(talk, AT_US, 9);
    data(talk, AT_US + 100, 10);
    data(talk, AT_US + 100 + PTO_US, 10);
    judge(talk);
    uint64_t probes = sr_engine_judgement(talk->engine)->probes.count;
    assert_int_not_equal(probes, 0);
    sack(talk, AT_US + 100 + PTO_US + WAY_US, 10, "");
    judge(talk);
    assert_int_equal(sr_engine_judgement(talk->engine)->probes.count, probes);
    talk_free(talk);
}

/* A probe is answered, and again, and a round trip is measured: whether the timer of another is known then. */
static bool is_next_probe_due(bool answered_twice, bool reports)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    int64_t at_us = AT_US + PTO_US + 200000; /* of one that may wait for its answer */
    data(talk, AT_US, 9);
    data(talk, at_us, 9);
    sack(talk, at_us + WAY_US, 9, "");
    if (answered_twice)
        sack(talk, at_us + WAY_US + 100, 9, "");
    heartbeat(talk, at_us + WAY_US + 1000, A, false, 7);
    heartbeat(talk, at_us + 2 * WAY_US + 1000, B, true, 7);
    at_us += 100000;
    flight(talk, at_us, 10, 2, 10);
    data(talk, at_us + 10 + PTO_US, 11);
    sack(talk, at_us + 10 + PTO_US + WAY_US, 11, "");
    if (reports)
        sack(talk, at_us + 20 + PTO_US + WAY_US, 11, "d11");
    judge(talk);
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    assert_int_equal(judgement->probes.count, 2);
    const struct sr_probe_row *probe = sr_spool_visit(&judgement->probes, 1);
    bool due = probe->anchor_ns != SR_NO_TIME;
    talk_free(talk);
    return due;
}

/* RFC 8985 section 7.4.2: from another receiver it may be a report that was lost. */
static void feedback_that_says_nothing_new_ends_a_probe_where_duplicates_are_not_reported(void **state)
{
    (void)state;
    assert_true(is_next_probe_due(true, false));
    assert_false(is_next_probe_due(false, false));
    assert_false(is_next_probe_due(true, true));
    assert_false(is_next_probe_due(false, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_reports_duplicates_tells_a_lost_packet_from_lost_feedback),
        cmocka_unit_test(a_probe_is_told_once_however_often_it_is_judged),
        cmocka_unit_test(feedback_that_says_nothing_new_ends_a_probe_where_duplicates_are_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
