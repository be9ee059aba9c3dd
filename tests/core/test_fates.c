/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is kept of a direction from one acknowledgement to the next: whether the one before is to be believed,
 * and nothing of a numbering that is over. The receiver is 20 ms away. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = 4000000 };

static struct talk *at_the_sender(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *behind_the_handshake(void)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    return talk;
}

static struct talk_row rows[] = {
    {"what was acknowledged before it was seen was so by the feedback before",
     at_the_sender,
     {DATA(AT_US, 10), SACK(AT_US + WAY_US, 10, ""), DATA(AGAIN_US, 9), SACK(AGAIN_US + WAY_US, 10, "")},
     {{9, 1, "retransmission unknown/1 spurious/4 S2 acked/2 by 22"}}},
    {"also by the first of the capture",
     behind_the_handshake,
     {DATA(AT_US, 2), SACK(AT_US + WAY_US, 2, ""), DATA(AGAIN_US, 1)},
     {{1, 1, "retransmission unknown/1 spurious/4 S17 acked/2 by 6"}}},
    {"of several by the first that had it",
     at_the_sender,
     {DATA(AT_US, 10), SACK(AT_US + WAY_US, 10, ""), DATA(AT_US + 100000, 11), SACK(AT_US + 100000 + WAY_US, 11, ""),
      DATA(AGAIN_US, 9)},
     {{9, 1, "retransmission unknown/1 spurious/4 S2 acked/2 by 22"}}},
    {"and where more is missing before it in the capture than the books look back",
     at_the_sender,
     {DATA(AT_US, 20010), SACK(AT_US + WAY_US, 20010, ""), DATA(AGAIN_US, 20009)},
     {{20009, 1, "retransmission unknown/1 spurious/4 S17 acked/2 by 22"}}},
    {"by which feedback a block acknowledged it there is forgotten, and what became of it is open",
     at_the_sender,
     {DATA(AT_US, 20010), SACK(AT_US + WAY_US, 20007, "20009-20010"), DATA(AGAIN_US, 20009)},
     {{20009, 1, "retransmission unknown/1 undetermined/2 unresolved/1"}}},
    {"a block among what was seen makes it no less sure",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10, 11), SACK(AT_US + WAY_US, 8, "10-11"), DATA(AGAIN_US, 10),
      SACK(AGAIN_US + WAY_US, 8, "10-11"), DATA(AGAIN_US + 1000000, 10)},
     {{10, 1, "retransmission unknown/1 spurious/4 S2 acked/2 by 23"},
      {10, 2, "retransmission t3/1 spurious/4 S2 acked/2 by 23"}}},
    {"nor feedback that claims too much of what one before had vouched for",
     at_the_sender,
     {DATA(AT_US, 9), DATA(AT_US + 10, 10), SACK(AT_US + WAY_US, 8, "10"), SACK(AT_US + WAY_US + 10, 8, "10-13"),
      DATA(AGAIN_US, 10), SACK(AGAIN_US + WAY_US, 8, "10-13")},
     {{10, 1, "original acked/5 by 23"}, {10, 2, "retransmission t3/1 spurious/5 S17 acked/2 by 23"}}},
    /* RFC 3758 section 3.6: what a FORWARD-TSN passes over is acknowledged whether it arrived or not. That it was sent
     * again its packet says. */
    {"what was passed over and not acknowledged when it was seen first was lost before the tap",
     at_the_sender,
     {DATA(AT_US, 10), FORWARD_TSN(AT_US + 10, 9), DATA_OF(AGAIN_US, 9, 2), SACK(AGAIN_US + WAY_US, 10, "")},
     {{9, 1, "retransmission t3/1 needed/4 S14 abandoned/1 by 24"}}},
    {"what was acknowledged then may have been so for that alone",
     at_the_sender,
     {DATA(AT_US, 10), FORWARD_TSN(AT_US + 10, 9), SACK(AT_US + WAY_US, 10, ""), DATA_OF(AGAIN_US, 9, 2)},
     {{9, 1, "retransmission unknown/1 undetermined/2 abandoned/1 by 23"}}},
    {"as many reports of duplicates as copies say that one came before the capture",
     talk_new,
     {DATA(100000, 19), DATA(100010, 20), DATA(300000, 15), DATA(400000, 15), SACK(420000, 20, "d15 d15"),
      DATA(1000000, 21), SACK(1020000, 21, ""), DATA(1100000, 22), SACK(1120000, 22, "")},
     {{15, 1, "retransmission unknown/1 spurious/4 S4 acked/2 by 5"},
      {15, 2, "retransmission unknown/1 spurious/4 S3 acked/4 by 5"}}},
    {"fewer leave it open",
     talk_new,
     {DATA(100000, 19), DATA(100010, 20), DATA(300000, 15), DATA(400000, 15), SACK(420000, 20, "d15"),
      DATA(1000000, 21), SACK(1020000, 21, ""), DATA(1100000, 22), SACK(1120000, 22, "")},
     {{15, 1, "retransmission unknown/1 undetermined/2 S11 acked/2 by 5"},
      {15, 2, "retransmission unknown/1 spurious/4 S3 acked/4 by 5"}}},
    {"it is less sure that a copy was needless where the feedback before it claimed what had not been seen",
     at_the_sender,
     {
         SACK(AT_US, 9, ""),
         DATA(AT_US + 50000, 10),
         DATA(AGAIN_US, 9),
         DATA(AGAIN_US + 1000000, 9),
     },
     {{9, 2, "retransmission t3/1 spurious/4 S2 acked/2 by 21"}}},
};

static void what_the_books_did_not_have_was_acknowledged_when_that_feedback_came(void **state)
{
    (void)state;
    struct talk *talk = at_the_sender();
    data(talk, AT_US, 20010);
    sack(talk, AT_US + WAY_US, 20010, "");
    data(talk, AGAIN_US, 20009);
    judge(talk);
    for (uint32_t tsn = 20009; tsn <= 20010; tsn++)
        assert_int_equal(row_of(talk, tsn, 1)->acked_time_ns - TALK_NS, (AT_US + WAY_US) * US);
    talk_free(talk);
}

/* By the response of a RE-CONFIG (RFC 6525 section 4.4): above, or below what they were. */
static void feedback_of_the_numbering_before_tells_nothing_of_the_next(void **state)
{
    (void)state;
    const uint32_t bases[] = {7000, 3000000000};
    for (int i = 0; i < 2; i++) {
        uint32_t base = bases[i];
        struct talk *talk = at_the_sender();
        control(talk, AT_US, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
        control(talk, AT_US + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, base);
        data(talk, AGAIN_US, base);
        sack(talk, AGAIN_US + WAY_US, base, "");
        data(talk, AGAIN_US + 100000, base + 1);
        data(talk, AGAIN_US + 1100000, base + 1);
        sack(talk, AGAIN_US + 1100000 + WAY_US / 4, base + 1, "");
        judge(talk);
        check_sent(talk, base, 1, "original acked/5 by 24");
        check_sent(talk, base + 1, 2, "retransmission t3/3 spurious/4 S8 K6 acked/2 by 27");
        talk_free(talk);
    }
}

/* A thousand TSNs are kept behind the highest, where all are acknowledged. */
static void of_what_is_sent_again_long_after_its_acknowledgement_nothing_is_known(void **state)
{
    (void)state;
    struct talk *talk = at_the_sender();
    uint32_t last = 8;
    for (int i = 0; i < 12; i++, last += 100) {
        flight(talk, AT_US + i * 50000, last + 1, 100, 10);
        sack(talk, AT_US + i * 50000 + 1000 + WAY_US, last + 100, "");
    }
    data(talk, AGAIN_US, 9);
    data(talk, AGAIN_US + 10000, last);
    judge(talk);
    check_sent(talk, 9, 2, "retransmission unknown/1 undetermined/1 unresolved/1 by 121");
    check_sent(talk, last, 2, "retransmission unknown/1 spurious/5 S17 acked/2 by 1232");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_what_is_sent_again_long_after_its_acknowledgement_nothing_is_known),
        cmocka_unit_test(what_the_books_did_not_have_was_acknowledged_when_that_feedback_came),
        cmocka_unit_test(feedback_of_the_numbering_before_tells_nothing_of_the_next),
    };
    return CHECK_ROWS("fates", rows, check_row) + cmocka_run_group_tests(tests, NULL, NULL);
}
