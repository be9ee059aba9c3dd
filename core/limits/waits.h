/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for that then sent data in no repair of a loss, by what it knew just before. */
#ifndef SR_LIMITS_WAITS_H
#define SR_LIMITS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"

/* What is sent so soon after what lets it leave, or after what was sent before, did not wait for anything else. */
#define SR_LIMITS_NEAR_NS INT64_C(1000000)

/* Before the first of the feedback that came just before the data left; without any, before the data. */
struct sr_wait {
    uint64_t outstanding_bytes, outstanding_chunks;
    uint64_t largest_bytes; /* user data of the largest packet so far */
    int64_t window_bytes;   /* a_rwnd as told last; SR_NO_TIME: not told */
    uint64_t blur_bytes;    /* so much more may have been outstanding, by when feedback was there */
    int64_t lasted_ns;      /* since data was sent last */
    uint64_t packet_bytes;  /* user data of the packet that ends it */
    int64_t held_ns;        /* so long the receiver held the feedback back */
    int64_t most_held_ns;   /* what is not longer is no delay of its own */
    bool reduced;           /* the congestion window may be smaller than at the beginning */
    bool fed;               /* feedback came just before the data left */
    bool heard;             /* likewise, data of the other side, which an application may answer */
    bool continues;         /* the data continues a message: it was there before */
    bool runs_free;         /* more data leaves than feedback can have released */
    bool charges_chunks;    /* the sender may count more for a chunk than its data */
    bool whole_messages;    /* its send buffer has a message as a whole, and it limits bursts */
};

struct sr_waited {
    enum sr_limit limit;
    bool doubtful; /* what comes next tells whether it is so */
    bool unsure;   /* by what is not seen: what a chunk is charged, or when feedback was there */
};

/* Whether the packet may wait for all that is outstanding, by the rule of Nagle. */
bool sr_wait_is_small(const struct sr_wait *wait);

/* Whether the congestion window may have had no room. */
bool sr_wait_is_full(const struct sr_wait *wait);

/* Whether the peer's window had no room; `unsure` as above. */
bool sr_wait_is_closed(const struct sr_wait *wait, bool *unsure);

struct sr_waited sr_waited_for(const struct sr_wait *wait);

#endif
