/* SPDX-License-Identifier: BSD-2-Clause */
/* Between which values the parameters of T3-rtx lie (RFC 9260 section 16), as a sender's own timeouts show them. */
#ifndef SR_FACTS_TIMER_BOUNDS_H
#define SR_FACTS_TIMER_BOUNDS_H

#include "estimate.h"
#include "timeouts.h"

/* Nanoseconds, but for the back-off: thousandths. */
struct sr_timer_bounds {
    struct sr_estimate initial, min, max;
    struct sr_estimate backoff; /* by what a timeout makes the next one longer */
};

/* How well the tap sees them. */
struct sr_timer_view {
    int64_t jitter_ns;
    bool at_sender;
};

/* Of one of the senders, if it is this one. */
struct sr_timer_bounds sr_timer_bounds(const struct sr_timeouts *timeouts, unsigned sender,
                                       const struct sr_parameters *parameters, struct sr_timer_view view);

#endif
