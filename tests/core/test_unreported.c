/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of duplicates at a receiver that reports none. It is pion, 20 ms away, and the network has brought 9 late by 30
 * ms, behind 10. 11 is missing, and sent again between 15 and 16; whether it was late, too, only the answers may tell.
 */
#include "judge/evidence.h"
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = AT_US + 23100, BACK_US = AGAIN_US + WAY_US };

static void late_behind(struct talk *talk, int64_t lead_us)
{
    flight(talk, 2000000, 9, 2, lead_us);
    sack(talk, 2000000 + lead_us + WAY_US, 8, "10");
    sack(talk, 2020000 + lead_us + WAY_US, 10, "");
}

static void late_behind_the_next(struct talk *talk)
{
    late_behind(talk, 10000);
}

static struct talk *late_once(struct talk *talk)
{
    late_behind_the_next(talk);
    flight(talk, AT_US, 11, 5, 1000);
    sack(talk, AT_US + 1000 + WAY_US, 10, "12");
    sack(talk, AT_US + 2000 + WAY_US, 10, "12-13");
    sack(talk, AT_US + 3000 + WAY_US, 10, "12-14");
    return talk;
}

static struct talk *missing(void)
{
    return late_once(talk_after_eight(SENDER_US, WAY_US, true));
}

/* From here on the I bit asks for an answer at once (RFC 7053). */
static struct talk *asked_at_once(struct talk *talk)
{
    talk->flags |= SR_DATA_IMMEDIATE;
    return talk;
}

static struct talk *missing_and_asked_at_once(void)
{
    return asked_at_once(missing());
}

static struct talk *of_another_stack(void)
{
    return late_once(talk_after_eight(SENDER_US, WAY_US, false));
}

/* 13 is missing, too. */
static struct talk *two_missing_behind(int64_t lead_us)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    late_behind(talk, lead_us);
    flight(talk, AT_US, 11, 5, 1000);
    sack(talk, AT_US + 1000 + WAY_US, 10, "12");
    sack(talk, AT_US + 3000 + WAY_US, 10, "12 14");
    sack(talk, AT_US + 4000 + WAY_US, 10, "12 14-15");
    return talk;
}

static struct talk *two_missing(void)
{
    return two_missing_behind(10000);
}

static struct talk *two_missing_and_asked_at_once(void)
{
    return asked_at_once(two_missing());
}

/* From here on second chunks of a packet are cut off. */
static struct talk *two_missing_and_cut_off(void)
{
    struct talk *talk = two_missing();
    talk->snaplen[A] = 12 + 16 + talk->bytes + 4; /* its chunk's type, flags and length are there */
    return talk;
}

/* What is sent so much later may come first, too. */
static struct talk *two_missing_where_all_is_late(void)
{
    return two_missing_behind(100000);
}

/* 12 is missing, too. */
static struct talk *pair_missing(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    late_behind_the_next(talk);
    flight(talk, AT_US, 11, 5, 1000);
    sack(talk, AT_US + 2000 + WAY_US, 10, "13");
    sack(talk, AT_US + 3000 + WAY_US, 10, "13-14");
    sack(talk, AT_US + 4000 + WAY_US, 10, "13-15");
    return talk;
}

/* From 9 on so many are sent again, each when the one before is answered; each answer is later than that before. */
static struct talk *in_step(uint32_t count)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    int64_t at_us = AT_US + 1000000;
    flight(talk, AT_US, 9, count, 0);
    for (uint32_t i = 0; i < count; i++) {
        data(talk, at_us, 9 + i);
        at_us += WAY_US + 5000 * (i < 5 ? 1 + i : 5);
        sack(talk, at_us, 9 + i, "");
    }
    data(talk, at_us, 9 + count);
    sack(talk, at_us + WAY_US, 9 + count, "");
    return talk;
}

static struct talk *three_in_step(void)
{
    return in_step(3);
}

static struct talk *as_many_as_are_looked_at(void)
{
    return in_step(257); /* 10 is the second */
}

static struct talk *more_than_are_looked_at(void)
{
    return in_step(258);
}

/* 11 is sent again between 15 and 16; 17 comes behind. */
#define SENT_AGAIN DATA(AGAIN_US, 11), SACK(AGAIN_US + 900, 10, "12-15"), DATA(AGAIN_US + 1000, 16)
#define ANOTHER(at) DATA(at, 17), SACK((at) + WAY_US, 17, "")

/* 13 is still missing when 16 comes: one duplicate has come before. */
#define ONE_WITH_A_GAP                                                                                                 \
    DATA(AGAIN_US + 2000, 16), SACK(BACK_US + 1100, 12, "14-15"), SACK(BACK_US + 1200, 12, "14-15"),                   \
        SACK(BACK_US + 2100, 12, "14-16")
/* 13 comes, too, and is answered by the timer; what brings nothing new follows. */
#define TWO_WITHOUT_A_GAP                                                                                              \
    DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 1100, 13), DATA(AGAIN_US + 2000, 16),                                   \
        SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 201200, 15, ""), SACK(BACK_US + 201300, 15, ""),             \
        DATA(BACK_US + 201300, 17), SACK(BACK_US + 221300, 17, "")

static struct talk_row rows[] = {
    {"a late original and its copy are answered together",
     missing,
     {SENT_AGAIN, SACK(BACK_US + 100, 15, ""), ANOTHER(BACK_US + 200)},
     {{11, 1, "original acked/3 by 36"}, {11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 36"}}},
    {"a copy and what is new are, too",
     missing,
     {SENT_AGAIN, SACK(BACK_US + 1100, 16, ""), ANOTHER(BACK_US + 1200)},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 36"}}},
    {"another stack would report it",
     of_another_stack,
     {SENT_AGAIN, SACK(BACK_US + 100, 15, ""), ANOTHER(BACK_US + 200)},
     {{11, 2, "retransmission fast/3 at 32 undetermined/2 S11 K1 acked/2 by 36"}}},
    {"one packet is answered when the timer expires",
     missing,
     {SENT_AGAIN, SACK(AGAIN_US + 190900, 15, ""), ANOTHER(AGAIN_US + 191000)},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 36"}}},
    {"and two just before",
     missing,
     {SENT_AGAIN, SACK(AGAIN_US + 190899, 15, ""), ANOTHER(AGAIN_US + 191000)},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 36"}}},
    {"a packet of several chunks that closes the gap is answered at once",
     pair_missing,
     {DATA_OF(AGAIN_US + 1000, 11, 2), DATA(AGAIN_US + 2000, 16), SACK(BACK_US + 1100, 15, ""),
      ANOTHER(BACK_US + 1200)},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 35"}}},
    {"the chunks of a packet come together",
     pair_missing,
     {DATA_OF(AGAIN_US + 1000, 11, 2), SACK(BACK_US + 1100, 11, "13-15"), SACK(BACK_US + 202000, 15, ""),
      DATA(BACK_US + 202100, 16), SACK(BACK_US + 222100, 16, "")},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 34"}}},
    {"what is not answered by then has left none",
     two_missing_where_all_is_late,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 2000, 16), SACK(BACK_US + 1100, 10, "12 14-15"),
      SACK(BACK_US + 2100, 10, "12 14-16"), SACK(BACK_US + 3000, 12, "14-16")},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 37"}}},
    {"where there is none it waits for a second one",
     missing,
     {DATA(AGAIN_US, 11), SACK(AGAIN_US + 900, 10, "12-15"), SACK(AGAIN_US + 200900, 15, ""),
      DATA_OF(AGAIN_US + 201000, 16, 2), SACK(AGAIN_US + 201000 + WAY_US, 17, "")},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 35"}}},
    {"a packet that asks for it is answered at once",
     missing_and_asked_at_once,
     {SENT_AGAIN, SACK(BACK_US + 100, 15, ""), ANOTHER(BACK_US + 200)},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 36"}}},
    {"nothing is told of one that waited until a gap was found",
     missing,
     {DATA(AGAIN_US, 11), SACK(AGAIN_US + 900, 10, "12-15"), SACK(AGAIN_US + 200900, 15, ""),
      DATA(AGAIN_US + 201000, 16), DATA(AGAIN_US + 201000, 17), SACK(AGAIN_US + 201000 + WAY_US, 15, "17")},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 35"}}},
    {"a FORWARD-TSN is answered, too",
     missing,
     {DATA(AGAIN_US, 11), SACK(AGAIN_US + 900, 10, "12-15"), FORWARD_TSN(AGAIN_US + 900, 10), DATA(AGAIN_US + 1000, 16),
      SACK(BACK_US + 100, 15, ""), ANOTHER(BACK_US + 200)},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 37"}}},
    {"with a gap each packet is answered",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), ONE_WITH_A_GAP},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 35"}}},
    {"one that is new is no duplicate",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 2000, 16), SACK(BACK_US + 1100, 12, "14-15"),
      SACK(BACK_US + 2100, 12, "14-16")},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 35"}}},
    {"nor is what the capture repeats",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 2000, 16), SACK(BACK_US + 1100, 12, "14-15"), B_REPEATS,
      SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 2100, 12, "14-16")},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 35"}}},
    {"of three copies two have to leave traces",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 1100, 11), DATA(AGAIN_US + 2000, 16),
      SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 1300, 12, "14-15"), SACK(BACK_US + 2100, 12, "14-16")},
     {{11, 3, "retransmission fast/3 undetermined/2 S11 acked/2 by 36"}}},
    {"and two did",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 1100, 11), DATA(AGAIN_US + 2000, 16),
      SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 1300, 12, "14-15"), SACK(BACK_US + 1400, 12, "14-15"),
      SACK(BACK_US + 2100, 12, "14-16")},
     {{11, 3, "retransmission fast/3 spurious/3 S22 acked/2 by 36"}}},
    {"without a gap two packets are answered",
     two_missing,
     {TWO_WITHOUT_A_GAP},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 36"},
      {13, 2, "retransmission unknown/1 needed/3 acked/3 by 37"}}},
    {"or one that asks for it",
     two_missing_and_asked_at_once,
     {TWO_WITHOUT_A_GAP},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 36"}}},
    {"chunks that are cut off may have been sent again, too",
     two_missing_and_cut_off,
     {DATA_OF(AGAIN_US + 1000, 11, 2), ONE_WITH_A_GAP},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 35"}}},
    {"and in those that are all there they were not",
     two_missing_and_cut_off,
     {DATA(AGAIN_US + 1000, 11), ONE_WITH_A_GAP},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 35"}}},
    {"as many as from that packet on have to come from its answer on",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 1100, 13), DATA(AGAIN_US + 2000, 16),
      SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 1300, 12, "14-15"), SACK(BACK_US + 2100, 16, "")},
     {{11, 2, "retransmission fast/4 at 32 undetermined/2 S11 K1 acked/2 by 36"},
      {13, 2, "retransmission unknown/1 needed/3 acked/3 by 38"}}},
    {"as for the last of them",
     two_missing,
     {DATA(AGAIN_US + 1000, 11), DATA(AGAIN_US + 1100, 13), DATA(AGAIN_US + 2000, 16),
      SACK(BACK_US + 1200, 12, "14-15"), SACK(BACK_US + 1300, 15, ""), SACK(BACK_US + 2100, 16, "")},
     {{11, 2, "retransmission fast/4 at 32 spurious/3 S22 K1 acked/2 by 36"},
      {13, 2, "retransmission unknown/1 needed/3 acked/3 by 37"}}},
    {"an answer in step with what was sent again may be for duplicates",
     three_in_step,
     {{0}},
     {{10, 2, "retransmission t3_gbn/2 spurious/3 S22 K14 acked/2 by 27"},
      {11, 2, "retransmission t3_gbn/2 spurious/3 S22 K14 acked/2 by 29"}}},
    {"all that is looked back at",
     as_many_as_are_looked_at,
     {{0}},
     {{10, 2, "retransmission t3_gbn/2 spurious/3 S22 K14 acked/2 by 281"},
      {11, 2, "retransmission t3_gbn/2 spurious/3 S22 K14 acked/2 by 283"}}},
    {"what came before is forgotten",
     more_than_are_looked_at,
     {{0}},
     {{10, 2, "retransmission t3_gbn/2 needed/3 S19 K14 acked/3 by 282"},
      {11, 2, "retransmission t3_gbn/2 spurious/3 S22 K14 acked/2 by 284"}}},
};

/* So many packets are sent again, of TSNs from 11 on, and three TSNs came behind them. 11 comes late; feedback is made
 * for so many duplicates, first while there is a gap, then for two at once. */
struct counted {
    const char *sentence;
    uint32_t packets, with_gap, two_at_once;
    bool told;
};

static void check_counted(void **state)
{
    const struct counted *row = *state;
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, true);
    uint32_t last = 10 + row->packets + 3;
    char gap[32];
    late_behind_the_next(talk);
    flight(talk, AT_US, 11, row->packets + 3, 100);
    for (uint32_t above = 2; above-- > 0;) {
        snprintf(gap, sizeof gap, "%u-%u", last - 2, last - above);
        sack(talk, AT_US + 3000 + WAY_US - 1000 * above, 10, gap);
    }
    flight(talk, AGAIN_US, 11, row->packets, 10);
    int64_t at_us = BACK_US + 100;
    for (uint32_t i = 0; i <= row->with_gap; i++)
        sack(talk, at_us += 100, 11, gap);
    for (uint32_t i = 0; i <= row->two_at_once; i++)
        sack(talk, at_us += i == 0 ? 201000 : 100, last, "");
    flight(talk, at_us, last + 1, 2, 0);
    sack(talk, at_us + WAY_US, last + 2, "");
    judge(talk);
    bool told = row_of(talk, 11, 2)->evidence & sr_bit(SR_EVIDENCE_S22);
    assert_int_equal(told, row->told);
    talk_free(talk);
}

static struct counted counted[] = {
    {"one for two packets", 2, 1, 0, false},
    {"two for two packets", 2, 2, 0, true},
    {"two at once for three packets", 3, 0, 1, false},
    {"two at once, and one, for three packets", 3, 1, 1, true},
    {"two at once and two at once for four packets", 4, 0, 2, true},
};

int main(void)
{
    int failed = CHECK_ROWS("unreported", rows, check_row);
    return failed + CHECK_ROWS("unreported: counted", counted, check_counted);
}
