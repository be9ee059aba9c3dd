/* SPDX-License-Identifier: BSD-2-Clause */
/* Which copies came after an acknowledgement, as what was sent before them did. */
#ifndef SR_JUDGE_ORDER_H
#define SR_JUDGE_ORDER_H

#include "candidates.h"

/* What feedback reports as duplicates, `dups`, came no earlier than the feedback before was sent. */
void sr_order_reported(struct sr_half *half, const struct sr_acknowledgement *answer, const uint32_t *dups);

/* Nor did the copy of row `oldest` (1 + row; UINT32_MAX: none), of a TSN that this feedback is the first to cover. */
void sr_order_arrived(struct sr_half *half, const struct sr_acknowledgement *answer, uint32_t oldest);

#endif
