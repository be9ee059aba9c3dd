/* SPDX-License-Identifier: BSD-2-Clause */
/* What the walk behind the verdicts makes of whole conversations: which feedback counts, whose window, what a repair
 * waited for, and where the last wait ends. At the sender; the receiver is 20 ms away. */
#include "limit_rows.h"

#define HIGH 0xf0000000u
/* Data of the other side. */
#define REQUEST(at, tsn)                                                                                               \
    {                                                                                                                  \
        request_now, at, tsn, 0, ""                                                                                    \
    }

static void request_now(struct talk *talk, const struct event *event)
{
    data_of(talk, event->at_us, B, event->tsn, 1);
}

/* As far from the sender as from the receiver. */
static struct talk *in_the_middle(void)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = talk->hop_limit[B] = 60;
    shake_hands(talk, WAY_US, WAY_US, false);
    return talk;
}

static struct talk *small_messages_in_the_middle(void)
{
    struct talk *talk = in_the_middle();
    talk->bytes = 100;
    return talk;
}

static struct talk *large_messages(void)
{
    struct talk *talk = at_the_sender();
    talk->bytes = 40000;
    return talk;
}

/* Likewise; its own side has a window for ten times as much. */
static struct talk *large_messages_of_a_side_with_room(void)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    talk->bytes = 40000;
    talk->a_rwnd = 10 * TALK_WINDOW;
    init(talk, 0, A, false);
    talk->a_rwnd = TALK_WINDOW;
    init(talk, WAY_US, B, false);
    control(talk, WAY_US + HERE_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * WAY_US + HERE_US, B, SR_CHUNK_COOKIE_ACK, 0);
    return talk;
}

/* Eight messages, one every 100 ms from 1 s on, each with its answer. */
static struct talk *after_eight(void)
{
    struct talk *talk = at_the_sender();
    warm_up(talk, 8, WAY_US);
    return talk;
}

/* Likewise, with an answer to each request. */
static struct talk *two_requests(void)
{
    struct talk *talk = at_the_sender();
    for (uint32_t i = 0; i < 10; i++) {
        int64_t at_us = 1000000 + i * (WAY_US + 20);
        if (i > 0)
            sack(talk, at_us - 20, 2 * i, "");
        if (i > 0)
            data_of(talk, at_us - 10, B, 100 + i, 1);
        flight(talk, at_us, 1 + 2 * i, 2, 10);
    }
    sack(talk, 1000000 + 10 * (WAY_US + 20) - 20, 20, "");
    return talk;
}

static struct talk *small_messages(void)
{
    struct talk *talk = at_the_sender();
    talk->bytes = 100;
    return talk;
}

static struct talk *in_the_middle_of_eight(void)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    warm_up(talk, 8, WAY_US);
    return talk;
}

static struct talk *windows_that_jump_and_numbers_that_begin_anew(void)
{
    static const uint32_t windows[] = {0, UINT32_MAX, 1, 100000, 0, 0x80000000};
    struct talk *talk = at_the_sender();
    for (uint32_t i = 0; i < 60; i++) {
        talk->a_rwnd = windows[i % 6];
        data(talk, 1000000 + i * 7000, 1 + i * (i % 7 == 6 ? 0x10000000u : 1));
        sack(talk, 1003000 + i * 7000, i % 5 == 4 ? i + 500 : i, i % 3 ? "" : "d5");
        data(talk, 1000000 + i * 6000, 1 + i / 2);
    }
    return talk;
}

/* The second of two small messages leaves with the answer to the first, which waits for 200 ms. */
#define TWO_SMALL(at, tsn)                                                                                             \
    DATA(at, tsn), SACK((at) + WAY_US + 200000, tsn, ""), DATA((at) + WAY_US + 200020, (tsn) + 1),                     \
        SACK((at) + 2 * WAY_US + 400020, (tsn) + 1, "")

/* Likewise in the middle, where that comes a little sooner than a COOKIE ECHO did. */
#define TWO_SMALL_AWAY(at, tsn)                                                                                        \
    DATA(at, tsn), SACK((at) + WAY_US + 200000, tsn, ""), DATA((at) + 2 * WAY_US + 199800, (tsn) + 1),                 \
        SACK((at) + 3 * WAY_US + 399800, (tsn) + 1, "")

/* They fill the window of a Linux, which charges it for data alone. */
static struct talk *seven_in_seven_thousand(void)
{
    struct talk *talk = talk_told((struct sr_told){.profile = 1 + SR_PROFILE_LINUX});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    talk->a_rwnd = 7000;
    sack(talk, AT_US - 100000, 8, "");
    flight(talk, AT_US, 9, 7, 10);
    return talk;
}

static struct row rows[] = {
    {"data that leaves with feedback waited for room",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), SACK(AT_US + 2 * WAY_US, 16, "")},
     "application/4 2000 ms 6000, congestion_window/3 20 ms 7000, application/4 20 ms 6000"},
    {"feedback that says nothing new lets nothing leave",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), SACK(AT_US + 2 * WAY_US, 10, ""),
      DATA(AT_US + 2 * WAY_US + 20, 16), SACK(AT_US + 3 * WAY_US, 16, "")},
     "application/4 2060 ms 7000"},
    {"feedback that opens the window does",
     after_eight,
     {SEVEN(AT_US, 9), WINDOW(50000), SACK(AT_US + WAY_US, 10, ""), WINDOW(60000), SACK(AT_US + 2 * WAY_US, 10, ""),
      DATA(AT_US + 2 * WAY_US + 20, 16), SACK(AT_US + 3 * WAY_US, 16, "")},
     "application/4 2000 ms 6000, congestion_window/3 40 ms 7000, application/4 20 ms 6000"},
    {"feedback that closes it further does not",
     after_eight,
     {SEVEN(AT_US, 9), WINDOW(50000), SACK(AT_US + WAY_US, 10, ""), WINDOW(40000), SACK(AT_US + 2 * WAY_US, 10, ""),
      DATA(AT_US + 2 * WAY_US + 20, 16), SACK(AT_US + 3 * WAY_US, 16, "")},
     "application/4 2060 ms 7000"},
    {"feedback that was overtaken lets nothing leave, whatever window it tells",
     after_eight,
     {SEVEN(AT_US, 9), WINDOW(50000), SACK(AT_US + WAY_US, 10, ""), WINDOW(60000), SACK(AT_US + 2 * WAY_US, 9, ""),
      DATA(AT_US + 2 * WAY_US + 20, 16), SACK(AT_US + 3 * WAY_US, 16, "")},
     "application/4 2060 ms 7000"},
    {"a message that goes on was there: nothing that comes next makes it the application",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 20, 16), FLAGS(3),
      DATA(AT_US + WAY_US + 10000, 17), SACK(AT_US + 2 * WAY_US, 17, "")},
     "application/4 2000 ms 6000, congestion_window/3 20 ms 7000, application/4 20 ms 7000"},
    {"one that begins may have been written just then",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), DATA(AT_US + WAY_US + 10000, 17),
      SACK(AT_US + 2 * WAY_US, 17, "")},
     "application/3 2040 ms 7000"},
    {"the last wait ends with the last acknowledgement, whatever is said again behind it",
     after_eight,
     {DATA(AT_US, 9), SACK(AT_US + WAY_US, 9, ""), SACK(AT_US + 200000, 9, "")},
     "application/4 2020 ms 1000"},
    {"the window of the handshake counts until a SACK tells another",
     large_messages,
     {DATA(AT_US, 1), DATA(AT_US + 10, 2), DATA(AT_US + 15000, 3), SACK(AT_US + WAY_US, 3, "")},
     "peer_window/4 15 ms 80000, application/4 5 ms 120000"},
    {"that of the other side, whatever its own is",
     large_messages_of_a_side_with_room,
     {DATA(AT_US, 1), DATA(AT_US + 10, 2), DATA(AT_US + 15000, 3), SACK(AT_US + WAY_US, 3, "")},
     "peer_window/4 15 ms 80000, application/4 5 ms 120000"},
    {"a timeout's repair ends when all that was outstanding is acknowledged",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 13, ""), DATA(AT_US + WAY_US + 1000000, 14),
      SACK(AT_US + 2 * WAY_US + 1000000, 14, ""), DATA(AT_US + 2 * WAY_US + 1000020, 15),
      SACK(AT_US + 3 * WAY_US + 1000020, 15, ""), DATA(AT_US + 1500000, 16), SACK(AT_US + 1500000 + WAY_US, 16, "")},
     "application/4 2020 ms 7000, timeout/3 1040 ms 2000, application/4 460 ms 1000"},
    {"before a timeout the window was closed where it had no room",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), WINDOW(0), SACK(AT_US + WAY_US, 9, ""), WINDOW(TALK_WINDOW),
      DATA(AT_US + 1100000, 10), SACK(AT_US + 1100000 + WAY_US, 10, "")},
     "application/4 2000 ms 1000, peer_window/2 1100 ms 2000, application/4 20 ms 1000"},
    {"a probe of a closed window waits for the window",
     after_eight,
     {WINDOW(0), DATA(AT_US, 9), SACK(AT_US + WAY_US, 8, ""), DATA(AT_US + 1100000, 9),
      SACK(AT_US + 1100000 + WAY_US, 8, ""), WINDOW(TALK_WINDOW), DATA(AT_US + 3100000, 9),
      SACK(AT_US + 3100000 + WAY_US, 9, "")},
     "application/4 2000 ms 1000, peer_window/2 3100 ms 1000, application/4 20 ms 1000"},
    {"what is sent again without any feedback waited for its timer from the first time on",
     at_the_sender,
     {DATA(AT_US, 1), DATA(AT_US + 1000000, 1), SACK(AT_US + 1000000 + WAY_US, 1, "")},
     "timeout/3 1020 ms 1000"},
    {"another timeout in a repair is one more",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 1000000, 9), DATA(AT_US + 3000000, 9), SACK(AT_US + 3000000 + WAY_US, 9, "")},
     "application/4 2000 ms 1000, timeout/3 3020 ms 1000"},
    {"new data in a repair waits for it",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 8, "10"), SACK(AT_US + WAY_US + 10, 8, "10-11"),
      SACK(AT_US + WAY_US + 20, 8, "10-12"), DATA(AT_US + WAY_US + 40, 9), DATA(AT_US + WAY_US + 5000, 16),
      SACK(AT_US + 2 * WAY_US + 40, 15, ""), SACK(AT_US + 2 * WAY_US + 5000, 16, "")},
     "application/4 2020 ms 7000, recovery/2 20 ms 5000, application/4 5 ms 0"},
    {"new data after a repair is no part of it",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 8, "10"), SACK(AT_US + WAY_US + 10, 8, "10-11"),
      SACK(AT_US + WAY_US + 20, 8, "10-12"), DATA(AT_US + WAY_US + 40, 9), SACK(AT_US + 2 * WAY_US + 40, 15, ""),
      DATA(AT_US + 2 * WAY_US + 60, 16), SACK(AT_US + 3 * WAY_US + 60, 16, "")},
     "application/4 2020 ms 7000, recovery/2 20 ms 4000, application/4 20 ms 1000"},
    {"behind a repair the congestion window may be smaller than at the beginning",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 8, "10"), SACK(AT_US + WAY_US + 10, 8, "10-11"),
      SACK(AT_US + WAY_US + 20, 8, "10-12"), DATA(AT_US + WAY_US + 40, 9), SACK(AT_US + 2 * WAY_US + 40, 15, ""),
      DATA(AT_US + 500000, 16), DATA(AT_US + 500010, 17), SACK(AT_US + 500000 + WAY_US, 16, ""),
      DATA(AT_US + 500020 + WAY_US, 18), SACK(AT_US + 500020 + 2 * WAY_US, 18, "")},
     "application/4 2020 ms 7000, recovery/2 20 ms 4000, application/4 460 ms 1000, congestion_window/3 20 ms 2000, "
     "application/4 20 ms 2000"},
    {"the most that was outstanding is told",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 5000, 10), SACK(AT_US + 5000 + WAY_US, 10, ""), DATA(AT_US + 100000, 11),
      SACK(AT_US + 100000 + WAY_US, 11, "")},
     "application/4 2120 ms 2000"},
    {"TSNs of the upper half are as others",
     at_the_sender,
     {DATA(AT_US, HIGH), SACK(AT_US + WAY_US, HIGH, ""), DATA(AT_US + 100000, HIGH + 1), DATA(AT_US + 100100, HIGH + 2),
      SACK(AT_US + 100100 + WAY_US, HIGH, "4026531842"), DATA(AT_US + 1200000, HIGH + 1),
      SACK(AT_US + 1200000 + WAY_US, HIGH + 2, ""), DATA(AT_US + 1500000, HIGH + 3),
      SACK(AT_US + 1500000 + WAY_US, HIGH + 3, "")},
     "application/4 120 ms 2000, timeout/2 1100 ms 1000, application/4 300 ms 1000"},
    {"all chunks of a packet are its size",
     after_eight,
     {DATA_OF(AT_US, 9, 4), DATA_OF(AT_US + 10, 13, 4), SACK(AT_US + WAY_US, 12, ""),
      DATA_OF(AT_US + WAY_US + 20, 17, 4), SACK(AT_US + 2 * WAY_US, 20, "")},
     "application/4 2000 ms 4000, congestion_window/3 20 ms 8000, application/4 20 ms 8000"},
    {"but with answers, it is an application that has as many requests open",
     two_requests,
     {{0}},
     "application/4 200 ms 2000"},
    {"nothing leaves before a closed window opens",
     after_eight,
     {DATA(AT_US, 9), WINDOW(0), SACK(AT_US + WAY_US, 9, ""), WINDOW(50000), SACK(AT_US + 1000000, 9, ""),
      DATA(AT_US + 1400000, 10), SACK(AT_US + 1400000 + WAY_US, 10, "")},
     "application/4 2000 ms 1000, peer_window/4 1000 ms 1000, application/4 420 ms 1000"},
    {"what leaves long after it opened waited for its application",
     after_eight,
     {DATA(AT_US, 9), WINDOW(0), SACK(AT_US + WAY_US, 9, ""), WINDOW(50000), SACK(AT_US + 100000, 9, ""),
      DATA(AT_US + 500000, 10), SACK(AT_US + 500000 + WAY_US, 10, "")},
     "application/4 2520 ms 1000"},
    {"it was closed for as long as its sender then took: that limits all the same",
     after_eight,
     {DATA(AT_US, 9), WINDOW(0), SACK(AT_US + WAY_US, 9, ""), WINDOW(50000), SACK(AT_US + 400000, 9, ""),
      DATA(AT_US + 800000, 10), SACK(AT_US + 800000 + WAY_US, 10, "")},
     "application/4 2000 ms 1000, peer_window/4 400 ms 1000, application/4 420 ms 1000"},
    {"a closed window limits until it opens",
     after_eight,
     {DATA(AT_US, 9), WINDOW(0), SACK(AT_US + WAY_US, 9, ""), WINDOW(50000), SACK(AT_US + 2000000, 9, ""),
      DATA(AT_US + 2000050, 10), SACK(AT_US + 2000050 + WAY_US, 10, "")},
     "application/4 2000 ms 1000, peer_window/4 2000 ms 1000, application/4 20 ms 1000"},
    /* A host takes a quarter of what was waited for at most: of 26.68 ms, 6.67. */
    {"what leaves so soon after feedback may be what that let leave",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US + 70, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 6740, 16), FLAGS(3),
      SACK(AT_US + 2 * WAY_US + 6740, 16, "")},
     "application/4 2000 ms 6000, congestion_window/3 27 ms 7000, application/4 20 ms 6000"},
    {"what leaves 1.1 ms behind it left with it",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 20, 16),
      DATA(AT_US + WAY_US + 1120, 17), FLAGS(3), SACK(AT_US + 2 * WAY_US + 1120, 17, "")},
     "application/4 2000 ms 6000, congestion_window/3 21 ms 7000, application/4 20 ms 7000"},
    {"and not what leaves later",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 20, 16),
      DATA(AT_US + WAY_US + 1121, 17), FLAGS(3), SACK(AT_US + 2 * WAY_US + 1121, 17, "")},
     "application/4 2000 ms 6000, congestion_window/3 20 ms 7000, application/4 21 ms 7000"},
    {"nor more than a quarter of a loop behind the first",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 20, 16),
      DATA(AT_US + WAY_US + 1020, 17), DATA(AT_US + WAY_US + 2020, 18), DATA(AT_US + WAY_US + 3020, 19),
      DATA(AT_US + WAY_US + 4020, 20), DATA(AT_US + WAY_US + 5046, 21), FLAGS(3),
      SACK(AT_US + 2 * WAY_US + 5046, 21, "")},
     "application/4 2000 ms 6000, congestion_window/3 24 ms 9000, application/4 21 ms 11000"},
    {"a quarter of a loop behind the first it did",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 20, 16),
      DATA(AT_US + WAY_US + 1020, 17), DATA(AT_US + WAY_US + 2020, 18), DATA(AT_US + WAY_US + 3020, 19),
      DATA(AT_US + WAY_US + 4020, 20), DATA(AT_US + WAY_US + 5045, 21), FLAGS(3),
      SACK(AT_US + 2 * WAY_US + 5045, 21, "")},
     "application/4 2000 ms 6000, congestion_window/3 25 ms 10000, application/4 20 ms 11000"},
    {"what leaves later waited for its application",
     after_eight,
     {SEVEN(AT_US, 9), SACK(AT_US + WAY_US + 70, 10, ""), FLAGS(1), DATA(AT_US + WAY_US + 6741, 16), FLAGS(3),
      SACK(AT_US + 2 * WAY_US + 6741, 16, "")},
     "application/4 2047 ms 7000"},
    {"where nothing forbade to send before, feedback is waited for by what leaves with it, in 1.1 ms",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + WAY_US, 9, ""), FLAGS(1), DATA(AT_US + WAY_US + 1100, 11),
      FLAGS(3), SACK(AT_US + 2 * WAY_US + 1100, 11, "")},
     "application/4 2000 ms 1000, unknown/1 21 ms 2000, application/4 20 ms 2000"},
    {"and not by what leaves later",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + WAY_US, 9, ""), FLAGS(1), DATA(AT_US + WAY_US + 1101, 11),
      FLAGS(3), SACK(AT_US + 2 * WAY_US + 1101, 11, "")},
     "application/4 2041 ms 2000"},
    {"what leaves as soon after data of the other side may be its answer",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), REQUEST(AT_US + WAY_US, 1000), SACK(AT_US + WAY_US + 1090, 9, ""), FLAGS(1),
      DATA(AT_US + WAY_US + 1100, 11), FLAGS(3), SACK(AT_US + 2 * WAY_US + 1100, 11, "")},
     "application/4 2041 ms 2000"},
    {"what leaves later is none",
     after_eight,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), REQUEST(AT_US + WAY_US, 1000), SACK(AT_US + WAY_US + 1091, 9, ""), FLAGS(1),
      DATA(AT_US + WAY_US + 1101, 11), FLAGS(3), SACK(AT_US + 2 * WAY_US + 1101, 11, "")},
     "application/4 2000 ms 1000, unknown/1 21 ms 2000, application/4 20 ms 2000"},
    /* A loop takes 20.1 ms: a quarter of it is over 5,025 us behind 16. */
    {"behind a closed window what feedback lets leave is let by the window as it opens",
     seven_in_seven_thousand,
     {SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), SACK(AT_US + WAY_US + 5000, 12, ""),
      DATA(AT_US + WAY_US + 5045, 17), SACK(AT_US + 2 * WAY_US + 5045, 17, "")},
     "application/4 2000 ms 6000, peer_window/2 25 ms 7000, application/4 20 ms 5000"},
    {"until a quarter of a loop later",
     seven_in_seven_thousand,
     {SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), SACK(AT_US + WAY_US + 5000, 12, ""),
      DATA(AT_US + WAY_US + 5046, 17), SACK(AT_US + 2 * WAY_US + 5046, 17, "")},
     "application/4 2000 ms 6000, peer_window/4 20 ms 7000, congestion_window/3 5 ms 6000, application/4 20 ms 5000"},
    {"while more than half of it is taken",
     seven_in_seven_thousand,
     {SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), WINDOW(11999), SACK(AT_US + WAY_US + 3000, 12, ""),
      DATA(AT_US + WAY_US + 3020, 17), SACK(AT_US + 2 * WAY_US + 3020, 17, "")},
     "application/4 2000 ms 6000, peer_window/2 23 ms 7000, application/4 20 ms 5000"},
    {"and not where it has room for as much again",
     seven_in_seven_thousand,
     {SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + WAY_US + 20, 16), WINDOW(12000), SACK(AT_US + WAY_US + 3000, 12, ""),
      DATA(AT_US + WAY_US + 3020, 17), SACK(AT_US + 2 * WAY_US + 3020, 17, "")},
     "application/4 2000 ms 6000, peer_window/4 20 ms 7000, congestion_window/3 3 ms 6000, application/4 20 ms 5000"},
    {"a small message waits for a delayed SACK",
     small_messages,
     {TWO_SMALL(AT_US, 1), TWO_SMALL(AT_US + 600000, 3), TWO_SMALL(AT_US + 1200000, 5), TWO_SMALL(AT_US + 1800000, 7)},
     "delayed_sack/4 220 ms 100 held 200 ms, application/4 380 ms 100, delayed_sack/4 220 ms 100 held 200 ms, "
     "application/4 380 ms 100, delayed_sack/4 220 ms 100 held 200 ms, application/4 380 ms 100, "
     "delayed_sack/4 220 ms 100 held 200 ms, application/4 220 ms 100 held 200 ms"},
    {"what leaves with feedback may come sooner than the COOKIE ECHO did, which is larger",
     small_messages_in_the_middle,
     {TWO_SMALL_AWAY(AT_US, 1), TWO_SMALL_AWAY(AT_US + 600000, 3), TWO_SMALL_AWAY(AT_US + 1200000, 5)},
     "delayed_sack/3 240 ms 100 held 200 ms, application/3 360 ms 100, delayed_sack/3 240 ms 100 held 200 ms, "
     "application/3 360 ms 100, delayed_sack/3 240 ms 100 held 200 ms, application/3 240 ms 100 held 200 ms"},
    {"a timeout that ran since data was seen last was not held up with what came before that",
     in_the_middle,
     {DATA(1000000, 1), SACK(1000000 + WAY_US, 1, ""), DATA(1100000, 2), SACK(1100000 + WAY_US, 2, ""),
      DATA_OF(AT_US, 3, 4), DATA(AT_US + 10, 7), SACK(AT_US + WAY_US, 6, ""), DATA(AT_US + 1100000, 7),
      SACK(AT_US + 1100000 + WAY_US, 7, "")},
     "application/3 2040 ms 5000, timeout/3 1100 ms 1000"},
    {"one that came at once behind what a silence ended with was",
     in_the_middle,
     {DATA(1000000, 1), SACK(1000000 + WAY_US, 1, ""), DATA(1100000, 2), SACK(1100000 + WAY_US, 2, ""),
      DATA_OF(AT_US, 3, 4), DATA(AT_US + 10, 7), DATA(AT_US + 20, 3), SACK(AT_US + WAY_US, 7, "")},
     "application/3 100 ms 1000, timeout/2 1940 ms 5000"},
    {"without any feedback nothing is known",
     talk_new,
     {DATA(AT_US, 1), DATA(AT_US + 10000, 2), DATA(AT_US + 20000, 3), DATA(AT_US + 30000, 4)},
     "unknown/1 30 ms 3000"},
    {"before the first feedback of a capture from the middle nothing is known",
     in_the_middle_of_eight,
     {{0}},
     "unknown/1 20 ms 1000, application/4 700 ms 1000"},
    {"what is not true does no harm", windows_that_jump_and_numbers_that_begin_anew, {{0}}, NULL},
};

/* When a round trip ends whose feedback passed the tap `loop_ns` before the sender had it, since it did. */
static int64_t ends_after(int64_t loop_ns)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_MIDDLE, .loop = true, .loop_ns = loop_ns});
    shake_hands(talk, WAY_US, WAY_US, false);
    data(talk, AT_US, 1);
    sack(talk, AT_US + WAY_US, 1, "");
    judge(talk);
    const struct sr_window_row *row = sr_spool_visit(&sr_engine_judgement(talk->engine)->windows, 0);
    int64_t end_ns = row->end_ns;
    talk_free(talk);
    return end_ns - (TALK_NS + (AT_US + WAY_US) * US);
}

static void feedback_comes_as_much_later_as_is_told(void **state)
{
    (void)state;
    for (int64_t loop_ns = 0; loop_ns < 3; loop_ns++)
        assert_int_equal(ends_after(loop_ns), loop_ns);
}

static void limits_are_told_without_windows_and_windows_without_limits(void **state)
{
    (void)state;
    for (int windows = 0; windows < 2; windows++) {
        struct talk *talk =
            talk_of_tables((struct sr_told){.loop = false}, 1u << (windows ? SR_TABLE_WINDOWS : SR_TABLE_LIMITS));
        shake_hands(talk, HERE_US, WAY_US, false);
        warm_up(talk, 8, WAY_US);
        judge(talk);
        const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
        assert_true((windows ? &judgement->windows : &judgement->limits)->count > 0);
        assert_int_equal(judgement->windows.count > 0, windows);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_told_without_windows_and_windows_without_limits),
        cmocka_unit_test(feedback_comes_as_much_later_as_is_told),
    };
    return CHECK_ROWS("limit_walk", rows, check) + cmocka_run_group_tests(tests, NULL, NULL);
}
