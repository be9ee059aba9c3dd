/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what comes sooner behind a report that it is missing than its sender can have had that: it was only late.
 * There was no handshake; that the sender is 20 ms away what it sends again at three reports shows. */
#include "talk.h"

enum { WAY_US = 20000, APART_US = 1500, FIRST = 9, GROUP = 4, TELLING = 4, PART = 16 };

/* The first of four, which may be seen, is reported as missing three times, and comes so long after the third. */
static void misses_one(struct talk *talk, int from, int64_t at_us, uint32_t tsn, bool seen, int64_t after_us)
{
    char blocks[32];
    for (uint32_t i = seen ? 0 : 1; i < GROUP; i++)
        data_of(talk, at_us + i * APART_US, from, tsn + i, 1);
    for (uint32_t i = 1; i < GROUP; i++) {
        snprintf(blocks, sizeof blocks, "%u-%u", tsn + 1, tsn + i);
        sack_of(talk, at_us + i * APART_US + WAY_US, 1 - from, tsn - 1, blocks);
    }
    at_us += (GROUP - 1) * APART_US + WAY_US + after_us;
    data_of(talk, at_us, from, tsn, 1);
    sack_of(talk, at_us + WAY_US, 1 - from, tsn + GROUP - 1, "");
}

/* Of what fills a gap so long after the first report. */
static enum sr_kind fills_after(int from, int64_t report_us)
{
    struct talk *talk = talk_new();
    int64_t at_us = 1000000;
    uint32_t tsn = 2;
    talk->id[A] = talk->id[B] = 0;
    data_of(talk, at_us / 2, A, 1, 1); /* who begins is the first of both sides */
    sack_of(talk, at_us / 2 + WAY_US, B, 1, "");
    for (; tsn < FIRST; tsn++, at_us += 100000) {
        data_of(talk, at_us, from, tsn, 1);
        sack_of(talk, at_us + WAY_US, 1 - from, tsn, "");
    }
    for (int i = 0; i < TELLING; i++, at_us += 1000000, tsn += GROUP)
        misses_one(talk, from, at_us, tsn, true, WAY_US);
    misses_one(talk, from, at_us, tsn, false, report_us - (GROUP - 2) * APART_US);
    judge(talk);
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    enum sr_kind kind = SR_KIND_COUNT;
    for (uint64_t i = 0; i < journal->transmissions.count; i++)
        if (sr_transmission_at(journal, i)->tsn == tsn)
            kind = (enum sr_kind)sr_transmission_at(journal, i)->kind;
    talk_free(talk);
    return kind;
}

/* A host may be faster than what measured its loop by a sixteenth. */
static void what_fills_a_gap_sooner_than_its_sender_can_know_of_it_was_late_whichever_side_sends(void **state)
{
    (void)state;
    for (int from = A; from <= B; from++) {
        assert_int_equal(fills_after(from, WAY_US - WAY_US / PART), SR_KIND_RETRANSMISSION);
        assert_int_equal(fills_after(from, WAY_US - WAY_US / PART - 1), SR_KIND_REORDERED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fills_a_gap_sooner_than_its_sender_can_know_of_it_was_late_whichever_side_sends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
