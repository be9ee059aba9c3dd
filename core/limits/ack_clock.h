/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether feedback may be what has data leave: each burst needs feedback of its own. */
#ifndef SR_LIMITS_ACK_CLOCK_H
#define SR_LIMITS_ACK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SR_CLOCK_FASTEST = 4, /* packets: fewer may be chance, or have times that are late */
    SR_CLOCK_LAGS = 16,
};

struct sr_ack_clock {
    uint32_t owed;                     /* bursts, weighed, that feedback did not make up for */
    int64_t pace_ns[SR_CLOCK_FASTEST]; /* for 1,024 bytes, behind the packet before; the shortest first */
    uint32_t paces;
    int64_t lag_ns[SR_CLOCK_LAGS]; /* a ring */
    uint32_t lags;
    int64_t reaction_ns; /* how long the sender takes for that; 0 where it does not show */
};

/* Feedback that lets data leave reaches the sender. */
void sr_ack_clock_feedback(struct sr_ack_clock *clock);

/* Data leaves, not at once behind other data. */
void sr_ack_clock_burst(struct sr_ack_clock *clock);

/* A packet passes the tap so long after the one before: its link to the tap is as fast at least. */
void sr_ack_clock_packet(struct sr_ack_clock *clock, int64_t apart_ns, uint64_t bytes);

/* Data that may not have left before certainly leaves so long after the feedback that lets it. */
void sr_ack_clock_lag(struct sr_ack_clock *clock, int64_t lag_ns);

/* Whether more left than feedback can have released, and a packet so long behind the one before was not spread by the
 * way to the tap. */
bool sr_ack_clock_runs_free(const struct sr_ack_clock *clock, int64_t apart_ns, uint64_t bytes);

#endif
