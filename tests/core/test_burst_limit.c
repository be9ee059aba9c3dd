/* SPDX-License-Identifier: BSD-2-Clause */
/* When bursts of so many packets show a limit on them: each rule at both sides of its threshold. */
#include "bytes_builder.h"

#include "limits/burst_limit.h"

enum { PACKET = 1000 };

static struct sr_burst_limit limit;
static uint64_t flight_bytes;

/* A burst of so many packets, behind feedback for some of what was outstanding; what the next one says of it. */
static enum sr_burst_limit_says burst(uint32_t packets, uint32_t acked, uint64_t room_bytes)
{
    flight_bytes -= (uint64_t)acked * PACKET;
    for (uint32_t i = 0; i < packets; i++) {
        flight_bytes += PACKET;
        sr_burst_limit_sent(&limit, PACKET, flight_bytes, room_bytes);
    }
    return sr_burst_limit_next(&limit, packets, PACKET, true);
}

static void begin(void)
{
    limit = (struct sr_burst_limit){0};
    flight_bytes = 10 * PACKET;
    burst(1, 0, PACKET);
}

/* RFC 9260 section 16. */
static void four_packets_are_a_limit_at_once(void **state)
{
    (void)state;
    begin();
    assert_int_equal(burst(4, 2, PACKET), SR_BURST_LIMIT_CUT);
}

static void another_number_is_one_the_second_time(void **state)
{
    (void)state;
    begin();
    assert_int_equal(burst(3, 2, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(3, 2, PACKET), SR_BURST_LIMIT_CUT);
}

static void a_window_without_room_for_the_next_packet_is_the_limit(void **state)
{
    (void)state;
    begin();
    assert_int_equal(burst(4, 2, PACKET - 1), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(4, 2, PACKET), SR_BURST_LIMIT_CUT);
}

static void what_did_not_wait_for_feedback_tells_nothing(void **state)
{
    (void)state;
    begin();
    sr_burst_limit_sent(&limit, PACKET, flight_bytes + 4 * PACKET, PACKET);
    assert_int_equal(sr_burst_limit_next(&limit, 4, PACKET, false), SR_BURST_LIMIT_NO);
}

/* As with a full send buffer: that is asked first. */
static void as_much_outstanding_again_shows_no_limit_and_may_be_a_known_one(void **state)
{
    (void)state;
    begin();
    assert_int_equal(burst(4, 4, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(4, 3, PACKET), SR_BURST_LIMIT_CUT);
    assert_int_equal(burst(4, 4, PACKET), SR_BURST_LIMIT_PERHAPS);
}

static void fewer_packets_than_a_known_limit_are_not_cut_and_leave_it(void **state)
{
    (void)state;
    begin();
    burst(4, 2, PACKET);
    assert_int_equal(burst(3, 1, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(3, 1, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(4, 2, PACKET), SR_BURST_LIMIT_CUT);
}

static void more_packets_refute_a_limit(void **state)
{
    (void)state;
    begin();
    burst(4, 2, PACKET);
    assert_int_equal(burst(6, 2, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(4, 2, PACKET), SR_BURST_LIMIT_CUT); /* 6 was seen once: it may be chance */
    assert_int_equal(burst(6, 2, PACKET), SR_BURST_LIMIT_NO);
    assert_int_equal(burst(6, 2, PACKET), SR_BURST_LIMIT_CUT);
    assert_int_equal(burst(4, 2, PACKET), SR_BURST_LIMIT_NO);
}

/* The next burst, where a link has spread them, when so much was outstanding behind the last. */
static enum sr_burst_limit_says spread(uint64_t packets_outstanding, uint64_t room_bytes, bool waited)
{
    sr_burst_limit_sent(&limit, PACKET, packets_outstanding * PACKET, room_bytes);
    return sr_burst_limit_spread(&limit, PACKET, waited);
}

/* As behind a loss, or after a pause: 12 packets were outstanding before. */
static void begin_spread(void)
{
    limit = (struct sr_burst_limit){0};
    spread(12, 0, false);
    spread(4, 0, false);
}

static void bursts_that_are_spread_need_no_number(void **state)
{
    (void)state;
    begin_spread();
    assert_int_equal(spread(8, 2 * PACKET, true), SR_BURST_LIMIT_SUPPOSED);
    assert_int_equal(spread(11, 2 * PACKET, true), SR_BURST_LIMIT_SUPPOSED);
    assert_int_equal(spread(6, 2 * PACKET, true), SR_BURST_LIMIT_SUPPOSED);
}

static void as_much_outstanding_again_may_be_a_full_send_buffer(void **state)
{
    (void)state;
    begin_spread();
    assert_int_equal(spread(4, 2 * PACKET, true), SR_BURST_LIMIT_NO);
    assert_int_equal(spread(12, 2 * PACKET, true), SR_BURST_LIMIT_NO); /* or the most that it has room for */
}

static void where_bursts_are_spread_the_window_has_room_for_two_packets(void **state)
{
    (void)state;
    begin_spread();
    assert_int_equal(spread(8, 2 * PACKET - 1, true), SR_BURST_LIMIT_NO);
    assert_int_equal(spread(6, 2 * PACKET, false), SR_BURST_LIMIT_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_packets_are_a_limit_at_once),
        cmocka_unit_test(another_number_is_one_the_second_time),
        cmocka_unit_test(a_window_without_room_for_the_next_packet_is_the_limit),
        cmocka_unit_test(what_did_not_wait_for_feedback_tells_nothing),
        cmocka_unit_test(as_much_outstanding_again_shows_no_limit_and_may_be_a_known_one),
        cmocka_unit_test(fewer_packets_than_a_known_limit_are_not_cut_and_leave_it),
        cmocka_unit_test(more_packets_refute_a_limit),
        cmocka_unit_test(bursts_that_are_spread_need_no_number),
        cmocka_unit_test(as_much_outstanding_again_may_be_a_full_send_buffer),
        cmocka_unit_test(where_bursts_are_spread_the_window_has_room_for_two_packets),
    };
    return cmocka_run_group_tests_name("burst_limit", tests, NULL, NULL);
}
