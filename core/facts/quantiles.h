/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantiles of many durations in little memory: every n-th is kept, n doubles as they become more. The least and the
 * greatest are exact. */
#ifndef SR_FACTS_QUANTILES_H
#define SR_FACTS_QUANTILES_H

#include <stdint.h>

enum { SR_SAMPLES = 1024 };

struct sr_quantiles {
    uint64_t count; /* of all */
    uint64_t every; /* of how many one is kept; 0 before the first */
    int64_t least, greatest;
    uint32_t kept;
    int64_t value[SR_SAMPLES];
};

void sr_quantiles_add(struct sr_quantiles *samples, int64_t value);

/* The value below which `permille` of them lie; there must be one. It sorts what is kept: add none afterwards. */
int64_t sr_quantiles_quantile(struct sr_quantiles *samples, uint32_t permille);

#endif
