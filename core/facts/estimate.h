/* SPDX-License-Identifier: BSD-2-Clause */
/* What observations leave of a parameter: each says where its value lies, and some are mistaken. */
#ifndef SR_FACTS_ESTIMATE_H
#define SR_FACTS_ESTIMATE_H

#include <stdint.h>

#include "../wire/time.h"

/* Where one observation puts the value. `lo` is SR_NO_TIME where it may be as small as it likes. */
struct sr_range {
    int64_t lo, hi;
};

/* Between these, both included; SR_NO_TIME: nothing tells. */
struct sr_estimate {
    int64_t lo, hi;
    uint32_t count; /* of the observations that say so */
};

#define SR_NO_ESTIMATE ((struct sr_estimate){SR_NO_TIME, SR_NO_TIME, 0})

/* What most of them have in common, if that is at least half; of several such places that nearest to `prior`, what the
 * stack is known to have. */
struct sr_estimate sr_estimate_of(const struct sr_range *ranges, uint32_t count, int64_t prior);

/* Of values that are told exactly, and lie between 1 and `kinds` - 1: how often each was. At least `needed` say so, and
 * half of all. */
struct sr_estimate sr_estimate_of_votes(const uint32_t *votes, uint32_t kinds, uint32_t needed);

#endif
