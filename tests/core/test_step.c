/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of feedback that is in step with what was sent again. The receiver is 20 ms away, and never reports what comes
 * twice. A queue fills: the third acknowledgement is later than its rule allows, as if it answered a copy before. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, LEARNT_US = 2000000, AT_US = 3000000, AGAIN_US = 4000000 };
enum { MORE_US = 5000, LATER_US = 3000000 };

/* 9 is answered then, 10 sent again and answered, and 11. */
enum {
    FIRST_US = AGAIN_US + WAY_US + MORE_US,
    SECOND_US = FIRST_US + WAY_US + 2 * MORE_US,
    THIRD_US = SECOND_US + WAY_US + 3 * MORE_US,
};

static struct talk *steady(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *sent_once(void)
{
    struct talk *talk = steady();
    data_of(talk, AT_US, A, 9, 3);
    return talk;
}

/* The receiver has a second address, of which nothing tells how far it is. */
static struct talk *over_another_path(void)
{
    struct talk *talk = steady();
    talk->address[B] = 4;
    data_of(talk, AT_US, A, 9, 3);
    return talk;
}

/* A queue before the receiver makes the loop three times as long, mostly. */
static struct talk *behind_a_queue(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 8, 3 * WAY_US);
    data_of(talk, AT_US, A, 9, 3);
    return talk;
}

/* Something else was sent so long before that. */
static struct talk *shortly_before(int64_t before_us)
{
    struct talk *talk = behind_a_queue();
    data(talk, AGAIN_US - before_us, 12);
    sack(talk, AGAIN_US - 1, 8, "");
    return talk;
}

static struct talk *a_loop_before(void)
{
    return shortly_before(3 * WAY_US);
}

static struct talk *less_than_a_loop_before(void)
{
    return shortly_before(3 * WAY_US - 1);
}

/* Behind a queue, too; nothing is known of what was sent before but one packet, long ago. */
static struct talk *behind_one_packet(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 1, 3 * WAY_US);
    data_of(talk, AT_US, A, 2, 3);
    return talk;
}

/* So much was sent since the feedback before. */
static struct talk *since_feedback(uint32_t packets)
{
    struct talk *talk = behind_a_queue();
    sack(talk, AT_US + 1, 8, "");
    for (uint32_t i = 0; i < packets; i++)
        data_of(talk, AT_US + 2 + i, A, 12 + i, 1);
    return talk;
}

static struct talk *little_since_feedback(void)
{
    return since_feedback(254);
}

static struct talk *much_since_feedback(void)
{
    return since_feedback(255);
}

/* 8 was answered sooner than its second copy can have been. */
static struct talk *first_too_soon(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 7, WAY_US);
    data_of(talk, AT_US, A, 8, 4);
    data(talk, AGAIN_US - 1000, 8);
    data(talk, AGAIN_US, 9);
    sack(talk, AGAIN_US + 10000, 8, "");
    sack(talk, FIRST_US, 9, "");
    return talk;
}

/* Later than a delayed answer to its second copy. */
static struct talk *first_too_late(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 7, WAY_US);
    data_of(talk, AT_US, A, 8, 4);
    data(talk, AGAIN_US - 300000, 8);
    sack(talk, AGAIN_US - 10000, 8, "");
    data(talk, AGAIN_US, 9);
    sack(talk, FIRST_US, 9, "");
    return talk;
}

static struct talk *begins_anew(void)
{
    struct talk *talk = first_too_soon();
    sack(talk, FIRST_US + 1, 11, "");
    data(talk, AT_US + LATER_US - WAY_US, 12);
    sack(talk, AT_US + LATER_US, 12, "");
    data_of(talk, AT_US + LATER_US, A, 13, 3);
    return talk;
}

/* 9 is overtaken by what was sent a tenth of a second after it, and comes 5 ms after that. */
static struct talk *reorders_far(void)
{
    struct talk *talk = steady();
    data(talk, LEARNT_US, 9);
    data(talk, LEARNT_US + 100000, 10);
    sack(talk, LEARNT_US + 100000 + WAY_US, 8, "10");
    sack(talk, LEARNT_US + 105000 + WAY_US, 10, "");
    return talk;
}

/* Feedback came before the data that is sent again: nothing is known of what was sent before that. */
static struct talk *behind_feedback_alone(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    sack(talk, AT_US - 1, 0, "");
    data_of(talk, AT_US, A, 1, 3);
    data(talk, AGAIN_US, 1);
    sack(talk, FIRST_US, 1, "");
    data(talk, FIRST_US, 2);
    sack(talk, SECOND_US, 2, "");
    data(talk, SECOND_US, 3);
    sack(talk, THIRD_US, 3, "");
    flight(talk, THIRD_US + 1000000, 4, 8, 100000);
    for (uint32_t i = 0; i < 8; i++)
        sack(talk, THIRD_US + 1000000 + i * 100000 + 3 * WAY_US, 4 + i, "");
    return talk;
}

static struct talk_row rows[] = {
    {"or a little less, by a quarter",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 9, ""), DATA(FIRST_US, 10), SACK(FIRST_US + WAY_US, 10, ""),
      DATA(SECOND_US, 11), SACK(SECOND_US + WAY_US - MORE_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S9 S19 K14 acked/2 by 27"}}},
    {"and by no more than that",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 9, ""), DATA(FIRST_US, 10), SACK(FIRST_US + WAY_US, 10, ""),
      DATA(SECOND_US, 11), SACK(SECOND_US + WAY_US - MORE_US - 1, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S9 K14 acked/2 by 27"}}},
    {"where nothing was sent before, nothing tells of a silence",
     behind_feedback_alone,
     {{0}},
     {{3, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 12"}}},
    {"the silence is before the copy, though feedback came since",
     behind_a_queue,
     {DATA(AGAIN_US, 9), SACK(AGAIN_US + 1000, 8, ""), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10),
      SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 28"}}},
    {"what left with the feedback before breaks no silence",
     behind_a_queue,
     {DATA(AGAIN_US - 1, 12), SACK(AGAIN_US - 1, 8, ""), DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10),
      SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 29"}}},
    {"as short as one without a queue is enough",
     behind_a_queue,
     {DATA(AGAIN_US + MORE_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""),
      DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 27"}}},
    {"each a loop after what was sent again, a little more each time",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 27"}}},
    {"over a path that nobody knows nothing is in step",
     over_another_path,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 undetermined/2 S11 K14 acked/2 by 27"}}},
    {"where a report says that all came, the first was late",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, ""), SACK(THIRD_US + 100, 11, "d11")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S3 K14 acked/4 by 27"}}},
    {"what repeats the one before does not end that",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""),
      SACK(SECOND_US + 10, 10, ""), DATA(SECOND_US + 20, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 28"}}},
    {"behind a silence there is no queue, and a loop is shorter",
     behind_a_queue,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 27"}}},
    {"but no shorter than one without a queue",
     behind_a_queue,
     {DATA(AGAIN_US + MORE_US + 1, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""),
      DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 27"}}},
    {"a silence is one of a loop",
     a_loop_before,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 29"}}},
    {"and no less",
     less_than_a_loop_before,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 29"}}},
    {"also where the capture has but one packet before that",
     behind_one_packet,
     {DATA(AGAIN_US, 2), SACK(FIRST_US, 2, ""), DATA(FIRST_US, 3), SACK(SECOND_US, 3, ""), DATA(SECOND_US, 4),
      SACK(THIRD_US, 4, "")},
     {{4, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 13"}}},
    {"if it is among the latest packets",
     little_since_feedback,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 282"}}},
    {"behind too many nobody knows",
     much_since_feedback,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 283"}}},
    {"but not by more than a quarter at once",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11),
      SACK(THIRD_US + 100, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 27"}}},
    {"nor at first",
     sent_once,
     {DATA(AGAIN_US, 9), SACK(FIRST_US + 100, 9, ""), DATA(FIRST_US + 100, 10), SACK(SECOND_US + 100, 10, ""),
      DATA(SECOND_US + 100, 11), SACK(THIRD_US + 100, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 27"}}},
    {"where one came too soon the path had stood still, and what follows is in step by chance",
     first_too_soon,
     {DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/2 spurious/3 S12 K14 acked/2 by 27"}}},
    {"or too late",
     first_too_late,
     {DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 27"}}},
    {"until something comes that was sent once",
     begins_anew,
     {DATA(AGAIN_US + LATER_US, 13), SACK(FIRST_US + LATER_US, 13, ""), DATA(FIRST_US + LATER_US, 14),
      SACK(SECOND_US + LATER_US, 14, ""), DATA(SECOND_US + LATER_US, 15), SACK(THIRD_US + LATER_US, 15, "")},
     {{15, 2, "retransmission t3_gbn/2 needed/3 S19 K14 acked/3 by 33"}}},
    {"a network may have overtaken what was sent shortly before",
     steady,
     {DATA(AT_US, 9), DATA(AT_US, 10), DATA(SECOND_US - WAY_US - 2 * MORE_US - 80000 + 1, 11), DATA(AGAIN_US, 9),
      SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 29"}}},
    {"but not so long before",
     steady,
     {DATA(AT_US, 9), DATA(AT_US, 10), DATA(SECOND_US - WAY_US - 2 * MORE_US - 80000, 11), DATA(AGAIN_US, 9),
      SACK(FIRST_US, 9, ""), DATA(FIRST_US, 10), SACK(SECOND_US, 10, ""), DATA(SECOND_US, 11), SACK(THIRD_US, 11, "")},
     {{11, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 29"}}},
    {"unless it was seen to overtake as far",
     reorders_far,
     {DATA(AT_US, 11), DATA(AT_US, 12), DATA(FIRST_US - 125000, 13), DATA(AGAIN_US, 11), SACK(FIRST_US, 11, ""),
      DATA(FIRST_US, 12), SACK(SECOND_US, 12, ""), DATA(SECOND_US, 13), SACK(THIRD_US, 13, "")},
     {{13, 2, "retransmission t3_gbn/1 spurious/3 S12 K14 acked/2 by 33"}}},
    {"and no further",
     reorders_far,
     {DATA(AT_US, 11), DATA(AT_US, 12), DATA(FIRST_US - 125001, 13), DATA(AGAIN_US, 11), SACK(FIRST_US, 11, ""),
      DATA(FIRST_US, 12), SACK(SECOND_US, 12, ""), DATA(SECOND_US, 13), SACK(THIRD_US, 13, "")},
     {{13, 2, "retransmission t3_gbn/1 needed/3 S19 K14 acked/3 by 33"}}},
};

int main(void)
{
    return CHECK_ROWS("step", rows, check_row);
}
