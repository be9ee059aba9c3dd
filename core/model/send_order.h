/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which what is outstanding was sent: transmissions are numbered, and sets of numbers hold what is
 * outstanding on each path. What is taken back has the number that it had. */
#ifndef SR_MODEL_SEND_ORDER_H
#define SR_MODEL_SEND_ORDER_H

#include "scoreboard.h"

/* Room for `count` more transmissions; numbers that are nobody's any more are used again. False without memory. */
bool sr_send_order_reserve(struct sr_board *board, size_t count);

/* The chunk is sent (again), after all others. */
void sr_send_order_number(struct sr_board *board, struct sr_chunk *chunk);

void sr_send_order_enter(struct sr_board *board, struct sr_board_path *path, const struct sr_chunk *chunk);
void sr_send_order_leave(struct sr_board_path *path, const struct sr_chunk *chunk);

/* What a new path needs of it; false without memory. */
bool sr_send_order_path(const struct sr_board *board, struct sr_board_path *path);

/* Whose transmission it is; it has one that is outstanding. */
static inline struct sr_chunk *sr_send_order_chunk(const struct sr_board *board, int64_t order)
{
    return sr_board_slot(board, board->by_order[(uint32_t)order & (board->orders - 1)]);
}

#endif
