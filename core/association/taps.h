/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a capture has an association twice: once more a while later, as from a slow mirror port, or from two places
 * of its path, as where captures of both ends were merged. */
#ifndef SR_ASSOCIATION_TAPS_H
#define SR_ASSOCIATION_TAPS_H

#include <stdbool.h>
#include <stdint.h>

struct sr_association;
struct sr_side;

/* Of a side, packets that come once more, later than SR_CAPTURED_TWICE_NS. */
struct sr_late_repeats {
    uint32_t sure;    /* they are the same packets, by their identification */
    uint32_t unsure;  /* only their bytes are the same: each may as well have been sent again */
    int64_t least_ns; /* of both, how much later at least */
};

void sr_late_repeat(struct sr_late_repeats *repeats, bool sure, int64_t later_ns);

/* The capture repeats the side's packets: no network repeats so many. */
bool sr_is_doubled(const struct sr_side *side);

/* Two places. From one, what comes late is as late in both directions, and what is answered soon is answered before it
 * comes again; from two, what has passed one place comes to the other only then. */
bool sr_has_two_taps(const struct sr_association *association);

/* Of what comes once more nothing tells that it was not sent again. */
bool sr_is_doubled_unsurely(const struct sr_association *association);

#endif
