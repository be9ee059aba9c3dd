/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a sender whose timers are set otherwise than its stack has them (RFC 9260 section 16): from its own timeouts
 * on what it sends again is explained by them, and what the timers of its stack had made of the capture is forgotten.
 */
#include "talk_text.h"
#include "taps_of_talk.h"

#include "facts/timeouts.h"

enum { AT_US = 1000000, AGAIN_US = 3000000 };

static struct talk *of_profile(enum sr_profile profile)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + profile)});
    shake_hands(talk, SENDER_US, WAY_US, false);
    return talk;
}

/* How much of what was sent again the sender's timers explain. */
static float explained(const struct talk *talk)
{
    return ((const struct sr_path_row *)sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0))->profile_score;
}

/* So many messages are lost, and come again behind a timer: nothing was measured before any of them. */
static struct talk *before_anything_was_measured(enum sr_profile profile, uint32_t messages, int64_t rto_us)
{
    struct talk *talk = of_profile(profile);
    int64_t at_us = AT_US;
    for (uint32_t tsn = 1; tsn <= messages; tsn++, at_us += AT_US) {
        data(talk, at_us, tsn);
        data(talk, at_us += rto_us, tsn);
        sack(talk, at_us + WAY_US, tsn, "");
    }
    judge(talk);
    return talk;
}

static bool are_explained(uint32_t messages, int64_t rto_us)
{
    struct talk *talk = before_anything_was_measured(SR_PROFILE_DCSCTP, messages, rto_us);
    bool all = explained(talk) == 1.0f;
    talk_free(talk);
    return all;
}

/* That of dcsctp is 500 ms. */
static void two_first_timeouts_show_another_first_timeout(void **state)
{
    (void)state;
    assert_true(are_explained(1, 500000));
    assert_false(are_explained(1, 800000));
    assert_true(are_explained(2, 800000));
    assert_true(are_explained(2, 200000));
}

/* What is as soon is no timer, whatever it is. */
static void no_first_timeout_is_shorter_than_telephony_sets_it(void **state)
{
    (void)state;
    const int64_t least_us = (SR_SHORTEST_SET_RTO_NS - SR_TIMEOUT_EARLY_NS) / US;
    assert_true(are_explained(2, least_us));
    assert_false(are_explained(2, least_us - 1));
}

/* When the sender's own timer of that stack expires for the first time, since the packet left. */
static int64_t expires_us(int64_t rto_us)
{
    struct talk *talk = before_anything_was_measured(SR_PROFILE_DCSCTP, 2, rto_us);
    const struct sr_spool *marks = &sr_engine_judgement(talk->engine)->rack_marks;
    int64_t expires_ns = SR_NO_TIME;
    for (uint64_t i = 0; i < marks->count && expires_ns == SR_NO_TIME; i++) {
        const struct sr_rack_mark_row *mark = sr_spool_visit(marks, i);
        if (mark->tsn == 1 && mark->profile == SR_PROFILE_DCSCTP)
            expires_ns = mark->time_ns;
    }
    talk_free(talk);
    return (expires_ns - TALK_NS) / US - AT_US;
}

static void a_host_that_is_as_late_as_hosts_are_has_the_timer_of_its_stack(void **state)
{
    (void)state;
    const int64_t latest_us = 500000 + SR_TIMEOUT_LATE_NS / US;
    assert_int_equal(expires_us(latest_us), 500000);
    assert_int_equal(expires_us(latest_us + 1), latest_us + 1);
}

/* One packet is sent again six times. */
static float explained_up_to(int64_t rto_max_us)
{
    struct talk *talk = of_profile(SR_PROFILE_LINUX);
    warm_up(talk, MANY, WAY_US);
    int64_t at_us = AGAIN_US, rto_us = 1000000;
    data(talk, at_us, MANY + 1);
    for (int i = 0; i < 6; i++) {
        data(talk, at_us += rto_us, MANY + 1);
        rto_us = 2 * rto_us < rto_max_us ? 2 * rto_us : rto_max_us;
    }
    sack(talk, at_us + WAY_US, MANY + 1, "");
    judge(talk);
    float share = explained(talk);
    talk_free(talk);
    return share;
}

/* Two of them have to be as long as the one before each: of 1, 2, 4, 8, 16 and 16 s the last alone is. */
static void timeouts_that_double_no_further_show_the_longest(void **state)
{
    (void)state;
    assert_true(explained_up_to(60000000) == 1.0f);
    assert_true(explained_up_to(4000000) == 1.0f);
    assert_true(explained_up_to(16000000) < 1.0f);
}

/* With 19 and 20 lost before the tap a timer of 1 s sends 19, and 20 with its feedback. One of 200 ms had sent both
 * again long before: then 20 is new. */
static enum sr_kind follows_behind(int64_t rto_us)
{
    struct talk *talk = behind_a_loss(false);
    int64_t at_us = 5000000;
    uint32_t tsn = 11;
    for (int i = 0; i < 3; i++, tsn += 2) {
        data(talk, at_us, tsn);
        data(talk, at_us + rto_us, tsn);
        sack(talk, at_us + rto_us + SENDER_US, tsn, "");
        data(talk, at_us + 1500000, tsn + 1); /* a round trip is measured */
        sack(talk, at_us + 1500000 + SENDER_US, tsn + 1, "");
        at_us += 2000000;
    }
    flight(talk, at_us, tsn, 2, 100);
    sack(talk, at_us + 100 + SENDER_US, tsn + 1, "");
    talk->id[A] += 2;
    at_us += 1000000;
    data(talk, at_us, tsn + 2);
    sack(talk, at_us + SENDER_US, tsn + 2, "");
    at_us += SENDER_US + WAY_US;
    data(talk, at_us, tsn + 3);
    sack(talk, at_us + SENDER_US, tsn + 3, "");
    judge(talk);
    assert_int_equal(row_of(talk, tsn + 2, 1)->kind, SR_KIND_RETRANSMISSION);
    enum sr_kind kind = (enum sr_kind)row_of(talk, tsn + 3, 1)->kind;
    talk_free(talk);
    return kind;
}

static void what_the_stacks_own_timer_made_a_resend_is_none_by_another_timer(void **state)
{
    (void)state;
    assert_int_equal(follows_behind(1000000), SR_KIND_RETRANSMISSION);
    assert_int_equal(follows_behind(200000), SR_KIND_ORIGINAL);
}

/* The first of four, which may be seen, is reported as missing three times, and comes so long after the third. */
static void misses_one(struct talk *talk, int64_t at_us, uint32_t tsn, bool seen, int64_t after_us)
{
    enum { APART_US = 1500 };
    char blocks[32];
    for (uint32_t i = seen ? 0 : 1; i < 4; i++)
        data(talk, at_us + i * APART_US, tsn + i);
    for (uint32_t i = 1; i < 4; i++) {
        snprintf(blocks, sizeof blocks, "%u-%u", tsn + 1, tsn + i);
        sack(talk, at_us + i * APART_US + WAY_US, tsn - 1, blocks);
    }
    at_us += 3 * APART_US + WAY_US + after_us;
    data(talk, at_us, tsn);
    sack(talk, at_us + WAY_US, tsn + 3, "");
}

/* There was no handshake: that its sender is 20 ms away what is sent again at three reports shows. What comes sooner
 * was not sent again, whatever the timer. */
static enum sr_kind comes_after_reports(int64_t rto_us, int64_t after_us)
{
    struct talk *talk = talk_new();
    int64_t at_us = AGAIN_US;
    uint32_t tsn = MANY + 1;
    talk->id[A] = 0;
    warm_up(talk, MANY, WAY_US);
    for (int i = 0; i < 4; i++, at_us += 1000000, tsn += 4)
        misses_one(talk, at_us, tsn, true, WAY_US);
    for (int i = 0; i < 3; i++, at_us += 3000000, tsn += 2) {
        data(talk, at_us, tsn);
        data(talk, at_us + rto_us, tsn);
        sack(talk, at_us + rto_us + WAY_US, tsn, "");
        data(talk, at_us + 1500000, tsn + 1);
        sack(talk, at_us + 1500000 + WAY_US, tsn + 1, "");
    }
    misses_one(talk, at_us, tsn, false, after_us);
    judge(talk);
    enum sr_kind kind = (enum sr_kind)row_of(talk, tsn, 1)->kind;
    talk_free(talk);
    return kind;
}

static void what_came_too_soon_to_be_sent_again_did_so_by_any_timer(void **state)
{
    (void)state;
    for (int64_t rto_us = 200000; rto_us <= 1000000; rto_us += 800000) {
        assert_int_equal(comes_after_reports(rto_us, WAY_US / 2), SR_KIND_REORDERED);
        assert_int_equal(comes_after_reports(rto_us, WAY_US), SR_KIND_RETRANSMISSION);
    }
}

/* Another chunk comes under a TSN that was sent again: neither is what it seemed to be. */
static enum sr_kind beside_another_chunk(int64_t rto_us)
{
    struct talk *talk = of_profile(SR_PROFILE_LINUX);
    warm_up(talk, MANY, WAY_US);
    int64_t at_us = AGAIN_US;
    for (uint32_t tsn = MANY + 1; tsn <= MANY + 2; tsn++, at_us += AGAIN_US) {
        data(talk, at_us, tsn);
        data(talk, at_us + rto_us, tsn);
        sack(talk, at_us + rto_us + WAY_US, tsn, "");
    }
    talk->content = 5;
    data(talk, at_us, MANY + 2);
    judge(talk);
    assert_true(explained(talk) == 1.0f);
    enum sr_kind kind = (enum sr_kind)row_of(talk, MANY + 2, 2)->kind;
    talk_free(talk);
    return kind;
}

static void what_another_chunk_speaks_against_was_not_sent_again_by_any_timer(void **state)
{
    (void)state;
    assert_int_equal(beside_another_chunk(1000000), SR_KIND_CONFLICTING);
    assert_int_equal(beside_another_chunk(200000), SR_KIND_CONFLICTING);
}

/* RFC 8985 section 7.2: with one packet in flight a probe waits for SACK.Delay, 200 ms, or what the caller says. */
static enum sr_cause cause_after(int64_t delay_ms, int64_t after_us)
{
    struct talk *talk = talk_told((struct sr_told){
        .profile = 1 + SR_PROFILE_RFC8985, .max_ack_delay = delay_ms != 0, .max_ack_delay_ns = delay_ms * 1000 * US});
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, MANY, WAY_US);
    data(talk, AGAIN_US, MANY + 1);
    data(talk, AGAIN_US + after_us, MANY + 1);
    sack(talk, AGAIN_US + after_us + WAY_US, MANY + 1, "");
    judge(talk);
    enum sr_cause cause = (enum sr_cause)row_of(talk, MANY + 1, 2)->cause;
    talk_free(talk);
    return cause;
}

static void a_probe_waits_as_long_as_a_receiver_is_told_to(void **state)
{
    (void)state;
    enum { PROBE_US = 2 * WAY_US + 200000 };
    assert_int_equal(cause_after(0, PROBE_US), SR_CAUSE_TLP);
    assert_int_equal(cause_after(200, PROBE_US), SR_CAUSE_TLP);
    assert_int_equal(cause_after(50, PROBE_US), SR_CAUSE_T3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_first_timeouts_show_another_first_timeout),
        cmocka_unit_test(no_first_timeout_is_shorter_than_telephony_sets_it),
        cmocka_unit_test(a_host_that_is_as_late_as_hosts_are_has_the_timer_of_its_stack),
        cmocka_unit_test(timeouts_that_double_no_further_show_the_longest),
        cmocka_unit_test(what_the_stacks_own_timer_made_a_resend_is_none_by_another_timer),
        cmocka_unit_test(what_came_too_soon_to_be_sent_again_did_so_by_any_timer),
        cmocka_unit_test(what_another_chunk_speaks_against_was_not_sent_again_by_any_timer),
        cmocka_unit_test(a_probe_waits_as_long_as_a_receiver_is_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
