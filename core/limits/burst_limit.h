/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a sender lets so many packets leave at once, and no more, while its congestion window has room. */
#ifndef SR_LIMITS_BURST_LIMIT_H
#define SR_LIMITS_BURST_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct sr_burst_limit {
    uint32_t packets;       /* it may be; 0: none was seen yet */
    uint32_t times;         /* so often it was seen */
    uint64_t flight_bytes;  /* outstanding when the last packet had left */
    uint64_t before_bytes;  /* likewise, of the burst before */
    uint64_t most_bytes;    /* likewise, of all so far */
    uint64_t room_bytes;    /* that the congestion window had then at least */
    uint64_t largest_bytes; /* user data of the largest packet so far */
};

enum sr_burst_limit_says {
    SR_BURST_LIMIT_NO,      /* it is not known, or not that */
    SR_BURST_LIMIT_PERHAPS, /* or that as much left as was acknowledged, as with a full send buffer */
    SR_BURST_LIMIT_CUT,
    SR_BURST_LIMIT_SUPPOSED, /* it is that, unless a send buffer turns out to have been full since before */
};

/* A packet leaves for the first time; so much is outstanding with it, and so much more the window lets be. */
void sr_burst_limit_sent(struct sr_burst_limit *limit, uint64_t packet_bytes, uint64_t flight_bytes,
                         uint64_t room_bytes);

/* The next burst leaves, its first packet with so much user data. `waited`: with feedback, and it was there before;
 * the one before had so many packets. */
enum sr_burst_limit_says sr_burst_limit_next(struct sr_burst_limit *limit, uint32_t packets, uint64_t packet_bytes,
                                             bool waited);

/* Likewise where a link has spread the bursts, or a host takes its time: how many packets they have tells nothing. */
enum sr_burst_limit_says sr_burst_limit_spread(struct sr_burst_limit *limit, uint64_t packet_bytes, bool waited);

#endif
