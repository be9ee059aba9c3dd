/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantiles of many durations in little memory: every n-th is kept, n doubles as they become more. The least and the
 * greatest are exact. */
#ifndef SR_JUDGE_SAMPLES_H
#define SR_JUDGE_SAMPLES_H

#include <stdint.h>

enum { SR_SAMPLES = 1024 };

struct sr_samples {
    uint64_t count; /* of all */
    uint64_t every; /* of how many one is kept; 0 before the first */
    int64_t least, greatest;
    uint32_t kept;
    int64_t value[SR_SAMPLES];
};

void sr_samples_add(struct sr_samples *samples, int64_t value);

/* The value below which `permille` of them lie; there must be one. It sorts what is kept: add none afterwards. */
int64_t sr_samples_quantile(struct sr_samples *samples, uint32_t permille);

#endif
