/* SPDX-License-Identifier: BSD-2-Clause */
/* The congestion window by the rules of each stack: RFC 9260 section 7.2 and what stacks do otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "limits/congestion_window.h"

enum { MTU = 1200, DATA = MTU - 28, WINDOW = 100000, IP = 20, LINUX_MTU = MTU + IP };

static const struct sr_amount nothing = {0, 0}, one = {DATA, 1}, two = {2 * DATA, 2};

static struct sr_amount chunks(uint64_t count)
{
    return (struct sr_amount){count * DATA, count};
}

static struct sr_cwnd begun(enum sr_cwnd_rules rules)
{
    struct sr_cwnd cwnd = {.rules = (uint8_t)rules};
    sr_cwnd_sent(&cwnd, &(struct sr_cwnd_packet){.bytes = DATA, .peer_window = WINDOW, .full = true}, nothing);
    return cwnd;
}

static void acked(struct sr_cwnd *cwnd, struct sr_amount amount, struct sr_amount outstanding)
{
    sr_cwnd_acked(cwnd, amount, outstanding, sr_tsn(100), true);
}

static void each_stack_begins_with_its_own(void **state)
{
    (void)state;
    assert_int_equal(begun(SR_CWND_RFC9260).bytes, 4380);
    assert_int_equal(begun(SR_CWND_USRSCTP).bytes, 3 * (MTU - 12));
    assert_int_equal(begun(SR_CWND_PION).bytes, 4380);
    assert_int_equal(begun(SR_CWND_DCSCTP).bytes, 10 * MTU);
    assert_int_equal(begun(SR_CWND_RFC9260).ssthresh, WINDOW);
}

static void a_path_may_take_larger_packets_until_one_is_full(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = {.rules = SR_CWND_DCSCTP, .may_be_larger = true};
    struct sr_cwnd_packet packet = {.bytes = 100, .peer_window = WINDOW};
    sr_cwnd_sent(&cwnd, &packet, nothing);
    assert_int_equal(cwnd.bytes, 10 * 1480);
    packet.bytes = DATA;
    packet.full = true;
    sr_cwnd_sent(&cwnd, &packet, nothing);
    assert_int_equal(cwnd.bytes, 10 * MTU);
}

static void slow_start_adds_what_the_stack_lets_one_sack_add(void **state)
{
    (void)state;
    struct sr_cwnd rfc = begun(SR_CWND_RFC9260), usrsctp = begun(SR_CWND_USRSCTP);
    acked(&rfc, chunks(3), chunks(4));
    assert_int_equal(rfc.bytes, 4380 + MTU);
    acked(&usrsctp, chunks(3), chunks(4));
    assert_int_equal(usrsctp.bytes, 3 * (MTU - 12) + 2 * MTU);
    acked(&rfc, two, two); /* it was not full */
    assert_int_equal(rfc.bytes, 4380 + MTU);
    sr_cwnd_acked(&rfc, one, chunks(6), sr_tsn(100), false); /* nothing was acknowledged cumulatively */
    assert_int_equal(rfc.bytes, 4380 + MTU);
}

static void pion_adds_all_while_data_waits(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_PION);
    acked(&cwnd, two, chunks(3));
    sr_cwnd_queued(&cwnd, false, false);
    assert_int_equal(cwnd.bytes, 4380);
    acked(&cwnd, two, chunks(3));
    sr_cwnd_queued(&cwnd, true, false);
    assert_int_equal(cwnd.bytes, 4380 + 2 * DATA);
    acked(&cwnd, two, two); /* as far as that window tells, all that waited could leave */
    sr_cwnd_queued(&cwnd, true, false);
    assert_int_equal(cwnd.bytes, 4380 + 2 * DATA);
    acked(&cwnd, two, two);
    sr_cwnd_queued(&cwnd, true, true);
    assert_int_equal(cwnd.bytes, 4380 + 4 * DATA);
}

static void avoidance_adds_a_packet_for_each_window(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_RFC9260);
    cwnd.bytes = 4 * (DATA + 16);
    cwnd.ssthresh = cwnd.bytes - 1;
    acked(&cwnd, two, chunks(4));
    assert_int_equal(cwnd.bytes, 4 * (DATA + 16));
    acked(&cwnd, two, chunks(4));
    assert_int_equal(cwnd.bytes, 4 * (DATA + 16) + MTU);
}

static void a_loss_halves_the_window_once_until_it_is_repaired(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_RFC9260), usrsctp = begun(SR_CWND_USRSCTP);
    cwnd.bytes = usrsctp.bytes = 20000;
    sr_cwnd_lost(&cwnd, false, sr_tsn(200), nothing);
    assert_int_equal(cwnd.bytes, 10000);
    sr_cwnd_lost(&cwnd, false, sr_tsn(210), nothing);
    acked(&cwnd, two, chunks(20));
    assert_int_equal(cwnd.bytes, 10000);
    sr_cwnd_acked(&cwnd, two, chunks(20), sr_tsn(200), true);
    assert_int_equal(cwnd.bytes, 10000 + MTU);
    cwnd.bytes = usrsctp.bytes = 4000;
    sr_cwnd_lost(&cwnd, false, sr_tsn(300), nothing);
    sr_cwnd_lost(&usrsctp, false, sr_tsn(300), nothing);
    assert_int_equal(cwnd.bytes, 4 * MTU);
    assert_int_equal(usrsctp.bytes, 2 * MTU);
}

static void a_timeout_leaves_one_packet(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_DCSCTP);
    cwnd.bytes = 20000;
    sr_cwnd_lost(&cwnd, true, sr_tsn(200), nothing);
    assert_int_equal(cwnd.bytes, MTU);
    assert_int_equal(cwnd.ssthresh, 10000);
}

/* sctp_cwnd_update_after_output: no more than four packets leave in a burst. */
static void usrsctp_cuts_the_window_to_a_burst(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_USRSCTP);
    struct sr_cwnd_packet packet = {.bytes = DATA, .peer_window = WINDOW};
    cwnd.bytes = 20000;
    sr_cwnd_sent(&cwnd, &packet, one);
    assert_int_equal(cwnd.bytes, DATA + 16 + 4 * MTU);
}

static void what_it_is_cut_from_becomes_the_threshold_of_slow_start(void **state)
{
    (void)state;
    enum { BURST = DATA + 16 + 4 * MTU };
    struct sr_cwnd whole = begun(SR_CWND_USRSCTP), cut = begun(SR_CWND_USRSCTP);
    struct sr_cwnd_packet packet = {.bytes = DATA, .peer_window = WINDOW};
    whole.bytes = BURST;
    cut.bytes = BURST + 1;
    whole.ssthresh = cut.ssthresh = 2 * MTU;
    sr_cwnd_sent(&whole, &packet, one);
    sr_cwnd_sent(&cut, &packet, one);
    assert_int_equal(whole.ssthresh, 2 * MTU);
    assert_int_equal(cut.ssthresh, BURST + 1);
}

static void more_than_the_window_refutes_the_rules(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = begun(SR_CWND_RFC9260);
    struct sr_cwnd_packet packet = {.bytes = DATA, .peer_window = WINDOW};
    sr_cwnd_sent(&cwnd, &packet, (struct sr_amount){4380 + MTU - 5 * 16 - 1, 5});
    assert_false(cwnd.refuted);
    sr_cwnd_sent(&cwnd, &packet, (struct sr_amount){4380 + MTU - 5 * 16, 5});
    assert_true(cwnd.refuted);
}

static void room_is_what_the_window_has_but_for_a_limit_on_bursts(void **state)
{
    (void)state;
    struct sr_cwnd dcsctp = begun(SR_CWND_DCSCTP), pion = begun(SR_CWND_PION), usrsctp = begun(SR_CWND_USRSCTP);
    assert_int_equal(sr_cwnd_room(&dcsctp, chunks(4)), 10 * MTU - 4 * (DATA + 16));
    assert_int_equal(sr_cwnd_room(&dcsctp, chunks(11)), 0);
    assert_int_equal(sr_cwnd_room(&pion, nothing), 0); /* has none */
    usrsctp.bytes = 9 * MTU;
    sr_cwnd_sent(&usrsctp, &(struct sr_cwnd_packet){.bytes = DATA, .peer_window = WINDOW}, nothing);
    assert_int_equal(usrsctp.bytes, 4 * MTU);
    assert_int_equal(sr_cwnd_room(&usrsctp, nothing), 9 * MTU);
    acked(&usrsctp, one, one); /* it is smaller for good */
    assert_int_equal(sr_cwnd_room(&usrsctp, nothing), usrsctp.bytes);
}

/* RFC 9260 section 7.2.1. */
static void behind_a_pause_room_is_known_where_the_stack_keeps_its_window(void **state)
{
    (void)state;
    struct sr_cwnd rfc = begun(SR_CWND_RFC9260), dcsctp = begun(SR_CWND_DCSCTP);
    assert_int_equal(sr_cwnd_room(&rfc, nothing), 4380);
    sr_cwnd_idle(&rfc);
    sr_cwnd_idle(&dcsctp);
    assert_int_equal(sr_cwnd_room(&rfc, nothing), 0);
    assert_int_equal(sr_cwnd_room(&dcsctp, nothing), 10 * MTU);
}

static struct sr_cwnd linux_begun(void)
{
    struct sr_cwnd cwnd = {.rules = SR_CWND_LINUX, .below = IP};
    sr_cwnd_sent(&cwnd, &(struct sr_cwnd_packet){.bytes = DATA, .peer_window = WINDOW, .full = true}, nothing);
    return cwnd;
}

/* sctp_transport_raise_cwnd: data alone is in flight, the MTU is that of IP, and gap blocks count. */
static void linux_counts_data_and_the_mtu_of_ip(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = linux_begun();
    assert_int_equal(cwnd.bytes, 4380);
    acked(&cwnd, two, chunks(3)); /* it was not full: with a packet more it is */
    assert_int_equal(cwnd.bytes, 4380);
    acked(&cwnd, two, chunks(4));
    assert_int_equal(cwnd.bytes, 4380 + LINUX_MTU);
    sr_cwnd_acked(&cwnd, two, chunks(5), sr_tsn(100), false);
    assert_int_equal(cwnd.bytes, 4380 + 2 * LINUX_MTU);
}

/* sctp_packet_can_append_data: a packet leaves as long as less than the window is in flight. */
static void the_last_packet_of_linux_is_above_the_window(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = linux_begun();
    assert_int_equal(sr_cwnd_room(&cwnd, chunks(3)), 4380 - 3 * DATA + MTU);
    assert_int_equal(sr_cwnd_room(&cwnd, chunks(4)), 0);
}

/* sctp_check_transmitted: partial_bytes_acked is of what is in flight. */
static void linux_forgets_what_was_acknowledged_once_nothing_is_in_flight(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = linux_begun();
    cwnd.ssthresh = cwnd.bytes - 1;
    acked(&cwnd, two, chunks(4));
    assert_int_equal(cwnd.partly_acked, 2 * DATA);
    acked(&cwnd, two, two);
    assert_int_equal(cwnd.partly_acked, 0);
}

/* sctp_retransmit_mark: what waits to be sent again is not in flight, so that the window does not grow with it. */
static void behind_a_timeout_linux_has_in_flight_what_was_sent_again(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = linux_begun();
    sr_cwnd_lost(&cwnd, true, sr_tsn(200), chunks(10));
    assert_int_equal(cwnd.bytes, LINUX_MTU);
    assert_int_equal(sr_cwnd_flight(&cwnd, chunks(10)), 0);
    sr_cwnd_resent(&cwnd, DATA);
    assert_int_equal(sr_cwnd_flight(&cwnd, chunks(10)), DATA);
    acked(&cwnd, one, chunks(10));
    assert_int_equal(cwnd.bytes, LINUX_MTU);
    sr_cwnd_resent(&cwnd, 2 * DATA);
    acked(&cwnd, two, chunks(9));
    assert_int_equal(cwnd.bytes, 2 * LINUX_MTU);
}

/* SCTP_LOWER_CWND_INACTIVE, with each HEARTBEAT; and a probe of a closed window is T3-rtx to it. */
static void linux_halves_with_a_heartbeat_and_times_out_with_a_probe(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = linux_begun(), rfc = begun(SR_CWND_RFC9260);
    cwnd.bytes = rfc.bytes = 20000;
    sr_cwnd_heartbeat(&cwnd);
    sr_cwnd_heartbeat(&rfc);
    assert_int_equal(cwnd.bytes, 10000);
    assert_int_equal(cwnd.ssthresh, 10000);
    assert_int_equal(rfc.bytes, 20000);
    sr_cwnd_probed(&cwnd, sr_tsn(200), one);
    sr_cwnd_probed(&rfc, sr_tsn(200), one);
    assert_int_equal(cwnd.bytes, LINUX_MTU);
    assert_int_equal(rfc.bytes, 20000);
    sr_cwnd_heartbeat(&cwnd);
    assert_int_equal(cwnd.bytes, 4 * LINUX_MTU);
}

/* The first packet is small, and a large one follows: by that the path's MTU is larger than it seemed. */
static struct sr_cwnd with_a_small_packet(enum sr_cwnd_rules rules)
{
    struct sr_cwnd cwnd = {.rules = (uint8_t)rules};
    sr_cwnd_sent(&cwnd, &(struct sr_cwnd_packet){.bytes = 100, .peer_window = WINDOW, .full = true}, nothing);
    return cwnd;
}

static uint64_t with_a_large_one(struct sr_cwnd cwnd)
{
    sr_cwnd_sent(&cwnd, &(struct sr_cwnd_packet){.bytes = DATA, .peer_window = WINDOW, .full = true}, nothing);
    return cwnd.bytes;
}

static void a_larger_packet_makes_the_first_window_larger_and_no_other(void **state)
{
    (void)state;
    enum { SMALL = 100 + 28 };
    struct sr_cwnd rfc = with_a_small_packet(SR_CWND_RFC9260), usrsctp = with_a_small_packet(SR_CWND_USRSCTP),
                   kernel = with_a_small_packet(SR_CWND_LINUX);
    assert_int_equal(rfc.bytes, 4 * SMALL);
    assert_int_equal(with_a_large_one(rfc), 4380);
    sr_cwnd_lost(&rfc, true, sr_tsn(1), nothing);
    assert_int_equal(with_a_large_one(rfc), SMALL);
    kernel.below = IP;
    sr_cwnd_heartbeat(&kernel);
    assert_int_equal(with_a_large_one(kernel), 4 * (SMALL + IP));
    usrsctp.bytes = 20000; /* and it is cut to a burst */
    sr_cwnd_sent(&usrsctp, &(struct sr_cwnd_packet){.bytes = 100, .peer_window = WINDOW}, nothing);
    assert_int_equal(with_a_large_one(usrsctp), 4 * SMALL);
}

static void data_that_waits_makes_no_window_larger_before_anything_is_acknowledged(void **state)
{
    (void)state;
    struct sr_cwnd cwnd = with_a_small_packet(SR_CWND_PION);
    sr_cwnd_queued(&cwnd, true, true);
    assert_int_equal(with_a_large_one(cwnd), 4380);
    acked(&cwnd, (struct sr_amount){100, 1}, (struct sr_amount){100, 1});
    sr_cwnd_queued(&cwnd, true, true);
    assert_int_equal(with_a_large_one(cwnd), 4 * 128 + 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stack_begins_with_its_own),
        cmocka_unit_test(a_path_may_take_larger_packets_until_one_is_full),
        cmocka_unit_test(slow_start_adds_what_the_stack_lets_one_sack_add),
        cmocka_unit_test(pion_adds_all_while_data_waits),
        cmocka_unit_test(avoidance_adds_a_packet_for_each_window),
        cmocka_unit_test(a_loss_halves_the_window_once_until_it_is_repaired),
        cmocka_unit_test(a_timeout_leaves_one_packet),
        cmocka_unit_test(usrsctp_cuts_the_window_to_a_burst),
        cmocka_unit_test(what_it_is_cut_from_becomes_the_threshold_of_slow_start),
        cmocka_unit_test(more_than_the_window_refutes_the_rules),
        cmocka_unit_test(room_is_what_the_window_has_but_for_a_limit_on_bursts),
        cmocka_unit_test(linux_counts_data_and_the_mtu_of_ip),
        cmocka_unit_test(the_last_packet_of_linux_is_above_the_window),
        cmocka_unit_test(linux_forgets_what_was_acknowledged_once_nothing_is_in_flight),
        cmocka_unit_test(behind_a_timeout_linux_has_in_flight_what_was_sent_again),
        cmocka_unit_test(linux_halves_with_a_heartbeat_and_times_out_with_a_probe),
        cmocka_unit_test(a_larger_packet_makes_the_first_window_larger_and_no_other),
        cmocka_unit_test(data_that_waits_makes_no_window_larger_before_anything_is_acknowledged),
        cmocka_unit_test(behind_a_pause_room_is_known_where_the_stack_keeps_its_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
