/* SPDX-License-Identifier: BSD-2-Clause */
/* A report of a duplicate tells a packet that was sent twice from one that was captured twice. */
#include "filled_again.h"

void sr_filled_again_seen(struct sr_filled_again *filled, struct sr_tsn tsn)
{
    filled->tsn = tsn;
    filled->waits = true;
}

void sr_filled_again_told(struct sr_filled_again *filled, const struct sr_scoreboard *board, const struct sr_sack *sack)
{
    for (uint32_t i = 0; filled->waits && i < sack->dups.count; i++) {
        if (!sr_tsn_equal(sr_sack_dup(sack, i), filled->tsn))
            continue;
        const struct sr_tsn_slot *slot = sr_scoreboard_seen(board, filled->tsn);
        filled->is_sent |= slot && slot->copies == 1;
        filled->waits = false;
    }
}
