/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over each table that judging left, then sorted by frame. */
#include "links.h"

#include "association/kind.h"
#include "frame_rows.h"
#include "journal/journal.h"
#include "sorted.h"

void sr_links_begin(struct sr_links *links)
{
    links->next = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    links->acks = g_array_new(FALSE, TRUE, sizeof(struct sr_acks));
    links->list = g_array_new(FALSE, FALSE, sizeof(struct sr_link));
    links->last = 0;
}

void sr_links_end(struct sr_links *links)
{
    g_array_free(links->next, TRUE);
    g_array_free(links->acks, TRUE);
    g_array_free(links->list, TRUE);
}

static void add(struct sr_links *links, uint32_t frame, enum sr_link_what what, uint64_t number, uint64_t row)
{
    struct sr_link link = {frame, what, (uint32_t)number, (uint32_t)row};
    if (frame != 0)
        g_array_append_val(links->list, link);
}

/* What the network or the capture repeats is passed over. */
static void link_copies(struct sr_links *links, const struct sr_journal *journal)
{
    g_array_set_size(links->next, 0);
    g_array_set_size(links->next, (guint)journal->transmissions.count);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (sr_is_duplicate(row->kind))
            continue;
        uint32_t before = row->prev_row;
        while (before != 0 && sr_is_duplicate(sr_transmission_at(journal, before - 1)->kind))
            before = sr_transmission_at(journal, before - 1)->prev_row;
        if (before != 0)
            g_array_index(links->next, uint32_t, before - 1) = (uint32_t)i + 1;
    }
}

uint32_t sr_links_next_copy(const struct sr_links *links, uint64_t row)
{
    return row < links->next->len ? g_array_index(links->next, uint32_t, row) : 0;
}

uint32_t sr_links_reveals(const struct sr_links *links, const struct sr_journal *journal, uint64_t row)
{
    uint32_t next = sr_links_next_copy(links, row);
    if (next == 0)
        return sr_transmission_at(journal, row)->resolved_frame;
    const struct sr_transmission_row *copy = sr_transmission_at(journal, next - 1);
    return copy->trigger_frame ? copy->trigger_frame : copy->frame;
}

static void link_losses(struct sr_links *links, const struct sr_journal *journal)
{
    for (uint64_t i = 0; i < journal->transmissions.count; i++)
        if (sr_transmission_at(journal, i)->outcome == SR_OUTCOME_LOST)
            add(links, sr_links_reveals(links, journal, i), SR_LINK_REVEALS, i, 0);
}

/* Of the copies of a TSN the one that its first acknowledgement is of, as far as it is known: the first that was not
 * lost. Copies that were lost, or tell nothing, are gone back over once, by the next that is neither. */
static bool is_acknowledged(const struct sr_journal *journal, const struct sr_transmission_row *row)
{
    if (row->acked_frame == 0 || row->outcome == SR_OUTCOME_LOST || sr_tells_nothing(row->kind))
        return false;
    for (uint32_t before = row->prev_row; before != 0; before = row->prev_row) {
        row = sr_transmission_at(journal, before - 1);
        if (row->outcome != SR_OUTCOME_LOST && !sr_tells_nothing(row->kind))
            return false;
    }
    return true;
}

/* The SACK of that frame that acknowledges it: the first of the other side that acknowledges anything anew. More than
 * are looked at fit only into a frame that is made up. */
static struct sr_acks *acks_of(struct sr_links *links, const struct sr_journal *journal, struct sr_frame_rows *last,
                               const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 64 };
    uint64_t first = sr_first_sack_of(last, journal, row->acked_frame);
    for (uint64_t i = first; i < links->acks->len && i < first + LOOKED_AT; i++) {
        const struct sr_sack_row *sack = sr_sack_at(journal, i);
        if (sack->frame != row->acked_frame)
            break;
        if (sack->assoc == row->assoc && sack->from != row->from && sack->newly_acked > 0 && sack->repeats == 0)
            return &g_array_index(links->acks, struct sr_acks, i);
    }
    return NULL;
}

static void link_acknowledgements(struct sr_links *links, const struct sr_journal *journal)
{
    struct sr_frame_rows last = {0};
    g_array_set_size(links->acks, 0);
    g_array_set_size(links->acks, (guint)journal->sacks.count);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        struct sr_acks *acks = is_acknowledged(journal, row) ? acks_of(links, journal, &last, row) : NULL;
        if (!acks)
            continue;
        acks->last = (uint32_t)i + 1;
        if (acks->first == 0)
            acks->first = acks->last;
    }
}

struct sr_acks sr_links_acks(const struct sr_links *links, uint64_t sack)
{
    return sack < links->acks->len ? g_array_index(links->acks, struct sr_acks, sack) : (struct sr_acks){0};
}

static void link_judgement(struct sr_links *links, const struct sr_judgement *judgement, enum sr_profile profile)
{
    for (uint64_t i = 0; i < judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *mark = sr_spool_at(&judgement->rack_marks, i);
        if (mark->profile != profile)
            continue;
        if (mark->marked_row != 0)
            add(links, mark->frame, SR_LINK_MARKED, i, mark->marked_row - 1);
        add(links, mark->by_frame, SR_LINK_MARKS, i, 0);
    }
    for (uint64_t i = 0; i < judgement->probes.count; i++)
        add(links, ((const struct sr_probe_row *)sr_spool_at(&judgement->probes, i))->frame, SR_LINK_PROBE, i, 0);
    for (uint64_t i = 0; i < judgement->storms.count; i++)
        add(links, ((const struct sr_storm_row *)sr_spool_at(&judgement->storms, i))->frame, SR_LINK_STORM, i, 0);
}

/* A TSN of a direction: the key of the last retransmission. */
struct key {
    uint32_t assoc, tsn;
    uint8_t from;
};

static guint hash(gconstpointer at)
{
    const struct key *key = at;
    return (key->tsn ^ key->assoc * 0x9e3779b9u) * 2 + key->from;
}

static gboolean equal(gconstpointer at, gconstpointer other)
{
    const struct key *one = at, *two = other;
    return one->tsn == two->tsn && one->assoc == two->assoc && one->from == two->from;
}

static void link_reports(struct sr_links *links, const struct sr_journal *journal, uint64_t number, GHashTable *resent)
{
    const struct sr_sack_row *sack = sr_sack_at(journal, number);
    if (sack->dups == 0 || sack->repeats != 0)
        return;
    const uint32_t *dups = sr_numbers_at(journal, sack->lists) + 2 * ((uint32_t)sack->gaps + sack->nr_gaps);
    for (uint32_t i = 0; i < sack->dups; i++) {
        struct key key = {.assoc = sack->assoc, .tsn = dups[i], .from = sack->from ^ 1};
        uint64_t row = GPOINTER_TO_SIZE(g_hash_table_lookup(resent, &key));
        if (row != 0)
            add(links, sack->frame, SR_LINK_DUP_OF, row - 1, number);
    }
}

/* Which copy came twice cannot be told: a report concerns the last that the sender sent again before it. */
static void link_duplicates(struct sr_links *links, struct sr_journal *journal)
{
    GHashTable *resent = g_hash_table_new_full(hash, equal, g_free, NULL);
    struct sr_journal_walk walk = {.journal = journal};
    struct sr_entry entry;
    while (sr_journal_next(&walk, &entry)) {
        if (entry.table == SR_ENTRY_SACK)
            link_reports(links, journal, entry.row, resent);
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
        if (row->kind != SR_KIND_RETRANSMISSION)
            continue;
        struct key *key = g_new(struct key, 1);
        *key = (struct key){row->assoc, row->tsn, row->from};
        g_hash_table_replace(resent, key, GSIZE_TO_POINTER((gsize)entry.row + 1));
    }
    g_hash_table_destroy(resent);
}

static gint by_frame(gconstpointer one, gconstpointer two)
{
    const struct sr_link *a = one, *b = two;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    if (a->what != b->what)
        return a->what < b->what ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

void sr_links_make(struct sr_links *links, const struct sr_engine *engine, enum sr_profile profile)
{
    struct sr_journal *journal = (struct sr_journal *)sr_engine_journal(engine); /* a walk gives memory back */
    g_array_set_size(links->list, 0);
    links->last = 0;
    link_copies(links, journal);
    link_losses(links, journal);
    link_acknowledgements(links, journal);
    link_judgement(links, sr_engine_judgement(engine), profile);
    link_duplicates(links, journal);
    g_array_sort(links->list, by_frame);
}

static uint64_t frame_at(const void *list, uint64_t at)
{
    return g_array_index((const GArray *)list, struct sr_link, at).frame;
}

const struct sr_link *sr_links_of(struct sr_links *links, uint32_t frame, guint *count)
{
    struct sr_span span = sr_sorted_span(frame_at, links->list, links->list->len, frame, &links->last);
    *count = (guint)span.count;
    return *count > 0 ? &g_array_index(links->list, struct sr_link, span.first) : NULL;
}
