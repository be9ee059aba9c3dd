/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for: each rule at both sides of its threshold. Whole conversations are in test_limit_walk.c. */
#include "bytes_builder.h"

#include "limits/ack_clock.h"
#include "limits/waits.h"

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
    wait.fed = false;
    wait.lasted_ns = SR_LIMITS_NEAR_NS + 1;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.lasted_ns = SR_LIMITS_NEAR_NS;
    expect(wait, SR_LIMIT_APPLICATION);
}

/* A busy link brings feedback more often than each millisecond, and each opens the window for as much. What may be
 * charged for chunks has to last longer, to be told from a congestion window. */
static void what_feedback_lets_leave_waited_for_a_window_that_is_closed_however_shortly(void **state)
{
    (void)state;
    struct sr_wait wait = waiting;
    wait.window_bytes = 10999;
    wait.lasted_ns = 0;
    expect(wait, SR_LIMIT_PEER_WINDOW);
    wait.window_bytes = 11000;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    wait.charges_chunks = true;
    expect(wait, SR_LIMIT_CONGESTION_WINDOW);
    assert_false(sr_waited_for(&wait).unsure);
    wait.lasted_ns = SR_LIMITS_NEAR_NS + 1;
    expect(wait, SR_LIMIT_PEER_WINDOW);
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

static void a_slow_packet_changes_nothing_of_the_fastest(void **state)
{
    (void)state;
    struct sr_ack_clock clock = clock_of(4, 2);
    sr_ack_clock_packet(&clock, 100 * APART_NS, 1000);
    assert_true(sr_ack_clock_runs_free(&clock, APART_NS, 1000));
}

static void a_window_without_room_for_a_byte_is_closed(void **state)
{
    (void)state;
    bool unsure;
    struct sr_wait wait = waiting;
    wait.largest_bytes = wait.packet_bytes = 1;
    wait.window_bytes = (int64_t)wait.outstanding_bytes;
    assert_true(sr_wait_is_closed(&wait, &unsure));
    wait.window_bytes++;
    assert_false(sr_wait_is_closed(&wait, &unsure));
}

/* As of a chunk without user data, or behind a pause longer than a count of nanoseconds has room for. */
static void what_has_no_pace_is_the_slowest(void **state)
{
    (void)state;
    struct sr_ack_clock clock = clock_of(10, 2), before = clock;
    assert_true(sr_ack_clock_runs_free(&clock, APART_NS, 0));
    assert_true(sr_ack_clock_runs_free(&clock, INT64_MAX, 1000));
    sr_ack_clock_packet(&clock, 1, 0);
    sr_ack_clock_packet(&clock, INT64_MAX, 1000);
    assert_memory_equal(&clock, &before, sizeof clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaves_without_feedback_waited_for_its_application),
        cmocka_unit_test(a_window_without_room_for_the_packet_is_closed),
        cmocka_unit_test(a_silly_window_is_closed_unless_half_of_it_is_free),
        cmocka_unit_test(a_sender_that_charges_chunks_finds_a_window_closed_sooner),
        cmocka_unit_test(what_leaves_at_once_waited_for_no_window_of_the_peer),
        cmocka_unit_test(what_feedback_lets_leave_waited_for_a_window_that_is_closed_however_shortly),
        cmocka_unit_test(less_than_the_initial_window_is_not_full),
        cmocka_unit_test(data_of_the_other_side_may_be_what_is_answered),
        cmocka_unit_test(a_message_that_goes_on_was_there),
        cmocka_unit_test(feedback_that_was_held_back_is_waited_for_by_what_may_not_leave),
        cmocka_unit_test(what_is_blurred_may_be_closed),
        cmocka_unit_test(the_initial_window_is_four_packets_that_each_path_takes),
        cmocka_unit_test(what_runs_free_waited_for_its_application),
        cmocka_unit_test(more_bursts_than_feedback_run_free),
        cmocka_unit_test(a_slow_link_spreads_no_further_than_its_packets_take),
        cmocka_unit_test(a_host_takes_as_long_as_it_did_but_once),
        cmocka_unit_test(a_slow_packet_changes_nothing_of_the_fastest),
        cmocka_unit_test(a_window_without_room_for_a_byte_is_closed),
        cmocka_unit_test(what_has_no_pace_is_the_slowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
