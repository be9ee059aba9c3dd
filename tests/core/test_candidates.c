/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which copies of a TSN may have come first, at both sides of each limit (docs/verdict-rules.md, "Which copy
 * came first"). The receiver is 20 ms away from the sender's tap. */
#include "talk_rows.h"

enum { WAY_US = 20000, FLOOR_US = WAY_US / 16 * 15, SENDER_US = 100, AT_US = 3000000, LATER_US = 4000000 };

static struct talk *at_the_sender(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *at_the_receiver(void)
{
    return talk_after_eight(WAY_US, SENDER_US, false);
}

/* The receiver counts its packets, of which none is missing. */
static struct talk *with_all_answers(void)
{
    struct talk *talk = talk_new();
    talk->counts[B] = 1;
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    return talk;
}

/* Likewise one of pion. */
static struct talk *pion_with_all_answers(void)
{
    struct talk *talk = talk_new();
    talk->counts[B] = 1;
    shake_hands(talk, SENDER_US, WAY_US, true);
    warm_up(talk, 8, WAY_US);
    return talk;
}

/* It reports what it has twice. */
static struct talk *reports(void)
{
    struct talk *talk = at_the_sender();
    data(talk, AT_US - 500000, 8);
    sack(talk, AT_US - 500000 + WAY_US, 8, "d8");
    return talk;
}

static struct talk_row rows[] = {
    /* 9 is lost. Of 10 the third copy alone would have been answered then; but 11, which was sent before that, had not
     * come yet. */
    {"where order excludes what the receiver's rule says either other copy may have come first",
     pion_with_all_answers,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20000, 10), DATA(AT_US + 49990, 11), DATA(AT_US + 50000, 10),
      SACK(AT_US + 50000 + WAY_US, 8, "10"), SACK(AT_US + 50100 + WAY_US, 8, "10-11")},
     {{10, 2, "retransmission unknown/1 undetermined/2 S11 acked/2 by 26"},
      {10, 3, "retransmission tlp/4 retransmission/4 spurious/3 S9 K9 acked/2 by 26"}}},
    {"a report that was not made tells of the last copy that order leaves",
     reports,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 150000, 10), DATA(AT_US + 399990, 11),
      DATA(AT_US + 400000, 10), SACK(AT_US + 400000 + WAY_US, 8, "10"), SACK(AT_US + 400100 + WAY_US, 8, "10-11")},
     {{10, 2, "retransmission unknown/1 needed/3 S10 acked/3 by 28"},
      {10, 3, "retransmission t3/3 spurious/3 S10 K6 lost/2 by 28"}}},
    {"unless the answer came too late for that",
     reports,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 149999, 10), DATA(AT_US + 399990, 11),
      DATA(AT_US + 400000, 10), SACK(AT_US + 400000 + WAY_US, 8, "10"), SACK(AT_US + 400100 + WAY_US, 8, "10-11")},
     {{10, 2, "retransmission unknown/1 undetermined/2 S11 acked/2 by 28"},
      {10, 3, "retransmission t3/3 spurious/3 S9 K6 acked/2 by 28"}}},
    {"what came when there was just room for it was not thrown away",
     at_the_receiver,
     {WINDOW(1000), SACK(AT_US - 10000, 8, ""), WINDOW(100000), DATA(AT_US, 9), DATA(AT_US + 100000, 9),
      SACK(AT_US + 100000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission t3/2 spurious/4 S1 K8 acked/4 by 24"}}},
    {"what came when a byte was missing may have been",
     at_the_receiver,
     {WINDOW(999), SACK(AT_US - 10000, 8, ""), WINDOW(100000), DATA(AT_US, 9), DATA(AT_US + 100000, 9),
      SACK(AT_US + 100000 + SENDER_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 undetermined/2 S11 K12 acked/2 by 24"}}},
    {"what comes as soon as any answer may be that to the later copy, and the first was not answered",
     with_all_answers,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + FLOOR_US - 20, 9, "")},
     {{9, 2, "retransmission t3/3 needed/3 S21 K6 acked/3 by 23"}}},
    {"what comes sooner is not",
     with_all_answers,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + FLOOR_US - 21, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/3 S9 K6 acked/2 by 23"}}},
    /* A report of a duplicate: two of three copies were accepted, the last among them. */
    {"feedback that did not tell of a copy rules out as many as reports of duplicates leave",
     at_the_receiver,
     {DATA(AT_US, 9), DATA(AT_US + 500000, 9), SACK(LATER_US - 50000, 8, ""), DATA(LATER_US, 9),
      SACK(LATER_US + SENDER_US, 9, "d9")},
     {{9, 2, "retransmission t3/2 needed/4 S1 S21 K5 acked/4 by 25"},
      {9, 3, "retransmission t3/2 spurious/4 S1 K6 acked/4 by 25"}}},
    {"without a report it rules out both",
     at_the_receiver,
     {DATA(AT_US, 9), DATA(AT_US + 500000, 9), SACK(LATER_US - 50000, 8, ""), DATA(LATER_US, 9),
      SACK(LATER_US + SENDER_US, 9, "")},
     {{9, 2, "retransmission t3/2 needed/4 S1 S21 K5 lost/4 by 25"},
      {9, 3, "retransmission t3/2 needed/4 S1 S21 K6 acked/4 by 25"}}},
    {"what comes as soon as any answer may be that to either copy",
     at_the_sender,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + FLOOR_US - 20, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"what has just room for a chunk may have accepted it",
     at_the_sender,
     {WINDOW(1000), SACK(AT_US - 10000, 8, ""), DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 24"}}},
    {"what lacks a byte may have thrown it away",
     at_the_sender,
     {WINDOW(999), SACK(AT_US - 10000, 8, ""), DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission zero_window_probe/2 needed/3 S21 K12 acked/3 by 24"}}},
};

/* Of as many copies as are looked at, and one more. */
static void what_was_sent_very_often_is_answered_all_the_same(void **state)
{
    (void)state;
    for (uint32_t copies = 32; copies <= 33; copies++) {
        struct talk *talk = at_the_sender();
        for (uint32_t i = 0; i < copies; i++)
            data(talk, AT_US + i * 1000000, 9);
        sack(talk, AT_US + (copies - 1) * 1000000 + WAY_US, 9, "");
        judge(talk);
        const struct sr_transmission_row *last = row_of(talk, 9, copies);
        assert_int_equal(last->outcome, SR_OUTCOME_ACKED);
        assert_int_equal(last->verdict, SR_VERDICT_UNDETERMINED);
        talk_free(talk);
    }
}

/* Where nothing was cut off no copy passed unseen, however much was sent in between. */
static void many_packets_hide_none(void **state)
{
    (void)state;
    struct talk *talk = at_the_sender();
    data(talk, AT_US, 9);
    flight(talk, AT_US + 10, 10, 300, 10);
    sack(talk, AT_US + 4000 + WAY_US, 8, "10-309");
    data(talk, LATER_US, 9);
    sack(talk, LATER_US + WAY_US, 309, "");
    judge(talk);
    check_sent(talk, 9, 2, "retransmission t3/2 needed/4 K6 acked/4 by 324");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sent_very_often_is_answered_all_the_same),
        cmocka_unit_test(many_packets_hide_none),
    };
    return CHECK_ROWS("candidates", rows, check_row) + cmocka_run_group_tests(tests, NULL, NULL);
}
