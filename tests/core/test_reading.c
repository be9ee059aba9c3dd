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

static struct talk *pion_at_once(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, true);
    return talk;
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
    {"also behind the first packet of the capture",
     pion_at_once,
     {DATA(AT_US, 1), DATA(AT_US + 10, 2), DATA(AGAIN_US, 2), SACK(ACKED_US, 0, "2")},
     {{2, 2, "retransmission tlp/2 retransmission/2 needed/3 S19 K7 acked/3 by 8"}}},
    {"a packet that was lost is one loss, however many chunks it had",
     pion,
     {DATA(AT_US, 9), DATA_OF(AT_US + 10, 10, 2), DATA_OF(AGAIN_US, 10, 2), SACK(ACKED_US, 8, "10-11")},
     {{11, 2, "retransmission tlp/4 retransmission/4 needed/3 S19 K7 acked/3 by 24"}}},
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
    /* Feedback later than the loop, and what timers vary by, that did not tell of the first copy. */
    {"what the feedback before should have told of takes a delayed answer as well",
     everything,
     {DATA(AT_US, 9), SACK(AT_US + WAY_US + 10001, 8, ""), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 needed/3 S19 K6 acked/3 by 24"}}},
    {"unless that may have been sent before it came",
     everything,
     {DATA(AT_US, 9), SACK(AT_US + WAY_US + 10000, 8, ""), DATA(LATER_US, 9), SACK(LATER_US + WAY_US, 9, "")},
     {{9, 2, "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 24"}}},
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

/* Nothing is missing where TSNs are numbered anew (RFC 6525 section 4.4): pion waits 200 ms with what comes first. */
static void what_was_numbered_anew_fills_no_gap(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        struct talk *talk = pion();
        control(talk, AT_US, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
        control(talk, AT_US + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7000u);
        data(talk, LATER_US, 7000);
        data(talk, LATER_US + 1000000, 7000);
        sack(talk, LATER_US + 1000000 + WAY_US + (waits ? 200000 : 0), 7000, "");
        judge(talk);
        check_sent(talk, 7000, 2,
                   waits ? "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 25"
                         : "retransmission t3/4 spurious/3 S12 K6 acked/2 by 25");
        talk_free(talk);
    }
}

/* A receiver that answered so many packets at once, and so many after 200 ms. Then one is sent twice, and the answer
 * comes at once, or late. */
static void check_answer_of(uint32_t at_once, uint32_t waits, bool late, const char *expected)
{
    struct talk *talk = talk_new();
    int64_t at_us = 1000000;
    uint32_t tsn = 1;
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (; tsn <= 1 + at_once + waits; tsn++, at_us += 1000000) { /* the first answer tells of no rule */
        data(talk, at_us, tsn);
        sack(talk, at_us + WAY_US + (tsn > 1 + at_once ? 200000 : 0), tsn, "");
    }
    data(talk, at_us, tsn);
    data(talk, at_us + 1000000, tsn);
    sack(talk, at_us + 1000000 + WAY_US + (late ? 200000 : 0), tsn, "");
    judge(talk);
    talk->length = 0;
    add_sent(talk, row_of(talk, tsn, 2));
    if (!strstr(talk->text, expected))
        fail_msg("%u at once, %u later: %s, not %s", at_once, waits, talk->text, expected);
    talk_free(talk);
}

/* Then the answer may be that to either copy; by RFC 9260 section 6.2 the second would be answered later, if the first
 * had not come. */
static void who_answers_three_at_once_and_half_as_many_as_wait_may_answer_all_so(void **state)
{
    (void)state;
    check_answer_of(2, 0, false, "spurious/3 S19");
    check_answer_of(3, 0, false, "undetermined/2 S11");
    check_answer_of(3, 6, false, "undetermined/2 S11");
    check_answer_of(3, 7, false, "spurious/3 S19");
}

/* Then what comes later is the answer to neither; else it may be that to the second. */
static void who_answers_more_than_twice_as_many_at_once_as_wait_does_not_wait(void **state)
{
    (void)state;
    check_answer_of(2, 0, true, "needed/3 S19");
    check_answer_of(3, 1, true, "spurious/3 S12");
    check_answer_of(4, 2, true, "undetermined/2 S11");
}

/* No handshake tells whose a receiver is. Of what filled gaps it has answered so much at once (RFC 9260 section 6.7),
 * and so much late, as pion does; else it waits for a second packet, but for so many that it answered at once. */
static struct talk *talk_of_votes(uint32_t alone, uint32_t prompt, uint32_t of_pion)
{
    struct talk *talk = talk_new();
    int64_t at_us = 1000000;
    uint32_t tsn = 1;
    for (; tsn <= 12; tsn += 2, at_us += 1000000) {
        flight(talk, at_us, tsn, 2, 10);
        sack(talk, at_us + 10 + WAY_US, tsn + 1, "");
    }
    for (uint32_t i = 0; i < prompt + of_pion; i++, tsn += 3, at_us += 1000000) {
        char top[16];
        snprintf(top, sizeof top, "%u", tsn + 2);
        data(talk, at_us, tsn);
        data(talk, at_us + 10, tsn + 2);
        sack(talk, at_us + 10 + WAY_US, tsn, top);
        data(talk, at_us + 100000, tsn + 1);
        sack(talk, at_us + 100000 + WAY_US + (i < prompt ? 0 : 200000), tsn + 2, "");
    }
    for (uint32_t i = 0; i < alone; i++, tsn++, at_us += 1000000) {
        data(talk, at_us, tsn);
        sack(talk, at_us + WAY_US, tsn, "");
    }
    return talk;
}

static void check_answer_by_votes(uint32_t prompt, uint32_t of_pion, const char *expected)
{
    struct talk *talk = talk_of_votes(0, prompt, of_pion);
    uint32_t tsn = 13 + 3 * (prompt + of_pion);
    data(talk, 20000000, tsn);
    data(talk, 21000000, tsn);
    sack(talk, 21000000 + WAY_US, tsn, "");
    judge(talk);
    talk->length = 0;
    add_sent(talk, row_of(talk, tsn, 2));
    if (!strstr(talk->text, expected))
        fail_msg("%u at once, %u as pion: %s, not %s", prompt, of_pion, talk->text, expected);
    talk_free(talk);
}

/* The answer to what comes twice is made at once, or by pion 200 ms later: then a path that stood still gave it back.
 */
static void a_rule_with_less_than_half_the_votes_of_the_other_is_not_the_receivers(void **state)
{
    (void)state;
    check_answer_by_votes(0, 0, "undetermined/2 S11");
    check_answer_by_votes(1, 2, "undetermined/2 S11");
    check_answer_by_votes(2, 1, "undetermined/2 S11");
    check_answer_by_votes(1, 3, "spurious/3 S12");
    check_answer_by_votes(3, 1, "spurious/3 S19");
    check_answer_by_votes(2, 5, "spurious/3 S12");
    check_answer_by_votes(5, 2, "spurious/3 S19");
}

/* What a pass that learns finds of side B. Frees the talk. */
static struct sr_measured learn(struct talk *talk)
{
    judge(talk);
    struct sr_half *halves = halves_of(talk);
    struct sr_journal_pass pass = {.next = halves[A].association->entries.first};
    for (struct sr_entry entry; sr_journal_pass(halves[A].journal, &pass, &entry);)
        if (entry.table == SR_ENTRY_TRANSMISSION)
            sr_fates_sent(&halves[A], entry.row);
        else if (entry.table == SR_ENTRY_SACK)
            sr_fates_feedback(&halves[A], entry.row);
    sr_fates_end(&halves[A]);
    struct sr_measured measured = halves[A].measured;
    halves_free(halves);
    talk_free(talk);
    return measured;
}

/* RFC 9260 section 6.7 has a receiver answer at once, and pion waits for a second packet, or for 200 ms. */
static void what_fills_a_gap_tells_the_rule(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        struct talk *talk = talk_new(); /* no handshake tells whose it is */
        warm_up(talk, 8, WAY_US);
        data(talk, AT_US, 9);
        data(talk, AT_US + 10, 11);
        sack(talk, AT_US + 10 + WAY_US, 9, "11");
        data(talk, AT_US + 100000, 10);
        sack(talk, AT_US + 100000 + WAY_US + (waits ? 200000 : 0), 11, "");
        struct sr_measured measured = learn(talk);
        assert_int_equal(measured.rule_votes[SR_ACK_RULE_PROMPT], !waits);
        assert_int_equal(measured.rule_votes[SR_ACK_RULE_PION], waits);
    }
}

/* As behind a numbering that begins anew: of a capture with the handshake nothing is missing before the first TSN. */
static void what_comes_first_of_all_fills_no_gap(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        struct talk *talk = pion_at_once();
        data(talk, AT_US, 1);
        data(talk, LATER_US, 1);
        sack(talk, LATER_US + WAY_US + (waits ? 200000 : 0), 1, "");
        judge(talk);
        check_sent(talk, 1, 2,
                   waits ? "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 7"
                         : "retransmission t3/4 spurious/3 S12 K6 acked/2 by 7");
        talk_free(talk);
    }
}

/* Then what fills a gap is of no other use. */
static void where_duplicates_are_reported_no_rule_is_asked_for(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    warm_up(talk, 8, WAY_US);
    data(talk, AT_US - 500000, 8);
    sack(talk, AT_US - 500000 + WAY_US, 8, "d8");
    data(talk, AT_US, 9);
    data(talk, AT_US + 10, 11);
    sack(talk, AT_US + 10 + WAY_US, 9, "11");
    data(talk, AT_US + 100000, 10);
    sack(talk, AT_US + 100000 + WAY_US, 11, "");
    struct sr_measured measured = learn(talk);
    assert_int_equal(measured.rule_votes[SR_ACK_RULE_PROMPT] + measured.rule_votes[SR_ACK_RULE_PION], 0);
}

/* Often enough for what waits to leave its loop as it is. */
enum { AT_ONCE = 40, WAITS_US = 6000000 };

static struct talk *forty_at_once(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, AT_ONCE, WAY_US);
    return talk;
}

/* Timers tick every 10 ms; RFC 9260 section 6.2 has a receiver wait for 500 ms at most, and hosts
 * take a little more. */
static void how_long_a_packet_alone_waits_for_its_answer_tells_the_delay(void **state)
{
    (void)state;
    static const struct {
        int64_t waited_us;
        bool waits, tells;
    } rows_of_waits[] = {{10000, false, false}, {10001, true, false}, {20000, true, false},
                         {20001, true, true},   {550000, true, true}, {550001, true, false}};
    for (size_t i = 0; i < sizeof rows_of_waits / sizeof *rows_of_waits; i++) {
        struct talk *talk = forty_at_once();
        data(talk, WAITS_US, AT_ONCE + 1);
        sack(talk, WAITS_US + WAY_US + rows_of_waits[i].waited_us, AT_ONCE + 1, "");
        struct sr_measured measured = learn(talk);
        assert_int_equal(measured.rule_votes[SR_ACK_RULE_EVERY], AT_ONCE - 1 + !rows_of_waits[i].waits);
        assert_int_equal(measured.waits, rows_of_waits[i].waits);
        assert_int_equal(measured.delays.count, rows_of_waits[i].tells);
    }
}

/* Of four that waited as long, within an eighth. */
static void as_long_again_and_again_is_the_delay_of_acknowledgements(void **state)
{
    (void)state;
    static const struct {
        int64_t waited_us[4];
        uint32_t count;
        int64_t delay_us;
    } cases[] = {
        {{100000, 100000, 100000, 100000}, 3, 200000},
        {{100000, 100000, 100000, 100000}, 4, 100000},
        {{80000, 80000, 88000, 90000}, 4, 80000},
        {{80000, 80000, 90001, 90001}, 4, 200000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct talk *talk = forty_at_once();
        for (uint32_t n = 0; n < cases[i].count; n++) {
            data(talk, WAITS_US + n * 1000000, AT_ONCE + 1 + n);
            sack(talk, WAITS_US + n * 1000000 + WAY_US + cases[i].waited_us[n], AT_ONCE + 1 + n, "");
        }
        struct sr_measured measured = learn(talk);
        assert_int_equal(measured.delays.count, cases[i].count);
        assert_int_equal(measured.ack_delay_ns, cases[i].delay_us * US);
    }
}

static void an_answer_to_more_packets_than_are_looked_at_tells_no_rule(void **state)
{
    (void)state;
    for (uint32_t count = SR_ARRIVALS; count <= SR_ARRIVALS + 1; count++) {
        struct talk *talk = everything();
        flight(talk, AT_US, 9, count, 10);
        sack(talk, AT_US + 10 * (count - 1) + WAY_US, 8 + count, "");
        assert_int_equal(learn(talk).waits, count == SR_ARRIVALS);
    }
}

/* By pion's rule either copy, by that of a receiver that answers all at once none: it may be any of both. */
static void what_one_rule_explains_twice_and_another_not_at_all_nobody_can_tell(void **state)
{
    (void)state;
    struct talk *talk = talk_of_votes(3, 0, 3);
    data(talk, 20000000, 25);
    data(talk, 21000000, 25);
    sack(talk, 21000000 + WAY_US + 200000, 25, "");
    judge(talk);
    check_sent(talk, 25, 2, "retransmission t3/2 undetermined/2 S11 K6 acked/2 by 42");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_numbered_anew_fills_no_gap),
        cmocka_unit_test(who_answers_three_at_once_and_half_as_many_as_wait_may_answer_all_so),
        cmocka_unit_test(who_answers_more_than_twice_as_many_at_once_as_wait_does_not_wait),
        cmocka_unit_test(a_rule_with_less_than_half_the_votes_of_the_other_is_not_the_receivers),
        cmocka_unit_test(what_fills_a_gap_tells_the_rule),
        cmocka_unit_test(what_comes_first_of_all_fills_no_gap),
        cmocka_unit_test(where_duplicates_are_reported_no_rule_is_asked_for),
        cmocka_unit_test(how_long_a_packet_alone_waits_for_its_answer_tells_the_delay),
        cmocka_unit_test(as_long_again_and_again_is_the_delay_of_acknowledgements),
        cmocka_unit_test(an_answer_to_more_packets_than_are_looked_at_tells_no_rule),
        cmocka_unit_test(what_one_rule_explains_twice_and_another_not_at_all_nobody_can_tell),
    };
    return CHECK_ROWS("reading", rows, check_row) + cmocka_run_group_tests(tests, NULL, NULL);
}
