/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directions by number, then time in halves. */
#include "limited.h"

#include "association/kind.h"

void sr_limited_begin(struct sr_limited_list *list)
{
    list->directions = g_array_new(FALSE, FALSE, sizeof(struct sr_limited));
}

void sr_limited_end(struct sr_limited_list *list)
{
    g_array_free(list->directions, TRUE);
}

static gint compare(gconstpointer one, gconstpointer other)
{
    const struct sr_limited *a = one, *b = other;
    if (a->assoc != b->assoc)
        return a->assoc < b->assoc ? -1 : 1;
    return (int)a->from - (int)b->from;
}

void sr_limited_make(struct sr_limited_list *list, const struct sr_judgement *judgement)
{
    g_array_set_size(list->directions, 0);
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *row = sr_spool_at(&judgement->limits, i);
        struct sr_limited one = {.assoc = row->assoc, .from = row->from, .rows = {i, 0}};
        guint last = list->directions->len;
        if (last == 0 || compare(&g_array_index(list->directions, struct sr_limited, last - 1), &one) != 0)
            g_array_append_val(list->directions, one);
        g_array_index(list->directions, struct sr_limited, list->directions->len - 1).rows.count++;
    }
    g_array_sort(list->directions, compare);
}

const struct sr_limit_row *sr_limited_before(const struct sr_limited_list *list, const struct sr_judgement *judgement,
                                             const struct sr_transmission_row *row)
{
    struct sr_limited wanted = {.assoc = row->assoc, .from = row->from};
    guint at;
    if (row->time_ns == SR_NO_TIME || sr_is_duplicate(row->kind) ||
        !g_array_binary_search(list->directions, &wanted, compare, &at))
        return NULL;
    struct sr_span rows = g_array_index(list->directions, struct sr_limited, at).rows;
    uint64_t low = rows.first, high = rows.first + rows.count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (((const struct sr_limit_row *)sr_spool_at(&judgement->limits, middle))->end_ns < row->time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sr_limit_row *found = low < rows.first + rows.count ? sr_spool_at(&judgement->limits, low) : NULL;
    return found && found->begin_ns < row->time_ns ? found : NULL;
}
