/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what fills a gap sooner than the sender could have sent it again by its handshake: it was late, or its
 * sender, which is faster by now, sent it when it always does. The tap is in the middle, 20 ms from either side by the
 * handshake, and the sender does not count its packets. */
#include "talk.h"

enum { WAY_US = 20000, AT_US = 3000000, APART_US = 1000000, FIRST = 9, GROUP = 4 };
enum { REACTS_US = 14000, WITHIN_US = 1000, REPORT_US = 1500, TELLING = 10 };

/* The first of four is lost, behind the tap or before it; three reports ask for it, and it comes again so long after
 * the third. */
static void loses_one(struct talk *talk, int64_t at_us, uint32_t tsn, bool seen, int64_t again_us)
{
    char blocks[32];
    for (uint32_t i = seen ? 0 : 1; i < GROUP; i++)
        data(talk, at_us + i * REPORT_US, tsn + i);
    for (uint32_t i = 1; i < GROUP; i++) {
        snprintf(blocks, sizeof blocks, "%u-%u", tsn + 1, tsn + i);
        sack(talk, at_us + i * REPORT_US + WAY_US, tsn - 1, blocks);
    }
    at_us += (GROUP - 1) * REPORT_US + WAY_US + again_us;
    data(talk, at_us, tsn);
    sack(talk, at_us + WAY_US, tsn + GROUP - 1, "");
}

/* What was lost before the tap, after so many times that the sender was seen to send again; the one of that number was
 * so much slower. Before them come so many timeouts. */
static enum sr_kind comes_behind(uint32_t timeouts, uint32_t times, uint32_t number, int64_t slower_us,
                                 int64_t again_us)
{
    struct talk *talk = talk_new();
    uint32_t tsn = FIRST;
    int64_t at_us = AT_US;
    talk->id[A] = 0;
    shake_hands(talk, WAY_US, WAY_US, false);
    warm_up(talk, FIRST - 1, WAY_US);
    for (uint32_t i = 0; i < timeouts; i++, at_us += 2 * APART_US, tsn++) {
        data(talk, at_us, tsn);
        data(talk, at_us + APART_US, tsn);
        sack(talk, at_us + APART_US + WAY_US, tsn, "");
    }
    for (uint32_t i = 1; i <= times; i++, at_us += APART_US, tsn += GROUP)
        loses_one(talk, at_us, tsn, true, REACTS_US + (i == number ? slower_us : 0));
    loses_one(talk, at_us, tsn, false, again_us);
    judge(talk);
    enum sr_kind kind = (enum sr_kind)row_of(talk, tsn, 1)->kind;
    talk_free(talk);
    return kind;
}

static enum sr_kind comes_after(uint32_t times, uint32_t number, int64_t slower_us, int64_t again_us)
{
    return comes_behind(0, times, number, slower_us, again_us);
}

static enum sr_kind comes(uint32_t times, int64_t slower_us, int64_t again_us)
{
    return comes_after(times, times, slower_us, again_us);
}

static void what_comes_when_its_sender_always_sends_again_was_sent_again(void **state)
{
    (void)state;
    assert_int_equal(comes(TELLING, 0, REACTS_US - WITHIN_US - 1), SR_KIND_REORDERED);
    assert_int_equal(comes(TELLING, 0, REACTS_US - WITHIN_US), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes(TELLING, 0, REACTS_US + WITHIN_US), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes(TELLING, 0, REACTS_US + WITHIN_US + 1), SR_KIND_REORDERED);
}

static void until_that_is_known_it_was_late(void **state)
{
    (void)state;
    assert_int_equal(comes(TELLING - 1, 0, REACTS_US), SR_KIND_REORDERED);
}

/* As RFC 9260 section 6.3.1 allows for a round trip; a sender that waits for its window says nothing of that. */
static void one_that_was_slower_leaves_more_open_unless_its_sender_waited(void **state)
{
    (void)state;
    enum { SLOWER_US = 2000, WAITED_US = 13000 };
    assert_int_equal(comes(TELLING + 1, SLOWER_US, REACTS_US + WITHIN_US + 1), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes(TELLING + 1, WAITED_US, REACTS_US + WITHIN_US), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes(TELLING + 1, WAITED_US, REACTS_US + WITHIN_US + 1), SR_KIND_REORDERED);
}

/* An eighth of what it was faster by moves the mean, and an eighth of that the deviation, of which four are allowed
 * for. */
static void one_that_was_faster_leaves_more_open(void **state)
{
    (void)state;
    for (int64_t faster_us = 2000; faster_us <= 3000; faster_us += 1000) {
        int64_t least_us = REACTS_US - faster_us / 8 - WITHIN_US - 4 * (faster_us / 8);
        assert_int_equal(comes(TELLING + 1, -faster_us, least_us - 1), SR_KIND_REORDERED);
        assert_int_equal(comes(TELLING + 1, -faster_us, least_us), SR_KIND_RETRANSMISSION);
    }
}

static void the_first_counts_as_any_other(void **state)
{
    (void)state;
    assert_int_equal(comes_after(TELLING + 1, 1, -2000, REACTS_US - WITHIN_US - 1), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes_after(TELLING + 1, 1, 0, REACTS_US - WITHIN_US - 1), SR_KIND_REORDERED);
}

static void a_timeout_tells_nothing_of_how_soon_its_sender_reacts(void **state)
{
    (void)state;
    assert_int_equal(comes_behind(3, TELLING, 0, 0, REACTS_US - WITHIN_US - 1), SR_KIND_REORDERED);
    assert_int_equal(comes_behind(3, TELLING, 0, 0, REACTS_US - WITHIN_US), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes_behind(3, TELLING, 0, 0, REACTS_US + WITHIN_US), SR_KIND_RETRANSMISSION);
    assert_int_equal(comes_behind(3, TELLING, 0, 0, REACTS_US + WITHIN_US + 1), SR_KIND_REORDERED);
}

/* By the handshake feedback takes 20 ms to the sender, and all that it sends again comes 14 ms behind it. */
static void a_loop_that_was_told_is_not_fitted(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        struct talk *talk = talk_told(
            (struct sr_told){.vantage = told ? 1 + SR_VANTAGE_MIDDLE : 0, .loop = told, .loop_ns = WAY_US * US});
        talk->id[A] = 0;
        shake_hands(talk, WAY_US, WAY_US, false);
        warm_up(talk, FIRST - 1, WAY_US);
        for (uint32_t i = 0; i < TELLING; i++)
            loses_one(talk, AT_US + i * APART_US, FIRST + i * GROUP, true, REACTS_US);
        judge(talk);
        const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
        assert_int_equal(path->loop_fitted_ns == SR_NO_TIME, told);
        talk_free(talk);
    }
}

/* Behind new data in its packet it is not known when the timer was started; also where the clock begins at zero. */
static void what_leaves_behind_new_data_tells_nothing_of_the_timer(void **state)
{
    (void)state;
    const int64_t zero_us = -(int64_t)TALK_BEGAN_S * 1000000;
    for (int behind = 0; behind < 2; behind++) {
        struct talk *talk = talk_new();
        struct bytes chunks = {0};
        init(talk, zero_us, A, false);
        init(talk, zero_us + WAY_US, B, false);
        control(talk, zero_us + WAY_US + 100, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
        control(talk, zero_us + 2 * WAY_US + 100, B, SR_CHUNK_COOKIE_ACK, 0);
        data(talk, zero_us + 1000000, 1);
        sack(talk, zero_us + 1000000 + WAY_US, 1, "");
        data(talk, zero_us + 2000000, 2);
        put_chunk(talk, &chunks, behind ? 3 : 2);
        put_chunk(talk, &chunks, behind ? 2 : 3);
        say(talk, zero_us + 3000000, A, &chunks);
        sack(talk, zero_us + 3000000 + WAY_US, 3, "");
        judge(talk);
        const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
        assert_int_equal(row_of(talk, 2, 2)->cause, SR_CAUSE_T3);
        assert_int_equal(path->rto_min_count, !behind);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_when_its_sender_always_sends_again_was_sent_again),
        cmocka_unit_test(until_that_is_known_it_was_late),
        cmocka_unit_test(one_that_was_slower_leaves_more_open_unless_its_sender_waited),
        cmocka_unit_test(one_that_was_faster_leaves_more_open),
        cmocka_unit_test(the_first_counts_as_any_other),
        cmocka_unit_test(a_timeout_tells_nothing_of_how_soon_its_sender_reacts),
        cmocka_unit_test(a_loop_that_was_told_is_not_fitted),
        cmocka_unit_test(what_leaves_behind_new_data_tells_nothing_of_the_timer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
