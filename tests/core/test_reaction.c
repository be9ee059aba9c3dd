/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the loop to the sender that missing reports show. */
#include "bytes_builder.h"

#include "facts/reaction.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

struct world {
    struct sr_journal journal;
    struct sr_reports reports;
};

static void begin(struct world *world)
{
    *world = (struct world){0};
    sr_journal_init(&world->journal, 1 << 20);
}

/* Acknowledges up to `cum` and, where there is one, a block. */
static void report(struct world *world, int64_t time_ms, uint32_t cum, uint32_t first, uint32_t last)
{
    struct sr_sack_row *row = sr_journal_sack(&world->journal);
    *row = (struct sr_sack_row){.time_ns = time_ms * MS, .cum_tsn = cum, .gaps = first > 0};
    uint32_t *list = sr_journal_numbers(&world->journal, first > 0 ? 2 : 0, &row->lists);
    if (list) {
        list[0] = first;
        list[1] = last;
    }
    sr_reports_add(&world->reports, (uint32_t)world->journal.sacks.count);
}

static struct sr_missed missed(const struct world *world, int64_t time_ms, uint32_t tsn)
{
    const struct sr_transmission_row row = {.time_ns = time_ms * MS, .tsn = tsn};
    return sr_reports_missed(&world->reports, &world->journal, &row);
}

static void reports_count_from_the_first_that_leaves_the_tsn_out(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    report(&world, 10, 4, 0, 0);
    report(&world, 20, 4, 6, 6);
    report(&world, 30, 4, 6, 7);
    assert_int_equal(missed(&world, 90, 5).first_ns, 70 * MS);
    assert_int_equal(missed(&world, 90, 5).third_ns, SR_NO_TIME);
    report(&world, 40, 4, 6, 8);
    report(&world, 50, 4, 6, 9);
    assert_int_equal(missed(&world, 90, 5).third_ns, 50 * MS);
    assert_int_equal(missed(&world, 90, 10).first_ns, SR_NO_TIME); /* nothing above it is acknowledged */
    report(&world, 60, 9, 0, 0);
    assert_int_equal(missed(&world, 90, 5).third_ns, 50 * MS); /* its first copy came late */
    sr_journal_free(&world.journal);
}

static void of_more_reports_than_are_looked_at_nothing_is_said(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 0; i < SR_REPORTS; i++)
        report(&world, i, 4, 6, 6);
    assert_int_equal(missed(&world, 900, 5).first_ns, SR_NO_TIME);
    sr_journal_free(&world.journal);
}

/* Acknowledges up to 4, and three blocks above it; where it is malformed they need not rise. */
static void report_blocks(struct world *world, uint32_t base, uint32_t malformed)
{
    static const uint32_t ends[] = {6, 7, 10, 10, 13, 15};
    struct sr_sack_row *row = sr_journal_sack(&world->journal);
    *row = (struct sr_sack_row){.cum_tsn = base + 4, .gaps = 3, .malformed = malformed};
    uint32_t *list = sr_journal_numbers(&world->journal, 6, &row->lists);
    for (int i = 0; i < 6; i++)
        list[i] = base + ends[i];
    sr_reports_add(&world->reports, (uint32_t)world->journal.sacks.count);
}

/* Of each TSN: a report acknowledges it, says that it is missing, or says nothing of it. What is acknowledged may have
 * been missing before. */
static void a_tsn_is_found_among_blocks(void **state)
{
    (void)state;
    static const char of_tsn[] = "aaaaamaammammaaa--";   /* from 0 on */
    static const uint32_t bases[] = {0, UINT32_MAX - 8}; /* TSNs wrap, too */
    for (uint32_t from = 0; from < 2; from++)
        for (uint32_t malformed = 0; malformed < 2; malformed++) {
            uint32_t base = bases[from];
            struct world alone, missed_before;
            begin(&alone);
            begin(&missed_before);
            report(&missed_before, 0, base - 1, base + 100, base + 100);
            report_blocks(&alone, base, malformed);
            report_blocks(&missed_before, base, malformed);
            for (uint32_t i = 0; i < sizeof of_tsn - 1; i++) {
                struct sr_tsn tsn = sr_tsn(base + i);
                assert_int_equal(sr_reports_ask(&alone.reports, &alone.journal, tsn, 1), of_tsn[i] == 'm');
                assert_int_equal(sr_reports_ask(&missed_before.reports, &missed_before.journal, tsn, 1),
                                 of_tsn[i] != '-');
            }
            sr_journal_free(&alone.journal);
            sr_journal_free(&missed_before.journal);
        }
}

static int64_t loop_ms(const int64_t *resent_ms, const int64_t *unseen_ms, const int64_t *first_ms)
{
    struct sr_reaction *reaction = calloc(1, sizeof *reaction);
    const int64_t *lists[SR_LAG_COUNT] = {resent_ms, unseen_ms, first_ms};
    for (int of = 0; of < SR_LAG_COUNT; of++)
        for (const int64_t *ms = lists[of]; ms && *ms >= 0; ms++)
            sr_quantiles_add(&reaction->lags[of], *ms * MS);
    int64_t loop_ns = sr_reaction_loop(reaction);
    free(reaction);
    return loop_ns == SR_NO_TIME ? -1 : loop_ns / MS;
}

#define LAGS(...)                                                                                                      \
    (const int64_t[])                                                                                                  \
    {                                                                                                                  \
        __VA_ARGS__, -1                                                                                                \
    }

static void the_loop_is_the_shortest_lag_that_others_are_like(void **state)
{
    (void)state;
    assert_int_equal(loop_ms(NULL, NULL, NULL), -1);
    assert_int_equal(loop_ms(LAGS(40), NULL, NULL), -1);                         /* one may be by chance */
    assert_int_equal(loop_ms(LAGS(3, 40, 42, 44, 190), NULL, NULL), 40);         /* a host takes its time */
    assert_int_equal(loop_ms(NULL, LAGS(1, 3, 6, 9, 13, 17, 22, 28), NULL), -1); /* what is late spreads */
    assert_int_equal(loop_ms(NULL, LAGS(40, 41, 42, 120), NULL), 40);
    assert_int_equal(loop_ms(NULL, LAGS(40, 40), NULL), 40);
}

static void lags_are_alike_within_an_eighth_and_a_millisecond(void **state)
{
    (void)state;
    assert_int_equal(loop_ms(LAGS(40, 46), NULL, NULL), 40);
    assert_int_equal(loop_ms(LAGS(40, 47), NULL, NULL), -1);
}

static void of_those_that_are_alike_a_quarter_may_be_shorter_than_the_loop(void **state)
{
    (void)state;
    assert_int_equal(loop_ms(LAGS(40, 41, 42, 43), NULL, NULL), 40);
    assert_int_equal(loop_ms(LAGS(40, 41, 42, 43, 44), NULL, NULL), 41);
}

static void of_thousands_of_lags_the_first_are_enough(void **state)
{
    (void)state;
    enum { ENOUGH = 4096 };
    struct world world;
    begin(&world);
    report(&world, 10, 4, 6, 6);
    struct sr_reaction *reaction = calloc(1, sizeof *reaction);
    for (int i = 0; i < 3; i++)
        report(&world, 20 + i, 4, 6, 6);
    for (uint32_t i = 1; i <= ENOUGH + 2; i++) {
        const struct sr_transmission_row row = {.time_ns = 90 * MS, .tsn = 5, .frame = i};
        sr_reaction_resent(reaction, &world.reports, &world.journal, &row, i % 2 == 0);
    }
    assert_int_equal(reaction->lags[SR_LAG_RESENT].count + reaction->lags[SR_LAG_UNSEEN].count, ENOUGH);
    free(reaction);
    sr_journal_free(&world.journal);
}

static void what_is_late_by_a_time_of_its_own_is_not_the_loop(void **state)
{
    (void)state;
    assert_int_equal(loop_ms(LAGS(40, 40, 41), LAGS(15, 15, 15, 15), NULL), 40);
    assert_int_equal(loop_ms(LAGS(120, 121), LAGS(61, 61, 61, 61), NULL), 61); /* they were sent again twice */
    assert_int_equal(loop_ms(LAGS(120), LAGS(60, 60, 60, 60), NULL), 60);
    assert_int_equal(loop_ms(LAGS(120), LAGS(59, 59, 59, 59), NULL), -1);
}

static void without_a_third_report_lags_must_be_the_same(void **state)
{
    (void)state;
    assert_int_equal(loop_ms(NULL, NULL, LAGS(40, 40, 40, 40)), 40);
    assert_int_equal(loop_ms(NULL, NULL, LAGS(14, 15, 17, 19)), -1);
    assert_int_equal(loop_ms(NULL, LAGS(90), LAGS(14, 14, 14, 14)), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_count_from_the_first_that_leaves_the_tsn_out),
        cmocka_unit_test(a_tsn_is_found_among_blocks),
        cmocka_unit_test(of_more_reports_than_are_looked_at_nothing_is_said),
        cmocka_unit_test(the_loop_is_the_shortest_lag_that_others_are_like),
        cmocka_unit_test(lags_are_alike_within_an_eighth_and_a_millisecond),
        cmocka_unit_test(of_those_that_are_alike_a_quarter_may_be_shorter_than_the_loop),
        cmocka_unit_test(of_thousands_of_lags_the_first_are_enough),
        cmocka_unit_test(what_is_late_by_a_time_of_its_own_is_not_the_loop),
        cmocka_unit_test(without_a_third_report_lags_must_be_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
