/* SPDX-License-Identifier: BSD-2-Clause */
/* Smoothed round-trip time and retransmission timeout of a path (RFC 9260 section 6.3.1), with its recommended limits.
 */
#ifndef SR_BOOKS_RTO_H
#define SR_BOOKS_RTO_H

#include <stdbool.h>
#include <stdint.h>

#define SR_RTO_INITIAL_NS INT64_C(1000000000)
#define SR_RTO_MIN_NS INT64_C(1000000000)
#define SR_RTO_MAX_NS INT64_C(60000000000)
#define SR_RTO_GRANULARITY_NS INT64_C(1000000)

struct sr_rto {
    int64_t srtt_ns, rttvar_ns;
    bool measured;
};

void sr_rto_measured(struct sr_rto *rto, int64_t rtt_ns);
int64_t sr_observed_rto_ns(const struct sr_rto *rto);
/* SRTT + 4 RTTVAR within RTO.Max and an RTO.Min that is another. */
int64_t sr_rto_within(int64_t rto_ns, int64_t min_ns);

#endif
