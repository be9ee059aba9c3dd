/* SPDX-License-Identifier: BSD-2-Clause */
/* What handshake, heartbeats and the shutdown say of how far the tap is from both ends. */
#ifndef SR_FACTS_CONTROL_LOOPS_H
#define SR_FACTS_CONTROL_LOOPS_H

#include "half.h"

/* What is answered at once where it was asked once: RFC 9260 section 9.2. */
struct sr_asked_once {
    int64_t time_ns;
    uint32_t count; /* how often it was asked */
};

/* What was asked last, of each side; times of what is answered at once. */
struct sr_asked {
    int64_t init_ns, init_ack_ns, cookie_ns, heartbeat_ns;
    uint32_t heartbeat, heartbeat_path;
    int64_t began_ns;                            /* when the side sent its INIT or INIT ACK */
    uint32_t begun;                              /* how often */
    struct sr_asked_once shutdown, shutdown_ack; /* by the other side */
};

struct sr_control_loops {
    struct sr_asked asked[2];
    int64_t loop[2];     /* from the tap to the side and back: SR_NO_TIME without */
    int64_t closing[2];  /* likewise, by the shutdown */
    bool may_hold_t1[2]; /* a COOKIE ECHO came so late */
    int64_t whole_ns;    /* both, one after the other: from INIT to COOKIE ECHO, from INIT ACK to COOKIE ACK */
};

struct sr_control_loops sr_control_loops(void);

/* A chunk passes the tap; a path of the halves may be measured by it. */
void sr_control_loops_add(struct sr_control_loops *loops, struct sr_half halves[2], const struct sr_control_row *row);

/* Data of side `from`, and a SHUTDOWN of it. */
void sr_control_loops_data(struct sr_control_loops *loops, unsigned from);
void sr_control_loops_shutdown(struct sr_control_loops *loops, unsigned from, int64_t time_ns);

/* From the tap to the side and back, when all has passed and acknowledgements are measured, too: SR_NO_TIME without. */
int64_t sr_control_loop_of(const struct sr_control_loops *loops, const struct sr_half halves[2], int side);

#endif
