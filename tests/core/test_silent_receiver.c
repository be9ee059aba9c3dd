/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how sure it is that a copy was lost where the receiver tells of no duplicates, as pion. */
#include "taps_of_talk.h"

/* TSN 9 is sent again at the third missing report, and acknowledged a round trip after that. */
static void one_is_missing(struct talk *talk, int64_t way_us, int64_t reaction_us)
{
    flight(talk, 3000000, 9, 5, 1000);
    sack(talk, 3001000 + way_us, 8, "10");
    sack(talk, 3002000 + way_us, 8, "10-11");
    sack(talk, 3003000 + way_us, 8, "10-12");
    data(talk, 3003000 + way_us + reaction_us, 9);
    sack(talk, 3003000 + 2 * way_us + reaction_us, 13, "");
    judge(talk);
}

static void verdict_is(struct talk *talk, uint32_t class)
{
    const struct sr_transmission_row *first = row_of(talk, 9, 1), *again = row_of(talk, 9, 2);
    assert_int_equal(again->verdict, SR_VERDICT_NEEDED);
    assert_int_equal(again->verdict_class, class);
    assert_int_equal(first->outcome, SR_OUTCOME_LOST);
    assert_int_equal(first->outcome_class, class);
    talk_free(talk);
}

static void of_pion_it_may_have_come_later(void **state)
{
    (void)state;
    struct talk *talk = at_sender(true);
    one_is_missing(talk, WAY_US, 50);
    verdict_is(talk, 3);
    talk = in_the_middle(true);
    one_is_missing(talk, HALF_US, HALF_US);
    verdict_is(talk, 3);
}

static void at_its_own_tap_it_would_be_seen_to_come(void **state)
{
    (void)state;
    struct talk *talk = at_receiver(true);
    one_is_missing(talk, SENDER_US, WAY_US);
    verdict_is(talk, 4);
}

static void another_may_tell(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    one_is_missing(talk, WAY_US, 50);
    verdict_is(talk, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_pion_it_may_have_come_later),
        cmocka_unit_test(at_its_own_tap_it_would_be_seen_to_come),
        cmocka_unit_test(another_may_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
