/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The highest TSN of each direction; holes are few, and are kept by row. */
#include "holes.h"

#include "sorted.h"
#include "wire/tsn.h"

/* A receiver can tell of no more at once (RFC 9260 section 3.3.4); what jumps further was numbered anew (RFC 6525). */
enum { MOST_MISSING = 65535 };

struct highest {
    uint32_t tsn;
    bool known;
};

struct hole {
    uint64_t row;
    uint32_t missing;
};

void sr_holes_begin(struct sr_holes *holes)
{
    holes->highest = g_array_new(FALSE, TRUE, sizeof(struct highest));
    holes->list = g_array_new(FALSE, FALSE, sizeof(struct hole));
    holes->last = 0;
}

void sr_holes_end(struct sr_holes *holes)
{
    g_array_free(holes->highest, TRUE);
    g_array_free(holes->list, TRUE);
}

void sr_holes_note(struct sr_holes *holes, const struct sr_transmission_row *row, uint64_t number)
{
    if (row->assoc == SR_NO_ASSOCIATION)
        return;
    guint at = 2 * row->assoc + row->from;
    if (at >= holes->highest->len)
        g_array_set_size(holes->highest, at + 1);
    struct highest *highest = &g_array_index(holes->highest, struct highest, at);
    int64_t distance = sr_tsn_distance(sr_tsn(row->tsn), sr_tsn(highest->tsn));
    if (highest->known && distance <= 0)
        return;
    struct hole hole = {number, (uint32_t)(distance - 1)};
    if (highest->known && distance > 1 && distance <= MOST_MISSING)
        g_array_append_val(holes->list, hole);
    *highest = (struct highest){row->tsn, true};
}

static uint64_t row_at(const void *list, uint64_t at)
{
    return g_array_index((const GArray *)list, struct hole, at).row;
}

uint32_t sr_holes_before(struct sr_holes *holes, uint64_t row)
{
    struct sr_span span = sr_sorted_span(row_at, holes->list, holes->list->len, row, &holes->last);
    return span.count > 0 ? g_array_index(holes->list, struct hole, span.first).missing : 0;
}
