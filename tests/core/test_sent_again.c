/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how sure a verdict is where what was sent again may be a late original or a packet that the network repeats,
 * and of what reports and losses around a copy say of it. The receiver is 20 ms away. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = 4000000 };

static struct talk *at_the_receiver(void)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
    shake_hands(talk, WAY_US, SENDER_US, false);
    warm_up(talk, 8, SENDER_US);
    return talk;
}

static struct talk *of_a_sender_that_counts_nothing(void)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
    talk->id[A] = 0;
    shake_hands(talk, WAY_US, SENDER_US, false);
    warm_up(talk, 8, SENDER_US);
    return talk;
}

static struct talk *at_the_sender(bool pion)
{
    return talk_after_eight(SENDER_US, WAY_US, pion);
}

static struct talk *with_duplicates_reported(void)
{
    struct talk *talk = at_the_sender(false);
    data(talk, 2000000, 8);
    sack(talk, 2000000 + WAY_US, 8, "d8");
    return talk;
}

static struct talk *pion(void)
{
    return at_the_sender(true);
}

/* TSN 9 was lost before the tap, or is late: it comes twice, both times long after 10. */
#define NINE_BELOW_TEN                                                                                                 \
    DATA(AT_US, 10), SACK(AT_US + SENDER_US, 8, "10"), DATA(AGAIN_US, 9), SACK(AGAIN_US + SENDER_US, 10, ""),          \
        DATA(AGAIN_US + 900000, 9)

/* 9 and 10 are sent twice and acknowledged. */
#define BOTH_TWICE                                                                                                     \
    DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 9), DATA(AGAIN_US + 100, 10),                                \
        SACK(AGAIN_US + 100 + WAY_US, 10, "")

static struct talk_row rows[] = {
    {"of what came below others either copy may be the late original",
     of_a_sender_that_counts_nothing,
     {NINE_BELOW_TEN},
     {{9, 1, "retransmission t3/2 needed/3 S14 K6 acked/5 by 24"},
      {9, 2, "retransmission t3/1 spurious/4 S2 acked/4 by 24"}}},
    {"where the sender counts its packets neither is",
     at_the_receiver,
     {NINE_BELOW_TEN},
     {{9, 1, "retransmission t3/2 needed/4 S14 K6 acked/5 by 24"},
      {9, 2, "retransmission t3/1 spurious/5 S2 acked/4 by 24"}}},
    {"the network may repeat the first copy, not the one before",
     of_a_sender_that_counts_nothing,
     {DATA(AT_US, 9), SACK(AT_US + SENDER_US, 9, ""), DATA_OF(AT_US + 20000, 9, 2), DATA(AT_US + 40000, 9)},
     {{9, 3, "retransmission t3/1 undetermined/2 S2 acked/4 by 22"}}},
    /* It moves the cumulative TSN over 9, which the tap sees afterwards. */
    {"what a FORWARD-TSN has passed over did not arrive for that",
     at_the_receiver,
     {DATA(AT_US, 10), SACK(AT_US + SENDER_US, 8, "10"), FORWARD_TSN(AT_US + 300000, 9),
      SACK(AT_US + 300000 + SENDER_US, 10, ""), DATA_OF(AT_US + 600000, 9, 2)},
     {{9, 1, "retransmission unknown/1 undetermined/2 abandoned/1 by 24"}}},
    {"nor is that sent again which comes late behind it",
     at_the_receiver,
     {DATA(AT_US, 10), SACK(AT_US + SENDER_US, 8, "10"), FORWARD_TSN(AT_US + 300000, 9),
      SACK(AT_US + 300000 + SENDER_US, 10, ""), DATA(AT_US + 600000, 9)},
     {{9, 1, "reordered abandoned/1 by 24"}}},
    {"of what is not reported the last copy was the first",
     with_duplicates_reported,
     {BOTH_TWICE},
     {{10, 2, "retransmission t3_gbn/3 needed/3 S10 K14 acked/3 by 27"}}},
    /* Then 9 is reported: its second copy came after that acknowledgement was sent, and so did what was sent after it.
     */
    {"what was sent after what is reported later was not the first",
     with_duplicates_reported,
     {BOTH_TWICE, SACK(AGAIN_US + 200 + WAY_US, 10, "d9")},
     {{10, 2, "retransmission t3_gbn/3 spurious/4 K14 lost/2 by 27"}}},
    {"of what came in one packet with what is reported later that is not said",
     with_duplicates_reported,
     {DATA_OF(AT_US, 9, 2), DATA_OF(AGAIN_US, 9, 2), SACK(AGAIN_US + WAY_US, 10, ""),
      SACK(AGAIN_US + 200 + WAY_US, 10, "d9")},
     {{10, 2, "retransmission t3/3 needed/3 S10 K6 acked/3 by 25"}}},
    {"nor of what took another path",
     with_duplicates_reported,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 9), TO(4), DATA(AGAIN_US + 100, 10), TO(2),
      SACK(AGAIN_US + 100 + WAY_US, 10, ""), SACK(AGAIN_US + 200 + WAY_US, 10, "d9")},
     {{10, 2, "retransmission t3_gbn/3 undetermined/2 S11 K14 acked/2 by 27"}}},
    /* Three packets were lost together, or their answers were, which pion sends for two packets or after 200 ms: three,
     * or two where the first two packets have one. */
    {"where as many losses explain either history the data was lost",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 250000, 10), DATA(AT_US + 500000, 11), DATA_OF(AGAIN_US, 9, 3),
      SACK(AGAIN_US + 200000 + WAY_US, 11, "")},
     {{9, 2, "retransmission t3/4 needed/3 S19 K6 acked/3 by 25"}}},
    {"where it matters how losses are counted nobody knows",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 150000, 10), DATA(AT_US + 300000, 11), DATA_OF(AGAIN_US, 9, 3),
      SACK(AGAIN_US + 200000 + WAY_US, 11, "")},
     {{9, 2, "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 25"}}},
};

int main(void)
{
    return CHECK_ROWS("sent_again", rows, check_row);
}
