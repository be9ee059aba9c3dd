/* SPDX-License-Identifier: BSD-2-Clause */
/* Time of one direction, put together from waits that touch: what is limited alike is one interval. */
#ifndef SR_LIMITS_INTERVALS_H
#define SR_LIMITS_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "../journal/spool.h"
#include "../journal/tables.h"
#include "../names.h"

enum { SR_INTERVALS_RUN = 64 }; /* waits that may be told otherwise together: longer runs are told in parts */

struct sr_intervals {
    struct sr_spool *rows;    /* struct sr_limit_row */
    struct sr_limit_row told; /* before those that may be told otherwise, while there are; likewise without */
    struct sr_limit_row run[SR_INTERVALS_RUN]; /* those before the open one, each of another limit than the next */
    uint32_t run_count;
    struct sr_limit_row open;      /* up to it all is told; its limit is SR_NO_WORD before the first */
    struct sr_limit_row pending;   /* behind it, a wait for which what comes next is asked; likewise without */
    uint64_t bytes;                /* sent since the last wait ended */
    uint64_t outstanding_bytes;    /* the most since then */
    int64_t a_rwnd;                /* as told last; SR_NO_TIME before */
    int64_t held_ns;               /* so long the feedback was held back that ends the wait which is added next */
    bool perhaps, pending_perhaps; /* the open one, and that wait, may be told otherwise */
    bool failed;
};

void sr_intervals_begin(struct sr_intervals *intervals, struct sr_spool *rows, const struct sr_limit_row *first);

/* When the last wait ended. */
int64_t sr_intervals_end_ns(const struct sr_intervals *intervals);

/* The sender waited from then on until `end_ns`, the time of `end_frame`. */
void sr_intervals_add(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                      uint8_t class);

/* Likewise, and the next call of sr_intervals_decide may have it otherwise. `perhaps`: where that does not, it is as
 * one that sr_intervals_perhaps adds anew. */
void sr_intervals_suppose(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                          uint8_t class, bool perhaps);
void sr_intervals_decide(struct sr_intervals *intervals, enum sr_limit limit);

/* Likewise, for `limit` unless sr_intervals_tell says otherwise before anything else is added. `anew`: that will not be
 * of the waits before. */
void sr_intervals_perhaps(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                          uint8_t class, bool anew);
void sr_intervals_tell(struct sr_intervals *intervals, enum sr_limit limit, uint8_t class);

/* The last wait, whatever it was, went on until then. */
void sr_intervals_extend(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame);

/* Nothing follows. The last acknowledgement was held back for `held_ns` of the last interval, whatever that is. */
void sr_intervals_finish(struct sr_intervals *intervals);

#endif
