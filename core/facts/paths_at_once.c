/* SPDX-License-Identifier: BSD-2-Clause */
/* New data goes back to a path sooner than a round trip after it was there last, and was elsewhere meanwhile. A sender
 * that leaves a path for another one waits for T3-rtx first, and for an answer from it before it comes back (RFC 9260
 * section 8.2, 8.3): no sooner than that. */
#include "paths_at_once.h"

#include "../wire/time.h"
#include "path_loops.h"

enum { ENOUGH = 2 /* times: the application may have chosen a path for one message */ };

struct last_on {
    uint32_t path;
    int64_t time_ns;
};

/* When new data was last on a path; a place for a new one where there is any. */
static struct last_on *find(struct last_on *places, uint32_t path)
{
    for (struct last_on *place = places; place < places + SR_LOOPS; place++)
        if (place->time_ns == SR_NO_TIME || place->path == path)
            return place;
    return NULL;
}

bool sr_uses_paths_at_once(const struct sr_half *half)
{
    struct last_on places[SR_LOOPS];
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct sr_entry entry;
    int64_t loop_ns = half->measured.receiver.typical_ns, between_ns;
    uint32_t before = 0, returns = 0;
    if (!half->path_loops || loop_ns == SR_NO_TIME)
        return false;
    for (unsigned i = 0; i < SR_LOOPS; i++)
        places[i].time_ns = SR_NO_TIME;
    while (returns < ENOUGH && sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
        if (row->from != half->from || row->kind != SR_KIND_ORIGINAL || row->time_ns == SR_NO_TIME)
            continue;
        struct last_on *last = find(places, row->path);
        if (!last)
            continue;
        returns += before != row->path && last->time_ns != SR_NO_TIME &&
                   sr_elapsed(row->time_ns, last->time_ns, &between_ns) &&
                   between_ns < loop_ns + half->measured.sender_loop_ns;
        *last = (struct last_on){row->path, row->time_ns};
        before = row->path;
    }
    return returns >= ENOUGH;
}
