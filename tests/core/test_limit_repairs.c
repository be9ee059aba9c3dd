/* SPDX-License-Identifier: BSD-2-Clause */
/* When a repair begins and ends: with whatever chunk is sent again, and with the numbering (RFC 6525 section 5.2.4),
 * where what was outstanding is given up. At the sender; the receiver is 20 ms away. */
#include "limits_of_talk.h"

enum { WAY_US = 20000, HERE_US = 100, AT_US = 3000000, ANEW_US = 5000000 };

/* Seven are outstanding, and as the first is sent again, or is not, the numbering begins anew: above, or below. */
static struct talk *numbered_anew(bool again, uint32_t next)
{
    struct talk *talk = talk_new();
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    flight(talk, AT_US, 9, 7, 10);
    if (again)
        data(talk, AT_US + 1000000, 9);
    control(talk, ANEW_US, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    control(talk, ANEW_US + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, next);
    return talk;
}

static void expect(struct talk *talk, const char *expected)
{
    judge(talk);
    const char *said = limits_of(talk);
    if (strcmp(said, expected) != 0)
        fail_msg("\n  %s\nnot\n  %s", said, expected);
    talk_free(talk);
}

static void what_was_outstanding_is_no_more(void **state)
{
    (void)state;
    struct talk *talk = numbered_anew(false, 7000);
    data(talk, ANEW_US + 1000000, 7000);
    sack(talk, ANEW_US + 1000000 + WAY_US, 7000, "");
    data(talk, ANEW_US + 1000020 + WAY_US, 7001);
    sack(talk, ANEW_US + 1000020 + 2 * WAY_US, 7001, "");
    expect(talk, "application/4 5040 ms 7000");
}

static void a_repair_begins_with_whatever_chunk_of_a_packet_is_sent_again(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct talk *talk = talk_new();
        struct bytes chunks = {0};
        talk->hop_limit[A] = 64;
        talk->hop_limit[B] = 60;
        shake_hands(talk, HERE_US, WAY_US, false);
        warm_up(talk, 8, WAY_US);
        data(talk, AT_US, 9);
        put_chunk(talk, &chunks, 10);
        put_chunk(talk, &chunks, again ? 9 : 11);
        say(talk, AT_US + 1000000, A, &chunks);
        sack(talk, AT_US + 1000000 + WAY_US, again ? 10 : 11, "");
        expect(talk, again ? "application/4 3000 ms 1000, timeout/3 20 ms 2000" : "application/4 3020 ms 3000");
    }
}

static void a_repair_ends_with_the_numbering(void **state)
{
    (void)state;
    struct talk *talk = numbered_anew(true, 7000);
    data(talk, ANEW_US + 1000000, 7000);
    sack(talk, ANEW_US + 1000000 + WAY_US, 7000, "");
    expect(talk, "application/4 2000 ms 6000, timeout/3 1000 ms 7000, application/4 2020 ms 7000");
}

/* Of the numbering before, which was higher, nothing is waited for. */
static void a_repair_ends_when_all_of_its_own_numbering_is_acknowledged(void **state)
{
    (void)state;
    struct talk *talk = numbered_anew(false, 3000000000);
    data(talk, ANEW_US + 1000000, 3000000000);
    data(talk, ANEW_US + 2000000, 3000000000);
    sack(talk, ANEW_US + 2000000 + WAY_US, 3000000000, "");
    data(talk, ANEW_US + 3000000, 3000000001);
    sack(talk, ANEW_US + 3000000 + WAY_US, 3000000001, "");
    expect(talk, "application/4 5000 ms 7000, timeout/2 1020 ms 1000, application/4 1000 ms 1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_outstanding_is_no_more),
        cmocka_unit_test(a_repair_begins_with_whatever_chunk_of_a_packet_is_sent_again),
        cmocka_unit_test(a_repair_ends_with_the_numbering),
        cmocka_unit_test(a_repair_ends_when_all_of_its_own_numbering_is_acknowledged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
