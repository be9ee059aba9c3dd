/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on stalls, and on what limited a transfer. */
#include "findings_of_talk.h"

/* One chunk that is sent at 3 s, again at each of these, and acknowledged at the last. */
static struct talk *stalled(int count, const int64_t *at_us)
{
    struct talk *talk = at_sender(false);
    data(talk, 3 * S, 9);
    for (int i = 0; i + 1 < count; i++)
        data(talk, at_us[i], 9);
    sack(talk, at_us[count - 1], 9, "");
    judge(talk);
    return talk;
}

static void check_stall(struct talk *talk, const char *expected)
{
    if (!strstr(text_of(talk, all, SR_FINDING_STALL), expected) || (*expected == '\0' && talk->text[0] != '\0'))
        fail_msg("%s\nnot\n%s", talk->text, expected);
    talk_free(talk);
}

static void a_stall_says_what_became_of_its_chunk(void **state)
{
    (void)state;
    check_stall(stalled(3, (int64_t[]){4 * S, 6 * S, 6 * S + WAY_US}),
                "Association 0, a to b: data was outstanding and made no progress for 3.02 s, 2.00 s after the first "
                "data: TSN 9, the next to be acknowledged, was lost, and lost again when it was sent again: 2 timeouts "
                "in a row.");
    check_stall(stalled(2, (int64_t[]){4 * S, 4 * S + WAY_US}), "was lost and waited for a timeout.");
    check_stall(stalled(2, (int64_t[]){4 * S, 4 * S + 10}),
                "was sent again once, spuriously: its answer came late, or was lost on the way back.");
}

/* What a receiver may hold back, and a repair by feedback: 500 ms and two round trips of 20 ms. */
static void a_short_wait_is_no_stall(void **state)
{
    (void)state;
    check_stall(stalled(2, (int64_t[]){3400000, 3 * S + 540000}), "");
    check_stall(stalled(2, (int64_t[]){3400000, 3 * S + 545000}), "no progress for 545 ms");
}

/* Up to the end, 30 s after it began; a sender that falls silent has a finding of its own. */
static void a_stall_without_an_answer(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    for (int64_t at_us = 3 * S; at_us < 30 * S; at_us += 9 * S)
        data(talk, at_us, 9);
    judge(talk);
    check_stall(talk,
                "no progress for 27.00 s, 2.00 s after the first data: TSN 9, the next to be acknowledged, was sent "
                "again twice and is not acknowledged up to the end: the peer is gone, or the path to it or back.");
    talk = at_sender(false);
    data(talk, 3 * S, 9);
    data(talk, 4 * S, 9);
    judge(talk);
    assert_string_equal(told_of(talk, all), "warning stuck_sender 22");
    talk_free(talk);
}

/* By what there are most of; the longest is told of. A TSN between them is never seen. */
static void several_stalls_are_one_finding(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    for (uint32_t i = 0; i < 3; i++) {
        int64_t at_us = (3 + 20 * (int64_t)i) * S;
        data(talk, at_us, 9 + 2 * i);
        data(talk, at_us + S, 9 + 2 * i);
        if (i > 0)
            data(talk, at_us + (2 + i) * S, 9 + 2 * i);
        sack(talk, at_us + (i > 0 ? 2 + i : 1) * S + (i > 0 ? WAY_US : 10), 9 + 2 * i, "");
    }
    judge(talk);
    check_stall(
        talk, "3 stalls, 8.04 s together (2 by timeouts, 1 by late or lost answers). The longest: data was outstanding "
              "and made no progress for 4.02 s, 42.00 s after the first data: TSN 13,");
}

/* This does, for so long; then nothing does, and then nobody knows what, for as long each. */
static const char *limited(struct talk *talk, uint8_t limit, uint8_t limit_class, int64_t ns, int64_t others_ns,
                           uint64_t bytes)
{
    struct sr_spool *limits = &((struct sr_judgement *)(uintptr_t)sr_engine_judgement(talk->engine))->limits;
    sr_spool_clear(limits);
    for (int i = 0; i < 3; i++) {
        struct sr_limit_row *row = sr_spool_append(limits);
        assert_non_null(row);
        *row = (struct sr_limit_row){
            .begin_ns = i == 0 ? 0 : ns + (i - 1) * others_ns,
            .end_ns = ns + i * others_ns,
            .bytes = i == 0 ? bytes : 0,
            .outstanding_bytes = 4000,
            .a_rwnd = i == 0 ? 5000 : SR_NO_TIME,
            .begin_frame = 7,
            .limit = i == 0   ? limit
                     : i == 1 ? SR_LIMIT_APPLICATION
                              : SR_LIMIT_UNKNOWN,
            .limit_class = limit_class,
        };
    }
    return text_of(talk, all, SR_FINDING_TRANSFER_LIMITED);
}

static void a_transfer_is_limited(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    judge(talk);
    assert_string_equal(limited(talk, SR_LIMIT_PEER_WINDOW, 3, 2000000000, 1000000000, 65536),
                        "Association 0, a to b: 50.0 % of the time (2.00 s) it waited for the peer's window of at most "
                        "5,000 bytes; at this round trip (20.0 ms) that allows 2.00 Mbit/s.");
    assert_string_equal(
        limited(talk, SR_LIMIT_SEND_BUFFER, 3, 6000000000, 1000000000, 65536),
        "Association 0, a to b: 75.0 % of the time (6.00 s) it waited for room in its send buffer, with "
        "4,000 bytes outstanding at most; at this round trip (20.0 ms) that allows 1.60 Mbit/s.");
    assert_string_equal(
        limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000000, 65536),
        "Association 0, a to b: 50.0 % of the time (2.00 s) it repaired losses that feedback or a probe "
        "told of.");
    assert_string_equal(told_of(talk, all), "note transfer_limited 7");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 2, 2000000000, 1000000000, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 1999999999, 1, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000001, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_RECOVERY, 3, 2000000000, 1000000000, 65535), "");
    assert_string_equal(limited(talk, SR_LIMIT_UNKNOWN, 3, 2000000000, 1000000000, 65536), "");
    assert_string_equal(limited(talk, SR_LIMIT_APPLICATION, 3, 2000000000, 1000000000, 65536), "");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stall_says_what_became_of_its_chunk),
        cmocka_unit_test(a_short_wait_is_no_stall),
        cmocka_unit_test(a_stall_without_an_answer),
        cmocka_unit_test(several_stalls_are_one_finding),
        cmocka_unit_test(a_transfer_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
