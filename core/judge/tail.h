/* SPDX-License-Identifier: BSD-2-Clause */
/* A lost tail that was sent again. Where the tap lies behind the loss it sees such a TSN for the first time, and in
 * order: only the time tells, that of the sender's timer, and that it comes alone. */
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
    int64_t flight_ns[2]; /* data sent when nothing was outstanding: the last such time, and the one before */
    int64_t burst_ns;     /* data sent after a silence of a round trip */
    uint32_t outstanding; /* TSNs seen and not acknowledged */
    uint32_t flight;      /* packets since the last silence */
    uint32_t answers;     /* acknowledgements that the sender had since the last data */
    bool clocked;         /* the last data was sent at once when an acknowledgement came */
    bool recovering;      /* a timeout was seen, and nothing since but what the next acknowledgement released */
};

/* What the sender's timers may have been. */
struct sr_tail_timers {
    int64_t rto_ns[SR_TAIL_TIMEOUTS]; /* SR_NO_TIME: none */
    int64_t pto_ns[SR_TAIL_TIMEOUTS];
    int64_t jitter_ns;
};

void sr_tail_begin(struct sr_tail *tail);

/* A TSN above all others passes the tap, and nothing else follows before the next feedback. `skipped`: TSNs below it
 * that were not seen. The cause if it was sent before, else SR_CAUSE_COUNT. */
enum sr_cause sr_tail_of(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns,
                         uint32_t skipped);

/* Data was sent, as `sr_tail_of` said. */
void sr_tail_sent(struct sr_tail *tail, int64_t now_ns, int64_t round_trip_ns, enum sr_cause cause);

#endif
