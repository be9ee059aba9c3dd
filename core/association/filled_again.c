/* SPDX-License-Identifier: BSD-2-Clause */
/* A report of a duplicate tells a packet that was sent twice from one that was captured twice. */
#include "filled_again.h"

#include "scoreboard_ring.h"

void sr_filled_again_seen(struct sr_filled_again *filled, struct sr_tsn tsn)
{
    filled->tsn = tsn;
    filled->waits = true;
}

static bool was_seen_once(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return board->slots && sr_ring_keeps(board, tsn) && sr_ring_place(board, tsn)->copies == 1 &&
           sr_ring_belongs(sr_ring_place(board, tsn), board, tsn);
}

void sr_filled_again_told(struct sr_filled_again *filled, struct sr_scoreboard *board, const struct sr_sack *sack)
{
    for (uint32_t i = 0; filled->waits && i < sack->dups.count; i++) {
        if (!sr_tsn_equal(sr_sack_dup(sack, i), filled->tsn))
            continue;
        filled->is_sent |= was_seen_once(board, filled->tsn);
        filled->waits = false;
    }
}
