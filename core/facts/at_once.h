/* SPDX-License-Identifier: BSD-2-Clause */
/* How soon a receiver answers what it does not wait with, and whether it waits with a packet alone: SACK.Delay may be
 * shorter than what the verdicts take for jitter (RFC 9260 section 6.2). */
#ifndef SR_FACTS_AT_ONCE_H
#define SR_FACTS_AT_ONCE_H

#include <stdbool.h>

#include "../journal/rows.h"
#include "quantiles.h"

/* Loops from the tap to the receiver and back. */
struct sr_at_once_seen {
    struct sr_quantiles prompt; /* of a second packet, and whatever else is answered at once */
    struct sr_quantiles alone;  /* of packets that may have waited */
    uint64_t largest_bytes;     /* user data of those */
    int64_t soonest_ns;         /* that a packet of so much was answered */
};

struct sr_at_once {
    int64_t loop_ns, jitter_ns; /* of an answer that did not wait; SR_NO_TIME where none was seen */
    int64_t wait_ns;            /* by how much packets alone are answered later, again and again; 0: not so */
};

void sr_at_once_add(struct sr_at_once_seen *seen, const struct sr_sack_row *row);

/* `known`: of the handshake, SR_NO_TIME without; `otherwise`: by all answers. */
struct sr_at_once sr_at_once_of(struct sr_at_once_seen *seen, int64_t known_ns, struct sr_at_once otherwise);

/* Answers to second packets were seen, not only those of the handshake, which a queue is slower than, too. */
bool sr_at_once_was_seen(const struct sr_at_once_seen *seen);

/* What is longer than that beyond the loop was held back. */
int64_t sr_at_once_most_ns(const struct sr_at_once *at_once);

#endif
