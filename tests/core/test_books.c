/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is said of feedback by itself: whether it is believed, what was filtered out, when the clock stepped,
 * and how long the queue was in use; each at both sides of its threshold. */
#include "talk_text.h"

#include "books/book.h"
#include "books/figures.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

#define MS INT64_C(1000000)

static struct talk *begin(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static bool is_refuted(struct talk *talk, uint64_t sack_row)
{
    judge(talk);
    const struct sr_sack_row *row = sr_sack_at(sr_engine_journal(talk->engine), sack_row);
    assert_int_equal(row->refuted, row->malformed >> SR_SACK_ANOMALY_CLAIMS_UNSENT & 1);
    return row->refuted;
}

/* A capture may have an answer before what it answers, by 2 ms. */
static void who_acknowledges_what_is_sent_later_than_two_ms_lies(void **state)
{
    (void)state;
    for (int64_t later_us = 2000; later_us <= 2001; later_us++) {
        struct talk *talk = begin();
        sack(talk, AT_US, 9, "");
        data(talk, AT_US + later_us, 9);
        sack(talk, AT_US + later_us + WAY_US, 9, "");
        assert_int_equal(is_refuted(talk, 8), later_us > 2000);
        assert_int_equal(row_of(talk, 9, 1)->acked_frame, later_us > 2000 ? 23 : 21);
        talk_free(talk);
    }
}

static void a_block_is_a_claim_as_the_cumulative_tsn_is(void **state)
{
    (void)state;
    for (uint32_t first = 9; first <= 13; first++) {
        struct talk *talk = begin();
        sack(talk, AT_US, 8, "10-12"); /* 13 is not claimed, 9 lies below */
        data(talk, AT_US + 5000, first);
        assert_int_equal(is_refuted(talk, 8), first <= 12);
        talk_free(talk);
    }
}

static void what_is_never_seen_was_missed_by_the_tap(void **state)
{
    (void)state;
    struct talk *talk = begin();
    data(talk, AT_US, 9);
    sack(talk, AT_US + WAY_US, 12, "");
    data(talk, AT_US + 50000, 13);
    sack(talk, AT_US + 50000 + WAY_US, 13, "");
    assert_false(is_refuted(talk, 8));
    check_sent(talk, 9, 1, "original acked/4 by 22");  /* it may be forged: never 5 */
    check_sent(talk, 13, 1, "original acked/4 by 24"); /* nor where the tap missed some */
    assert_int_equal(figures_of(talk, A)->unseen_tsns, 3);
    assert_int_equal(figures_of(talk, A)->unseen_frame, 22);
    talk_free(talk);
}

static void the_sender_may_pass_over_what_it_never_sent(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        struct talk *talk = begin();
        if (forward)
            forward_tsn(talk, AT_US, 10); /* RFC 3758 section 3.5, A3 */
        sack(talk, AT_US + WAY_US, 10, "");
        data(talk, AT_US + 50000, forward ? 11 : 10);
        assert_int_equal(is_refuted(talk, 8), !forward);
        talk_free(talk);
    }
}

static void where_the_capture_begins_in_the_middle_it_may_have_been_sent_before(void **state)
{
    (void)state;
    for (int settled = 0; settled < 2; settled++) {
        struct talk *talk = talk_new();
        data(talk, 0, 100);
        sack(talk, 1000, settled ? 100 : 99, "");
        sack(talk, 2000, 105, "");
        data(talk, 50000, 101);
        assert_int_equal(is_refuted(talk, 1), settled);
        talk_free(talk);
    }
}

/* What a receiver took back, a SACK that left it before, and comes late, does not give back. */
static void an_overtaken_sack_says_nothing_of_what_was_taken_back_since(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 5, 1000);
        sack(talk, AT_US + 3000 + WAY_US, 8, "11-12");
        sack(talk, AT_US + 4000 + WAY_US, 9, "12-13");
        sack(talk, AT_US + 5000 + WAY_US, 9, "12-13");
        if (late)
            sack(talk, AT_US + 6000 + WAY_US, 8, "11-13");
        data(talk, AT_US + 7000 + WAY_US, 11);
        sack(talk, AT_US + 7000 + 2 * WAY_US, 9, "11-13");
        judge(talk);
        check_sent(talk, 11, 2, "retransmission renege/3 needed/4 S15 acked/2 by 26");
        assert_int_equal(figures_of(talk, A)->withdrawn_tsns, 1);
        talk_free(talk);
    }
}

/* A SACK with a wrong checksum was discarded (RFC 9260 section 6.8). */
static void a_broken_sack_says_nothing(void **state)
{
    (void)state;
    struct talk *talk = begin();
    data(talk, AT_US, 9);
    talk->broken = true;
    sack(talk, AT_US + WAY_US, 9, "");
    talk->broken = false;
    judge(talk);
    check_sent(talk, 9, 1, "original unresolved/1");
    assert_int_equal(sr_sack_at(sr_engine_journal(talk->engine), 8)->rtxq_bytes, 1000);
    talk_free(talk);
}

/* 500 ms for a SACK and RTO.Initial (RFC 9260 sections 6.2 and 16). */
static void packets_without_data_were_filtered_out_where_an_answer_is_missing_for_more_than_a_second_and_a_half(
    void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        struct talk *talk = talk_new();
        int64_t end_us = how == 1 ? 1500001 : 1500000;
        data(talk, 0, 1);
        if (how != 2) /* the other side was not captured */
            data_of(talk, 1000, B, 1000, 1);
        if (how == 3) /* a packet without data */
            sack(talk, 1000000, 0, "");
        if (how == 4) /* sent again */
            data(talk, 1000000, 1);
        data_of(talk, how > 1 ? 2000000 : end_us, B, how == 2 ? 0 : 1000, 1);
        if (how == 2)
            data(talk, 1600000, 2);
        judge(talk);
        assert_int_equal(sr_engine_filtered(talk->engine), how == 1 || how == 5 || how == 2);
        talk_free(talk);
    }
}

/* Time passes between two frames side by side, and the second acknowledges what was sent once. */
static uint64_t steps_of(int64_t pause_us, int how)
{
    struct talk *talk = talk_new();
    if (how != 1) /* else nothing was measured */
        shake_hands(talk, SENDER_US, WAY_US, false);
    int64_t at_us = warm_up(talk, how == 1 ? 0 : 30, WAY_US) + 5000000;
    uint32_t tsn = how == 1 ? 1 : 31;
    if (how == 2) { /* the timer may be backed off */
        data(talk, at_us, tsn);
        data(talk, at_us + 1000000, tsn);
        at_us += 1000000;
        sack(talk, at_us + WAY_US, tsn, "");
        at_us += 100000;
        tsn++;
    }
    data(talk, at_us, tsn);
    if (how == 3) /* a frame between */
        heartbeat(talk, at_us + 100000, B, false, 1);
    if (how == 4) /* sent again */
        data(talk, at_us + pause_us - 1000, tsn);
    sack(talk, at_us + pause_us, tsn, "");
    judge(talk);
    uint64_t steps = figures_of(talk, A)->clock_steps;
    assert_int_equal(figures_of(talk, A)->clock_step_ns, steps ? pause_us * US : 0);
    talk_free(talk);
    return steps;
}

static void a_clock_steps_where_no_timer_ran_for_three_timeouts(void **state)
{
    (void)state;
    assert_int_equal(steps_of(2999999, 0), 0);
    assert_int_equal(steps_of(3000000, 0), 1);
    for (int how = 1; how <= 4; how++)
        assert_int_equal(steps_of(3000000, how), 0);
}

/* The receiver is 1.5 s away: three timeouts are 4.5 s then. */
static void where_round_trips_are_long_timeouts_are_too(void **state)
{
    enum { FAR_US = 1500000 };
    (void)state;
    for (int64_t pause_us = 4400000; pause_us <= 4600000; pause_us += 200000) {
        struct talk *talk = talk_new();
        shake_hands(talk, SENDER_US, FAR_US, false);
        for (uint32_t tsn = 1; tsn <= 40; tsn++) {
            data(talk, 2000000 * (int64_t)(tsn + 2), tsn);
            sack(talk, 2000000 * (int64_t)(tsn + 2) + FAR_US, tsn, "");
        }
        data(talk, 100000000, 41);
        sack(talk, 100000000 + pause_us, 41, "");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->clock_steps, pause_us > 4500000);
        talk_free(talk);
    }
}

/* The frame between, 100 ms behind the data, is where it begins. */
static void a_step_may_follow_any_chunk(void **state)
{
    (void)state;
    for (int64_t less_us = 0; less_us < 2; less_us++) {
        struct talk *talk = talk_new();
        shake_hands(talk, SENDER_US, WAY_US, false);
        int64_t at_us = warm_up(talk, 30, WAY_US);
        data(talk, at_us, 31);
        heartbeat(talk, at_us + 100000, B, false, 1);
        sack(talk, at_us + 100000 + 3000000 - less_us, 31, "");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->clock_steps, !less_us);
        talk_free(talk);
    }
}

/* Nobody can tell how long it was outstanding. */
static void what_was_sent_again_or_was_never_seen_shows_no_step(void **state)
{
    (void)state;
    enum { ONCE, AGAIN, UNSEEN, CASES };
    for (int how = ONCE; how < CASES; how++) {
        struct talk *talk = talk_new();
        shake_hands(talk, SENDER_US, WAY_US, false);
        int64_t at_us = warm_up(talk, 30, WAY_US);
        flight(talk, at_us, 31, 2, 100);
        sack(talk, at_us + 100 + WAY_US, 30, "32");
        data(talk, at_us + 1000000, 31);
        data(talk, at_us + 1100000, 33);
        sack(talk, at_us + 1100000 + WAY_US, 30, "32-33");
        data(talk, at_us + 1200000, 35 - (how != UNSEEN));
        sack(talk, at_us + 1200000 + 6000000, how == AGAIN ? 34 : 30, how == UNSEEN ? "32-35" : "32-34");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->clock_steps, how == ONCE);
        talk_free(talk);
    }
}

/* What was measured since ends that (RFC 9260 section 6.3.2). */
static void a_timer_is_not_backed_off_behind_a_heartbeat_that_was_answered(void **state)
{
    (void)state;
    for (int answered = 0; answered < 2; answered++) {
        struct talk *talk = talk_new();
        shake_hands(talk, SENDER_US, WAY_US, false);
        int64_t at_us = warm_up(talk, 30, WAY_US);
        flight(talk, at_us, 31, 2, 100);
        sack(talk, at_us + 100 + WAY_US, 30, "32");
        data(talk, at_us + 1000000, 31);
        sack(talk, at_us + 1000000 + WAY_US, 32, "");
        heartbeat(talk, at_us + 1100000, A, false, 7);
        if (answered)
            heartbeat(talk, at_us + 1100000 + WAY_US, B, true, 7);
        data(talk, at_us + 2000000, 33);
        sack(talk, at_us + 2000000 + 6000000, 33, "");
        judge(talk);
        assert_int_equal(figures_of(talk, A)->clock_steps, answered);
        talk_free(talk);
    }
}

/* Where the capture begins in the middle: what is seen late of it was acknowledged by the first feedback. */
static void all_below_the_first_cumulative_tsn_was_acknowledged_with_it(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    data(talk, 0, 110);
    sack(talk, WAY_US, 110, "");
    data(talk, 500000, 111);
    sack(talk, 500000 + WAY_US, 111, "");
    for (uint32_t tsn = 107; tsn <= 109; tsn++)
        data(talk, 1000000 + tsn, tsn);
    judge(talk);
    for (uint32_t tsn = 107; tsn <= 109; tsn++)
        assert_int_equal(row_of(talk, tsn, 1)->acked_frame, 2);
    talk_free(talk);
}

/* The first copy was lost before the tap; then another chunk comes under the TSN of what seemed to be copies. */
static void all_copies_are_in_doubt_where_another_chunk_has_their_tsn(void **state)
{
    (void)state;
    struct talk *talk = begin();
    data(talk, AT_US, 9);
    data(talk, AT_US + 10, 11);
    sack(talk, AT_US + 10 + WAY_US, 9, "11");
    data(talk, AT_US + 1000000, 10);
    data(talk, AT_US + 3000000, 10);
    talk->content = 1;
    data(talk, AT_US + 3000010, 10);
    judge(talk);
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    for (uint64_t i = 10; i < 13; i++)
        assert_int_equal(sr_transmission_at(journal, i)->kind, SR_KIND_CONFLICTING);
    assert_int_equal(sr_transmission_at(journal, 9)->kind, SR_KIND_ORIGINAL);
    talk_free(talk);
}

/* 10 comes late: 9 was seen before it, and so many above it from `first_above` on, each a ms behind the one before. */
static struct sr_path_row path_with_late_chunk(uint32_t first_above, uint32_t count)
{
    struct talk *talk = begin();
    data(talk, AT_US, 9);
    flight(talk, AT_US + 1000, first_above, count, 1000);
    talk->id[A] -= count + 1;
    data(talk, AT_US + 1000 * (count + 1), 10);
    judge(talk);
    assert_int_equal(row_of(talk, 10, 1)->kind, SR_KIND_REORDERED);
    const struct sr_path_row row =
        *(const struct sr_path_row *)sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
    talk_free(talk);
    return row;
}

/* As of a TSN that the tap did not see nobody knows when it was sent; 64 are looked at. */
static void what_comes_late_was_overtaken_since_the_first_above_it_that_was_seen(void **state)
{
    (void)state;
    static const struct {
        uint32_t first_above, count, by_tsns;
        int64_t by_ms;
    } cases[] = {{11, 1, 1, 1}, {11, 3, 3, 3}, {13, 2, 4, 2}, {10 + 64, 2, 65, 2}, {10 + 65, 2, 66, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_path_row row = path_with_late_chunk(cases[i].first_above, cases[i].count);
        assert_int_equal(row.reordering_max_tsn, cases[i].by_tsns);
        assert_int_equal(row.reordering_max_ns, cases[i].by_ms * MS);
    }
}

/* Asked twice with the same, it does not say which is answered. */
static void an_answer_to_one_of_two_heartbeats_that_are_the_same_is_no_round_trip(void **state)
{
    (void)state;
    for (uint32_t again = 0; again < 3; again++) { /* not asked again, with something else, or with the same */
        struct talk *talk = talk_new();
        heartbeat(talk, 0, A, false, 7);
        if (again)
            heartbeat(talk, 10000, A, false, again == 1 ? 8 : 7);
        heartbeat(talk, WAY_US, B, true, 7);
        judge(talk);
        assert_int_equal(sr_engine_judgement(talk->engine)->rtt_samples.count, again == 2 ? 0 : 1);
        talk_free(talk);
    }
}

static void an_answer_that_comes_twice_is_one_round_trip(void **state)
{
    (void)state;
    for (uint32_t asked = 1; asked <= 2; asked++) {
        struct talk *talk = talk_new();
        for (uint32_t i = 0; i < asked; i++)
            heartbeat(talk, 1000000 * i, A, false, 7 + i);
        for (uint32_t i = 0; i < 2; i++)
            heartbeat(talk, 1000000 + WAY_US + i, B, true, 7 + i % asked);
        judge(talk);
        assert_int_equal(sr_engine_judgement(talk->engine)->rtt_samples.count, asked);
        talk_free(talk);
    }
}

/* Within 2 ms, as where two clocks differ; also in the first frame. */
static void data_behind_its_acknowledgement_is_counted(void **state)
{
    (void)state;
    for (int64_t later_us = 2000; later_us <= 2001; later_us++)
        for (int before = 0; before < 2; before++) {
            struct talk *talk = before ? begin() : talk_new();
            sack(talk, AT_US, 9, "");
            data(talk, AT_US + later_us, 9);
            judge(talk);
            /* Side a is the one that is seen first. */
            const struct sr_direction_figures *figures = figures_of(talk, before ? A : B);
            assert_int_equal(figures->inverted, later_us == 2000);
            assert_int_equal(figures->inverted_frame, later_us > 2000 ? 0 : before ? 22 : 2);
            talk_free(talk);
        }
}

/* Of blocks that overlap, so many lie before that of TSN 10, and one of so many TSNs. */
static uint64_t acked_behind(uint32_t blocks, uint32_t more)
{
    struct talk *talk = begin();
    struct bytes chunk = {0};
    flight(talk, AT_US, 9, 2, 10);
    size_t start = begin_chunk(&chunk, SR_CHUNK_SACK, 0);
    put32s(&chunk, 2, 8u, (uint32_t)TALK_WINDOW);
    put16s(&chunk, 2, blocks + (more > 0) + 1, 0u);
    for (uint32_t i = 0; i < blocks; i++)
        put16s(&chunk, 2, 3u, 0xffffu);
    if (more > 0)
        put16s(&chunk, 2, 3u, 3u + more - 1);
    put16s(&chunk, 2, 2u, 2u);
    end_chunk(&chunk, start);
    say(talk, AT_US + WAY_US, B, &chunk);
    judge(talk);
    uint64_t acked = figures_of(talk, A)->acked_tsns;
    talk_free(talk);
    return acked;
}

/* As a hostile list, whose blocks well-formed ones do not reach as far as. */
static void a_list_of_blocks_is_followed_as_far_as_two_that_cover_all(void **state)
{
    (void)state;
    assert_int_equal(acked_behind(2, 0), 9);
    assert_int_equal(acked_behind(3, 0), 8);
    assert_int_equal(acked_behind(2, 5), 9);
    assert_int_equal(acked_behind(2, 6), 8); /* 131,072 TSNs of blocks */
}

static void a_block_that_ends_before_it_begins_says_nothing_and_those_behind_it_count(void **state)
{
    (void)state;
    const char *const blocks[] = {"11-10 13-14", "12-10 13-14", "14-10 13-14"};
    for (int i = 0; i < 3; i++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 6, 10);
        sack(talk, AT_US + WAY_US, 8, blocks[i]);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->acked_tsns, 8 + 2);
        talk_free(talk);
    }
}

/* Blocks of a receiver that promises to keep them need not be held any longer; where it says so of all blocks it has
 * only such. */
static void what_a_receiver_promises_to_keep_leaves_the_queue(void **state)
{
    (void)state;
    static const struct {
        const char *blocks;
        bool all;
        uint32_t queued;
    } cases[] = {
        {"11-13", false, 5000},   {"n11-13", false, 2000},    {"11 n13", false, 4000},
        {"n11 n13", false, 3000}, {"11 13 n12", false, 4000}, {"11 n12 n13", false, 3000},
        {"n11 n13", true, 3000},  {"11-13", true, 5000}, /* a SACK has no such flag */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 5, 10);
        talk->sack_flags = cases[i].all ? SR_NR_SACK_ALL : 0;
        sack(talk, AT_US + WAY_US, 8, cases[i].blocks);
        judge(talk);
        assert_int_equal(sr_sack_at(sr_engine_journal(talk->engine), 8)->rtxq_bytes, cases[i].queued);
        assert_int_equal(figures_of(talk, A)->queued_bytes, cases[i].queued);
        talk_free(talk);
    }
}

/* An NR-SACK with gaps that are renegable by their place, and flags that promise all of them. */
static void where_all_blocks_are_promised_those_of_the_first_list_are_too(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct talk *talk = begin();
        struct bytes chunk = {0};
        flight(talk, AT_US, 9, 5, 10);
        size_t start = begin_chunk(&chunk, SR_CHUNK_NR_SACK, all ? SR_NR_SACK_ALL : 0);
        put32s(&chunk, 2, 8u, (uint32_t)TALK_WINDOW);
        put16s(&chunk, 4, 2u, 0u, 0u, 0u);
        put16s(&chunk, 4, 2u, 2u, 4u, 4u);
        end_chunk(&chunk, start);
        say(talk, AT_US + WAY_US, B, &chunk);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->queued_bytes, all ? 3000 : 5000);
        assert_int_equal(figures_of(talk, A)->necessary_bytes, 3000);
        talk_free(talk);
    }
}

static void of_several_steps_the_longest_is_kept(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    int64_t at_us = 1000000;
    const int64_t pauses_us[] = {4000000, 6000000, 5000000};
    for (uint32_t i = 0, tsn = 1; i < 3; i++) {
        for (uint32_t j = 0; j < 60; j++, at_us += 100000) { /* until the step before is forgotten */
            data(talk, at_us, tsn);
            sack(talk, at_us + WAY_US, tsn++, "");
        }
        data(talk, at_us, tsn);
        sack(talk, at_us + pauses_us[i], tsn++, "");
        at_us += pauses_us[i] + 100000;
    }
    judge(talk);
    assert_int_equal(figures_of(talk, A)->clock_steps, 3);
    assert_int_equal(figures_of(talk, A)->clock_step_ns, 6000000 * US);
    assert_int_equal(figures_of(talk, A)->clock_step_frame, 4 + 2 * 122);
    talk_free(talk);
}

static void the_queue_is_in_use_while_it_has_bytes_and_in_loss_while_some_of_them_came(void **state)
{
    (void)state;
    struct sr_direction direction = {.use_ns = SR_NO_TIME};
    struct sr_direction_figures *figures = &direction.figures;
    sr_book_use(&direction, SR_NO_TIME);
    assert_int_equal(direction.use_ns, SR_NO_TIME);
    direction.window.queued_bytes = direction.window.necessary_bytes = 400;
    sr_book_use(&direction, 10 * MS); /* nothing is known of before */
    assert_true(figures->use.busy_ns == 0);
    sr_book_use(&direction, 14 * MS);
    assert_true(figures->use.busy_ns == 4 * MS && figures->use.necessary_ns == 4 * MS);
    assert_true(figures->use_in_loss.busy_ns == 0);
    direction.window.necessary_bytes = 100;
    sr_book_use(&direction, 12 * MS); /* back in time: nothing */
    assert_int_equal(direction.use_ns, 14 * MS);
    sr_book_use(&direction, 22 * MS);
    assert_true(figures->use.busy_ns == 12 * MS && figures->use.necessary_ns == 6 * MS);
    assert_true(figures->use_in_loss.busy_ns == 8 * MS && figures->use_in_loss.necessary_ns == 2 * MS);
    direction.window.queued_bytes = direction.window.necessary_bytes = 0;
    sr_book_use(&direction, 30 * MS);
    assert_true(figures->use.busy_ns == 12 * MS);
    assert_int_equal(direction.use_ns, 30 * MS);
}

static void figures_of_a_direction_lie_where_its_number_says(void **state)
{
    (void)state;
    struct sr_journal journal;
    sr_journal_init(&journal, 1 << 20);
    struct sr_judgement judgement = {.end_ns = SR_NO_TIME};
    struct sr_direction_figures figures = sr_no_figures;
    sr_spool_init(&judgement.figures, &journal.store, sizeof figures);
    assert_true(sr_figures_begin(&judgement, 0));
    assert_true(sr_figures_begin(&judgement, 4));
    assert_int_equal(sr_figures_count(&judgement), 4);
    assert_false(sr_figures_tell(&figures));
    figures.lost_tsns = 7;
    assert_true(sr_figures_tell(&figures));
    assert_true(sr_figures_keep(&judgement, 3, &figures));
    figures.lost_tsns = 8;
    assert_true(sr_figures_keep(&judgement, 0, &figures));
    assert_int_equal(sr_figures_kept(&judgement, 3)->lost_tsns, 7);
    assert_int_equal(sr_figures_kept(&judgement, 0)->lost_tsns, 8);
    assert_null(sr_figures_kept(&judgement, 1));
    assert_ptr_equal(sr_figures_of(&judgement, 1), &sr_no_figures);
    assert_int_equal(sr_figures_of(&judgement, 0)->lost_tsns, 8);
    sr_spool_free(&judgement.figures);
    sr_buffer_free(&judgement.figures_of);
    sr_journal_free(&journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_acknowledges_what_is_sent_later_than_two_ms_lies),
        cmocka_unit_test(a_block_is_a_claim_as_the_cumulative_tsn_is),
        cmocka_unit_test(what_is_never_seen_was_missed_by_the_tap),
        cmocka_unit_test(the_sender_may_pass_over_what_it_never_sent),
        cmocka_unit_test(where_the_capture_begins_in_the_middle_it_may_have_been_sent_before),
        cmocka_unit_test(an_overtaken_sack_says_nothing_of_what_was_taken_back_since),
        cmocka_unit_test(a_broken_sack_says_nothing),
        cmocka_unit_test(
            packets_without_data_were_filtered_out_where_an_answer_is_missing_for_more_than_a_second_and_a_half),
        cmocka_unit_test(a_clock_steps_where_no_timer_ran_for_three_timeouts),
        cmocka_unit_test(where_round_trips_are_long_timeouts_are_too),
        cmocka_unit_test(a_step_may_follow_any_chunk),
        cmocka_unit_test(what_was_sent_again_or_was_never_seen_shows_no_step),
        cmocka_unit_test(a_timer_is_not_backed_off_behind_a_heartbeat_that_was_answered),
        cmocka_unit_test(all_below_the_first_cumulative_tsn_was_acknowledged_with_it),
        cmocka_unit_test(all_copies_are_in_doubt_where_another_chunk_has_their_tsn),
        cmocka_unit_test(what_comes_late_was_overtaken_since_the_first_above_it_that_was_seen),
        cmocka_unit_test(an_answer_to_one_of_two_heartbeats_that_are_the_same_is_no_round_trip),
        cmocka_unit_test(an_answer_that_comes_twice_is_one_round_trip),
        cmocka_unit_test(data_behind_its_acknowledgement_is_counted),
        cmocka_unit_test(a_list_of_blocks_is_followed_as_far_as_two_that_cover_all),
        cmocka_unit_test(a_block_that_ends_before_it_begins_says_nothing_and_those_behind_it_count),
        cmocka_unit_test(what_a_receiver_promises_to_keep_leaves_the_queue),
        cmocka_unit_test(where_all_blocks_are_promised_those_of_the_first_list_are_too),
        cmocka_unit_test(of_several_steps_the_longest_is_kept),
        cmocka_unit_test(the_queue_is_in_use_while_it_has_bytes_and_in_loss_while_some_of_them_came),
        cmocka_unit_test(figures_of_a_direction_lie_where_its_number_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
