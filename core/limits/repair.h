/* SPDX-License-Identifier: BSD-2-Clause */
/* A loss that is being repaired: what its sender waits for until then. */
#ifndef SR_LIMITS_REPAIR_H
#define SR_LIMITS_REPAIR_H

#include "walk.h"

/* The first chunk of a packet is sent again, or one in a packet that repairs nothing yet; `now` is what the sender had
 * before it. */
void sr_repair_sent(struct sr_limits_walk *walk, const struct sr_transmission_row *row, struct sr_wait now);

/* What was outstanding when it began is acknowledged, or given up. */
void sr_repair_end(struct sr_limits_walk *walk, int64_t time_ns, uint32_t frame);

#endif
