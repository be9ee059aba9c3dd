/* SPDX-License-Identifier: BSD-2-Clause */
#include "rack_shown.h"

#include <stdlib.h>

struct unseen {
    uint32_t assoc, tsn;
    uint8_t from;
    struct sr_shown shown;
};

static int by_copy(const void *one, const void *other)
{
    const struct unseen *a = one, *b = other;
    if (a->assoc != b->assoc)
        return a->assoc < b->assoc ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->tsn < b->tsn ? -1 : a->tsn > b->tsn;
}

static void add(struct sr_shown *to, struct sr_shown more)
{
    if (more.lead_ns > to->lead_ns || (more.lead_ns == to->lead_ns && more.by_rack >= to->by_rack))
        *to = more;
}

static struct sr_shown shown_by(const struct sr_rack_mark_row *mark)
{
    struct sr_shown shown = {.marked = true};
    shown.by_rack = mark->trigger == SR_TRIGGER_ACK || mark->trigger == SR_TRIGGER_TIMER;
    bool leads = shown.by_rack && mark->resolution != SR_RESOLUTION_FALSE_MARK && mark->sender_lead_ns != SR_NO_TIME;
    shown.lead_ns = leads && mark->sender_lead_ns > 0 ? mark->sender_lead_ns : 0;
    return shown;
}

bool sr_shown_begin(struct sr_shown_marks *marks, uint64_t transmissions)
{
    *marks = (struct sr_shown_marks){.of = calloc((size_t)transmissions + 1, sizeof *marks->of)};
    return marks->of;
}

void sr_shown_add(struct sr_shown_marks *marks, const struct sr_rack_mark_row *mark)
{
    if (mark->marked_row != 0) {
        add(&marks->of[mark->marked_row - 1], shown_by(mark));
        return;
    }
    struct unseen unseen = {mark->assoc, mark->tsn, mark->from, shown_by(mark)};
    sr_buffer_append(&marks->unseen, &unseen, sizeof unseen);
}

/* Of the marks of one copy one is left, so that looking for it takes no longer where there are many. */
void sr_shown_end(struct sr_shown_marks *marks)
{
    struct unseen *list = (struct unseen *)(void *)marks->unseen.bytes;
    size_t count = marks->unseen.length / sizeof *list, kept = 0;
    if (count == 0)
        return;
    qsort(list, count, sizeof *list, by_copy);
    for (size_t i = 1; i < count; i++)
        if (by_copy(&list[kept], &list[i]) == 0)
            add(&list[kept].shown, list[i].shown);
        else
            list[++kept] = list[i];
    marks->unseen.length = (kept + 1) * sizeof *list;
}

struct sr_shown sr_shown_of(const struct sr_shown_marks *marks, const struct sr_transmission_row *row)
{
    struct unseen wanted = {row->assoc, row->tsn, row->from, {0}};
    if (row->prev_row != 0)
        return marks->of[row->prev_row - 1];
    if (marks->unseen.length == 0)
        return wanted.shown;
    const struct unseen *found =
        bsearch(&wanted, marks->unseen.bytes, marks->unseen.length / sizeof wanted, sizeof wanted, by_copy);
    return found ? found->shown : wanted.shown;
}

void sr_shown_free(struct sr_shown_marks *marks)
{
    free(marks->of);
    sr_buffer_free(&marks->unseen);
}
