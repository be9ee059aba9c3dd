/* SPDX-License-Identifier: BSD-2-Clause */
/* The place where most ranges overlap. */
#include "estimate.h"

#include <stdbool.h>

static bool contains(const struct sr_range *range, int64_t value)
{
    return (range->lo == SR_NO_TIME || range->lo <= value) && value <= range->hi;
}

/* What all that contain the value have in common. */
static struct sr_estimate at(const struct sr_range *ranges, uint32_t count, int64_t value)
{
    struct sr_estimate common = SR_NO_ESTIMATE;
    for (uint32_t i = 0; i < count; i++) {
        const struct sr_range *range = &ranges[i];
        if (!contains(range, value))
            continue;
        if (range->lo != SR_NO_TIME && (common.lo == SR_NO_TIME || range->lo > common.lo))
            common.lo = range->lo;
        if (common.hi == SR_NO_TIME || range->hi < common.hi)
            common.hi = range->hi;
        common.count++;
    }
    return common;
}

static int64_t away(const struct sr_estimate *estimate, int64_t prior)
{
    if (estimate->lo != SR_NO_TIME && prior < estimate->lo)
        return estimate->lo - prior;
    return prior > estimate->hi ? prior - estimate->hi : 0;
}

struct sr_estimate sr_estimate_of(const struct sr_range *ranges, uint32_t count, int64_t prior)
{
    struct sr_estimate best = SR_NO_ESTIMATE;
    for (uint32_t i = 0; i < count; i++) {
        /* Where most overlap, one of them begins; or none does, and the first of them ends. */
        struct sr_estimate here = at(ranges, count, ranges[i].lo != SR_NO_TIME ? ranges[i].lo : ranges[i].hi);
        if (here.count > best.count || (here.count == best.count && away(&here, prior) < away(&best, prior)))
            best = here;
    }
    return best.count * 2 >= count ? best : SR_NO_ESTIMATE;
}

struct sr_estimate sr_estimate_of_votes(const uint32_t *votes, uint32_t kinds, uint32_t needed)
{
    uint32_t best = 0, all = 0;
    for (uint32_t value = 1; value < kinds; value++) {
        all += votes[value];
        if (best == 0 || votes[value] > votes[best])
            best = value;
    }
    if (best == 0 || votes[best] < needed || votes[best] * 2 < all)
        return SR_NO_ESTIMATE;
    return (struct sr_estimate){best, best, votes[best]};
}
