/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which what is outstanding on a path was sent: a list through the chunks. */
#ifndef SR_MODEL_SEND_ORDER_H
#define SR_MODEL_SEND_ORDER_H

#include "scoreboard.h"

void sr_send_order_enter(struct sr_board *board, struct sr_board_path *path, struct sr_chunk *chunk);
void sr_send_order_leave(struct sr_board *board, struct sr_board_path *path, struct sr_chunk *chunk);

#endif
