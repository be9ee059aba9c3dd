/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of chunks that the capture cut off: what they may have been tells neither how far the network reorders nor that
 * it repeats packets, and leaves less sure what was needed. The receiver is 20 ms away. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = AT_US + WAY_US + 100, LATER_US = 4000000 };
enum { ONE_CHUNK = 32 }; /* bytes: the common header, and the header of one DATA chunk */

/* 9 and 10 are lost, and go again in one packet, of which the second chunk is not seen. */
static struct talk *sent_again_together(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    talk->snaplen[A] = ONE_CHUNK;
    flight(talk, AT_US, 9, 4, 10);
    sack(talk, AT_US + WAY_US, 8, "11-12");
    data_of(talk, AGAIN_US, A, 9, 2);
    return talk;
}

/* Only 9 goes again: 10 was late. */
static struct talk *late(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, 9, 4, 10);
    sack(talk, AT_US + WAY_US, 8, "11-12");
    data(talk, AGAIN_US, 9);
    sack(talk, AGAIN_US + WAY_US, 12, "");
    return talk;
}

static struct talk *cut_off(void)
{
    struct talk *talk = sent_again_together();
    sack(talk, AGAIN_US + WAY_US, 12, "");
    return talk;
}

/* The answer comes too soon for it. */
static struct talk *cut_off_too_late(void)
{
    struct talk *talk = sent_again_together();
    sack(talk, AGAIN_US + WAY_US / 4, 10, "11-12");
    return talk;
}

static struct talk *reported(struct talk *talk)
{
    sack(talk, AGAIN_US + WAY_US + 100, 12, "d10");
    return talk;
}

static struct talk *late_and_reported(void)
{
    return reported(late());
}

static struct talk *cut_off_and_reported(void)
{
    return reported(cut_off());
}

/* Likewise 13, alone, overtaken by more than loops vary. */
#define NEXT_US (LATER_US + 2 * WAY_US)
#define LOST DATA(LATER_US, 13), DATA(NEXT_US, 14), DATA(NEXT_US + 10, 15), SACK(NEXT_US + 10 + WAY_US, 12, "14-15")
#define SENT_AGAIN_US (NEXT_US + WAY_US + 100)

/* A loop may be a sixteenth shorter than the handshake's. */
enum { SHORTER_US = WAY_US / 16 };

/* Of many answers one came so soon that a loop may take no time. */
static struct talk *answers_vary(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (uint32_t i = 1; i <= 40; i++) {
        data(talk, 1000000 + i * 40000, i);
        sack(talk, 1000000 + i * 40000 + (i == 30 ? WAY_US / 4 : WAY_US), i, "");
    }
    return talk;
}

/* 41 leaves with two more, of which the last is not seen. */
static struct talk *first_of_three(void)
{
    struct talk *talk = answers_vary();
    talk->snaplen[A] = 2 * ONE_CHUNK + 1000;
    data_of(talk, LATER_US, A, 41, 3);
    return talk;
}

/* Behind 13 and one that shows it missing, so many more packets. */
static struct talk *long_ago(uint32_t packets)
{
    struct talk *talk = cut_off();
    flight(talk, LATER_US, 13, 2 + packets, 10);
    sack(talk, LATER_US + 100000, 12, "14-15");
    data(talk, LATER_US + 1000000, 13);
    sack(talk, LATER_US + 1000000 + WAY_US, 15, "");
    return talk;
}

static struct talk *among_the_latest(void)
{
    return long_ago(253);
}

static struct talk *behind_many(void)
{
    return long_ago(254);
}

static struct talk *behind_more(void)
{
    return long_ago(300);
}

static struct talk_row rows[] = {
    {"all that was sent since is looked at",
     among_the_latest,
     {{0}},
     {{13, 2, "retransmission t3/2 needed/4 K6 acked/4 by 285"}}},
    {"but no more than 256 packets: behind them it may be there",
     behind_many,
     {{0}},
     {{13, 2, "retransmission t3/2 needed/3 K6 acked/4 by 286"}}},
    {"nor behind more", behind_more, {{0}}, {{13, 2, "retransmission t3/2 needed/3 K6 acked/4 by 332"}}},
    {"also where it was first sent a loop before",
     cut_off,
     {DATA(LATER_US, 13), DATA_OF(LATER_US + WAY_US - SHORTER_US, 14, 2), SACK(NEXT_US, 12, "14-15"),
      DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 13, "14-15")},
     {{13, 2, "retransmission t3/2 needed/3 K6 acked/4 by 32"}}},
    {"and no less",
     cut_off,
     {DATA(LATER_US, 13), DATA_OF(LATER_US + WAY_US - SHORTER_US - 1, 14, 2), SACK(NEXT_US, 12, "14-15"),
      DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 13, "14-15")},
     {{13, 2, "retransmission t3/2 needed/4 K6 acked/4 by 32"}}},
    {"what was seen to arrive so late may do so again",
     late,
     {LOST, DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 15, "")},
     {{13, 2, "retransmission unknown/1 needed/3 acked/3 by 33"}}},
    {"not where it may have come again in what was cut off",
     cut_off,
     {LOST, DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 15, "")},
     {{13, 2, "retransmission unknown/1 needed/4 acked/4 by 33"}}},
    {"a loop before the answer",
     cut_off_too_late,
     {LOST, DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 15, "")},
     {{13, 2, "retransmission unknown/1 needed/3 acked/3 by 33"}}},
    {"what was sent again may have been so before, unseen",
     cut_off,
     {LOST, DATA_OF(NEXT_US + WAY_US + 50, 16, 2), DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 17, "")},
     {{13, 2, "retransmission unknown/1 needed/3 acked/4 by 34"}}},
    {"a loop before the answer, again",
     cut_off,
     {LOST, DATA(SENT_AGAIN_US, 13), DATA_OF(SENT_AGAIN_US + SHORTER_US, 16, 2), SACK(SENT_AGAIN_US + WAY_US, 13, "")},
     {{13, 2, "retransmission unknown/1 needed/3 acked/4 by 34"}}},
    {"and no later",
     cut_off,
     {LOST, DATA(SENT_AGAIN_US, 13), DATA_OF(SENT_AGAIN_US + SHORTER_US + 1, 16, 2),
      SACK(SENT_AGAIN_US + WAY_US, 13, "")},
     {{13, 2, "retransmission unknown/1 needed/4 acked/4 by 34"}}},
    {"nor in the packet that it was in first",
     first_of_three,
     {DATA(NEXT_US, 44), DATA(NEXT_US + 10, 45), SACK(NEXT_US + 10 + WAY_US, 40, "44-45"), DATA(SENT_AGAIN_US, 41),
      SACK(SENT_AGAIN_US + WAY_US, 41, "44-45")},
     {{41, 2, "retransmission unknown/1 needed/4 acked/4 by 90"}}},
    {"but not in the packet that is seen to have it",
     cut_off,
     {LOST, DATA_OF(SENT_AGAIN_US, 13, 2), SACK(SENT_AGAIN_US + WAY_US, 15, "")},
     {{13, 2, "retransmission unknown/1 needed/4 acked/4 by 33"}}},
    {"a duplicate of what was sent once is the network's",
     late_and_reported,
     {LOST, DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 15, ""),
      SACK(SENT_AGAIN_US + WAY_US + 10, 15, "d13")},
     {{13, 2, "retransmission unknown/1 needed/4 S3 acked/4 by 34"}}},
    {"unless it may have come again in what was cut off",
     cut_off_and_reported,
     {LOST, DATA(SENT_AGAIN_US, 13), SACK(SENT_AGAIN_US + WAY_US, 15, ""),
      SACK(SENT_AGAIN_US + WAY_US + 10, 15, "d13")},
     {{13, 2, "retransmission unknown/1 spurious/3 S3 acked/4 by 34"}}},
};

int main(void)
{
    return CHECK_ROWS("cut_off", rows, check_row);
}
