/* SPDX-License-Identifier: BSD-2-Clause */
/* What two halves of an association sent is seen again, as that of one: each acknowledges what the other sent. The rows
 * are then those that there would be if the first packet had told that they are one. */
#ifndef SR_ENGINE_JOINED_H
#define SR_ENGINE_JOINED_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/told.h"

/* The rows of `half`, which was joined to another, become that one's. Each row is seen again once at most: who has
 * found its other half is whole. False when memory runs out. */
bool sr_joined(struct sr_journal *journal, struct sr_registry *registry, struct sr_association *half,
               const struct sr_told *told);

/* To the side that sends and back: that which was told is that of the data sender. */
static inline struct sr_loop sr_loop_of(const struct sr_told *told, const struct sr_association *association,
                                        unsigned from)
{
    if (told->loop && from == sr_data_sender(association))
        return (struct sr_loop){.shortest_ns = told->loop_ns, .known = true};
    return association->side[from].loop;
}

#endif
