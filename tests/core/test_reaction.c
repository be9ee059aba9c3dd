/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the loop to the sender that missing reports show. */
#include "bytes_builder.h"

#include "association/kind.h"
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

/* Acknowledges up to 4, and three blocks above it; where it is malformed they need not rise, nor where the first is
 * promised, and comes behind the others (NR-SACK). */
static void report_blocks(struct world *world, uint32_t base, uint32_t malformed, uint8_t promised)
{
    static const uint32_t rising[] = {6, 7, 10, 10, 13, 15}, of_both[] = {10, 10, 13, 15, 6, 7};
    const uint32_t *ends = promised > 0 ? of_both : rising;
    struct sr_sack_row *row = sr_journal_sack(&world->journal);
    *row = (struct sr_sack_row){.cum_tsn = base + 4, .gaps = 3 - promised, .nr_gaps = promised, .malformed = malformed};
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
        for (uint32_t kind = 0; kind < 3; kind++) {
            uint32_t base = bases[from], malformed = kind == 1;
            uint8_t promised = kind == 2;
            struct world alone, missed_before;
            begin(&alone);
            begin(&missed_before);
            report(&missed_before, 0, base - 1, base + 100, base + 100);
            report_blocks(&alone, base, malformed, promised);
            report_blocks(&missed_before, base, malformed, promised);
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

/* Of a TSN that is sent again in a frame; the frame of a report is its time. */
static uint32_t reports_before(const struct world *world, uint32_t frame, uint32_t tsn)
{
    for (uint32_t i = 0; i < world->journal.sacks.count; i++) {
        struct sr_sack_row *row = sr_sack_at(&world->journal, i);
        row->frame = (uint32_t)(row->time_ns / MS);
    }
    const struct sr_transmission_row row = {.tsn = tsn, .frame = frame};
    return sr_reports_before(&world->reports, &world->journal, &row);
}

static void what_is_sent_again_follows_the_reports_that_came_before_its_packet(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    assert_int_equal(reports_before(&world, 90, 5), 0);
    report(&world, 10, 4, 6, 6);
    report(&world, 20, 4, 6, 7);
    report(&world, 30, 4, 0, 0); /* says nothing of it */
    assert_int_equal(reports_before(&world, 40, 5), 0);
    for (int64_t ms = 50; ms <= 70; ms += 10)
        report(&world, ms, 4, 6, 7);
    assert_int_equal(reports_before(&world, 90, 5), 3); /* but not those before the one that says nothing */
    assert_int_equal(reports_before(&world, 60, 5), 2); /* its own frame may have one */
    assert_int_equal(reports_before(&world, 59, 5), 1);
    assert_int_equal(reports_before(&world, 49, 5), 0);
    assert_int_equal(reports_before(&world, 29, 5), 2);
    report(&world, 80, 5, 0, 0); /* acknowledges it */
    assert_int_equal(reports_before(&world, 90, 5), 0);
    sr_journal_free(&world.journal);
}

static void eight_reports_are_counted_at_most_and_of_the_latest_all_are_looked_at(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (int i = 1; i <= SR_REPORTS; i++)
        report(&world, i, 4, 6, 6);
    assert_int_equal(reports_before(&world, SR_REPORTS, 5), SR_MOST_REPORTS);
    assert_int_equal(reports_before(&world, SR_MOST_REPORTS, 5), SR_MOST_REPORTS);
    assert_int_equal(reports_before(&world, SR_MOST_REPORTS - 1, 5), SR_MOST_REPORTS - 1);
    assert_int_equal(reports_before(&world, 1, 5), 1);
    report(&world, SR_REPORTS + 1, 4, 6, 6); /* the first is forgotten */
    assert_int_equal(reports_before(&world, 1, 5), 0);
    assert_int_equal(reports_before(&world, 2, 5), 1);
    sr_journal_free(&world.journal);
}

/* Three of the latest, one after the other (RFC 9260 section 7.2.4). */
static void three_reports_ask_for_a_tsn_and_what_acknowledges_it_ends_that(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    for (uint32_t i = 1; i <= 4; i++) {
        report(&world, i, 4, 6, 6);
        assert_int_equal(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 3), i >= 3);
    }
    report(&world, 5, 5, 0, 0); /* it has come by now */
    assert_true(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 3));
    report(&world, 6, 3, 4, 4); /* of what lies above its blocks it says nothing */
    assert_false(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 1));
    report(&world, 7, 4, 6, 6);
    report(&world, 8, 4, 6, 6);
    assert_false(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 3));
    sr_journal_free(&world.journal);
}

static void of_the_latest_reports_all_may_ask(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct world world;
        begin(&world);
        report(&world, 0, 4, 6, 6);
        for (int i = 1; i < SR_REPORTS + more; i++)
            report(&world, i, 5, 0, 0);
        assert_int_equal(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 1), !more);
        sr_journal_free(&world.journal);
    }
}

static void between_reports_that_acknowledge_it_those_that_miss_it_count(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    report(&world, 1, 4, 5, 5);
    for (int64_t i = 2; i <= 4; i++)
        report(&world, i, 4, 6, 6);
    assert_true(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 3));
    assert_false(sr_reports_ask(&world.reports, &world.journal, sr_tsn(5), 4));
    sr_journal_free(&world.journal);
}

/* Of the chunks of a packet the first counts. What comes later than the least RTO may be a timeout. */
static void a_packet_shows_one_lag_since_the_third_report_or_else_the_first(void **state)
{
    (void)state;
    static const struct {
        int reports, at_ms;
        bool seen;
        uint32_t counts[SR_LAG_COUNT];
        int64_t lag_ms;
    } cases[] = {{3, 50, true, {[SR_LAG_RESENT] = 1}, 47},
                 {3, 50, false, {[SR_LAG_UNSEEN] = 1}, 47},
                 {2, 50, true, {[SR_LAG_FIRST] = 1}, 49},
                 {1, 50, false, {[SR_LAG_FIRST] = 1}, 49},
                 {0, 50, true, {0}, 0},
                 {3, 3 + SR_LEAST_RTO_NS / MS, true, {0}, 0},
                 {3, 2 + SR_LEAST_RTO_NS / MS, true, {[SR_LAG_RESENT] = 1}, SR_LEAST_RTO_NS / MS - 1},
                 {1, 1 + SR_LEAST_RTO_NS / MS, true, {0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct sr_reaction *reaction = calloc(1, sizeof *reaction);
        begin(&world);
        for (int n = 1; n <= cases[i].reports; n++)
            report(&world, n, 4, 6, 6);
        const struct sr_transmission_row row = {.time_ns = cases[i].at_ms * MS, .tsn = 5, .frame = 9};
        for (int chunk = 0; chunk < 3; chunk++)
            sr_reaction_resent(reaction, &world.reports, &world.journal, &row, cases[i].seen);
        for (int of = 0; of < SR_LAG_COUNT; of++) {
            assert_int_equal(reaction->lags[of].count, cases[i].counts[of]);
            if (cases[i].counts[of])
                assert_int_equal(reaction->lags[of].least, cases[i].lag_ms * MS);
        }
        free(reaction);
        sr_journal_free(&world.journal);
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

/* Others, each unlike all: as of what is late. */
static void those_that_are_alike_are_a_quarter_of_what_was_not_seen_before(void **state)
{
    (void)state;
    enum { ALIKE = 3 };
    for (int64_t all = 12; all <= 16; all++) {
        int64_t lags_ms[32] = {40, 40, 40}, lag_ms = 40;
        for (int64_t i = ALIKE; i < all; i++)
            lags_ms[i] = lag_ms += lag_ms / 8 + 2;
        lags_ms[all] = -1;
        assert_int_equal(loop_ms(NULL, lags_ms, NULL), all < 4 * (ALIKE + 1) ? 40 : -1);
    }
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
        cmocka_unit_test(what_is_sent_again_follows_the_reports_that_came_before_its_packet),
        cmocka_unit_test(eight_reports_are_counted_at_most_and_of_the_latest_all_are_looked_at),
        cmocka_unit_test(three_reports_ask_for_a_tsn_and_what_acknowledges_it_ends_that),
        cmocka_unit_test(of_the_latest_reports_all_may_ask),
        cmocka_unit_test(between_reports_that_acknowledge_it_those_that_miss_it_count),
        cmocka_unit_test(a_packet_shows_one_lag_since_the_third_report_or_else_the_first),
        cmocka_unit_test(the_loop_is_the_shortest_lag_that_others_are_like),
        cmocka_unit_test(lags_are_alike_within_an_eighth_and_a_millisecond),
        cmocka_unit_test(of_those_that_are_alike_a_quarter_may_be_shorter_than_the_loop),
        cmocka_unit_test(those_that_are_alike_are_a_quarter_of_what_was_not_seen_before),
        cmocka_unit_test(of_thousands_of_lags_the_first_are_enough),
        cmocka_unit_test(what_is_late_by_a_time_of_its_own_is_not_the_loop),
        cmocka_unit_test(without_a_third_report_lags_must_be_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
