/* SPDX-License-Identifier: BSD-2-Clause */
/* From its first chunk to its last. */
#include "tsn_order.h"

#include "../wire/chunk.h"
#include "../wire/data.h"

/* A copy of it was seen: what its packet has below it was sent before, too. */
static bool was_sent(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    const struct sr_tsn_slot *slot = sr_scoreboard_seen(board, tsn);
    return slot && !slot->conflicting;
}

struct sr_tsn sr_tsn_order(const struct sr_scoreboard *board, const struct sr_packet *packet, struct sr_tsn first)
{
    struct sr_tsn last = first, new_from = first;
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;
    struct sr_data data;
    sr_chunk_walk_begin(&walk, packet->bytes, packet->captured, packet->wire);
    while (sr_chunk_next(&walk, &chunk) == SR_CHUNK) {
        bool is_data = chunk.type == SR_CHUNK_DATA || chunk.type == SR_CHUNK_I_DATA;
        if (!is_data || sr_data(&chunk, &data) != SR_DATA || sr_tsn_equal(data.tsn, first))
            continue;
        int64_t step = sr_tsn_distance(data.tsn, last);
        if (step <= 0 || step > SR_SCOREBOARD_REACH)
            return first; /* no order, or of another numbering: it tells nothing */
        if (step > 1 || was_sent(board, data.tsn))
            new_from = data.tsn;
        last = data.tsn;
    }
    return new_from;
}
