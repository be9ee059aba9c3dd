/* SPDX-License-Identifier: BSD-2-Clause */
/* What the scoreboard's files do for each other. */
#ifndef SR_MODEL_ACKNOWLEDGE_H
#define SR_MODEL_ACKNOWLEDGE_H

#include "scoreboard.h"

/* The chunk goes out, or out again; its path, packet and times are set. */
void sr_board_enter_flight(struct sr_board *board, struct sr_chunk *chunk, uint8_t state, uint8_t misses);

/* It is outstanding no more, for any sender; its state is to be set. */
void sr_board_leave_flight(struct sr_board *board, struct sr_chunk *chunk);

void sr_board_leave_packet(struct sr_board *board, uint32_t packet);

#endif
