/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what nothing is left of when a side's TSNs are numbered anew (RFC 6525 section 5.1.4). The receiver is 20 ms
 * away. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, LATER_US = 4000000, NEXT = 7000, NEXT_OF_B = 5000 };

/* TSNs up to 8 were sent, and acknowledged. */
static struct talk *begin(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

/* Side A asks for it, and side B answers where both begin. */
static void number_anew(struct talk *talk, int64_t at_us, uint32_t next)
{
    control(talk, at_us, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    control(talk, at_us + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, (uint32_t)NEXT_OF_B, next);
}

/* The numbering before was given up to a TSN that the new one has, too. */
static void what_is_given_up_later_begins_at_the_first_tsn(void **state)
{
    (void)state;
    for (uint32_t before = 0; before < 2; before++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 3, 10);
        if (before)
            forward_tsn(talk, AT_US + 1000, 11);
        number_anew(talk, AT_US + 100000, 10);
        flight(talk, LATER_US, 10, 4, 10);
        forward_tsn(talk, LATER_US + 1000, 13);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->abandoned_tsns, 3 + 4);
        talk_free(talk);
    }
}

/* Of the first numbering the TSN below the first is acknowledged by a receiver that has nothing (RFC 9260 section
 * 3.3.4); of the next one it was never sent. */
static void the_initial_tsn_is_that_of_the_handshake_alone(void **state)
{
    (void)state;
    struct talk *talk = begin();
    number_anew(talk, AT_US, 4294967000u);
    flight(talk, LATER_US, 4294967000u, 3, 10);
    sack(talk, LATER_US + WAY_US, 4294967002u, "");
    forward_tsn(talk, LATER_US + 100000, 4294967290u);
    flight(talk, LATER_US + 200000, 4294967291u, 5, 10);
    flight(talk, LATER_US + 200100, 1, 2, 10); /* 0 was lost before the tap */
    sack(talk, LATER_US + 200100 + WAY_US, 2, "");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->unseen_tsns, 1);
    talk_free(talk);
}

/* As a response is, with its request (RFC 6525 section 5.2.1). */
static void a_response_that_is_repeated_changes_nothing(void **state)
{
    (void)state;
    struct talk *talk = begin();
    number_anew(talk, AT_US, NEXT);
    flight(talk, LATER_US, NEXT, 3, 10);
    number_anew(talk, LATER_US + 1000, NEXT);
    sack(talk, LATER_US + WAY_US + 10000, NEXT + 2, "");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->abandoned_tsns, 0);
    assert_int_equal(figures_of(talk, A)->acked_tsns, 8 + 3);
    talk_free(talk);
}

static void where_it_goes_on_with_its_next_tsn_it_is_numbered_as_before(void **state)
{
    (void)state;
    for (uint32_t next = 11; next <= 13; next++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 3, 10);
        number_anew(talk, AT_US + 1000, next);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->abandoned_tsns, next == 12 ? 0 : 3);
        talk_free(talk);
    }
}

/* Two in a row that leave out what one before acknowledged take it back, but only of one numbering. */
static void the_first_sack_of_it_takes_nothing_back(void **state)
{
    (void)state;
    for (uint32_t anew = 0; anew < 2; anew++) {
        uint32_t first = anew ? 9 : 14;
        struct talk *talk = begin();
        flight(talk, AT_US, 9, 5, 10);
        sack(talk, AT_US + WAY_US, 8, "11-13");
        sack(talk, AT_US + WAY_US + 1000, 8, "12-13");
        if (anew)
            number_anew(talk, AT_US + 100000, first);
        flight(talk, LATER_US, first, 5, 10);
        if (anew) {
            sack(talk, LATER_US + WAY_US, 8, "11-13");
            sack(talk, LATER_US + WAY_US + 1000, 8, "12-13");
        } else {
            sack(talk, LATER_US + WAY_US, 8, "12-13");
        }
        judge(talk);
        assert_int_equal(figures_of(talk, A)->withdrawn_tsns, !anew);
        talk_free(talk);
    }
}

/* Its first feedback is not overtaken by that of the numbering before. */
static void feedback_of_it_is_not_late_for_having_a_lower_tsn(void **state)
{
    (void)state;
    struct talk *talk = begin();
    number_anew(talk, AT_US, 3);
    flight(talk, LATER_US, 3, 3, 10);
    sack(talk, LATER_US + WAY_US, 4, "");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->stale_sacks, 0);
    assert_int_equal(figures_of(talk, A)->acked_tsns, 8 + 2);
    talk_free(talk);
}

/* Nobody can tell which packet that answers. */
static void what_acknowledges_more_than_was_seen_of_it_is_no_round_trip(void **state)
{
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        struct talk *talk = begin();
        number_anew(talk, AT_US, 3);
        flight(talk, LATER_US, 3, 3, 10);
        sack(talk, LATER_US + WAY_US, 5 + more, "");
        judge(talk);
        const struct sr_journal *journal = sr_engine_journal(talk->engine);
        const struct sr_sack_row *row = sr_sack_at(journal, journal->sacks.count - 1);
        assert_int_equal(row->rtt_ns, more ? SR_NO_TIME : (WAY_US - 20) * US);
        talk_free(talk);
    }
}

/* What was sent before the tap had all of it is not missed, and that is told by the first of it. */
static void what_lies_between_its_first_tsn_and_what_was_seen_was_never_seen(void **state)
{
    (void)state;
    struct talk *talk = begin();
    number_anew(talk, AT_US, NEXT);
    flight(talk, LATER_US, NEXT + 2, 2, 10);
    sack(talk, LATER_US + WAY_US, NEXT + 3, "");
    judge(talk);
    assert_int_equal(figures_of(talk, A)->unseen_tsns, 2);
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_up_later_begins_at_the_first_tsn),
        cmocka_unit_test(the_initial_tsn_is_that_of_the_handshake_alone),
        cmocka_unit_test(a_response_that_is_repeated_changes_nothing),
        cmocka_unit_test(where_it_goes_on_with_its_next_tsn_it_is_numbered_as_before),
        cmocka_unit_test(the_first_sack_of_it_takes_nothing_back),
        cmocka_unit_test(feedback_of_it_is_not_late_for_having_a_lower_tsn),
        cmocka_unit_test(what_acknowledges_more_than_was_seen_of_it_is_no_round_trip),
        cmocka_unit_test(what_lies_between_its_first_tsn_and_what_was_seen_was_never_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
