/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a transfer takes that waits for its windows alone, counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "limits/congestion_window.h"
#include "limits/imagined.h"

enum { DATA = 1000 };

static const int64_t rtt_ns = 100000000, s_ns = 1000000000;

static struct sr_imagined transfer(enum sr_cwnd_rules rules, uint64_t packets, uint64_t window_packets)
{
    return (struct sr_imagined){
        .packets = packets,
        .bytes = packets * DATA,
        .chunks = packets,
        .peer_window = window_packets * DATA,
        .sack_every = 2,
        .sack_delay_ns = 200000000,
        .round_trip_ns = rtt_ns,
        .rules = (uint8_t)rules,
    };
}

static void a_window_leaves_in_each_round_trip(void **state)
{
    (void)state;
    struct sr_imagined eight = transfer(SR_CWND_DCSCTP, 8, 4), twelve = transfer(SR_CWND_DCSCTP, 12, 4);
    assert_int_equal(sr_imagined_ns(&eight), rtt_ns);
    assert_int_equal(sr_imagined_ns(&twelve), 2 * rtt_ns);
}

static void what_the_send_buffer_has_leaves_in_each_round_trip(void **state)
{
    (void)state;
    struct sr_imagined eight = transfer(SR_CWND_DCSCTP, 8, 100);
    eight.send_buffer = 4 * DATA - 1;
    assert_int_equal(sr_imagined_ns(&eight), 3 * rtt_ns); /* three, whose third waits for the fourth */
    eight.send_buffer++;
    assert_int_equal(sr_imagined_ns(&eight), rtt_ns);
    eight.send_buffer = 1; /* one packet leaves all the same */
    assert_int_equal(sr_imagined_ns(&eight), 7 * (200000000 + rtt_ns));
}

/* pion's grows while data waits in the stack, and none does that the application could not write yet. */
static void a_congestion_window_grows_with_what_is_queued_alone(void **state)
{
    (void)state;
    struct sr_imagined small = transfer(SR_CWND_PION, 400, 1000), large = small;
    small.send_buffer = 4 * DATA;
    large.send_buffer = 64 * DATA;
    assert_int_equal(sr_imagined_ns(&small), 99 * rtt_ns);
    assert_true(sr_imagined_ns(&large) < 20 * rtt_ns);
}

static void the_congestion_window_grows_first(void **state)
{
    (void)state;
    /* 4,380 bytes: five packets of 1,016 leave; four are acknowledged, and the window is two packets larger. */
    struct sr_imagined small = transfer(SR_CWND_RFC9260, 5, 100), large = transfer(SR_CWND_RFC9260, 6, 100);
    assert_int_equal(sr_imagined_ns(&small), 0);
    assert_int_equal(sr_imagined_ns(&large), rtt_ns);
    large.rules = SR_CWND_DCSCTP; /* ten packets leave at once */
    assert_int_equal(sr_imagined_ns(&large), 0);
    large.rules = SR_CWND_RFC9260;
    large.mtu = 1500; /* 4,380 bytes of it, too, and more room for each SACK */
    assert_int_equal(sr_imagined_ns(&large), rtt_ns);
}

static void the_last_of_an_odd_window_waits_for_a_delayed_sack(void **state)
{
    (void)state;
    struct sr_imagined one = transfer(SR_CWND_DCSCTP, 2, 1);
    assert_int_equal(sr_imagined_ns(&one), 200000000 + rtt_ns);
    one.sack_every = 1;
    assert_int_equal(sr_imagined_ns(&one), rtt_ns);
    struct sr_imagined three =
        transfer(SR_CWND_DCSCTP, 6, 3); /* packet 3 leaves a round trip later, and answers for 2 */
    assert_int_equal(sr_imagined_ns(&three), 2 * rtt_ns);
    three.sack_delay_ns = rtt_ns / 2;
    assert_int_equal(sr_imagined_ns(&three), rtt_ns + rtt_ns / 2);
}

static void usrsctp_charges_each_chunk(void **state)
{
    (void)state;
    struct sr_imagined plain = transfer(SR_CWND_DCSCTP, 8, 8), charged = plain;
    charged.rules = SR_CWND_USRSCTP;
    assert_int_equal(sr_imagined_ns(&plain), 0);
    charged.mtu = 9000; /* 24 kB to begin with: it is the peer's window that forbids */
    assert_int_equal(sr_imagined_ns(&charged), rtt_ns);
}

static void the_first_packet_may_be_answered_alone(void **state)
{
    (void)state;
    struct sr_imagined two = transfer(SR_CWND_DCSCTP, 6, 2); /* of two that leave the second waits for the third */
    assert_int_equal(sr_imagined_ns(&two), 2 * rtt_ns);
    two.first_alone = true;
    assert_int_equal(sr_imagined_ns(&two), 3 * rtt_ns);
}

static void what_just_came_takes_of_the_window_that_is_told(void **state)
{
    (void)state;
    struct sr_imagined four = transfer(SR_CWND_DCSCTP, 12, 4);
    four.unread = DATA;
    assert_int_equal(sr_imagined_ns(&four), 4 * rtt_ns); /* 4 by the handshake's window; then 3, 2, 2 and the last */
    four.sack_every = 5;                                 /* a SACK by the receiver's timer has nothing to be read */
    four.sack_delay_ns = rtt_ns;
    assert_int_equal(sr_imagined_ns(&four), 4 * rtt_ns);
}

static void packets_wait_for_those_before(void **state)
{
    (void)state;
    struct sr_imagined eight = transfer(SR_CWND_DCSCTP, 8, 4);
    eight.apart_ns = rtt_ns / 10; /* the last SACK is for the fourth, which left the link three packets later */
    assert_int_equal(sr_imagined_ns(&eight), rtt_ns + 3 * eight.apart_ns);
}

static void packets_share_user_data_and_chunks(void **state)
{
    (void)state;
    struct sr_imagined eight = transfer(SR_CWND_DCSCTP, 8, 4);
    eight.bytes += 4; /* half a byte more each: four do not fit */
    eight.peer_window = 4 * DATA;
    assert_true(sr_imagined_ns(&eight) > rtt_ns);
    eight.peer_window++;
    assert_int_equal(sr_imagined_ns(&eight), rtt_ns);
    eight.peer_window = 100 * DATA;
    eight.chunks *= 2; /* a message of half a packet finds room where a packet does not */
    eight.send_buffer = 4 * DATA - DATA / 2 + 2;
    assert_int_equal(sr_imagined_ns(&eight), rtt_ns);
}

/* It runs from the first packet on. One packet waits for a delayed SACK as it expires, a second later: what is
 * outstanding for longer than a round trip then is a loss. */
static void the_timer_of_usrsctp_expires_behind_a_delayed_sack(void **state)
{
    (void)state;
    struct sr_imagined odd = transfer(SR_CWND_USRSCTP, 400, 40);
    odd.round_trip_ns = 180000000;
    int64_t slower_ns = sr_imagined_ns(&odd);
    odd.sack_every = 1;
    int64_t faster_ns = sr_imagined_ns(&odd);
    assert_true(faster_ns > s_ns && slower_ns > faster_ns + 4 * odd.round_trip_ns);
}

static void what_never_fits_takes_no_time(void **state)
{
    (void)state;
    struct sr_imagined none = transfer(SR_CWND_DCSCTP, 1, 0), small = transfer(SR_CWND_USRSCTP, 1, 1);
    assert_int_equal(sr_imagined_ns(&none), -1);
    assert_int_equal(sr_imagined_ns(&small), -1); /* usrsctp waits for 1,420 bytes (SCTPCTL_SWS_SENDER_DEFAULT) */
    struct sr_imagined empty = transfer(SR_CWND_DCSCTP, 1, 1);
    empty.bytes = 0;
    assert_int_equal(sr_imagined_ns(&empty), -1);
    empty.bytes = DATA;
    empty.sack_every = 0;
    assert_int_equal(sr_imagined_ns(&empty), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_leaves_in_each_round_trip),
        cmocka_unit_test(the_congestion_window_grows_first),
        cmocka_unit_test(what_the_send_buffer_has_leaves_in_each_round_trip),
        cmocka_unit_test(a_congestion_window_grows_with_what_is_queued_alone),
        cmocka_unit_test(the_last_of_an_odd_window_waits_for_a_delayed_sack),
        cmocka_unit_test(the_first_packet_may_be_answered_alone),
        cmocka_unit_test(what_just_came_takes_of_the_window_that_is_told),
        cmocka_unit_test(packets_wait_for_those_before),
        cmocka_unit_test(packets_share_user_data_and_chunks),
        cmocka_unit_test(usrsctp_charges_each_chunk),
        cmocka_unit_test(the_timer_of_usrsctp_expires_behind_a_delayed_sack),
        cmocka_unit_test(what_never_fits_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
