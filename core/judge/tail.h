/* SPDX-License-Identifier: BSD-2-Clause */
/* A lost tail that was sent again, behind the loss: such a TSN comes for the first time, and in order. That it was sent
 * before, packets tell that are missing in the sender's count; what sent it again, the time. */
#ifndef SR_JUDGE_TAIL_H
#define SR_JUDGE_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"

enum { SR_TAIL_TIMEOUTS = 4 };

/* What the tap has seen of a direction, in the order of its sender. */
struct sr_tail {
    int64_t feedback_ns;  /* when the sender had the last feedback; SR_NO_TIME before */
    int64_t data_ns;      /* the last data */
    int64_t silent_ns;    /* before it, since the data before that; INT64_MAX: there was none */
    int64_t flight_ns[2]; /* data sent when nothing was outstanding: the last such time, and the one before */
    int64_t burst_ns;     /* data sent after a silence of a round trip */
    uint32_t outstanding; /* TSNs seen and not acknowledged */
    uint32_t open;        /* TSNs skipped and not acknowledged: what is missing may be theirs, sent again */
    uint32_t owed;        /* packets that were lost when a timer expired, and not sent again since */
    uint32_t frame;       /* of the latest data */
    uint8_t cause;        /* that it had, SR_CAUSE_COUNT: none */
    uint8_t cause_class;
};

/* What the sender's timers may have been. */
struct sr_tail_timers {
    int64_t rto_ns[SR_TAIL_TIMEOUTS]; /* SR_NO_TIME: none */
    int64_t pto_ns[SR_TAIL_TIMEOUTS];
    int64_t jitter_ns;
    bool probes; /* it most likely has one for probes */
};

/* A chunk whose TSN lies above all others. */
struct sr_tail_chunk {
    int64_t time_ns;
    uint32_t frame;
    uint32_t missing; /* packets of its sender before it */
    uint32_t skipped; /* TSNs below it that were not seen */
    bool silent;      /* nothing passed the tap for as long as a timer takes */
    bool alone;       /* nothing else follows before the sender has feedback */
};

void sr_tail_begin(struct sr_tail *tail);

/* Why it was sent again, in `cause` and `cause_class`; SR_CAUSE_COUNT where nothing says that it was. */
void sr_tail_look(struct sr_tail *tail, const struct sr_tail_timers *timers, const struct sr_tail_chunk *chunk);

/* Data was sent, as was found. */
void sr_tail_sent(struct sr_tail *tail, int64_t now_ns, int64_t round_trip_ns);

/* It was a TSN that had passed the tap, sent again by a timer; so many packets are missing before it. */
void sr_tail_timeout(struct sr_tail *tail, const struct sr_tail_timers *timers, uint32_t missing);

#endif
