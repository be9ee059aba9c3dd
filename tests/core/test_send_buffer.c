/* SPDX-License-Identifier: BSD-2-Clause */
/* When as much outstanding again and again shows a full send buffer: each rule at both sides of its threshold. */
#include "bytes_builder.h"

#include "limits/send_buffer.h"

enum { PACKET = 1000, LEVEL = 10000, ROUND_TRIP = 100, LONE = 3 };

static struct sr_send_buffer buffer;
static struct sr_send_buffer_burst burst;

static void begin(void)
{
    buffer = (struct sr_send_buffer){0};
    burst = (struct sr_send_buffer_burst){
        .largest_bytes = PACKET, .packets_before = 2, .round_trip_ns = ROUND_TRIP, .time_ns = 1000};
}

/* So much is outstanding behind a burst of so many bytes; what the next one says. */
static enum sr_send_buffer_says peak(uint64_t outstanding_bytes, uint64_t sent_bytes)
{
    sr_send_buffer_sent(&buffer, LONE, PACKET, outstanding_bytes);
    burst.sent_bytes += sent_bytes;
    burst.time_ns += ROUND_TRIP / 5;
    return sr_send_buffer_burst(&buffer, &burst);
}

/* Bursts of two packets until that says so, at most that many; how many it took. */
static unsigned until_full(uint64_t outstanding_bytes, unsigned most)
{
    for (unsigned i = 0; i < most; i++)
        if (peak(outstanding_bytes, 2 * PACKET) == SR_SEND_BUFFER_FULL)
            return i + 1;
    return 0;
}

static void as_much_again_and_again_is_a_buffer_after_three_windows(void **state)
{
    (void)state;
    begin();
    assert_int_equal(until_full(LEVEL, 40), 16); /* the first begins; then 15 of 2,000 bytes are three of 10,000 */
    assert_int_equal(peak(LEVEL, PACKET), SR_SEND_BUFFER_FULL);
}

/* RFC 9260 section 7.2.2: a packet more for each window. */
static void a_congestion_window_that_grows_is_none(void **state)
{
    (void)state;
    begin();
    for (unsigned window = 0; window < 40; window++)
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(peak(LEVEL + window * PACKET, LEVEL / 5 + window * PACKET / 5), SR_SEND_BUFFER_PERHAPS);
}

static void where_peaks_differ_it_takes_a_window_more_for_each_packet(void **state)
{
    (void)state;
    begin();
    peak(LEVEL - PACKET, 2 * PACKET);
    assert_int_equal(until_full(LEVEL, 40), 20); /* four of 10,000 */
    begin();
    peak(LEVEL - PACKET - 1, 2 * PACKET);
    assert_int_equal(until_full(LEVEL, 40), 16); /* more than a packet less: it begins with what follows */
}

static void what_is_uneven_by_a_message_is_the_same(void **state)
{
    (void)state;
    begin();
    sr_send_buffer_sent(&buffer, 2, PACKET, 0); /* a message of three packets: B, then neither, then E */
    sr_send_buffer_sent(&buffer, 0, PACKET, 0);
    sr_send_buffer_sent(&buffer, 1, PACKET, 0);
    peak(LEVEL - 3 * PACKET, 2 * PACKET);
    peak(LEVEL, 2 * PACKET);
    assert_false(sr_send_buffer_begins(&buffer));
    peak(LEVEL + 1, 2 * PACKET);
    assert_true(sr_send_buffer_begins(&buffer));
}

/* Where feedback is taken to come sooner than it does, less seems to be outstanding in between. */
static void the_highest_peak_of_a_round_trip_counts(void **state)
{
    (void)state;
    begin();
    peak(LEVEL, 2 * PACKET);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(peak(LEVEL / 2, 100), SR_SEND_BUFFER_PERHAPS);
        assert_false(sr_send_buffer_begins(&buffer));
    }
    peak(LEVEL, 100); /* the round trip of the first is over: its peak was as high */
    assert_false(sr_send_buffer_begins(&buffer));
    for (unsigned i = 0; i < 4; i++)
        peak(LEVEL / 2, 100);
    assert_false(sr_send_buffer_begins(&buffer));
    for (unsigned i = 0; i < 5; i++)
        peak(LEVEL / 2, 100);
    assert_int_equal(buffer.most_bytes, LEVEL / 2); /* none was in that one */
}

static void the_first_round_trip_begins_with_its_first_burst(void **state)
{
    (void)state;
    begin();
    peak(LEVEL, 2 * PACKET);
    for (unsigned i = 0; i < 5; i++)
        peak(LEVEL / 2, 100);
    assert_int_equal(buffer.most_bytes, LEVEL); /* it is over only now: its first peak counts */
    for (unsigned i = 0; i < 5; i++)
        peak(LEVEL / 2, 100);
    assert_int_equal(buffer.most_bytes, LEVEL / 2);
}

static void a_level_that_was_long_enough_is_known_again(void **state)
{
    (void)state;
    begin();
    until_full(LEVEL, 40);
    sr_send_buffer_break(&buffer);
    assert_int_equal(peak(LEVEL - 1, PACKET), SR_SEND_BUFFER_PERHAPS);
    assert_int_equal(peak(LEVEL, PACKET), SR_SEND_BUFFER_FULL);
    assert_true(sr_send_buffer_begins(&buffer));
}

/* A host that takes its time over feedback lets some data leave when none was just there. */
static void a_level_that_is_known_goes_on_behind_a_burst_without_feedback(void **state)
{
    (void)state;
    begin();
    peak(LEVEL, 2 * PACKET);
    sr_send_buffer_pass(&buffer);
    assert_int_equal(until_full(LEVEL, 40), 16);
    sr_send_buffer_pass(&buffer);
    assert_int_equal(peak(LEVEL - 1, PACKET), SR_SEND_BUFFER_FULL);
    assert_false(sr_send_buffer_begins(&buffer));
}

static void until_more_than_a_packet_more_is_outstanding(void **state)
{
    (void)state;
    begin();
    until_full(LEVEL, 40);
    assert_int_equal(peak(LEVEL + PACKET, PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL + PACKET + 1, PACKET), SR_SEND_BUFFER_PERHAPS);
    sr_send_buffer_break(&buffer);
    assert_int_equal(peak(LEVEL, PACKET), SR_SEND_BUFFER_PERHAPS);
}

/* Max.Burst (RFC 9260 section 6.1 D) has four packets leave with each feedback, whatever the windows are. */
static void bursts_of_four_packets_may_be_cut(void **state)
{
    (void)state;
    begin();
    burst.packets_before = 4;
    burst.before_bytes = LEVEL - PACKET + 1;
    assert_int_equal(until_full(LEVEL, 100), 0);
    begin();
    burst.packets_before = 4;
    burst.before_bytes = LEVEL - PACKET; /* other feedback had let none leave */
    assert_int_equal(until_full(LEVEL, 40), 16);
    begin();
    burst.packets_before = 5;
    assert_int_equal(until_full(LEVEL, 40), 16);
}

static void where_half_of_the_bursts_may_be_cut_it_is_no_limit_on_them(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        begin();
        burst.before_bytes = LEVEL - PACKET + 1;
        enum sr_send_buffer_says says = SR_SEND_BUFFER_PERHAPS;
        for (unsigned i = 0; i < 20; i++) {
            burst.packets_before = i % 2 == 0 || (more && i == 19) ? 4 : 3;
            says = peak(LEVEL, 2 * PACKET);
        }
        assert_int_equal(says, more ? SR_SEND_BUFFER_PERHAPS : SR_SEND_BUFFER_FULL);
    }
}

/* Where several came, and the host had time for the one before, a limit on bursts would have let it send with that. */
static void feedback_that_let_nothing_leave_tells_against_a_limit_on_bursts(void **state)
{
    (void)state;
    begin();
    burst.packets_before = 4;
    burst.before_bytes = LEVEL - 2 * PACKET;
    assert_int_equal(until_full(LEVEL, 40), 16);
}

/* It goes on where no more than 5,000 are outstanding; the level is known. */
static void fills_at_half(void)
{
    begin();
    burst.before_bytes = LEVEL / 2 + PACKET;
    burst.left_bytes = LEVEL / 2;
    assert_int_not_equal(until_full(LEVEL, 40), 0);
}

static void goes_on_at_half(void)
{
    fills_at_half();
    sr_send_buffer_break(&buffer);
}

static void an_application_that_fills_its_buffer_from_a_mark_on_goes_on_as_before(void **state)
{
    (void)state;
    fills_at_half();
    assert_int_equal(peak(LEVEL, PACKET), SR_SEND_BUFFER_FULL);
    assert_false(sr_send_buffer_begins(&buffer));
    assert_int_equal(peak(LEVEL - 1, PACKET), SR_SEND_BUFFER_FULL);
    assert_true(sr_send_buffer_begins(&buffer)); /* it waits for the mark, below what is known */
}

static void behind_a_loss_an_application_still_waits_for_its_mark(void **state)
{
    (void)state;
    goes_on_at_half();
    assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), SR_SEND_BUFFER_FULL);
    assert_true(sr_send_buffer_begins(&buffer)); /* of what was before nothing is said */
    goes_on_at_half();
    burst.left_bytes = LEVEL / 2 + 1; /* more is outstanding than it waits for */
    assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), SR_SEND_BUFFER_PERHAPS);
    goes_on_at_half();
    burst.before_bytes = LEVEL / 2; /* it had gone on with the feedback before */
    assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), SR_SEND_BUFFER_PERHAPS);
    goes_on_at_half(); /* the feedback before made no room for a packet: a congestion window may be */
    assert_int_equal(peak(LEVEL / 2 + 2 * PACKET - 1, PACKET), SR_SEND_BUFFER_PERHAPS);
}

static void where_no_feedback_let_anything_pass_there_is_no_mark(void **state)
{
    (void)state;
    for (unsigned less = 0; less < 2; less++) {
        begin();
        burst.before_bytes = LEVEL - PACKET + 1 - less; /* the feedback before made room for a packet, or not quite */
        burst.left_bytes = LEVEL / 2;
        assert_int_not_equal(until_full(LEVEL, 40), 0);
        sr_send_buffer_break(&buffer);
        burst.before_bytes = LEVEL / 2 + PACKET;
        assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), less ? SR_SEND_BUFFER_FULL : SR_SEND_BUFFER_PERHAPS);
    }
}

/* As usrsctp after a timeout that finds nothing to repair: its congestion window is one packet. */
static void less_than_a_full_buffer_ever_left_is_something_else(void **state)
{
    (void)state;
    begin();
    burst.left_bytes = LEVEL - 2 * PACKET;
    assert_int_not_equal(until_full(LEVEL, 40), 0);
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL - 2 * PACKET - 1, PACKET), SR_SEND_BUFFER_PERHAPS);
    assert_true(sr_send_buffer_begins(&buffer));
}

static void how_much_a_full_buffer_left_is_known_behind_a_loss(void **state)
{
    (void)state;
    begin();
    burst.left_bytes = LEVEL - 2 * PACKET;
    assert_int_not_equal(until_full(LEVEL, 40), 0);
    sr_send_buffer_break(&buffer);
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL - 2 * PACKET, PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL - 2 * PACKET - 1, PACKET), SR_SEND_BUFFER_PERHAPS);
}

/* Round trips of one burst, of which one in two shows less than is outstanding; how many it takes. */
static unsigned until_full_at_a_slow_host(uint64_t late_bytes)
{
    begin();
    burst.round_trip_ns = ROUND_TRIP / 5;
    burst.late_bytes = late_bytes;
    for (unsigned i = 0; i < 20; i++)
        if (peak(i % 2 ? LEVEL / 2 : LEVEL, LEVEL / 2) == SR_SEND_BUFFER_FULL)
            return i + 1;
    return 0;
}

static void what_passed_the_tap_before_the_host_took_it_may_be_outstanding(void **state)
{
    (void)state;
    assert_int_equal(until_full_at_a_slow_host(LEVEL / 2 - PACKET), 7); /* six of half the level behind the first */
    assert_int_equal(until_full_at_a_slow_host(LEVEL / 2 - PACKET - 1), 0);
}

static void what_comes_with_data_of_the_other_side_mostly_is_an_answer(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 40; i++) {
        burst.heard = i % 3 != 0;
        if (peak(LEVEL, 2 * PACKET) != SR_SEND_BUFFER_PERHAPS)
            break;
    }
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_ANSWERS);
    begin();
    for (unsigned i = 0; i < 16; i++) {
        burst.heard = i % 2 != 0;
        peak(LEVEL, 2 * PACKET);
    }
    burst.heard = false;
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_FULL);
    burst.heard = true; /* half of them are not most */
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_FULL);
    assert_int_equal(peak(LEVEL, 2 * PACKET), SR_SEND_BUFFER_ANSWERS);
}

/* As a tap behind a loss sees of messages of two packets, whose first is missing. */
static void what_mostly_goes_on_with_a_message_was_in_the_buffer(void **state)
{
    (void)state;
    for (unsigned one_in = 2; one_in <= 3; one_in++) {
        begin();
        for (unsigned i = 0; i < 16; i++) {
            burst.had_it = i % one_in != 0;
            peak(LEVEL, 2 * PACKET);
        }
        burst.had_it = one_in > 2;
        assert_int_equal(peak(LEVEL, 2 * PACKET), one_in > 2 ? SR_SEND_BUFFER_HAD_IT : SR_SEND_BUFFER_FULL);
    }
}

static void without_anything_outstanding_nothing_is_said(void **state)
{
    (void)state;
    begin();
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(peak(0, 2 * PACKET), SR_SEND_BUFFER_PERHAPS);
    begin();
    burst.largest_bytes = 0;
    assert_int_equal(until_full(LEVEL, 40), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_much_again_and_again_is_a_buffer_after_three_windows),
        cmocka_unit_test(a_congestion_window_that_grows_is_none),
        cmocka_unit_test(where_peaks_differ_it_takes_a_window_more_for_each_packet),
        cmocka_unit_test(what_is_uneven_by_a_message_is_the_same),
        cmocka_unit_test(the_highest_peak_of_a_round_trip_counts),
        cmocka_unit_test(the_first_round_trip_begins_with_its_first_burst),
        cmocka_unit_test(a_level_that_was_long_enough_is_known_again),
        cmocka_unit_test(a_level_that_is_known_goes_on_behind_a_burst_without_feedback),
        cmocka_unit_test(until_more_than_a_packet_more_is_outstanding),
        cmocka_unit_test(bursts_of_four_packets_may_be_cut),
        cmocka_unit_test(where_half_of_the_bursts_may_be_cut_it_is_no_limit_on_them),
        cmocka_unit_test(feedback_that_let_nothing_leave_tells_against_a_limit_on_bursts),
        cmocka_unit_test(an_application_that_fills_its_buffer_from_a_mark_on_goes_on_as_before),
        cmocka_unit_test(behind_a_loss_an_application_still_waits_for_its_mark),
        cmocka_unit_test(where_no_feedback_let_anything_pass_there_is_no_mark),
        cmocka_unit_test(less_than_a_full_buffer_ever_left_is_something_else),
        cmocka_unit_test(how_much_a_full_buffer_left_is_known_behind_a_loss),
        cmocka_unit_test(what_passed_the_tap_before_the_host_took_it_may_be_outstanding),
        cmocka_unit_test(what_comes_with_data_of_the_other_side_mostly_is_an_answer),
        cmocka_unit_test(what_mostly_goes_on_with_a_message_was_in_the_buffer),
        cmocka_unit_test(without_anything_outstanding_nothing_is_said),
    };
    return cmocka_run_group_tests_name("send_buffer", tests, NULL, NULL);
}
