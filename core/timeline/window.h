/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TSNs of one direction were sent, which the receiver has, which the sender may free: its retransmission queue as
 * the capture shows it. TSNs are kept in a ring. A range costs a step for each TSN that changes, and those of its sets.
 */
#ifndef SR_TIMELINE_WINDOW_H
#define SR_TIMELINE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"
#include "tsn_set.h"

struct sr_window_tsn {
    int64_t acked_ns;     /* time of the first feedback that covers it */
    uint32_t tsn;         /* whose entry it is: of another TSN it means that nothing was seen */
    uint32_t first_row;   /* 1 + row of the first chunk with it; 0: none was seen */
    uint32_t last_row;    /* 1 + row of the latest */
    uint32_t acked_frame; /* 0 before */
    uint16_t bytes;       /* user data */
    uint16_t numbering;   /* of another one than the window's it means that nothing was seen, too */
    bool sent_again;
    bool in_doubt;     /* which of its chunks reached the receiver cannot be told from feedback alone */
    bool abandoned;    /* by FORWARD-TSN */
    bool never_missed; /* acknowledged, not taken back, and no feedback has passed it over */
    bool withdrawn;    /* a SACK took it back, and none has acknowledged it since */
    bool unseen;       /* it was counted as acknowledged and never seen */
};

/* Entries that all windows together may take, beside the few that each begins with. */
struct sr_window_budget {
    uint32_t left;
};

struct sr_window {
    struct sr_window_tsn *ring; /* entry of a TSN: its value modulo the capacity */
    struct sr_tsn_set received; /* the receiver said that it has them, and did not withdraw that */
    struct sr_tsn_set freed;    /* the sender need not keep them any more */
    struct sr_tsn_set sent;     /* a chunk with it was seen */
    uint32_t capacity;          /* a power of two; 0 before the first TSN */
    uint16_t numbering;
    bool forgot;               /* TSNs below `base` were known */
    bool took_all;             /* of the SACK before: each of its blocks lies between `base` and `highest` */
    struct sr_tsn base;        /* the lowest TSN kept */
    struct sr_tsn highest;     /* the highest kept: sent or acknowledged */
    struct sr_tsn received_to; /* the receiver never said that it has one above it */
    uint64_t queued_bytes;     /* sent and not freed */
    uint64_t necessary_bytes;  /* of them what the receiver is not known to have, and was not abandoned */
};

void sr_window_free(struct sr_window *window, struct sr_window_budget *budget);

/* A new numbering that begins at `tsn`. False when memory runs out. */
bool sr_window_begin(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn);

/* Makes room for `tsn`, which is not far above the highest; may forget the lowest. False where it lies too low. */
bool sr_window_reach(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn);

bool sr_window_holds(const struct sr_window *window, struct sr_tsn tsn);

/* Of a TSN that it holds. */
struct sr_window_tsn *sr_window_at(struct sr_window *window, struct sr_tsn tsn);

/* What happens to a TSN that it holds; each keeps the sums. */
void sr_window_sent(struct sr_window *window, struct sr_tsn tsn, uint32_t row, uint16_t bytes); /* a chunk was seen */
void sr_window_receive(struct sr_window *window, struct sr_tsn tsn);
void sr_window_withdraw(struct sr_window *window, struct sr_tsn tsn);
void sr_window_abandon(struct sr_window *window, struct sr_tsn tsn, bool abandoned);
void sr_window_release(struct sr_window *window, struct sr_tsn tsn); /* freed */

#endif
