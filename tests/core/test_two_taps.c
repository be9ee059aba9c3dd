/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is said where a file has all packets of two taps, 20 ms from each other. */
#include "talk_text.h"

enum { WAY_US = 20000, MANY = 16, AGAIN_US = 260000 };

/* Data of pion that each tap has once; the last is sent again by its probe. Without identifications nothing tells the
 * other tap's copy from one that was sent again. */
static struct talk *at_two_taps(bool sure)
{
    struct talk *talk = talk_new();
    shake_hands(talk, 100, WAY_US, true);
    talk->id[A] = talk->id[B] = sure ? 100 : 0;
    for (uint32_t i = 1; i <= MANY; i++) {
        int64_t at_us = 1000000 + i * 1000000;
        for (int again = 0; again < 1 + (i == MANY); again++) {
            data(talk, at_us, i);
            talk->id[A] -= sure;
            data(talk, at_us + WAY_US, i);
            at_us += AGAIN_US;
        }
        at_us -= AGAIN_US;
        sack(talk, at_us + WAY_US + 100, i, "");
        talk->id[B] -= sure * talk->counts[B];
        sack(talk, at_us + 2 * WAY_US + 100, i, "");
    }
    return talk;
}

/* Each tap has it where the other's clock is, so that no class is above 2. */
static void a_probe_that_identifications_tell_from_its_other_half_is_told_with_doubt(void **state)
{
    (void)state;
    struct talk *talk = at_two_taps(true);
    judge(talk);
    check_sent(talk, MANY, 2, "retransmission tlp/2 retransmission/2 spurious/3 S12 K7 acked/2 by 69");
    talk_free(talk);
}

static void where_nothing_tells_what_was_sent_again_there_is_no_probe(void **state)
{
    (void)state;
    struct talk *talk = at_two_taps(false);
    judge(talk);
    for (uint32_t copy = 2; copy <= 4; copy++)
        check_sent(talk, MANY, copy, "retransmission unknown/1 undetermined/1 unresolved/1 by 69");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_that_identifications_tell_from_its_other_half_is_told_with_doubt),
        cmocka_unit_test(where_nothing_tells_what_was_sent_again_there_is_no_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
