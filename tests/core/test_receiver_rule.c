/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of when enough is known of how a receiver acknowledges, and of how long it delays what it says. */
#include "rows.h"

#include "judge/reading.h"

#define MS INT64_C(1000000)

enum { ENOUGH = 64 };

static struct sr_association association; /* whose handshake was not seen */

struct votes_row {
    const char *sentence;
    uint32_t prompt, pion, every, waits;
    enum sr_stack_family receiver;
    bool wanted;
};

static struct votes_row votes[] = {
    {"at first nothing is known", 0, 0, 0, 0, SR_FAMILY_UNKNOWN, true},
    {"pion's rule is known by its handshake", 0, 0, 0, 0, SR_FAMILY_PION, false},
    {"answers that one rule alone explains tell it", ENOUGH, 0, 0, 0, SR_FAMILY_UNKNOWN, false},
    {"or the other", 0, ENOUGH, 0, 0, SR_FAMILY_UNKNOWN, false},
    {"if there are enough of both", ENOUGH / 2, ENOUGH / 2 - 1, 0, 0, SR_FAMILY_UNKNOWN, true},
    {"and no more than that", ENOUGH / 2, ENOUGH / 2, 0, 0, SR_FAMILY_UNKNOWN, false},
    {"that a packet alone is answered at once tells it too", 0, 0, ENOUGH, 0, SR_FAMILY_UNKNOWN, false},
    {"or that it waits", 0, 0, 0, ENOUGH, SR_FAMILY_UNKNOWN, false},
    {"if there are enough of either", 0, 0, ENOUGH - 2, 1, SR_FAMILY_UNKNOWN, true},
    {"answers that tell one do not tell the other", ENOUGH - 1, 0, ENOUGH - 1, 0, SR_FAMILY_UNKNOWN, true},
};

static void check_votes(void **state)
{
    const struct votes_row *row = *state;
    struct sr_half half = {.association = &association};
    association.side[1].family = row->receiver;
    half.measured.rule_votes[SR_ACK_RULE_PROMPT] = row->prompt;
    half.measured.rule_votes[SR_ACK_RULE_PION] = row->pion;
    half.measured.rule_votes[SR_ACK_RULE_EVERY] = row->every;
    half.measured.waits = row->waits;
    assert_int_equal(sr_reading_wants_votes(&half), row->wanted);
}

struct delay_row {
    const char *sentence;
    int64_t delays_ms[5]; /* 0: none more */
    int64_t learnt_ms;
};

enum { BEFORE_MS = 200 };

static struct delay_row delays[] = {
    {"what most answers waited is its delay", {150, 160, 160, 160, 170}, 160},
    {"also where half of them lie within an eighth of it", {100, 150, 160, 170, 300}, 160},
    {"but no further apart", {100, 150, 160, 171, 300}, BEFORE_MS},
    {"four of them are enough", {160, 160, 160, 160}, 160},
    {"and three are not", {160, 160, 160}, BEFORE_MS},
};

static void check_delay(void **state)
{
    const struct delay_row *row = *state;
    struct sr_measured measured = {.ack_delay_ns = BEFORE_MS * MS};
    for (int i = 0; i < 5 && row->delays_ms[i] != 0; i++)
        sr_quantiles_add(&measured.delays, row->delays_ms[i] * MS);
    sr_reading_conclude(&measured);
    assert_int_equal(measured.ack_delay_ns, row->learnt_ms * MS);
}

int main(void)
{
    return CHECK_ROWS("votes", votes, check_votes) + CHECK_ROWS("delays", delays, check_delay);
}
