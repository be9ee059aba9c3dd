/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what reports of duplicates say of many copies: how many came, and which of them hardly came first
 * (docs/verdict-rules.md, "Which copy came first"). The receiver is 20 ms away. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = 4000000 };

static struct talk *at_the_sender(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *with_duplicates_reported(void)
{
    struct talk *talk = at_the_sender();
    data(talk, 2000000, 8);
    sack(talk, 2000000 + WAY_US, 8, "d8");
    return talk;
}

#define FOUR_TIMES DATA(AT_US, 9), DATA(AT_US + 1000000, 9), DATA(AT_US + 3000000, 9), DATA(AT_US + 7000000, 9)
#define SIX_TIMES_10                                                                                                   \
    DATA(AT_US, 10), DATA(AT_US + 1000000, 10), DATA(AT_US + 3000000, 10), DATA(AT_US + 7000000, 10),                  \
        DATA(AT_US + 15000000, 10), DATA(AT_US + 31000000, 10)

#define EIGHT_TWICE_MORE SACK(2001000 + WAY_US, 8, "d8"), SACK(2002000 + WAY_US, 8, "d8")
#define NINE_THRICE DATA(AT_US, 9), DATA(AT_US + 1000000, 9), DATA(AT_US + 3000000, 9)

static struct talk_row rows[] = {
    /* Of n copies with d reports d + 1 came (RFC 3708 section 4). */
    {"of four copies with one report two came",
     with_duplicates_reported,
     {FOUR_TIMES, SACK(AT_US + 7000000 + WAY_US, 9, "d9")},
     {{9, 1, "original acked/2 by 27"},
      {9, 2, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 27"},
      {9, 3, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 27"},
      {9, 4, "retransmission t3/3 spurious/4 S5 K6 acked/3 by 27"}}},
    {"of four copies with two reports three came",
     with_duplicates_reported,
     {FOUR_TIMES, SACK(AT_US + 7000000 + WAY_US, 9, "d9 d9")},
     {{9, 1, "original acked/2 by 27"},
      {9, 2, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 27"},
      {9, 3, "retransmission t3/3 spurious/4 S5 K5 acked/3 by 27"},
      {9, 4, "retransmission t3/3 spurious/4 S5 K6 acked/3 by 27"}}},
    /* Two of eight: that neither was one of the first six happens one time in 28, of the first five one in 9. */
    {"of eight copies with one report the seventh was hardly the first",
     with_duplicates_reported,
     {FOUR_TIMES, DATA(AT_US + 15000000, 9), DATA(AT_US + 31000000, 9), DATA(AT_US + 63000000, 9),
      DATA(AT_US + 123000000, 9), SACK(AT_US + 123000000 + WAY_US, 9, "d9")},
     {{9, 5, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 31"},
      {9, 6, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 31"},
      {9, 7, "retransmission t3/3 spurious/3 S5 K5 acked/2 by 31"},
      {9, 8, "retransmission t3/3 spurious/4 S5 K6 acked/3 by 31"}}},
    {"of four copies with three reports all came",
     with_duplicates_reported,
     {FOUR_TIMES, SACK(AT_US + 7000000 + WAY_US, 9, "d9 d9 d9")},
     {{9, 1, "original acked/4 by 27"},
      {9, 2, "retransmission t3/3 spurious/4 S4 K5 acked/4 by 27"},
      {9, 3, "retransmission t3/3 spurious/4 S4 K5 acked/4 by 27"},
      {9, 4, "retransmission t3/3 spurious/4 S4 K6 acked/4 by 27"}}},

    /* RFC 3708 section 5: a report may be of the network's copy. */
    {"where the network repeats no packets a report is of a copy",
     at_the_sender,
     {DATA(2500000, 9), SACK(2500000 + WAY_US, 9, ""), SACK(2510000 + WAY_US, 9, ""), DATA(AT_US, 10),
      DATA(AGAIN_US, 10), SACK(AGAIN_US + WAY_US, 10, "d10")},
     {{10, 2, "retransmission t3/3 spurious/4 S3 K6 acked/4 by 26"}}},
    {"where the network repeats packets reports are less sure",
     at_the_sender,
     {DATA(2500000, 9), SACK(2500000 + WAY_US, 9, ""), SACK(2510000 + WAY_US, 9, "d9"), DATA(AT_US, 10),
      DATA(AGAIN_US, 10), SACK(AGAIN_US + WAY_US, 10, "d10")},
     {{10, 2, "retransmission t3/3 spurious/3 S3 K6 acked/4 by 26"}}},
    {"where it repeats none, the fifth of six copies with one report was hardly the first",
     at_the_sender,
     {DATA(2500000, 9), SACK(2500000 + WAY_US, 9, ""), SACK(2510000 + WAY_US, 9, ""), SIX_TIMES_10,
      SACK(AT_US + 31000000 + WAY_US, 10, "d10")},
     {{10, 4, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 30"},
      {10, 5, "retransmission t3/3 spurious/3 S5 K5 acked/2 by 30"}}},
    {"where it repeats packets, that is not said",
     at_the_sender,
     {DATA(2500000, 9), SACK(2500000 + WAY_US, 9, ""), SACK(2510000 + WAY_US, 9, "d9"), SIX_TIMES_10,
      SACK(AT_US + 31000000 + WAY_US, 10, "d10")},
     {{10, 5, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 30"}}},

    /* A receiver may make each report once (RFC 9260 section 6.2): 8 came twice and is reported four times. */
    {"of a receiver that repeats reports two in a row are of one copy",
     with_duplicates_reported,
     {EIGHT_TWICE_MORE, SACK(2003000 + WAY_US, 8, "d8"), NINE_THRICE, SACK(AT_US + 3000000 + WAY_US, 9, "d9"),
      SACK(AT_US + 3001000 + WAY_US, 9, "d9")},
     {{9, 2, "retransmission t3/3 undetermined/2 S5 K5 acked/2 by 29"},
      {9, 3, "retransmission t3/3 spurious/4 S5 K6 acked/3 by 29"}}},
    {"where feedback without it lies between them they are of two",
     with_duplicates_reported,
     {EIGHT_TWICE_MORE, SACK(2003000 + WAY_US, 8, "d8"), NINE_THRICE, SACK(AT_US + 3000000 + WAY_US, 9, "d9"),
      SACK(AT_US + 3001000 + WAY_US, 9, ""), SACK(AT_US + 3002000 + WAY_US, 9, "d9")},
     {{9, 2, "retransmission t3/3 spurious/4 S4 K5 acked/4 by 29"}}},
    /* The tap may have missed a copy, or the network have repeated one. */
    {"two reports too many do not tell that it repeats them",
     with_duplicates_reported,
     {EIGHT_TWICE_MORE, SACK(2003000 + WAY_US, 8, ""), NINE_THRICE, SACK(AT_US + 3000000 + WAY_US, 9, "d9"),
      SACK(AT_US + 3001000 + WAY_US, 9, "d9")},
     {{9, 2, "retransmission t3/3 spurious/4 S4 K5 acked/4 by 29"}}},
};

int main(void)
{
    return CHECK_ROWS("duplicate_reports", rows, check_row);
}
