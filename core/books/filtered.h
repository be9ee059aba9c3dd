/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures out of which packets without data were filtered, as by a display filter for the protocol above SCTP. What is
 * missing there was filtered, not lost: what the sender knew when is not to be told. */
#ifndef SR_BOOKS_FILTERED_H
#define SR_BOOKS_FILTERED_H

#include "../association/registry.h"
#include "book.h"

/* Feedback, or none until `now_ns`, says of a chunk that was sent once how long it was left without any. */
void sr_filtered_waited(struct sr_direction *direction, const struct sr_transmission_row *row, int64_t now_ns);

/* Nothing follows after `now_ns`. */
void sr_filtered_end(struct sr_book *book, struct sr_direction *direction, int64_t now_ns);

/* Whether the input was filtered, by the figures of all directions. */
bool sr_is_filtered(const struct sr_registry *associations, const struct sr_judgement *judgement);

/* Nothing can be said of what was sent again in such an input but that it was. */
void sr_filtered_leave_open(struct sr_journal *journal);

#endif
