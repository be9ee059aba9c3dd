/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender's own timeouts say of its RTO.Min. It is a parameter of the protocol (RFC 9260 section 16), set to 100
 * to 300 ms where telephony needs it, and the profiles have what stacks do unless they are told. */
#ifndef SR_FACTS_TIMEOUTS_H
#define SR_FACTS_TIMEOUTS_H

#include "../wire/time.h"
#include "senders.h"

/* As telephony sets it. What may have been repeated by the network, and is sooner, shows nothing. */
#define SR_SHORTEST_SET_RTO_NS INT64_C(100000000)

/* What a busy host takes, and what two clocks that tick are apart. */
#define SR_TIMEOUT_LATE_NS INT64_C(12000000)
#define SR_TIMEOUT_EARLY_NS INT64_C(1000000)

enum { SR_TIMEOUTS = 64 /* of a direction, that are looked at: the first */ };

/* The earliest outstanding TSN is sent again, and no feedback has come that could have asked for it. */
struct sr_timeout {
    int64_t after_ns[SR_SENDER_COUNT];  /* since each sender's T3-rtx was started; SR_NO_TIME: it was off */
    int64_t least_ns[SR_SENDER_COUNT];  /* its SRTT + 4 RTTVAR; SR_NO_TIME: nothing was measured */
    int64_t before_ns[SR_SENDER_COUNT]; /* likewise after_ns of the timeout before, if that sent the same TSN again */
    uint8_t expired;                    /* a bit for each sender: its T3-rtx had just expired */
    uint8_t doublings;                  /* timeouts of the same TSN before it */
    uint8_t unmeasured;                 /* timeouts before it since a TSN was acknowledged that was sent once */
};

struct sr_timeouts {
    struct sr_timeout at[SR_TIMEOUTS];
    uint32_t count;
    /* the last */
    uint32_t row; /* 1 + row of what it sent again; 0: there was none */
    int64_t time_ns;
    int64_t after_ns[SR_SENDER_COUNT];
    uint8_t doublings, unmeasured;
};

/* A packet that repeats row `prev_row` - 1 was sent by a timeout; doublings are counted here. */
void sr_timeouts_add(struct sr_timeouts *timeouts, struct sr_timeout timeout, uint32_t row, uint32_t prev_row,
                     int64_t time_ns);

/* A TSN was acknowledged that was sent once. */
static inline void sr_timeouts_measured(struct sr_timeouts *timeouts)
{
    timeouts->unmeasured = 0;
}

/* How often it had been doubled. */
unsigned sr_timeout_shift(const struct sr_timeout *timeout, const struct sr_parameters *parameters);

/* What is known of the direction. */
struct sr_timeout_limits {
    int64_t round_trip_ns; /* no timeout is shorter */
    int64_t jitter_ns;
    uint32_t needed; /* timeouts that an RTO.Min must fit */
};

/* RTO.Min of one of the senders, if it is this one, where more speaks for it than for those of the profiles; SR_NO_TIME
 * otherwise. */
int64_t sr_timeouts_rto_min(const struct sr_timeouts *timeouts, unsigned sender,
                            const struct sr_parameters senders[SR_SENDER_COUNT], struct sr_timeout_limits limits);

#endif
