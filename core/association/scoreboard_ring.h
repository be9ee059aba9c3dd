/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of a scoreboard: which TSNs have a slot, and which runs of them are acknowledged. */
#ifndef SR_ASSOCIATION_SCOREBOARD_RING_H
#define SR_ASSOCIATION_SCOREBOARD_RING_H

#include "scoreboard.h"

static inline struct sr_tsn_slot *sr_ring_place(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return &board->slots[tsn.value & (board->capacity - 1)];
}

static inline bool sr_ring_belongs(const struct sr_tsn_slot *slot, const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return sr_tsn_equal(slot->tsn, tsn) && slot->numbering == board->numbering;
}

static inline bool sr_ring_keeps(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return sr_tsn_distance(tsn, board->base) >= 0 && sr_tsn_distance(tsn, board->highest) <= 0;
}

/* Its slot, made its own. */
struct sr_tsn_slot *sr_ring_slot(struct sr_scoreboard *board, struct sr_tsn tsn);

/* The first TSN from `tsn` on that is not acknowledged; beyond the highest where all are. */
struct sr_tsn sr_ring_next_open(const struct sr_scoreboard *board, struct sr_tsn tsn);
/* Twice as large; false where there is no memory, or no budget. */
bool sr_ring_grow(struct sr_scoreboard *board, struct sr_slot_budget *budget);

/* A new numbering. The slots of old ones are cleared only when their mark would be taken for a new one: jumps must not
 * cost the capacity each. */
void sr_ring_begin(struct sr_scoreboard *board, struct sr_tsn tsn);

/* Room for `tsn` above the highest. */
void sr_ring_extend_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn);

/* Room for `tsn` below the lowest, as where the first packet seen was not the first sent; false where there is none. */
bool sr_ring_extend_down_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn);

#endif
