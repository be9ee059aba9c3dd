/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for: each rule at both sides of its threshold, then whole conversations. */
#include "talk.h"

#include "limits/ack_clock.h"
#include "limits/waits.h"

enum { WAY_US = 20000, HERE_US = 100 };

/* Ten packets of 1,000 bytes are outstanding, feedback came, and the next packet leaves with it. */
static const struct sr_wait waiting = {
    .outstanding_bytes = 10000,
    .outstanding_chunks = 10,
    .largest_bytes = 1000,
    .window_bytes = 100000,
    .lasted_ns = 20000000,
    .packet_bytes = 1000,
    .most_held_ns = 20000000,
    .fed = true,
};

static void expect(struct sr_wait wait, enum sr_limit limit)
{
    struct sr_waited waited = sr_waited_for(&wait);
    if (waited.limit != limit)
        fail_msg("%s, not %s", sr_limit_names[waited.limit], sr_limit_names[limit]);
}

static void what_leaves_without_feedback_waited_for_its_application(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.fed = false;
    expect(wait, SR_LIMIT_APPLICATION);
    wait.fed = true;
    wait.outstanding_bytes = 0;
    expect(wait, SR_LIMIT_APPLICATION);
}

static void a_window_without_room_for_the_packet_is_closed(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.largest_bytes = 400; /* no packet is larger than this one of 400 */
    wait.packet_bytes = 400;
    wait.window_bytes = 10399;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.window_bytes = 10400;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.window_bytes = 0;
    wait.outstanding_bytes = 0;
    wait.fed = false;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.window_bytes = SR_NO_TIME;
    expect(wait, SR_LIMIT_APPLICATION);
}

static void a_silly_window_is_closed_unless_half_of_it_is_free(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.packet_bytes = 100;
    wait.window_bytes = 10999;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.window_bytes = 11000;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.outstanding_bytes = 900;
    wait.window_bytes = 1800;
    bool unsure;
    assert_false(sr_wait_is_closed(&wait, &unsure));
    wait.window_bytes = 1799;
    assert_true(sr_wait_is_closed(&wait, &unsure));
}

/* usrsctp: 256 bytes and the header for each chunk, and what is less than 1,420 is none. */
static void a_sender_that_charges_chunks_finds_a_window_closed_sooner(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.window_bytes = 10000 + 10 * 272 + 1419;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.charges_chunks = true;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    assert_true(sr_waited_for(&wait).unsure);
    wait.window_bytes++;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
}

static void what_leaves_at_once_waited_for_no_window_of_the_peer(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.window_bytes = 10000;
    wait.lasted_ns = SR_LIMITS_NEAR_NS + 1;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.lasted_ns = SR_LIMITS_NEAR_NS;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
}

/* RFC 9260 section 7.2.1: the initial window, 4,380 bytes or four packets; headers of chunks count. */
static void less_than_the_initial_window_is_not_full(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.largest_bytes = wait.packet_bytes = 1400;
    wait.outstanding_chunks = 3;
    wait.outstanding_bytes = 4380 - 1400 - 3 * 16 + 1;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.outstanding_bytes--;
    expect(wait, SR_LIMIT_APPLICATION);
    wait.reduced = true;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.reduced = false;
    wait.largest_bytes = wait.packet_bytes = 600;
    wait.outstanding_bytes = 4 * 628 - 600 - 3 * 16 + 1;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.outstanding_bytes--;
    expect(wait, SR_LIMIT_APPLICATION);
}

static void data_of_the_other_side_may_be_what_is_answered(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.outstanding_bytes = 300;
    wait.outstanding_chunks = 1;
    wait.packet_bytes = 300;
    expect(wait, SR_LIMIT_UNKNOWN); /* the rule of Nagle has no word */
    wait.heard = true;
    expect(wait, SR_LIMIT_APPLICATION);
    wait.outstanding_bytes = 10000; /* the congestion window is full whatever is heard */
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
}

static void a_message_that_goes_on_was_there(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    assert_true(sr_waited_for(&wait).doubtful);
    wait.continues = true;
    assert_false(sr_waited_for(&wait).doubtful);
    wait.outstanding_bytes = 1000;
    wait.outstanding_chunks = 1;
    expect(wait, SR_LIMIT_UNKNOWN);
    wait.continues = false;
    expect(wait, SR_LIMIT_APPLICATION);
}

static void feedback_that_was_held_back_is_waited_for_by_what_may_not_leave(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.held_ns = wait.most_held_ns;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.held_ns++;
    expect(wait, SR_LIMIT_DELAYED_SACK);
    wait.outstanding_bytes = 1000;
    wait.outstanding_chunks = 1;
    expect(wait, SR_LIMIT_APPLICATION); /* a full packet may leave: the rule of Nagle does not forbid it */
    wait.packet_bytes = 999;
    expect(wait, SR_LIMIT_DELAYED_SACK);
    wait.packet_bytes = wait.largest_bytes = 528;
    expect(wait, SR_LIMIT_APPLICATION);
    wait.packet_bytes = wait.largest_bytes = 527; /* no path has so small packets alone */
    expect(wait, SR_LIMIT_DELAYED_SACK);
}

static void what_is_blurred_may_be_closed(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.window_bytes = 11500;
    wait.blur_bytes = 500;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.blur_bytes = 501;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    assert_true(sr_waited_for(&wait).unsure);
    wait.window_bytes = 10999;
    assert_false(sr_waited_for(&wait).unsure);
}

/* RFC 1122 section 3.3.3: packets of 576 bytes at least, also where smaller ones were sent. */
static void the_initial_window_is_four_packets_that_each_path_takes(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.largest_bytes = wait.packet_bytes = 100;
    wait.outstanding_chunks = 10;
    wait.outstanding_bytes = 4 * (528 + 28) - 100 - 10 * 16 + 1;
    assert_true(sr_wait_is_full(&wait));
    wait.outstanding_bytes--;
    assert_false(sr_wait_is_full(&wait));
}

static void what_runs_free_waited_for_its_application(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.runs_free = true;
    expect(wait, SR_LIMIT_APPLICATION);
    wait.window_bytes = 10000; /* a closed window is told */
    expect(wait, SR_LIMIT_PEER_WINDOW);
}

/* ---- the clock of acknowledgements ---- */

enum { APART_NS = 2000000 };

static struct sr_ack_clock clock_of(uint32_t rounds, uint32_t bursts)
{
    struct sr_ack_clock clock = {.owed = 0};
    for (uint32_t i = 0; i < 4; i++)
        sr_ack_clock_packet(&clock, APART_NS / 2, 1000);
    for (uint32_t i = 0; i < rounds; i++) {
        sr_ack_clock_feedback(&clock);
        for (uint32_t n = 0; n < bursts; n++)
            sr_ack_clock_burst(&clock);
    }
    return clock;
}

static void more_bursts_than_feedback_run_free(void **state)
{
    (void)state;
    struct sr_ack_clock clocked = clock_of(100, 1), free = clock_of(4, 2);
    assert_false(sr_ack_clock_runs_free(&clocked, APART_NS, 1000));
    assert_true(sr_ack_clock_runs_free(&free, APART_NS, 1000));
    for (uint32_t i = 0; i < 4; i++) {
        sr_ack_clock_feedback(&free);
        sr_ack_clock_burst(&free);
    }
    assert_false(sr_ack_clock_runs_free(&free, APART_NS, 1000));
}

static void a_slow_link_spreads_no_further_than_its_packets_take(void **state)
{
    (void)state;
    struct sr_ack_clock clock = clock_of(10, 2);
    assert_true(sr_ack_clock_runs_free(&clock, APART_NS, 1000));
    assert_false(sr_ack_clock_runs_free(&clock, APART_NS - 1000, 1000));
    assert_false(sr_ack_clock_runs_free(&clock, APART_NS, 1001));
    clock.paces = 3;
    assert_false(sr_ack_clock_runs_free(&clock, APART_NS, 1000));
    clock = clock_of(10, 2);
    sr_ack_clock_packet(&clock, 1, 1000); /* one may be late */
    assert_false(sr_ack_clock_runs_free(&clock, APART_NS - 1000, 1000));
}

static void a_host_takes_as_long_as_it_did_but_once(void **state)
{
    (void)state;
    struct sr_ack_clock clock = {.owed = 0};
    for (int64_t i = 1; i <= 7; i++)
        sr_ack_clock_lag(&clock, i);
    assert_int_equal(clock.reaction_ns, 0);
    sr_ack_clock_lag(&clock, 100);
    assert_int_equal(clock.reaction_ns, 7);
    for (int64_t i = 0; i < 16; i++)
        sr_ack_clock_lag(&clock, 3);
    assert_int_equal(clock.reaction_ns, 3);
}

/* ---- conversations ---- */

static struct talk *at_sender(void)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    return talk;
}

/* Of the data of side A, in milliseconds, like "application/4 100 timeout/3 1000". */
static void check_limits(struct talk *talk, const char *expected)
{
    judge(talk);
    talk->length = 0;
    talk->text[0] = '\0';
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *row = sr_spool_visit(&judgement->limits, i);
        if (row->from == A)
            add(talk, "%s%s/%u %lld", talk->length ? " " : "", sr_limit_names[row->limit], row->limit_class,
                (long long)((row->end_ns - row->begin_ns + 500000) / 1000000));
    }
    if (strcmp(talk->text, expected) != 0)
        fail_msg("\n  %s\nnot\n  %s", talk->text, expected);
    talk_free(talk);
}

static void messages_now_and_then_are_limited_by_the_application(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    warm_up(talk, 10, WAY_US);
    check_limits(talk, "application/4 920");
}

/* Five at once from 1 s on, five with each answer. */
static int64_t windows_full(struct talk *talk, uint32_t rounds, int64_t loop_us)
{
    int64_t at_us = 1000000;
    for (uint32_t i = 0; i < rounds; i++, at_us += loop_us) {
        if (i > 0)
            sack(talk, at_us - 20, 5 * i, "");
        flight(talk, at_us, 1 + 5 * i, 5, 10);
    }
    return at_us;
}

static void what_leaves_with_feedback_alone_is_limited_by_the_congestion_window(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    int64_t at_us = windows_full(talk, 10, WAY_US);
    sack(talk, at_us, 50, "");
    check_limits(talk, "congestion_window/3 180 application/4 20");
}

/* Its host takes 4 ms over feedback: less than a quarter of what was waited. */
static void a_slow_host_waited_for_the_feedback_all_the_same(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    int64_t at_us = 1000000;
    for (uint32_t i = 0; i < 10; i++, at_us += WAY_US + 4000) {
        if (i > 0)
            sack(talk, at_us - 4000, 5 * i, "");
        flight(talk, at_us, 1 + 5 * i, 5, 10);
    }
    sack(talk, at_us - 4000, 50, "");
    check_limits(talk, "congestion_window/3 216 application/4 20");
}

/* A single message that comes 2 ms behind feedback, and then others without: but for the peer's window, that told of
 * no room until then. */
static void nothing_leaves_before_a_closed_window_opens(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    warm_up(talk, 5, WAY_US);
    data(talk, 1500000, 6);
    talk->a_rwnd = 0;
    sack(talk, 1500000 + WAY_US, 6, "");
    talk->a_rwnd = 50000;
    sack(talk, 2500000, 6, "");
    data(talk, 2900000, 7);
    sack(talk, 2900000 + WAY_US, 7, "");
    check_limits(talk, "application/4 500 peer_window/4 1000 application/4 420");
}

static void a_window_that_is_told_small_limits(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    talk->a_rwnd = 5500;
    int64_t at_us = windows_full(talk, 10, WAY_US);
    sack(talk, at_us, 50, "");
    check_limits(talk, "congestion_window/3 20 peer_window/4 160 application/4 20");
}

static void a_closed_window_limits_until_it_opens(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    warm_up(talk, 5, WAY_US);
    data(talk, 1500000, 6);
    talk->a_rwnd = 0;
    sack(talk, 1500000 + WAY_US, 6, "");
    talk->a_rwnd = 50000;
    sack(talk, 3500000, 6, "");
    data(talk, 3500050, 7);
    sack(talk, 3500050 + WAY_US, 7, "");
    check_limits(talk, "application/4 500 peer_window/4 2000 application/4 20");
}

static void a_loss_is_repaired_until_all_is_acknowledged(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    int64_t at_us = warm_up(talk, 8, WAY_US);
    flight(talk, at_us, 9, 5, 100);
    sack(talk, at_us + 100 + WAY_US, 8, "10");
    sack(talk, at_us + 200 + WAY_US, 8, "10-11");
    sack(talk, at_us + 300 + WAY_US, 8, "10-12");
    data(talk, at_us + 350 + WAY_US, 9);
    sack(talk, at_us + 400 + WAY_US, 8, "10-13");
    sack(talk, at_us + 350 + 2 * WAY_US, 13, "");
    data(talk, at_us + 200000, 14);
    sack(talk, at_us + 200000 + WAY_US, 14, "");
    check_limits(talk, "application/4 820 recovery/3 20 application/4 180");
}

static void a_timeout_begins_with_its_silence(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    int64_t at_us = warm_up(talk, 8, WAY_US);
    flight(talk, at_us, 9, 3, 100);
    sack(talk, at_us + 100 + WAY_US, 10, "");
    data(talk, at_us + 100 + WAY_US + 1000000, 11);
    sack(talk, at_us + 100 + 2 * WAY_US + 1000000, 11, "");
    data(talk, at_us + 1500000, 12);
    sack(talk, at_us + 1500000 + WAY_US, 12, "");
    check_limits(talk, "application/4 820 timeout/4 1020 application/4 480");
}

/* The second of two small messages leaves with the answer to the first, which waits for 200 ms. */
static void a_small_message_waits_for_a_delayed_sack(void **state)
{
    (void)state;
    struct talk *talk = at_sender();
    talk->bytes = 100;
    for (uint32_t i = 0; i < 4; i++) {
        int64_t at_us = 1000000 + i * 600000;
        data(talk, at_us, 1 + 2 * i);
        sack(talk, at_us + WAY_US + 200000, 1 + 2 * i, "");
        data(talk, at_us + WAY_US + 200020, 2 + 2 * i);
        sack(talk, at_us + 2 * WAY_US + 400020, 2 + 2 * i, "");
    }
    check_limits(talk, "delayed_sack/4 220 application/4 380 delayed_sack/4 220 application/4 380 "
                       "delayed_sack/4 220 application/4 380 delayed_sack/4 220 application/4 220");
}

static void without_any_feedback_nothing_is_known(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    flight(talk, 1000000, 1, 20, 10000);
    check_limits(talk, "unknown/1 190");
}

static void before_the_first_feedback_of_a_capture_from_the_middle_nothing_is_known(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    warm_up(talk, 10, WAY_US);
    check_limits(talk, "unknown/1 20 application/4 900");
}

/* Nothing of it is true; it has to end, and what the table promises holds (core/judge/invariants.c). */
static void windows_that_jump_and_numbers_that_begin_anew_do_no_harm(void **state)
{
    (void)state;
    static const uint32_t windows[] = {0, UINT32_MAX, 1, 100000, 0, 0x80000000};
    struct talk *talk = at_sender();
    for (uint32_t i = 0; i < 60; i++) {
        talk->a_rwnd = windows[i % 6];
        data(talk, 1000000 + i * 7000, 1 + i * (i % 7 == 6 ? 0x10000000u : 1));
        sack(talk, 1003000 + i * 7000, i % 5 == 4 ? i + 500 : i, i % 3 ? "" : "d5");
        data(talk, 1000000 + i * 6000, 1 + i / 2);
    }
    judge(talk);
    assert_true(sr_engine_judgement(talk->engine)->limits.count > 0);
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaves_without_feedback_waited_for_its_application),
        cmocka_unit_test(a_window_without_room_for_the_packet_is_closed),
        cmocka_unit_test(a_silly_window_is_closed_unless_half_of_it_is_free),
        cmocka_unit_test(a_sender_that_charges_chunks_finds_a_window_closed_sooner),
        cmocka_unit_test(what_leaves_at_once_waited_for_no_window_of_the_peer),
        cmocka_unit_test(less_than_the_initial_window_is_not_full),
        cmocka_unit_test(data_of_the_other_side_may_be_what_is_answered),
        cmocka_unit_test(a_message_that_goes_on_was_there),
        cmocka_unit_test(feedback_that_was_held_back_is_waited_for_by_what_may_not_leave),
        cmocka_unit_test(messages_now_and_then_are_limited_by_the_application),
        cmocka_unit_test(what_leaves_with_feedback_alone_is_limited_by_the_congestion_window),
        cmocka_unit_test(a_window_that_is_told_small_limits),
        cmocka_unit_test(a_closed_window_limits_until_it_opens),
        cmocka_unit_test(a_loss_is_repaired_until_all_is_acknowledged),
        cmocka_unit_test(a_timeout_begins_with_its_silence),
        cmocka_unit_test(a_small_message_waits_for_a_delayed_sack),
        cmocka_unit_test(without_any_feedback_nothing_is_known),
        cmocka_unit_test(before_the_first_feedback_of_a_capture_from_the_middle_nothing_is_known),
        cmocka_unit_test(windows_that_jump_and_numbers_that_begin_anew_do_no_harm),
        cmocka_unit_test(what_is_blurred_may_be_closed),
        cmocka_unit_test(the_initial_window_is_four_packets_that_each_path_takes),
        cmocka_unit_test(what_runs_free_waited_for_its_application),
        cmocka_unit_test(more_bursts_than_feedback_run_free),
        cmocka_unit_test(a_slow_link_spreads_no_further_than_its_packets_take),
        cmocka_unit_test(a_host_takes_as_long_as_it_did_but_once),
        cmocka_unit_test(a_slow_host_waited_for_the_feedback_all_the_same),
        cmocka_unit_test(nothing_leaves_before_a_closed_window_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
