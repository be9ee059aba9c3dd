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

static void no_other_stack_has_such_a_timer(void **state)
{
    (void)state;
    struct sr_imagined seven = transfer(SR_CWND_DCSCTP, 400, 100);
    seven.round_trip_ns = 60000000;
    seven.apart_ns = 200000;
    seven.send_buffer = 7 * DATA; /* the last of them waits for the first of the next */
    assert_int_equal(sr_imagined_ns(&seven), 66 * seven.round_trip_ns + 3 * seven.apart_ns);
}

/* Runs of usrsctp 0.9.5 to itself over 50 Mbit/s, in virtual time, whose congestion window fell to one packet as often,
 * and nothing was lost. */
static const struct {
    uint64_t packets, bytes, rcvbuf, unread, sndbuf;
    int64_t round_trip_ms, apart_ns, phase_ns, lasted_us;
    int fell;
} runs[] = {
    {772, 1100, 34000, 1356, 0, 198, 184960, 6100480, 7927675, 2},
    {772, 1100, 68000, 1356, 0, 198, 184960, 6100480, 3577663, 0},
    {925, 1000, 37000, 2280, 0, 172, 168960, 4100480, 7240934, 3},
    {1000, 1100, 4000000, 1356, 25300, 108, 184960, 6100480, 5635702, 3},
};

static void it_takes_as_long_as_usrsctp_took(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct sr_imagined run = {
            .packets = runs[i].packets,
            .bytes = runs[i].packets * runs[i].bytes,
            .chunks = runs[i].packets,
            .mtu = 1212, /* usrsctp adds its common header to what it is told */
            .peer_window = runs[i].rcvbuf,
            .unread = runs[i].unread,
            .send_buffer = runs[i].sndbuf,
            .sack_every = 2,
            .sack_delay_ns = 200000000,
            .round_trip_ns = runs[i].round_trip_ms * 1000000,
            .apart_ns = runs[i].apart_ns,
            .phase_ns = runs[i].phase_ns,
            .rules = SR_CWND_USRSCTP,
            .first_alone = true,
        };
        int64_t off_us = sr_imagined_ns(&run) / 1000 - runs[i].lasted_us;
        assert_in_range(off_us < 0 ? -off_us : off_us, 0, runs[i].lasted_us / 200);
    }
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

static void one_message_takes_a_round_trip(void **state)
{
    (void)state;
    struct sr_imagined one = transfer(SR_CWND_DCSCTP, 2, 4);
    one.chunks = 1; /* in two packets, for one answer */
    assert_int_equal(sr_imagined_ns(&one), 0);
    one.chunks = 0;
    assert_int_equal(sr_imagined_ns(&one), -1);
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
        cmocka_unit_test(no_other_stack_has_such_a_timer),
        cmocka_unit_test(it_takes_as_long_as_usrsctp_took),
        cmocka_unit_test(what_never_fits_takes_no_time),
        cmocka_unit_test(one_message_takes_a_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
