/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes SRTT, RTTVAR and RTO of a path (RFC 9260 section 6.3.1), and its minimum round-trip time. All divisions are
 * floor divisions, in the order in which RFC 9260 writes the formulas. */
#ifndef SR_MODEL_RTT_H
#define SR_MODEL_RTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../names.h"
#include "profiles.h"

/* A longer round trip, 13 days, counts as this one. */
#define SR_LONGEST_RTT_NS (INT64_C(1) << 50)

struct sr_rtt_estimator {
    int64_t srtt_ns, rttvar_ns; /* both SR_NO_TIME before the first measurement */
};

void sr_rtt_measured(struct sr_rtt_estimator *rtt, const struct sr_rto_parameters *rto, int64_t rtt_ns);

/* The timeout after this many timeouts since the last measurement. */
int64_t sr_rto_ns(const struct sr_rtt_estimator *rtt, const struct sr_rto_parameters *rto, uint32_t backoff);

struct sr_rtt_sample {
    int64_t time_ns, rtt_ns;
};

/* The smallest sample of the last `window_ns` nanoseconds: a ring of samples of which each is smaller than those after
 * it. Amortised O(1). */
struct sr_windowed_minimum {
    struct sr_rtt_sample *ring;
    uint32_t capacity, first, count; /* the capacity is a power of two */
};

void sr_minimum_free(struct sr_windowed_minimum *minimum);
void sr_minimum_add(struct sr_windowed_minimum *minimum, int64_t window_ns, int64_t now_ns, int64_t rtt_ns);

/* The minimum at a time since the last sample; the last one is kept when the window has run empty. SR_NO_TIME without a
 * sample. It changes nothing: senders that share it may ask about times in any order. */
int64_t sr_minimum_ns(const struct sr_windowed_minimum *minimum, int64_t window_ns, int64_t now_ns);

/* In-order SACKs are delayed up to 200 ms and SACKs with gaps are not, so in SCTP the sender's own minimum can lie far
 * above the round-trip time of the path: two minima. */
struct sr_min_rtt {
    struct sr_windowed_minimum model; /* RACK.min_RTT as the sender has it */
    struct sr_windowed_minimum path;  /* of samples that no delayed SACK can have inflated */
};

void sr_min_rtt_measured(struct sr_min_rtt *min_rtt, int64_t window_ns, int64_t now_ns, int64_t rtt_ns,
                         enum sr_rtt_tag tag);

#endif
