/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the first pass over an association: which answers tell how far the receiver is, and what else it notes. */
#include "talk.h"

#include "halves_of_talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

/* Of a talk that was judged, anew: the data of side A. */
static struct sr_measured measure(struct talk *talk)
{
    struct sr_half *halves = halves_of(talk);
    struct sr_measured measured = halves[A].measured;
    halves_free(halves);
    return measured;
}

/* Frees the talk. */
static struct sr_measured measured_in(struct talk *talk)
{
    judge(talk);
    struct sr_measured measured = measure(talk);
    talk_free(talk);
    return measured;
}

static void feedback_that_acknowledges_what_was_never_seen_answers_nobody_knows_what(void **state)
{
    (void)state;
    const char *const blocks[] = {"10-11", "10-12", "11-12", "12"};
    for (int i = 0; i < 4; i++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        flight(talk, AT_US, 9, 3, 10);
        sack(talk, AT_US + 20 + WAY_US, 8, blocks[i]);
        assert_int_equal(measured_in(talk).loop.count, i == 0 ? 9 : 8);
    }
}

/* Whatever the numbers are. */
static void feedback_with_a_lower_cumulative_tsn_was_overtaken_but_the_first_was_not(void **state)
{
    (void)state;
    const uint32_t bases[] = {1, 3000000000};
    for (int i = 0; i < 2; i++)
        for (int overtaken = 0; overtaken < 2; overtaken++) {
            struct talk *talk = talk_new();
            flight(talk, AT_US, bases[i], 2, 10);
            sack(talk, AT_US + 10 + WAY_US, bases[i] + (overtaken ? 1 : 0), "");
            sack(talk, AT_US + 20 + WAY_US, bases[i] + (overtaken ? 0 : 1), "");
            assert_int_equal(measured_in(talk).overtaken, overtaken);
        }
}

/* The books note what was seen before, also what the network repeats. */
static void the_copy_before_is_one_that_the_sender_sent(void **state)
{
    (void)state;
    enum { ORIGINAL = 8, REPEATED, AGAIN };
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    data(talk, AT_US, 9);
    talk->id[A]--;
    data(talk, AT_US + 10000, 9);
    data(talk, AT_US + 1000000, 9);
    judge(talk);
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    struct sr_transmission_row *again = sr_transmission_at(journal, AGAIN);
    assert_int_equal(sr_transmission_at(journal, REPEATED)->kind, SR_KIND_NETWORK_DUPLICATE);
    again->prev_row = 1 + REPEATED;
    measure(talk);
    assert_int_equal(again->prev_row, 1 + ORIGINAL);
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_that_acknowledges_what_was_never_seen_answers_nobody_knows_what),
        cmocka_unit_test(feedback_with_a_lower_cumulative_tsn_was_overtaken_but_the_first_was_not),
        cmocka_unit_test(the_copy_before_is_one_that_the_sender_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
