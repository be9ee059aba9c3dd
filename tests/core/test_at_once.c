/* SPDX-License-Identifier: BSD-2-Clause */
/* When a receiver is said to hold answers back, and how long one takes that it does not: each rule at both sides of its
 * threshold. */
#include "bytes_builder.h"

#include "facts/at_once.h"
#include "names.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

/* By all answers, and by the handshake. */
static const struct sr_at_once by_all = {.loop_ns = 120 * MS, .jitter_ns = 3 * MS};
enum { KNOWN_MS = 20 };

static void answers(struct sr_at_once_seen *seen, uint32_t times, enum sr_rtt_tag tag, int64_t rtt_ms, uint32_t bytes)
{
    for (uint32_t i = 0; i < times; i++)
        sr_at_once_add(
            seen, &(struct sr_sack_row){.rtt_ns = rtt_ms * MS, .rtt_tag = (uint8_t)tag, .newly_acked_bytes = bytes});
}

static void expect(struct sr_at_once_seen *seen, int64_t known_ns, int64_t loop_ms, int64_t wait_ms)
{
    struct sr_at_once found = sr_at_once_of(seen, known_ns, by_all);
    assert_int_equal(found.loop_ns, loop_ms * MS);
    assert_int_equal(found.wait_ns, wait_ms * MS);
}

static void four_packets_alone_that_come_later_by_the_same_waited(void **state)
{
    (void)state;
    struct sr_at_once_seen seen = {.largest_bytes = 0};
    answers(&seen, 3, SR_RTT_TAG_DELAYED, 70, 200);
    expect(&seen, KNOWN_MS * MS, 120, 0);
    answers(&seen, 1, SR_RTT_TAG_DELAYED, 70, 200);
    expect(&seen, KNOWN_MS * MS, KNOWN_MS, 70 - KNOWN_MS);
    expect(&seen, SR_NO_TIME, 120, 0);
}

static void a_handshake_that_was_slower_than_all_answers_tells_nothing(void **state)
{
    (void)state;
    struct sr_at_once_seen seen = {.largest_bytes = 0};
    answers(&seen, 4, SR_RTT_TAG_DELAYED, 170, 200);
    expect(&seen, 120 * MS, 120, 170 - 120);
    expect(&seen, 121 * MS, 120, 0);
}

static void a_timer_is_the_same_again_and_again(void **state)
{
    (void)state;
    struct sr_at_once_seen steady = {.largest_bytes = 0}, uneven = {.largest_bytes = 0};
    answers(&steady, 4, SR_RTT_TAG_DELAYED, 60, 200);
    answers(&steady, 4, SR_RTT_TAG_DELAYED, 80, 200);
    expect(&steady, KNOWN_MS * MS, KNOWN_MS, 40);
    answers(&uneven, 4, SR_RTT_TAG_DELAYED, 60, 200);
    answers(&uneven, 4, SR_RTT_TAG_DELAYED, 81, 200);
    expect(&uneven, KNOWN_MS * MS, 120, 0);
}

/* Of 112, 100 are, and a tenth of all may be later than that. */
static void a_tenth_may_be_later_than_a_timer(void **state)
{
    (void)state;
    for (uint32_t later = 12; later <= 13; later++) {
        struct sr_at_once_seen seen = {.largest_bytes = 0};
        answers(&seen, 112 - later, SR_RTT_TAG_DELAYED, 60, 200);
        answers(&seen, later, SR_RTT_TAG_DELAYED, 90, 200);
        expect(&seen, KNOWN_MS * MS, later == 12 ? KNOWN_MS : 120, later == 12 ? 40 : 0);
    }
}

static void what_a_tick_explains_is_no_wait(void **state)
{
    (void)state;
    struct sr_at_once_seen tick = {.largest_bytes = 0}, more = {.largest_bytes = 0};
    answers(&tick, 4, SR_RTT_TAG_DELAYED, KNOWN_MS + 10, 200);
    expect(&tick, KNOWN_MS * MS, 120, 0);
    answers(&more, 4, SR_RTT_TAG_DELAYED, KNOWN_MS + 11, 200);
    expect(&more, KNOWN_MS * MS, KNOWN_MS, 11);
}

/* 1,056 bytes are twice a COOKIE ECHO: where all of the handshake's loop was the link, that takes as long again. */
static void a_slow_link_takes_longer_over_what_is_larger(void **state)
{
    (void)state;
    struct sr_at_once_seen link = {.largest_bytes = 0}, more = {.largest_bytes = 0};
    answers(&link, 4, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    expect(&link, KNOWN_MS * MS, 120, 0);
    answers(&more, 4, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS + 1, 1056);
    expect(&more, KNOWN_MS * MS, KNOWN_MS, 21);
}

/* A link takes as long over each packet of a size. */
static void one_as_large_that_was_answered_at_once_shows_that_the_link_is_not_slow(void **state)
{
    (void)state;
    struct sr_at_once_seen held = {.largest_bytes = 0}, smaller = {.largest_bytes = 0};
    answers(&held, 1, SR_RTT_TAG_DELAYED, KNOWN_MS + 1, 1056);
    answers(&held, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    expect(&held, KNOWN_MS * MS, KNOWN_MS, 20);
    answers(&smaller, 1, SR_RTT_TAG_DELAYED, KNOWN_MS + 1, 528);
    answers(&smaller, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    expect(&smaller, KNOWN_MS * MS, 120, 0);
}

/* Whichever of them came first. */
static void the_soonest_answer_to_one_of_the_largest_packets_tells(void **state)
{
    (void)state;
    struct sr_at_once_seen held = {.largest_bytes = 0}, smaller = {.largest_bytes = 0};
    answers(&held, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    answers(&held, 1, SR_RTT_TAG_DELAYED, KNOWN_MS + 1, 1056);
    expect(&held, KNOWN_MS * MS, KNOWN_MS, 20);
    answers(&smaller, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    answers(&smaller, 1, SR_RTT_TAG_DELAYED, KNOWN_MS + 1, 528);
    expect(&smaller, KNOWN_MS * MS, 120, 0);
}

static void as_soon_as_the_handshake_shows_that_too_and_sooner_nothing(void **state)
{
    (void)state;
    struct sr_at_once_seen as_soon = {.largest_bytes = 0}, sooner = {.largest_bytes = 0};
    answers(&as_soon, 1, SR_RTT_TAG_DELAYED, KNOWN_MS, 1056);
    answers(&as_soon, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    expect(&as_soon, KNOWN_MS * MS, KNOWN_MS, 20);
    answers(&sooner, 1, SR_RTT_TAG_DELAYED, KNOWN_MS - 1, 1056);
    answers(&sooner, 30, SR_RTT_TAG_DELAYED, 2 * KNOWN_MS, 1056);
    expect(&sooner, KNOWN_MS * MS, 120, 0);
}

static void a_second_packet_tells_more_than_the_handshake(void **state)
{
    (void)state;
    struct sr_at_once_seen seen = {.largest_bytes = 0};
    answers(&seen, 4, SR_RTT_TAG_DELAYED, 70, 1056);
    answers(&seen, 3, SR_RTT_TAG_SECOND_PACKET, 30, 2000);
    expect(&seen, KNOWN_MS * MS, KNOWN_MS, 70 - KNOWN_MS);
    assert_false(sr_at_once_was_seen(&seen)); /* a queue is slower than a handshake, too */
    answers(&seen, 1, SR_RTT_TAG_GAP, 30, 1000);
    assert_true(sr_at_once_was_seen(&seen));
    expect(&seen, KNOWN_MS * MS, 30, 70 - 30);
    expect(&seen, SR_NO_TIME, 30, 70 - 30);
}

/* Nine of ten, and the soonest. */
static void what_most_answers_to_a_second_packet_vary_by_is_jitter(void **state)
{
    (void)state;
    static const int64_t later_ms[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40};
    for (int64_t wait_ms = 18; wait_ms <= 19; wait_ms++) { /* twice the jitter, and more */
        struct sr_at_once_seen seen = {.largest_bytes = 0};
        for (size_t i = 0; i < sizeof later_ms / sizeof *later_ms; i++)
            answers(&seen, 1, SR_RTT_TAG_SECOND_PACKET, 30 + later_ms[i], 2000);
        answers(&seen, 4, SR_RTT_TAG_DELAYED, 35 + wait_ms, 1000);
        struct sr_at_once found = sr_at_once_of(&seen, KNOWN_MS * MS, by_all);
        assert_int_equal(found.jitter_ns, 9 * MS);
        assert_int_equal(found.loop_ns, 35 * MS);
        assert_int_equal(found.wait_ns, wait_ms > 18 ? wait_ms * MS : 0);
    }
}

static void packets_alone_that_come_as_soon_as_a_second_one_did_not_wait(void **state)
{
    (void)state;
    struct sr_at_once_seen slow = {.largest_bytes = 0}, late = {.largest_bytes = 0}, few = {.largest_bytes = 0};
    answers(&slow, 4, SR_RTT_TAG_SECOND_PACKET, 60, 2000);
    answers(&slow, 4, SR_RTT_TAG_DELAYED, 70, 1000);
    expect(&slow, KNOWN_MS * MS, 60, 0);
    answers(&few, 4, SR_RTT_TAG_SECOND_PACKET, 60, 2000);
    expect(&few, KNOWN_MS * MS, 60, 0);
    answers(&late, 4, SR_RTT_TAG_SECOND_PACKET, 121, 2000); /* slower than all together: they tell nothing */
    expect(&late, KNOWN_MS * MS, 120, 0);
}

/* Twice the jitter, or a tick; two of them where no timer was seen. */
static void what_was_held_back_is_more_than_jitter(void **state)
{
    (void)state;
    struct sr_at_once at_once = {.jitter_ns = 4 * MS};
    assert_int_equal(sr_at_once_most_ns(&at_once), 20 * MS);
    at_once.wait_ns = 1;
    assert_int_equal(sr_at_once_most_ns(&at_once), 10 * MS);
    at_once.jitter_ns = 6 * MS;
    assert_int_equal(sr_at_once_most_ns(&at_once), 12 * MS);
    at_once.jitter_ns = 11 * MS;
    at_once.wait_ns = 0;
    assert_int_equal(sr_at_once_most_ns(&at_once), 22 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_packets_alone_that_come_later_by_the_same_waited),
        cmocka_unit_test(a_handshake_that_was_slower_than_all_answers_tells_nothing),
        cmocka_unit_test(a_timer_is_the_same_again_and_again),
        cmocka_unit_test(a_tenth_may_be_later_than_a_timer),
        cmocka_unit_test(what_a_tick_explains_is_no_wait),
        cmocka_unit_test(a_slow_link_takes_longer_over_what_is_larger),
        cmocka_unit_test(one_as_large_that_was_answered_at_once_shows_that_the_link_is_not_slow),
        cmocka_unit_test(the_soonest_answer_to_one_of_the_largest_packets_tells),
        cmocka_unit_test(as_soon_as_the_handshake_shows_that_too_and_sooner_nothing),
        cmocka_unit_test(a_second_packet_tells_more_than_the_handshake),
        cmocka_unit_test(what_most_answers_to_a_second_packet_vary_by_is_jitter),
        cmocka_unit_test(packets_alone_that_come_as_soon_as_a_second_one_did_not_wait),
        cmocka_unit_test(what_was_held_back_is_more_than_jitter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
