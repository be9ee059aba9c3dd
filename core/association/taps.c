/* SPDX-License-Identifier: BSD-2-Clause */
/* The shares of what comes once more, and by how much later. */
#include "taps.h"

#include "association.h"

enum { ENOUGH = 8 }; /* packets of a side: fewer may come twice by chance */

/* By how much what a mirror port holds back may differ between the directions: packets of the largest size, one after
 * the other, at a gigabit per second take 12 us each. */
#define APART_NS INT64_C(1000000)

void sr_late_repeat(struct sr_late_repeats *repeats, bool sure, int64_t later_ns)
{
    later_ns = later_ns < 0 ? -later_ns : later_ns;
    if (repeats->sure + repeats->unsure == 0 || later_ns < repeats->least_ns)
        repeats->least_ns = later_ns;
    repeats->sure += sure;
    repeats->unsure += !sure;
}

/* Half of all, which are counted with them: on a bad path a sender sends much again. */
static bool is_unsure(const struct sr_side *side)
{
    return side->late.unsure >= ENOUGH && UINT64_C(3) * side->late.unsure >= side->packets;
}

/* A quarter of all at least: a mirror port may leave some out, a network repeats a few. */
bool sr_is_doubled(const struct sr_side *side)
{
    return (side->late.sure >= ENOUGH && UINT64_C(4) * side->late.sure >= side->packets) || is_unsure(side);
}

static bool answers_within(const struct sr_side *side, int64_t late_ns)
{
    return side->loop.known && side->loop.shortest_ns < late_ns;
}

bool sr_is_doubled_unsurely(const struct sr_association *association)
{
    return is_unsure(&association->side[SR_SIDE_A]) && is_unsure(&association->side[SR_SIDE_B]);
}

bool sr_has_two_taps(const struct sr_association *association)
{
    const struct sr_side *a = &association->side[SR_SIDE_A], *b = &association->side[SR_SIDE_B];
    if (!sr_is_doubled(a) || !sr_is_doubled(b))
        return false;
    int64_t apart_ns = a->late.least_ns - b->late.least_ns;
    bool even = apart_ns < APART_NS && apart_ns > -APART_NS;
    bool one_tap = even && (answers_within(b, a->late.least_ns) || answers_within(a, b->late.least_ns));
    return !one_tap || sr_is_doubled_unsurely(association);
}
