/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths that do not work: to which a side sends HEARTBEAT after HEARTBEAT without an answer (RFC 9260 section 8.3). */
#ifndef SR_BOOKS_HEARTBEATS_H
#define SR_BOOKS_HEARTBEATS_H

#include <stdbool.h>

#include "direction.h"

/* A HEARTBEAT of the direction's sender. False when memory runs out. */
bool sr_heartbeats_asked(struct sr_direction *direction, const struct sr_control_row *control);

/* A HEARTBEAT ACK for it; data that was sent on this path has arrived. */
void sr_heartbeats_answered(struct sr_direction *direction, const struct sr_control_row *control);
void sr_heartbeats_work(struct sr_direction *direction, uint32_t path);

/* Nothing follows after `end_ns`: what was never answered goes to the figures. */
void sr_heartbeats_end(struct sr_direction *direction, int64_t end_ns);

#endif
