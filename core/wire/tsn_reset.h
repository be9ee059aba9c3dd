/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the next TSN that a reset names (RFC 6525 section 5.2.4) begins a new numbering. */
#ifndef SR_WIRE_TSN_RESET_H
#define SR_WIRE_TSN_RESET_H

#include "tsn.h"

/* The reset that a numbering began with. */
struct sr_tsn_reset {
    struct sr_tsn next; /* where `done` is set */
    bool done;
};

/* Not where TSNs go on with it anyway, nor where that is told again: a response is repeated with its request
 * (RFC 6525 section 5.2.1). */
static inline bool sr_tsn_resets(struct sr_tsn_reset last, struct sr_tsn highest, struct sr_tsn next)
{
    bool told_before = last.done && sr_tsn_equal(last.next, next);
    return !told_before && !sr_tsn_equal(next, sr_tsn_add(highest, 1));
}

#endif
