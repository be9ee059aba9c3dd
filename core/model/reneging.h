/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether a TSN that was acknowledged in a gap block, and now is not, was reneged upon. */
#ifndef SR_MODEL_RENEGING_H
#define SR_MODEL_RENEGING_H

#include "scoreboard.h"

/* Puts what was taken back in flight again, and makes what is acknowledged now the board's. */
void sr_renege(struct sr_board *board, struct sr_received *received, uint32_t block_cap, struct sr_ack *ack);

/* The chunk is acknowledged out of order no more; its state is to be set. */
void sr_board_leave_sacked(struct sr_board *board, struct sr_chunk *chunk);

#endif
