/* SPDX-License-Identifier: BSD-2-Clause */
/* Who fills a gap twice so soon that the capture may have repeated it. */
#ifndef SR_ASSOCIATION_FILLED_AGAIN_H
#define SR_ASSOCIATION_FILLED_AGAIN_H

#include "scoreboard.h"

struct sr_filled_again {
    struct sr_tsn tsn; /* in the latest packet that did, where `waits` is set */
    bool waits;
    bool is_sent; /* this side sends so soon: a receiver reported such a TSN as duplicate */
};

/* A packet with that TSN, first seen below the highest, comes again. */
void sr_filled_again_seen(struct sr_filled_again *filled, struct sr_tsn tsn);

/* What the capture repeats comes once to the receiver, which reports no duplicate then. One of a TSN of which no other
 * copy was seen is of that one (RFC 9260 section 6.2). */
void sr_filled_again_told(struct sr_filled_again *filled, const struct sr_scoreboard *board,
                          const struct sr_sack *sack);

#endif
