/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waits for of which as much leaves with each answer: its send buffer, its congestion window, its limit
 * on bursts or the peer's window. At the sender. */
#include "limit_rows.h"

/* From 1 s on, each five and some more with the answer to those before, over which the host takes a while. */
static struct talk *five_with_each_answer(struct talk *talk, int64_t host_us, uint32_t more)
{
    int64_t at_us = 1000000;
    uint32_t sent = 0;
    for (uint32_t i = 0; i < 10; i++, at_us += WAY_US + host_us) {
        if (i > 0)
            sack(talk, at_us - host_us, sent, "");
        flight(talk, at_us, 1 + sent, 5 + i * more, 10);
        sent += 5 + i * more;
    }
    sack(talk, at_us - host_us, sent, "");
    return talk;
}

static struct talk *five_each(void)
{
    return five_with_each_answer(at_the_sender(), 20, 0);
}

/* All of them are of one message. */
static struct talk *five_each_of_one_message(enum sr_profile profile)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + profile)});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    talk->flags = 0;
    return five_with_each_answer(talk, 20, 0);
}

static struct talk *five_each_of_one_message_of_dcsctp(void)
{
    return five_each_of_one_message(SR_PROFILE_DCSCTP);
}

static struct talk *five_each_of_one_message_of_usrsctp(void)
{
    return five_each_of_one_message(SR_PROFILE_USRSCTP);
}

static struct talk *five_each_and_gives_up(void)
{
    struct talk *talk = at_the_sender();
    for (uint32_t i = 0; i < 10; i++) {
        int64_t at_us = 1000000 + i * (WAY_US + 20);
        if (i > 0)
            sack(talk, at_us - 20, 5 * i - 1, "");
        if (i > 0)
            forward_tsn(talk, at_us - 10, 5 * i);
        flight(talk, at_us, 1 + 5 * i, 5, 10);
    }
    sack(talk, 1000000 + 10 * (WAY_US + 20) - 20, 50, "");
    return talk;
}

static struct talk *one_more_each(void)
{
    return five_with_each_answer(at_the_sender(), 20, 1);
}

static struct talk *one_more_each_of_a_slow_host(void)
{
    return five_with_each_answer(at_the_sender(), 4000, 1);
}

static struct talk *five_each_in_a_small_window(void)
{
    struct talk *talk = at_the_sender();
    talk->a_rwnd = 5500;
    return five_with_each_answer(talk, 20, 0);
}

/* Each two, where the first window of any sender has room for more. */
static struct talk *two_with_each_answer(struct talk *talk)
{
    for (uint32_t i = 0; i < 10; i++) {
        if (i > 0)
            sack(talk, 1000000 + i * (WAY_US + 20) - 20, 2 * i, "");
        flight(talk, 1000000 + i * (WAY_US + 20), 1 + 2 * i, 2, 10);
    }
    sack(talk, 1000000 + 10 * (WAY_US + 20) - 20, 20, "");
    return talk;
}

static struct talk *two_each(void)
{
    return two_with_each_answer(at_the_sender());
}

/* They are of one message, which was there. */
static struct talk *two_each_of_one_message(void)
{
    struct talk *talk = talk_told((struct sr_told){.profile = 1 + SR_PROFILE_USRSCTP});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    talk->flags = 0;
    return two_with_each_answer(talk);
}

/* Ten packets, each with the answer to the one before, which the receiver holds back. */
static struct talk *one_each_held_back(void)
{
    enum { HELD_US = 200000, TRIP_US = WAY_US + HELD_US };
    struct talk *talk = at_the_sender();
    for (uint32_t i = 0; i < 10; i++) {
        data(talk, 1000000 + i * TRIP_US, 1 + i);
        sack(talk, 1000000 + (i + 1) * TRIP_US - 20, 1 + i, "");
    }
    return talk;
}

/* Four packets leave behind two answers that come so long apart. The first has so many of them; where it has none it
 * opens the window. */
static struct talk *four_with_two_answers(int64_t apart_us, uint32_t first)
{
    struct talk *talk = at_the_sender();
    const int64_t trip_us = WAY_US + apart_us + 20;
    for (uint32_t i = 0; i < 10; i++) {
        int64_t at_us = 1000000 + i * trip_us;
        flight(talk, at_us, 1 + 4 * i, 4, 10);
        talk->a_rwnd += first == 0;
        sack(talk, at_us + WAY_US, 4 * i + first, "");
        sack(talk, at_us + WAY_US + apart_us, 4 * i + 4, "");
    }
    return talk;
}

static struct talk *four_with_two_answers_apart(void)
{
    return four_with_two_answers(21, 2);
}

static struct talk *four_behind_a_window_that_opens(void)
{
    return four_with_two_answers(21, 0);
}

static struct talk *four_with_two_answers_at_once(void)
{
    return four_with_two_answers(20, 2);
}

/* Ten packets with each answer, over which the host takes its time; then two each, and an answer every 4 ms: in 4 ms
 * another one passes the tap that it has not taken, and eight packets seem to be outstanding. */
static struct talk *ten_of_a_host(int64_t host_us)
{
    struct talk *talk = at_the_sender();
    const int64_t trip_us = WAY_US + host_us;
    int64_t at_us = 1000000;
    uint32_t sent = 0, acked = 0;
    for (; sent < 160; sent += 10, at_us += trip_us) {
        if (sent > 0)
            sack(talk, at_us - host_us, sent, "");
        flight(talk, at_us, 1 + sent, 10, 10);
    }
    acked = sent - 10;
    at_us += WAY_US - trip_us;
    for (uint32_t i = 0; i < 14; i++, at_us += 4000, acked += 2) {
        sack(talk, at_us, acked + 2, "");
        if (i * 4000 < host_us)
            continue;
        flight(talk, at_us + 10, sent + 1, 2, 10);
        sent += 2;
    }
    return talk;
}

static struct talk *ten_of_a_host_that_takes_4_ms(void)
{
    return ten_of_a_host(4000);
}

static struct talk *ten_of_a_fast_host(void)
{
    return ten_of_a_host(20);
}

/* Forty packets are outstanding on a busy link, where each answer lets one leave, half of a millisecond after the one
 * before. usrsctp charges the window 272 bytes more for each, and waits where it has less than 1,420 then. */
static struct talk *forty_of_usrsctp(uint32_t left_bytes)
{
    enum { OPEN = 40, APART_US = 500, EACH = 1000 + 272 };
    struct talk *talk = talk_told((struct sr_told){.profile = 1 + SR_PROFILE_USRSCTP});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    talk->a_rwnd = OPEN * EACH + left_bytes;
    shake_hands(talk, HERE_US, WAY_US, false);
    for (uint32_t i = 0; i < 8 * OPEN; i++) {
        int64_t at_us = 1000000 + i * APART_US;
        if (i >= OPEN)
            sack(talk, at_us - 20, i - OPEN + 1, "");
        data(talk, at_us, 1 + i);
    }
    return talk;
}

static struct talk *forty_that_leave_room_for_none(void)
{
    return forty_of_usrsctp(1419);
}

static struct talk *forty_that_leave_room(void)
{
    return forty_of_usrsctp(1420 + 60); /* in 20 us as much of it may be open as not */
}

/* Twenty small messages, and with the answer to one of them a large one, of a packet as large as none before. */
static struct talk *a_large_message_behind_small_ones(void)
{
    struct talk *talk = at_the_sender();
    talk->bytes = 100;
    flight(talk, AT_US, 1, 20, 10);
    sack(talk, AT_US + WAY_US, 1, "");
    talk->bytes = 1400;
    data(talk, AT_US + WAY_US + 20, 21);
    sack(talk, AT_US + 2 * WAY_US + 20, 21, "");
    return talk;
}

static struct row rows[] = {
    {"four packets that leave behind the second of two answers, and not behind the first, are no limit on bursts",
     four_with_two_answers_apart,
     {{0}},
     "send_buffer/3 180 ms 4000, application/4 20 ms 4000"},
    {"they may be where the first made no room",
     four_behind_a_window_that_opens,
     {{0}},
     "congestion_window/3 180 ms 4000, application/4 20 ms 4000"},
    {"and where the host had no time in between",
     four_with_two_answers_at_once,
     {{0}},
     "congestion_window/3 180 ms 4000, application/4 20 ms 4000"},
    {"a first window has room for a packet that is larger than all before",
     a_large_message_behind_small_ones,
     {{0}},
     "application/4 40 ms 3300"},
    {"all that leaves with feedback alone waited for the congestion window",
     one_more_each,
     {{0}},
     "congestion_window/3 180 ms 13000, application/4 20 ms 14000"},
    {"as much outstanding again and again is a full send buffer, from the beginning on",
     five_each,
     {{0}},
     "send_buffer/3 180 ms 5000, application/4 20 ms 5000"},
    {"of a message that is in the buffer as a whole a limit on bursts lets leave as much again and again",
     five_each_of_one_message_of_dcsctp,
     {{0}},
     "burst_limit/2 180 ms 5000, application/4 20 ms 5000"},
    {"not where a buffer has as much of a message as there is room for",
     five_each_of_one_message_of_usrsctp,
     {{0}},
     "send_buffer/3 180 ms 5000, application/4 20 ms 5000"},
    {"but not of a sender that gives data up: what it has outstanding is less than is seen",
     five_each_and_gives_up,
     {{0}},
     "congestion_window/3 180 ms 6000, application/4 20 ms 6000"},
    {"as much again and again on a busy link is a full send buffer where the window has room",
     forty_that_leave_room,
     {{0}},
     "application/4 20 ms 39000, send_buffer/3 140 ms 40000"},
    {"where it may have none to a sender that charges chunks it may be that",
     forty_that_leave_room_for_none,
     {{0}},
     "application/4 20 ms 39000, peer_window/2 140 ms 40000"},
    {"what a slow host has not taken yet is outstanding to it",
     ten_of_a_host_that_takes_4_ms,
     {{0}},
     "send_buffer/3 432 ms 10000"},
    {"what a fast host has outstanding is as little as it seems",
     ten_of_a_fast_host,
     {{0}},
     "send_buffer/3 340 ms 10000, congestion_window/3 32 ms 8000"},
    {"also where no congestion window can be full",
     two_each,
     {{0}},
     "send_buffer/3 180 ms 2000, application/4 20 ms 2000"},
    {"and where what goes on with a message may have waited for whatever there is",
     two_each_of_one_message,
     {{0}},
     "send_buffer/3 180 ms 2000, application/4 20 ms 2000"},
    {"a slow host waited for the feedback all the same: 4 ms are less than a quarter of what it waited",
     one_more_each_of_a_slow_host,
     {{0}},
     "congestion_window/3 216 ms 13000, application/4 20 ms 14000"},
    {"where its 4 ms are more than that it is known from what it did before",
     one_more_each_of_a_slow_host,
     {SEVEN(AT_US, 96), SACK(AT_US + WAY_US, 97, ""), FLAGS(1), DATA(AT_US + WAY_US + 4000, 103),
      SACK(AT_US + WAY_US + 8000, 99, ""), DATA(AT_US + WAY_US + 12000, 104), FLAGS(3),
      SACK(AT_US + 2 * WAY_US + 12000, 104, "")},
     "congestion_window/3 216 ms 13000, application/4 1784 ms 14000, congestion_window/3 32 ms 7000, application/4 20 "
     "ms 5000"},
    {"a window that is told small limits",
     five_each_in_a_small_window,
     {{0}},
     "congestion_window/3 20 ms 5000, peer_window/4 160 ms 5000, application/4 20 ms 5000"},
    {"a buffer of one packet waits for the SACK of each, that is held back",
     one_each_held_back,
     {{0}},
     "send_buffer/3 1980 ms 1000 held 1800 ms, application/4 220 ms 1000 held 200 ms"},
};

int main(void)
{
    return CHECK_ROWS("limit_answers", rows, check);
}
