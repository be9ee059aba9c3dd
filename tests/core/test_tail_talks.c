/* SPDX-License-Identifier: BSD-2-Clause */
/* Talks of which the end of a flight was lost before the tap, which is told by packets that are missing in the count of
 * its sender. */
#include "talk_text.h"
#include "taps_of_talk.h"

/* Packets that are missing in the count of a sender belong to the timeout that it sends seen data by. */
static void a_timeout_owes_what_was_not_seen(void **state)
{
    (void)state;
    struct talk *talk = behind_a_loss(false);
    flight(talk, 5000000, 11, 2, 100);
    talk->id[A] += 2; /* 13 and 14 */
    data(talk, 6000000, 11);
    data(talk, 6000100, 12);
    sack(talk, 6000100 + SENDER_US, 12, "d11 d12");
    data(talk, 6000100 + WAY_US, 13);
    data(talk, 6000200 + WAY_US, 14);
    sack(talk, 6000200 + WAY_US + SENDER_US, 14, "");
    talk->id[A] += 1; /* something else */
    data(talk, 6100000, 15);
    sack(talk, 6100000 + SENDER_US, 15, "");
    check_all(talk, "a_timeout_owes_what_was_not_seen");
}

static void a_probe_of_a_tail_that_was_not_seen(void **state)
{
    (void)state;
    for (int64_t off_us = -6000; off_us <= 6000; off_us += 3000) {
        char name[64];
        struct talk *talk = behind_a_loss(true);
        for (uint32_t i = 0; i < 2; i++) {
            int64_t at_us = 5000000 + i * 1000000;
            flight(talk, at_us, 11 + 3 * i, 2, 100);
            sack(talk, at_us + 100 + SENDER_US, 12 + 3 * i, "");
            talk->id[A] += 1;
            data(talk, at_us + 200 + 3 * WAY_US + 200000 + off_us, 13 + 3 * i);
            sack(talk, at_us + 200 + 3 * WAY_US + 200000 + off_us + SENDER_US, 13 + 3 * i, "");
        }
        snprintf(name, sizeof name, "a_probe_of_a_tail_that_was_not_seen_%lld", (long long)off_us);
        check_all(talk, name);
    }
}

/* What comes late and is acknowledged is no TSN that may be sent again any more; new data may follow the feedback a
 * little sooner than the handshake was answered. */
static void a_probe_of_a_tail_behind_what_was_late(void **state)
{
    (void)state;
    struct talk *talk = behind_a_loss(true);
    talk->id[A] += 1;
    data(talk, 5000000, 12);
    talk->id[A] -= 2;
    data(talk, 5000500, 11);
    talk->id[A] += 1;
    sack(talk, 5000500 + SENDER_US, 12, "");
    flight(talk, 6000000, 13, 2, 100);
    sack(talk, 6000100 + SENDER_US, 14, "");
    talk->id[A] += 1;
    int64_t probe_us = 6000200 + 3 * WAY_US + 200000, soon_us = WAY_US - WAY_US / 32;
    data(talk, probe_us, 15);
    sack(talk, probe_us + SENDER_US, 15, "");
    data(talk, probe_us + SENDER_US + soon_us, 16);
    sack(talk, probe_us + SENDER_US + soon_us + SENDER_US, 16, "");
    check_all(talk, "a_probe_of_a_tail_behind_what_was_late");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timeout_owes_what_was_not_seen),
        cmocka_unit_test(a_probe_of_a_tail_that_was_not_seen),
        cmocka_unit_test(a_probe_of_a_tail_behind_what_was_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
