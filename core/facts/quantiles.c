/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeping every n-th sample. */
#include "quantiles.h"

#include <stdlib.h>

void sr_quantiles_add(struct sr_quantiles *samples, int64_t value)
{
    if (samples->count == 0) {
        samples->every = 1;
        samples->least = samples->greatest = value;
    }
    if (value < samples->least)
        samples->least = value;
    if (value > samples->greatest)
        samples->greatest = value;
    if (samples->count++ % samples->every != 0)
        return;
    if (samples->kept == SR_SAMPLES) {
        for (uint32_t i = 0; i < SR_SAMPLES / 2; i++)
            samples->value[i] = samples->value[2 * i];
        samples->kept = SR_SAMPLES / 2;
        samples->every *= 2; /* this one is among those that are kept from now on: their number was even */
    }
    samples->value[samples->kept++] = value;
}

static int by_value(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

int64_t sr_quantiles_quantile(struct sr_quantiles *samples, uint32_t permille)
{
    qsort(samples->value, samples->kept, sizeof *samples->value, by_value);
    return samples->value[(uint64_t)(samples->kept - 1) * permille / 1000];
}
