/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the order of packets says of the copy that came first, of how far a network is taken to reorder, and of
 * receivers that would have reported a duplicate. The receiver is 20 ms away. */
#include "talk_rows.h"

enum {
    WAY_US = 20000,
    SENDER_US = 100,
    LEARNT_US = 2000000,
    AT_US = 3000000,
    AGAIN_US = 3010000,
    ACKED_US = 3031000,
    LATER_US = 4000000
};

static struct talk *pion(void)
{
    return talk_after_eight(SENDER_US, WAY_US, true);
}

/* 9 is overtaken by what was sent `lead_us` later, and is `late_us` late. */
static struct talk *reorders(int64_t lead_us, int64_t late_us)
{
    struct talk *talk = pion();
    data(talk, LEARNT_US, 9);
    data(talk, LEARNT_US + lead_us, 10);
    sack(talk, LEARNT_US + WAY_US + late_us, 8, "10");
    sack(talk, LEARNT_US + WAY_US + late_us + 100, 10, "");
    return talk;
}

static struct talk *reorders_a_little(void)
{
    return reorders(1000, 1000);
}

/* Loops vary by 3 ms, more than 9 was overtaken by. */
static struct talk *jitters(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, true);
    for (uint32_t tsn = 1; tsn <= 8; tsn++) {
        data(talk, 1000000 + tsn * 100000, tsn);
        sack(talk, 1000000 + tsn * 100000 + WAY_US + tsn % 2 * 3000, tsn, "");
    }
    flight(talk, LEARNT_US, 9, 2, 1000);
    sack(talk, LEARNT_US + WAY_US + 1000, 8, "10");
    sack(talk, LEARNT_US + WAY_US + 1100, 10, "");
    return talk;
}

/* All packets were half a second late, and so was the one that was overtaken. */
static struct talk *stood_still(void)
{
    return reorders(1000, 500000);
}

/* The capture begins in the middle with 9 and 10, of which 10 is acknowledged first. */
static struct talk *begun_in_the_middle(const char *reports)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_SENDER});
    flight(talk, 100000, 9, 2, 1000);
    sack(talk, 101000 + WAY_US, 8, "10");
    sack(talk, 200000, 10, reports);
    for (uint32_t i = 1; i <= 8; i++) {
        data(talk, 1000000 + i * 100000, 10 + i);
        sack(talk, 1000000 + i * 100000 + WAY_US, 10 + i, "");
    }
    return talk;
}

/* What seems to have come late may have been sent before. */
static struct talk *from_the_middle(void)
{
    return begun_in_the_middle("");
}

/* What seems to be sent once is reported twice. */
static struct talk *from_the_middle_again(void)
{
    return begun_in_the_middle("d9");
}

/* Of two that came swapped, half a second late, the first was sent again: 11, which came last of all, was overtaken by
 * that only if it had come. */
static struct talk *stood_still_for_a_timeout(void)
{
    struct talk *talk = pion();
    flight(talk, LEARNT_US, 9, 3, 100);
    data(talk, LEARNT_US + 300000, 9);
    sack(talk, LEARNT_US + 500000, 8, "10");
    sack(talk, LEARNT_US + 500100, 10, "");
    sack(talk, LEARNT_US + 500200, 11, "");
    return talk;
}

/* Its INIT ACK has Forward-TSN-Supported and then the list of chunk types, as usrsctp writes it. */
static struct talk *usrsctp(void)
{
    struct talk *talk = talk_new();
    init(talk, 0, A, false);
    struct bytes chunk = {.length = 0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_INIT_ACK, 0);
    put32s(&chunk, 2, TALK_TAG + (uint32_t)B, (uint32_t)TALK_WINDOW);
    put16s(&chunk, 2, 10u, 10u);
    put32(&chunk, 1000);
    end_element(&chunk, begin_element(&chunk, 0xc000));
    size_t list = begin_element(&chunk, 0x8008);
    put16s(&chunk, 1, 0xc082u);
    end_element(&chunk, list);
    end_chunk(&chunk, start);
    say_with(talk, WAY_US, B, &chunk, false);
    control(talk, WAY_US + SENDER_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * WAY_US + SENDER_US, B, SR_CHUNK_COOKIE_ACK, 0);
    warm_up(talk, 8, WAY_US);
    return talk;
}

static struct talk *another_stack(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *sends_ten(void)
{
    struct talk *talk = pion();
    for (uint32_t tsn = 9; tsn < 19; tsn++)
        data(talk, AT_US + (int64_t)tsn, tsn);
    return talk;
}

static struct talk_row rows[] = {
    {"what was sent before the second copy comes after the answer: that was to the first",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 9), SACK(ACKED_US, 9, ""), SACK(ACKED_US + 1000, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/4 acked/2 by 24"}}},
    /* The first copy was lost with 9, or its answer was; the third came after 11. */
    {"of the copies that are left the receiver's rule still tells one",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(LATER_US, 10), DATA(LATER_US + 2000, 11), DATA(LATER_US + 5000, 10),
      SACK(LATER_US + 6000 + WAY_US, 8, "10"), SACK(LATER_US + 7000 + WAY_US, 8, "10-11")},
     {{10, 2, "retransmission t3/3 needed/3 S19 K6 acked/3 by 26"}}},
    {"what was sent after it may well come later",
     pion,
     {DATA(AT_US, 9), DATA(AGAIN_US, 9), DATA(AGAIN_US + 100, 10), SACK(ACKED_US, 9, ""),
      SACK(ACKED_US + 1000, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S19 acked/2 by 24"}}},
    {"and so may what the answer had no room for",
     sends_ten,
     {DATA(AGAIN_US, 16), SACK(ACKED_US, 8, "10 12 14 16"), SACK(ACKED_US + 1000, 8, "10 12 14 16-17")},
     {{16, 2, "retransmission unknown/1 needed/3 S19 acked/3 by 32"}}},
    {"but an answer with three blocks has room",
     sends_ten,
     {DATA(AGAIN_US, 14), SACK(ACKED_US, 8, "10 12 14"), SACK(ACKED_US + 1000, 8, "10 12 14-15")},
     {{14, 2, "retransmission unknown/1 spurious/4 acked/2 by 32"}}},
    {"what comes after more than a second and a loop may have been sent again unseen",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 9), SACK(ACKED_US, 9, ""),
      SACK(AT_US + 100 + WAY_US + 1000001, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/3 S19 acked/2 by 24"}}},
    {"up to that it came late",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 9), SACK(ACKED_US, 9, ""),
      SACK(AT_US + 100 + WAY_US + 1000000, 10, "")},
     {{9, 2, "retransmission unknown/1 spurious/4 acked/2 by 24"}}},
    {"what was sent before both copies was overtaken by one of them: that tells nothing of which",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AGAIN_US, 10), SACK(ACKED_US, 8, "10"),
      SACK(ACKED_US + 30000000, 10, "")},
     {{10, 2, "retransmission unknown/1 needed/3 S19 acked/3 by 24"}}},
    {"and what a network may have overtaken that reorders as far",
     reorders_a_little,
     {DATA(AT_US, 11), DATA(AGAIN_US - 1200, 12), DATA(AGAIN_US, 11), SACK(ACKED_US, 11, ""),
      SACK(ACKED_US + 1000, 12, "")},
     {{11, 2, "retransmission unknown/1 spurious/3 S19 acked/2 by 28"}}},
    {"but not further",
     reorders_a_little,
     {DATA(AT_US, 11), DATA(AGAIN_US - 1300, 12), DATA(AGAIN_US, 11), SACK(ACKED_US, 11, ""),
      SACK(ACKED_US + 1000, 12, "")},
     {{11, 2, "retransmission unknown/1 spurious/3 acked/2 by 28"}}},
    {"how late all were says nothing of how far packets overtake",
     stood_still,
     {DATA(AT_US, 11), DATA(AT_US + 1300, 12), SACK(AT_US + WAY_US + 2000, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 needed/3 K9 acked/3 by 29"}}},
    {"what is overtaken by as little may be late",
     stood_still,
     {DATA(AT_US, 11), DATA(AT_US + 1200, 12), SACK(AT_US + WAY_US + 2000, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K9 acked/2 by 29"}}},
    {"but not much later than any that was",
     reorders_a_little,
     {DATA(AT_US, 11), DATA(AT_US + 1000, 12), SACK(AT_US + WAY_US + 1300, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 needed/3 K9 acked/3 by 29"}}},
    {"nor sooner than it would have been seen to be",
     reorders_a_little,
     {DATA(AT_US, 11), DATA(AT_US + 1000, 12), SACK(AT_US + WAY_US + 1200, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K9 acked/2 by 29"}}},
    {"or than loops vary, where any was overtaken",
     jitters,
     {DATA(AT_US, 11), DATA(AT_US + 2400, 12), SACK(AT_US + WAY_US + 2900, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K9 acked/2 by 29"}}},
    {"but not by more",
     jitters,
     {DATA(AT_US, 11), DATA(AT_US + 3100, 12), SACK(AT_US + WAY_US + 3200, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 needed/3 K9 acked/3 by 29"}}},
    {"nor later",
     jitters,
     {DATA(AT_US, 11), DATA(AT_US + 2400, 12), SACK(AT_US + WAY_US + 4400, 10, "12"), DATA(AT_US + 200000, 11),
      SACK(AT_US + 200000 + WAY_US, 12, "")},
     {{11, 2, "retransmission tlp/2 retransmission/2 needed/3 K9 acked/3 by 29"}}},
    {"two copies and a report came both, also where the first was overtaken",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), SACK(AT_US + 100 + WAY_US, 8, "10"), DATA(AT_US + 200000, 9),
      SACK(AT_US + 200000 + WAY_US, 10, ""), SACK(AT_US + 201000 + WAY_US, 10, "d9")},
     {{9, 2, "retransmission t3/2 spurious/3 S3 K6 acked/4 by 25"}}},
    {"nor what seems to be sent once where the capture begins",
     from_the_middle,
     {DATA(AT_US, 19), DATA(AT_US + 100, 20), SACK(AT_US + 100 + WAY_US, 18, "20"), DATA(AT_US + 100000, 19),
      SACK(AT_US + 100000 + WAY_US, 20, "")},
     {{19, 2, "retransmission unknown/1 needed/4 acked/4 by 25"}}},
    {"nor are such reports of what the network repeats",
     from_the_middle_again,
     {DATA(AT_US, 19), DATA(AT_US + 100, 20), SACK(AT_US + 100 + WAY_US, 18, "20"), DATA(AT_US + 100000, 19),
      SACK(AT_US + 100000 + WAY_US, 20, ""), SACK(AT_US + 101000 + WAY_US, 20, "d19")},
     {{19, 2, "retransmission unknown/1 spurious/3 S3 acked/4 by 25"}}},
    {"what may have come over another path overtook nothing on this one",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), TO(4), DATA(AT_US + 1000000, 10), SACK(AT_US + 1000000 + WAY_US, 8, "10"),
      DATA(AT_US + 1100000, 9), SACK(AT_US + 1100000 + WAY_US, 10, "")},
     {{9, 2, "retransmission t3_gbn/2 undetermined/2 S11 K14 acked/2 by 26"}}},
    {"what came over this one did",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), DATA(AT_US + 1000000, 10), SACK(AT_US + 1000000 + WAY_US, 8, "10"),
      DATA(AT_US + 1100000, 9), SACK(AT_US + 1100000 + WAY_US, 10, "")},
     {{9, 2, "retransmission t3_gbn/2 needed/4 K14 acked/4 by 26"}}},
    {"it is not told by a copy that is only supposed to have come first, but what rests on that is less sure",
     stood_still_for_a_timeout,
     {DATA(AT_US, 12), DATA(AT_US + 100, 13), SACK(AT_US + 100 + WAY_US, 11, "13"), DATA(AT_US + 100000, 12),
      SACK(AT_US + 100000 + WAY_US, 13, "")},
     {{12, 2, "retransmission tlp/2 retransmission/2 needed/3 K9 acked/3 by 32"}}},
    {"of three copies the report may be of the last two",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), SACK(AT_US + 100 + WAY_US, 8, "10"), DATA(AT_US + 200000, 9),
      DATA(AT_US + 202000, 9), SACK(AT_US + 200000 + WAY_US, 10, ""), SACK(AT_US + 202000 + WAY_US, 10, "d9")},
     {{9, 2, "retransmission t3/2 needed/4 S5 S9 K6 acked/4 by 26"}}},
    {"of three copies two reports say that all came",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 100, 10), SACK(AT_US + 100 + WAY_US, 8, "10"), DATA(AT_US + 200000, 9),
      DATA(AT_US + 202000, 9), SACK(AT_US + 200000 + WAY_US, 10, ""), SACK(AT_US + 202000 + WAY_US, 10, "d9"),
      SACK(AT_US + 202100 + WAY_US, 10, "d9")},
     {{9, 2, "retransmission t3/2 spurious/3 S4 K6 acked/4 by 26"},
      {9, 3, "retransmission unknown/1 spurious/3 S4 acked/4 by 26"}}},
    {"a report of what was never sent tells nothing of what was",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 200000, 9), SACK(AT_US + 200000 + WAY_US, 9, "d20 d70000")},
     {{9, 2, "retransmission t3/2 needed/3 S10 K8 acked/3 by 23"}}},
    {"usrsctp would have reported a duplicate",
     usrsctp,
     {DATA(AT_US, 9), DATA(AT_US + 1000000, 9), SACK(AT_US + 1000000 + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/3 S10 K6 acked/3 by 23"}}},
    {"a stack that is not known may never report any",
     another_stack,
     {DATA(AT_US, 9), DATA(AT_US + 1000000, 9), SACK(AT_US + 1000000 + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 23"}}},
};

int main(void)
{
    return CHECK_ROWS("order", rows, check_row);
}
