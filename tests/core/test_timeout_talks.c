/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations in which T3-rtx expires, and all that is said of them: talks/NAME.rows. */
#include "talk_text.h"
#include "taps_of_talk.h"

/* The flight is lost whole, or its acknowledgements are; T3-rtx sends it again. */
static void time_out(struct talk *talk, int64_t loop_us, bool arrived, int64_t rto_us)
{
    flight(talk, 3000000, 9, 4, 1000);
    data(talk, 3000000 + rto_us, 9);
    if (arrived) {
        sack(talk, 3000000 + rto_us + loop_us, 12, "d9");
        return;
    }
    sack(talk, 3000000 + rto_us + loop_us, 9, "");
    flight(talk, 3000000 + rto_us + loop_us + 100, 10, 2, 100);
    sack(talk, 3000000 + rto_us + 2 * loop_us + 200, 11, "");
    data(talk, 3000000 + rto_us + 2 * loop_us + 300, 12);
    sack(talk, 3000000 + rto_us + 3 * loop_us + 300, 12, "");
}

static void a_timeout_sends_all_again(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    time_out(talk, WAY_US, false, 1000000);
    check_all(talk, "a_timeout_sends_all_again");
    talk = in_the_middle(false);
    time_out(talk, HALF_US, false, 1000000);
    check_all(talk, "a_timeout_sends_all_again_in_the_middle");
    talk = at_receiver(false);
    time_out(talk, SENDER_US, false, 1000000);
    check_all(talk, "a_timeout_sends_all_again_at_the_receiver");
}

/* TSN 12 leaves when the replayed T3-rtx has expired and the real one has not: it is outstanding at the timeout all the
 * same (RFC 9260 section 6.3.3 E3). */
static void a_timeout_sends_again_what_left_just_before(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3000000, 9, 3, 100);
    data(talk, 4008000, 12);
    data(talk, 4012000, 9);
    sack(talk, 4012000 + WAY_US, 9, "");
    data(talk, 4012100 + WAY_US, 10);
    data(talk, 4012200 + WAY_US, 11);
    sack(talk, 4012200 + 2 * WAY_US, 11, "");
    data(talk, 4012300 + 2 * WAY_US, 12);
    sack(talk, 4012400 + 3 * WAY_US, 12, "");
    check_all(talk, "a_timeout_sends_again_what_left_just_before");
}

static void a_timeout_for_lost_feedback_is_spurious(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    time_out(talk, WAY_US, true, 1000000);
    check_all(talk, "a_timeout_for_lost_feedback_is_spurious");
    talk = at_sender(false);
    time_out(talk, WAY_US, true, 200000); /* RTO.Min of the sender */
    check_all(talk, "a_timeout_of_another_rto_min");
}

/* It lets all go at once that a sender with RACK has sent meanwhile, behind it what its timeout sent again. With
 * `overtaken` a TSN is reported as missing before it comes. */
static void a_path_stands_still(void **state)
{
    (void)state;
    for (int overtaken = 0; overtaken < 2; overtaken++) {
        struct talk *talk = in_the_middle(true);
        flight(talk, 5000000, 9, 30, 1000);
        if (overtaken)
            sack(talk, 5000500 + HALF_US, 8, "10");
        for (uint32_t i = 0; i < 30; i++)
            sack(talk, 5001000 + i * 1000 + HALF_US, 9 + i, "");
        flight(talk, 5045000, 9, 5, 1000);
        data(talk, 5100000, 39);
        sack(talk, 5100000 + HALF_US, 39, "");
        check_all(talk, overtaken ? "a_path_stands_still_and_one_was_missed" : "a_path_stands_still");
    }
}

/* A delay spike: the timeout sends again what is on its way, and all of it comes. */
static void a_delay_spike_makes_a_storm(void **state)
{
    (void)state;
    for (int back = 0; back < 2; back++) {
        struct talk *talk = back ? in_the_middle(false) : at_sender(false);
        int64_t loop_us = back ? HALF_US : WAY_US;
        flight(talk, 3000000, 9, 5, 1000);
        data(talk, 4000000, 9);
        sack(talk, 4100000, 10, "");
        flight(talk, 4100100, 11, 3, 100);
        sack(talk, 4101000, 13, "");
        sack(talk, 4100000 + loop_us, 13, "d9");
        sack(talk, 4100200 + loop_us, 13, "d11 d12");
        sack(talk, 4100400 + loop_us, 13, "d13");
        data(talk, 4200000, 14);
        sack(talk, 4200000 + loop_us, 14, "");
        check_all(talk, back ? "a_delay_spike_makes_a_storm_in_the_middle" : "a_delay_spike_makes_a_storm");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timeout_sends_all_again),
        cmocka_unit_test(a_timeout_for_lost_feedback_is_spurious),
        cmocka_unit_test(a_timeout_sends_again_what_left_just_before),
        cmocka_unit_test(a_path_stands_still),
        cmocka_unit_test(a_delay_spike_makes_a_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
