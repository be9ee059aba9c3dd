/* SPDX-License-Identifier: BSD-2-Clause */
/* The two estimators of a path's round-trip time. */
#include "rtt.h"

#include <stdlib.h>

#include "../wire/time.h"
#include "model.h"

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void sr_rtt_measured(struct sr_rtt_estimator *rtt, const struct sr_rto_parameters *rto, int64_t rtt_ns)
{
    if (rtt->srtt_ns == SR_NO_TIME) {
        /* RFC 9260 section 6.3.1 C2: SRTT = R, RTTVAR = R/2. */
        rtt->srtt_ns = rtt_ns;
        rtt->rttvar_ns = rtt_ns / 2;
    } else {
        /* RFC 9260 section 6.3.1 C3: RTTVAR with the old SRTT, then SRTT; beta 1/4, alpha 1/8. */
        rtt->rttvar_ns = rtt->rttvar_ns * 3 / 4 + llabs(rtt->srtt_ns - rtt_ns) / 4;
        rtt->srtt_ns = rtt->srtt_ns * 7 / 8 + rtt_ns / 8;
    }
    /* RFC 9260 section 6.3.1 G1: if RTTVAR is 0, make it the clock granularity. */
    if (rtt->rttvar_ns == 0)
        rtt->rttvar_ns = rto->granularity_ns;
    rtt->rttvar_ns = most(rtt->rttvar_ns, rto->rttvar_floor_ns);
}

int64_t sr_rto_ns(const struct sr_rtt_estimator *rtt, const struct sr_rto_parameters *rto, uint32_t backoff)
{
    /* RFC 9260 section 6.3.1 C1: until there is a measurement, RTO.Initial; C6: not below RTO.Min. */
    int64_t rto_ns = rto->initial_ns;
    if (rtt->srtt_ns != SR_NO_TIME)
        rto_ns = most(rtt->srtt_ns + 4 * rtt->rttvar_ns, rto->min_ns);
    backoff -= backoff < rto->same_after_timeouts ? backoff : rto->same_after_timeouts;
    /* RFC 9260 section 6.3.3 E2: doubled at each timeout; section 6.3.1 C7: not above RTO.Max. */
    if (backoff > 62 || rto_ns > rto->max_ns >> backoff)
        return rto_ns == 0 ? 0 : rto->max_ns;
    return rto_ns << backoff;
}

void sr_minimum_free(struct sr_windowed_minimum *minimum)
{
    free(minimum->ring);
}

static struct sr_rtt_sample *sample_at(const struct sr_windowed_minimum *minimum, uint32_t i)
{
    return &minimum->ring[(minimum->first + i) & (minimum->capacity - 1)];
}

static bool grow(struct sr_windowed_minimum *minimum)
{
    uint32_t capacity = minimum->capacity ? minimum->capacity * 2 : 16;
    if (capacity > SR_MODEL_MIN_SAMPLES)
        return false;
    struct sr_rtt_sample *ring = malloc(capacity * sizeof *ring);
    if (!ring)
        return false;
    for (uint32_t i = 0; i < minimum->count; i++)
        ring[i] = *sample_at(minimum, i);
    free(minimum->ring);
    *minimum = (struct sr_windowed_minimum){ring, capacity, 0, minimum->count};
    return true;
}

void sr_minimum_add(struct sr_windowed_minimum *minimum, int64_t window_ns, int64_t now_ns, int64_t rtt_ns)
{
    while (minimum->count > 1 && sample_at(minimum, 0)->time_ns < now_ns - window_ns) {
        minimum->first++;
        minimum->count--;
    }
    /* Earlier samples that are not smaller can never be the minimum again. */
    while (minimum->count > 0 && sample_at(minimum, minimum->count - 1)->rtt_ns >= rtt_ns)
        minimum->count--;
    if (minimum->count == minimum->capacity && !grow(minimum)) {
        if (minimum->count > 0)
            sample_at(minimum, minimum->count - 1)->time_ns = now_ns;
        return;
    }
    *sample_at(minimum, minimum->count++) = (struct sr_rtt_sample){now_ns, rtt_ns};
}

int64_t sr_minimum_ns(const struct sr_windowed_minimum *minimum, int64_t window_ns, int64_t now_ns)
{
    if (minimum->count == 0)
        return SR_NO_TIME;
    uint32_t low = 0, high = minimum->count - 1;
    if (sample_at(minimum, 0)->time_ns >= now_ns - window_ns)
        high = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sample_at(minimum, middle)->time_ns < now_ns - window_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return sample_at(minimum, low)->rtt_ns;
}

void sr_min_rtt_measured(struct sr_min_rtt *min_rtt, int64_t window_ns, int64_t now_ns, int64_t rtt_ns,
                         enum sr_rtt_tag tag)
{
    /* RFC 8985 section 6.2 step 1: a windowed minimum, not a global one. */
    sr_minimum_add(&min_rtt->model, window_ns, now_ns, rtt_ns);
    /* A sample that may have been delayed, or is ambiguous, is not the path's. */
    if (tag != SR_RTT_TAG_DELAYED && tag != SR_RTT_TAG_RTX)
        sr_minimum_add(&min_rtt->path, window_ns, now_ns, rtt_ns);
}
