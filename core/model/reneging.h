/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether a TSN that was acknowledged in a gap block, and now is not, was reneged upon. */
#ifndef SR_MODEL_RENEGING_H
#define SR_MODEL_RENEGING_H

#include "scoreboard.h"

/* Up to which TSN a sender looks for what was taken back. `block_cap` is the number of gap blocks at which this
 * receiver stops; 0: none known. */
int64_t sr_reach_of(enum sr_reach reach, const struct sr_received *received, uint32_t block_cap);

/* Whether something above `from` and up to `to` was taken back, so that those whose reach lies between disagree. */
bool sr_reneged_between(struct sr_board *board, const struct sr_received *received, int64_t from, int64_t to);

/* Puts what was taken back in flight again. */
void sr_renege(struct sr_board *board, const struct sr_received *received, int64_t reach, struct sr_ack *ack);

/* The chunk is acknowledged out of order no more; its state is to be set. */
void sr_board_leave_sacked(struct sr_board *board, struct sr_chunk *chunk);

#endif
