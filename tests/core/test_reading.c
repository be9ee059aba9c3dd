/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the receiver's own rule says of a TSN that was sent twice (docs/verdict-rules.md, "Which copy came
 * first"): the history with the fewest losses. The receiver is pion's, which reports no duplicates, and 20 ms away. */
#include "talk_rows.h"

#include "halves_of_talk.h"
#include "judge/fates.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = AT_US + 50000, ACKED_US = AGAIN_US + WAY_US };

/* The host of the receiver sends others in between, or nothing else: then its count tells what is missing. */
enum { SENDS_OTHERS = 2, COUNTS = 1 };

static struct talk *warmed_up(bool of_pion, uint8_t flags, uint8_t counts)
{
    struct talk *talk = talk_new();
    talk->counts[B] = counts;
    shake_hands(talk, SENDER_US, WAY_US, of_pion);
    talk->flags = flags;
    warm_up(talk, 8, WAY_US);
    talk->flags = 3;
    return talk;
}

static struct talk *pion(void)
{
    return warmed_up(true, 3, SENDS_OTHERS);
}

static struct talk *pion_that_counts(void)
{
    return warmed_up(true, 3, COUNTS);
}

/* What it sends over the second is counted too, and may be what is missing. */
static struct talk *pion_with_two_addresses(void)
{
    struct talk *talk = pion_that_counts();
    talk->address[B] = 4;
    heartbeat(talk, AT_US - 500000, A, false, 7);
    heartbeat(talk, AT_US - 500000 + WAY_US, B, true, 7);
    talk->address[B] = 2;
    return talk;
}

/* Of TSNs 1 and 2, 3 and 4 and so on the second is sent again, and the answer to that acknowledges both. */
static struct talk *answers_what_is_sent_again(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, true);
    for (uint32_t tsn = 1; tsn < 8; tsn += 2) {
        int64_t at_us = 1000000 + tsn * 100000;
        data(talk, at_us, tsn);
        data(talk, at_us + 10, tsn + 1);
        data(talk, at_us + 50000, tsn + 1);
        sack(talk, at_us + 50000 + WAY_US, tsn + 1, "");
    }
    return talk;
}

enum { I_BIT = 0x08, WITH_I_BIT = 3 | I_BIT, LATER_US = AT_US + 1000000 };

/* 9 is sent, and what comes behind it asks for an answer at once. */
static struct talk *asks_from_now_on(void)
{
    struct talk *talk = pion();
    data(talk, AT_US, 9);
    talk->flags = WITH_I_BIT;
    return talk;
}

/* Of another receiver what is answered at once: */
static struct talk *what_asks(void)
{
    return warmed_up(false, WITH_I_BIT, SENDS_OTHERS);
}

static struct talk *everything(void)
{
    return warmed_up(false, 3, SENDS_OTHERS);
}

static struct talk *everything_and_counts(void)
{
    return warmed_up(false, 3, COUNTS);
}

static struct talk *reports_and_counts(void)
{
    struct talk *talk = everything_and_counts();
    data(talk, AT_US - 500000, 8);
    sack(talk, AT_US - 500000 + WAY_US, 8, "d8");
    return talk;
}

static struct talk_row rows[] = {
    /* 9 is lost. Had the first copy of 10 come, its answer was lost, too; else it was lost in one burst with 9. */
    {"a copy behind a packet that is lost in any case was lost with it",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AGAIN_US, 10), SACK(ACKED_US, 8, "10")},
     {{10, 1, "original lost/3 by 24"},
      {10, 2, "retransmission tlp/4 retransmission/4 needed/3 S19 K7 acked/3 by 24"}}},
    {"behind a packet that came it needs a loss of its own, as many as if its answer was lost",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"),
      DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K7 acked/2 by 26"}}},
    {"and so it does behind a packet that was sent again, and may be under way",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AGAIN_US - 10, 9), DATA(AGAIN_US, 10), SACK(ACKED_US, 8, "10")},
     {{10, 2, "retransmission tlp/4 retransmission/4 undetermined/2 S11 K7 acked/2 by 25"}}},
    {"and so does a copy behind what the answer does not pass over",
     pion,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AGAIN_US - 10, 11), DATA(AGAIN_US, 10), DATA(AGAIN_US + 12000, 10),
      SACK(ACKED_US + 12000, 8, "10")},
     {{10, 3, "retransmission unknown/1 undetermined/2 S11 acked/2 by 26"}}},

    /* 9 is lost, as above; or the answer to 11 was. */
    {"where no packet of the receiver is missing no answer was lost",
     pion_that_counts,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"),
      DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 needed/3 S19 K7 acked/3 by 26"}}},
    {"where one is missing it is that answer",
     pion_that_counts,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"), B_LOST(1),
      DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 spurious/3 S19 K7 acked/2 by 26"}}},
    {"what a SACK with a wrong checksum comes behind is missing, too",
     pion_that_counts,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"), B_LOST(1),
      BROKEN_SACK(AT_US + 30 + WAY_US, 8, "10"), DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 spurious/3 S19 K7 acked/2 by 27"}}},
    {"where many are it has counted something else",
     pion_that_counts,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), B_LOST(7), DATA(AGAIN_US, 10), SACK(ACKED_US, 8, "10")},
     {{10, 2, "retransmission tlp/4 retransmission/4 needed/3 S19 K7 acked/3 by 24"}}},
    {"of two addresses the other may have what is missing",
     pion_with_two_addresses,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"),
      DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K7 acked/2 by 28"}}},

    /* Were the loops of 1, 3, 5 and 7 taken to be 70 ms, an answer might come 50 ms late, and be that to the first. */
    {"what is acknowledged with a TSN that was sent again shows no loop",
     answers_what_is_sent_again,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(AT_US + 20, 11), SACK(AT_US + 10 + WAY_US, 8, "10"),
      DATA(AGAIN_US, 11), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/2 retransmission/2 undetermined/2 S11 K7 acked/2 by 26"}}},

    /* Else either copy's answer comes 0.2 s later, and this one is of a path that stood still. */
    {"what has the I bit is answered at once",
     asks_from_now_on,
     {DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 23"}}},
    {"what has not is answered late",
     pion,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/4 spurious/3 S12 K6 acked/2 by 23"}}},
    {"also by a receiver that answered at once what had",
     what_asks,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/3 S19 K6 acked/2 by 23"}}},
    {"but not by one that answered all at once",
     everything,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 23"}}},

    /* A copy that an answer would have come to sooner had not come, where no packet of the receiver is missing. */
    {"what went unanswered had not come",
     everything_and_counts,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/3 S21 K6 acked/3 by 23"}}},
    {"and that is no proof of an order",
     everything_and_counts,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, ""),
      DATA(LATER_US + WAY_US + 100, 10), SACK(LATER_US + 2 * WAY_US + 100, 10, "")},
     {{10, 2, "retransmission t3_gbn/2 needed/3 S19 K14 acked/3 by 26"}}},
    {"unless an answer was lost",
     everything_and_counts,
     {DATA(AT_US, 9), B_LOST(1), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/3 S19 K6 acked/2 by 23"}}},
    {"where the receiver reports duplicates that none is tells more",
     reports_and_counts,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/3 S10 K6 acked/3 by 25"}}},
    {"of what the answer may be to the receiver's rule tells",
     everything_and_counts,
     {DATA(AT_US, 9), DATA(AT_US + 100000, 9), SACK(AT_US + 100000 + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/2 needed/3 S19 K8 acked/3 by 23"}}},
    {"what is too late for the other copy as well is no answer to that",
     everything_and_counts,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + 400000, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/3 S12 K6 acked/2 by 23"}}},
    {"nor what is too soon",
     everything_and_counts,
     {DATA(AT_US, 9), DATA(LATER_US, 9), SACK(LATER_US + WAY_US / 4, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/4 S8 K6 acked/2 by 23"}}},
    {"nor to one that was discarded",
     everything_and_counts,
     {DATA(AT_US, 9), BROKEN_DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 spurious/4 K6 acked/2 by 23"}}},
};

/* What a pass that learns finds of the rule by which side B acknowledges. Frees the talk. */
static void learn(struct talk *talk, uint32_t votes[SR_ACK_RULE_COUNT])
{
    judge(talk);
    struct sr_half *halves = halves_of(talk);
    struct sr_journal_pass pass = {.next = halves[A].association->entries.first};
    for (struct sr_entry entry; sr_journal_pass(halves[A].journal, &pass, &entry);)
        if (entry.table == SR_ENTRY_TRANSMISSION)
            sr_fates_sent(&halves[A], entry.row);
        else if (entry.table == SR_ENTRY_SACK)
            sr_fates_feedback(&halves[A], entry.row);
    memcpy(votes, halves[A].measured.rule_votes, SR_ACK_RULE_COUNT * sizeof *votes);
    sr_fates_end(&halves[A]);
    halves_free(halves);
    talk_free(talk);
}

/* RFC 9260 section 6.7 has a receiver answer at once, and pion waits for a second packet, or for 200 ms. */
static void what_fills_a_gap_tells_the_rule(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        uint32_t votes[SR_ACK_RULE_COUNT];
        struct talk *talk = talk_new(); /* no handshake tells whose it is */
        warm_up(talk, 8, WAY_US);
        data(talk, AT_US, 9);
        data(talk, AT_US + 10, 11);
        sack(talk, AT_US + 10 + WAY_US, 9, "11");
        data(talk, AT_US + 100000, 10);
        sack(talk, AT_US + 100000 + WAY_US + (waits ? 200000 : 0), 11, "");
        learn(talk, votes);
        assert_int_equal(votes[SR_ACK_RULE_PROMPT], !waits);
        assert_int_equal(votes[SR_ACK_RULE_PION], waits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fills_a_gap_tells_the_rule),
    };
    return CHECK_ROWS("reading", rows, check_row) + cmocka_run_group_tests(tests, NULL, NULL);
}
