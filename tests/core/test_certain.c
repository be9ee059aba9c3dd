/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is certain (class 5): what nothing that the capture missed can have changed, nor a receiver that drops
 * what it had acknowledged. The receiver is 20 ms away. */
#include "talk_rows.h"

enum {
    WAY_US = 20000,
    NEAR_US = 100,
    AT_US = 3000000,
    ANSWERED_US = AT_US + WAY_US,
    LATER_US = 4000000,
    RTO_MIN_US = 1000000
};
enum { ONE_CHUNK = 32, NO_BLOCKS = 28 }; /* bytes: up to the first DATA chunk's TSN, and to the first gap block */

static struct talk *at_sender(void)
{
    return talk_after_eight(NEAR_US, WAY_US, false);
}

static struct talk *chunks_cut_off(void)
{
    struct talk *talk = at_sender();
    talk->snaplen[A] = ONE_CHUNK;
    return talk;
}

static struct talk *a_tsn_cut_off(void)
{
    struct talk *talk = at_sender();
    talk->snaplen[A] = ONE_CHUNK - 4 + talk->bytes + 4; /* its chunk's type, flags and length are there */
    return talk;
}

static struct talk *feedback_cut_off(void)
{
    struct talk *talk = at_sender();
    talk->snaplen[B] = NO_BLOCKS;
    return talk;
}

static struct talk *on_the_way(void)
{
    return talk_after_eight(WAY_US, WAY_US, false);
}

/* The capture begins while 5 to 7 are outstanding. */
static struct talk *in_the_middle(void)
{
    return talk_new();
}

/* It is known that the tap is there. */
static struct talk *at_receiver(void)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
    shake_hands(talk, WAY_US, NEAR_US, false);
    warm_up(talk, 8, NEAR_US);
    return talk;
}

/* What was sent again behind its acknowledgement was spurious. */
#define BEHIND DATA(AT_US, 9), SACK(ANSWERED_US, 9, ""), DATA(ANSWERED_US + 1000, 9)
#define FAR_BEHIND DATA(AT_US, 9), SACK(ANSWERED_US, 9, ""), DATA(AT_US + 2 * RTO_MIN_US, 9)
#define UNSEEN DATA(AT_US + 500000, 11), SACK(AT_US + 500000 + WAY_US, 11, "")
/* 10 is dropped after it was acknowledged, and two SACKs say so. */
#define TAKEN_BACK(loop)                                                                                               \
    DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + loop, 8, "10"), SACK(AT_US + loop + 1000, 8, ""),               \
        SACK(AT_US + loop + 2000, 8, ""), DATA_OF(AT_US + 500000, 9, 2), SACK(AT_US + 500000 + loop, 10, "")
#define TWICE                                                                                                          \
    DATA(LATER_US, 11), DATA(LATER_US + 2 * RTO_MIN_US, 11), SACK(LATER_US + 2 * RTO_MIN_US + NEAR_US, 11, "d11")

static struct talk_row rows[] = {
    {"sent once and acknowledged",
     at_sender,
     {DATA(AT_US, 9), SACK(ANSWERED_US, 9, "")},
     {{9, 1, "original acked/5 by 22"}}},
    {"sent again behind it", at_sender, {BEHIND}, {{9, 2, "retransmission unknown/1 spurious/5 S17 acked/2 by 22"}}},
    {"likewise on the way, where its sender counts its packets",
     on_the_way,
     {FAR_BEHIND},
     {{9, 2, "retransmission t3/1 spurious/5 S2 acked/2 by 22"}}},
    {"a copy may come late where it does not",
     on_the_way,
     {ID(0), FAR_BEHIND},
     {{9, 2, "retransmission t3/1 spurious/4 S2 acked/2 by 22"}}},
    {"one that was never seen is acknowledged",
     at_sender,
     {BEHIND, UNSEEN},
     {{1, 1, "original acked/4 by 6"}, {9, 2, "retransmission unknown/1 spurious/4 S17 acked/2 by 22"}}},
    {"it may have been sent before the capture",
     in_the_middle,
     {DATA(AT_US, 5), SACK(ANSWERED_US, 7, ""), DATA(LATER_US, 8), SACK(LATER_US + WAY_US, 8, ""),
      DATA(LATER_US + 500000, 9), SACK(LATER_US + 500000 + WAY_US, 9, "")},
     {{9, 1, "original acked/5 by 6"}}},
    {"chunks are cut off",
     chunks_cut_off,
     {DATA_OF(AT_US, 9, 2), SACK(ANSWERED_US, 10, "")},
     {{1, 1, "original acked/4 by 6"}, {9, 1, "original acked/4 by 22"}}},
    {"a chunk is cut off before its TSN",
     a_tsn_cut_off,
     {DATA_OF(AT_US, 9, 2), SACK(ANSWERED_US, 10, "")},
     {{1, 1, "original acked/4 by 6"}, {9, 1, "original acked/4 by 22"}}},
    {"but nothing follows what is cut off",
     chunks_cut_off,
     {DATA(AT_US, 9), SACK(ANSWERED_US, 9, "")},
     {{9, 1, "original acked/5 by 22"}}},
    {"feedback is cut off",
     feedback_cut_off,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(ANSWERED_US, 8, "10"), SACK(ANSWERED_US + 10, 10, "")},
     {{1, 1, "original acked/4 by 6"}}},
    {"the receiver takes back what it had", at_sender, {TAKEN_BACK(WAY_US)}, {{1, 1, "original acked/4 by 6"}}},
    {"it has no room for more behind a gap",
     at_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), WINDOW(0), SACK(ANSWERED_US, 8, "10")},
     {{1, 1, "original acked/4 by 6"}}},
    {"it has no room, and no gap",
     at_sender,
     {DATA(AT_US, 9), WINDOW(0), SACK(ANSWERED_US, 9, "")},
     {{1, 1, "original acked/5 by 6"}}},
    {"what is seen at its tap has come",
     at_receiver,
     {TWICE},
     {{11, 2, "retransmission t3/3 spurious/5 S1 K6 acked/5 by 23"}}},
    {"unless it says nothing any more",
     at_receiver,
     {TWICE, DATA(LATER_US + 4 * RTO_MIN_US, 11)},
     {{11, 2, "retransmission t3/3 spurious/5 S1 K6 acked/5 by 23"},
      {11, 3, "retransmission t3/1 spurious/4 S2 acked/4 by 23"}}},
    {"unless it takes back what it had",
     at_receiver,
     {TAKEN_BACK(NEAR_US), TWICE},
     {{11, 2, "retransmission t3/2 spurious/4 S1 K6 acked/4 by 30"}}},
    {"feedback had passed it over",
     at_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(ANSWERED_US, 8, "10"), SACK(ANSWERED_US + 10, 10, "")},
     {{9, 1, "original acked/4 by 24"}, {10, 1, "original acked/5 by 23"}}},
    {"a timer may have run out",
     at_sender,
     {DATA(AT_US, 9), SACK(ANSWERED_US + RTO_MIN_US, 9, "")},
     {{9, 1, "original acked/4 by 22"}}},
    {"it may not yet",
     at_sender,
     {DATA(AT_US, 9), SACK(AT_US + 400000 + 15000, 9, "")},
     {{9, 1, "original acked/5 by 22"}}},
};

int main(void)
{
    return CHECK_ROWS("certain", rows, check_row);
}
