/* SPDX-License-Identifier: BSD-2-Clause */
/* The round trips that a sender measures by other chunks than data: what it asks, and is answered at once. */
#ifndef SR_FACTS_ROUND_TRIPS_H
#define SR_FACTS_ROUND_TRIPS_H

#include "half.h"

/* When the sender asked, and over which path; SR_NO_TIME: it did not, or has the answer. The first of several counts.
 */
struct sr_unanswered {
    int64_t time_ns;
    uint32_t path;
};

struct sr_round_trips {
    struct sr_unanswered init, init_ack, cookie, heartbeat;
    uint32_t information; /* of the HEARTBEAT */
};

struct sr_round_trip {
    int64_t rtt_ns;
    uint32_t path; /* of the question */
    enum sr_rtt_tag tag;
};

void sr_round_trips_begin(struct sr_round_trips *trips);

/* Whether a chunk that passes the tap answers the sender of the direction; then what it measures. */
bool sr_round_trip_of(struct sr_round_trips *trips, const struct sr_half *half, const struct sr_control_row *row,
                      struct sr_round_trip *trip);

#endif
