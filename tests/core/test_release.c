/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a path gives back that stood still. The receiver is 20 ms away, and never reports what comes twice. 60
 * packets are held for a second and a half, and come one each millisecond; each SACK lets two be sent again, so that
 * what comes late in this was sent again more than a loop before its answer. */
#include "talk_rows.h"

enum {
    WAY_US = 20000,
    SENDER_US = 100,
    AT_US = 3000000,
    TIMEOUT_US = 4000000,
    FREE_US = 4500000,
    PACE_US = 1000,
    SLOW_US = 9000
};
enum { FIRST = 9, COUNT = 60, ASKED = 55 };

/* The SACK of this TSN, and all behind, come so much later. */
static struct talk *held_at(int64_t pace_us, uint32_t pause, int64_t paused_us)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, FIRST, COUNT, 10);
    data(talk, TIMEOUT_US, FIRST);
    for (uint32_t i = 0; FIRST + i <= ASKED; i++) {
        int64_t at_us = FREE_US + i * pace_us + (FIRST + i >= pause ? paused_us : 0);
        sack(talk, at_us, FIRST + i, "");
        if (2 * i + 2 < COUNT)
            data_of(talk, at_us, A, FIRST + 2 * i + 1, 2);
    }
    return talk;
}

static struct talk *held(uint32_t pause, int64_t paused_us)
{
    return held_at(PACE_US, pause, paused_us);
}

static struct talk *at_its_pace(void)
{
    return held(0, 0);
}

static struct talk *with_a_short_pause(void)
{
    return held(ASKED, PACE_US / 2);
}

static struct talk *with_a_pause(void)
{
    return held(ASKED, PACE_US / 2 + 1);
}

/* Of 10 to 12 the second copies are too late, and 13 is answered 27 ms after its own. */
static struct talk *slowly(void)
{
    return held_at(SLOW_US, 0, 0);
}

/* A pause of more than half of a loop before 12: of that alone the second copy is too late since then. */
static struct talk *slowly_with_a_pause(void)
{
    return held_at(SLOW_US, 12, WAY_US / 2 - SLOW_US + 1);
}

static struct talk *slowly_with_a_shorter_pause(void)
{
    return held_at(SLOW_US, 12, WAY_US / 2 - SLOW_US);
}

enum { AGAIN_US = FREE_US - 5000 };

/* All is sent again 5 ms before the path goes on: of what comes then before 15 ms are over, the second copy is too
 * late. */
static struct talk *asked_shortly_before(struct talk *talk, uint32_t first, uint32_t count)
{
    flight(talk, AT_US, first, count, 10);
    data_of(talk, AGAIN_US, A, first, count);
    return talk;
}

static struct talk *without_feedback_before(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    return asked_shortly_before(talk, 1, 3);
}

static struct talk *shortly_before(void)
{
    return asked_shortly_before(talk_after_eight(SENDER_US, WAY_US, false), FIRST, 4);
}

/* The second copy of 9 was sent half a second before. */
static struct talk *one_of_them_long_before(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, FIRST, 4, 10);
    data(talk, TIMEOUT_US, FIRST);
    data_of(talk, AGAIN_US, A, FIRST + 1, 3);
    return talk;
}

/* Sent again 9 ms before the path goes on: of what comes within 6 ms the second copy is too late. */
static struct talk *three_at_once(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, FIRST, 4, 10);
    data_of(talk, FREE_US - 9000, A, FIRST, 4);
    return talk;
}

/* The first copy of 11 arrives with a wrong checksum, and its second was sent long before: it came from that. */
static struct talk *one_of_them_broken(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, FIRST, 2, 10);
    talk->broken = true;
    data(talk, AT_US + 20, FIRST + 2);
    talk->broken = false;
    data(talk, TIMEOUT_US, FIRST + 2);
    data(talk, TIMEOUT_US + 10, FIRST + 3);
    data_of(talk, FREE_US - 9000, A, FIRST, 2);
    data(talk, FREE_US - 9000, FIRST + 3);
    return talk;
}

/* Likewise at its pace, but for the first copy of 56: that was discarded. Of 56 two more were sent a loop before. */
static struct talk *with_one_broken(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, FIRST, ASKED + 1 - FIRST, 10);
    talk->broken = true;
    data(talk, AT_US + 900, ASKED + 1);
    talk->broken = false;
    flight(talk, AT_US + 1000, ASKED + 2, 12, 10);
    data(talk, TIMEOUT_US, FIRST);
    for (uint32_t i = 0; FIRST + i <= ASKED; i++) {
        int64_t at_us = FREE_US + i * PACE_US;
        sack(talk, at_us, FIRST + i, "");
        if (i == 22 || i == 24)
            data(talk, at_us + PACE_US / 2, ASKED + 1);
        else if (2 * i + 2 < COUNT)
            data_of(talk, at_us, A, FIRST + 2 * i + 1, 2);
    }
    return talk;
}

static struct talk_row rows[] = {
    {"what a path gives back tells of first copies alone",
     with_one_broken,
     {SACK(FREE_US + 47 * PACE_US, 56, "")},
     {{56, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 158"},
      {56, 3, "retransmission unknown/1 spurious/3 S19 acked/2 by 158"}}},
    {"two have a pace, and a third that keeps it is one of them",
     three_at_once,
     {SACK(FREE_US, 10, ""), SACK(FREE_US + 5900, 11, ""), SACK(FREE_US + 5900 + 8850, 12, "")},
     {{12, 2, "retransmission t3/1 spurious/3 S12 K6 acked/2 by 28"}}},
    {"slower by more than a half it is not",
     three_at_once,
     {SACK(FREE_US, 10, ""), SACK(FREE_US + 5900, 11, ""), SACK(FREE_US + 5900 + 8851, 12, "")},
     {{12, 2, "retransmission t3/1 needed/3 S19 K6 acked/3 by 28"}}},
    {"what only a second copy can have answered ends it",
     one_of_them_broken,
     {SACK(FREE_US, 9, ""), SACK(FREE_US + 5900, 10, ""), SACK(FREE_US + 10000, 11, ""), SACK(FREE_US + 14000, 12, "")},
     {{12, 2, "retransmission unknown/1 needed/3 S19 acked/3 by 31"}}},
    {"what goes on at the pace of first copies is more of them",
     at_its_pace,
     {{0}},
     {{ASKED, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 157"}}},
    {"as soon as half of a pace late",
     with_a_short_pause,
     {{0}},
     {{ASKED, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 157"}}},
    {"and no later", with_a_pause, {{0}}, {{ASKED, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 157"}}},
    {"several that came too soon for second copies show it",
     slowly,
     {{0}},
     {{13, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 90"}}},
    {"also those that the first feedback of the capture is of",
     without_feedback_before,
     {SACK(FREE_US, 1, ""), SACK(FREE_US + SLOW_US, 2, ""), SACK(FREE_US + 2 * SLOW_US, 3, "")},
     {{3, 2, "retransmission t3/1 spurious/3 S12 K6 acked/2 by 11"}}},
    {"two of them do",
     shortly_before,
     {SACK(FREE_US, 10, ""), SACK(FREE_US + SLOW_US, 11, ""), SACK(FREE_US + 2 * SLOW_US, 12, "")},
     {{12, 2, "retransmission t3/1 spurious/3 S12 K6 acked/2 by 28"}}},
    {"feedback that may be of a second copy as well is none of them",
     one_of_them_long_before,
     {SACK(FREE_US, 10, ""), SACK(FREE_US + SLOW_US, 11, ""), SACK(FREE_US + 2 * SLOW_US, 12, "")},
     {{12, 2, "retransmission t3_gbn/3 needed/3 S19 K14 acked/3 by 29"}}},
    {"each within half of a loop behind the one before",
     slowly_with_a_shorter_pause,
     {{0}},
     {{13, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 90"}}},
    {"and one does not",
     slowly_with_a_pause,
     {{0}},
     {{13, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 90"}}},
};

int main(void)
{
    return CHECK_ROWS("release", rows, check_row);
}
