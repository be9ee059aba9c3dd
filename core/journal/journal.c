/* SPDX-License-Identifier: BSD-2-Clause */
/* The spools of the journal, and the way through them. */
#include "journal.h"

#include <errno.h>

enum { LOOKED_BACK = 1 << 12 /* rows */ };

void sr_journal_init(struct sr_journal *journal, size_t memory)
{
    sr_spool_store_init(&journal->store, memory);
    sr_spool_init(&journal->transmissions, &journal->store, sizeof(struct sr_transmission_row));
    sr_spool_init(&journal->sacks, &journal->store, sizeof(struct sr_sack_row));
    sr_spool_init(&journal->controls, &journal->store, sizeof(struct sr_control_row));
    sr_spool_init(&journal->numbers, &journal->store, sizeof(uint32_t));
    sr_spool_init(&journal->judged, &journal->store, sizeof(uint32_t));
    sr_spool_init(&journal->order, &journal->store, sizeof(struct sr_journal_place));
    journal->stopped = false;
}

void sr_journal_free(struct sr_journal *journal)
{
    sr_spool_free(&journal->transmissions);
    sr_spool_free(&journal->sacks);
    sr_spool_free(&journal->controls);
    sr_spool_free(&journal->numbers);
    sr_spool_free(&journal->judged);
    sr_spool_free(&journal->order);
    sr_spool_store_free(&journal->store);
}

/* A row of a table and its place in the order: both or none. */
static void *append(struct sr_journal *journal, struct sr_spool *spool, enum sr_entry_table table)
{
    if (spool->count >= SR_JOURNAL_LIMIT && !journal->store.failed) {
        journal->store.failed = "more than 1073741824 rows of one kind";
        journal->store.reason = EOVERFLOW;
    }
    if (journal->store.failed)
        return NULL;
    uint32_t entry = (uint32_t)table << SR_JOURNAL_TABLE_SHIFT | (uint32_t)spool->count;
    struct sr_journal_place *place = sr_spool_append(&journal->order);
    if (!place)
        return NULL;
    *place = (struct sr_journal_place){.entry = entry};
    void *row = sr_spool_append(spool);
    if (!row)
        journal->order.count--;
    return row;
}

struct sr_transmission_row *sr_journal_transmission(struct sr_journal *journal)
{
    return append(journal, &journal->transmissions, SR_ENTRY_TRANSMISSION);
}

struct sr_sack_row *sr_journal_sack(struct sr_journal *journal)
{
    return append(journal, &journal->sacks, SR_ENTRY_SACK);
}

struct sr_control_row *sr_journal_control(struct sr_journal *journal)
{
    return append(journal, &journal->controls, SR_ENTRY_CONTROL);
}

uint32_t *sr_journal_numbers(struct sr_journal *journal, uint32_t count, uint64_t *first)
{
    *first = 0;
    return count > 0 ? sr_spool_append_list(&journal->numbers, count, first) : NULL;
}

void sr_transmission_unjudged(struct sr_transmission_row *row)
{
    row->acked_time_ns = SR_NO_TIME;
    row->evidence = 0;
    row->trigger_frame = row->acked_frame = row->resolved_frame = row->prev_row = row->dup_frame = 0;
    row->cause = row->probe = row->verdict = row->outcome = SR_NO_WORD;
    row->reported = 0;
    row->cause_class = row->probe_class = row->verdict_class = row->outcome_class = 0;
}

void sr_transmission_settled(struct sr_transmission_row *row, enum sr_outcome outcome, uint32_t frame)
{
    row->outcome = (uint8_t)outcome;
    row->outcome_class = 5;
    row->resolved_frame = frame;
}

void sr_transmission_undetermined(struct sr_transmission_row *row)
{
    row->verdict = SR_VERDICT_UNDETERMINED;
    row->cause = SR_CAUSE_UNKNOWN;
    row->verdict_class = row->cause_class = 1;
    row->trigger_frame = 0;
    row->evidence = 0;
}

void sr_sack_unjudged(struct sr_sack_row *row)
{
    row->rtt_ns = SR_NO_TIME;
    row->rtt_tag = SR_NO_WORD;
    row->reneged = 0;
    row->reneged_count = 0;
    row->rtxq_bytes = row->rtxq_necessary_bytes = 0;
    row->stale = row->truncated = row->reneged_class = 0;
}

static struct sr_spool *table_of(struct sr_journal *journal, uint8_t table)
{
    struct sr_spool *const tables[] = {&journal->transmissions, &journal->sacks, &journal->controls};
    return tables[table];
}

/* Before these entries and rows all are done with, but for what is looked back at. */
static void give_back(struct sr_journal *journal, uint64_t entries, const uint32_t passed[3])
{
    for (uint8_t table = 0; table < 3; table++)
        sr_spool_done_before(table_of(journal, table), passed[table] > LOOKED_BACK ? passed[table] - LOOKED_BACK : 0);
    sr_spool_done_before(&journal->order, entries);
}

void sr_journal_link(struct sr_journal *journal, struct sr_journal_chain *chain)
{
    uint32_t entry = (uint32_t)journal->order.count;
    if (chain->last != 0)
        sr_journal_place_at(journal, chain->last - 1)->next = entry;
    else
        chain->first = entry;
    chain->last = entry;
}

void sr_journal_join(struct sr_journal *journal, struct sr_journal_chain *chain, struct sr_journal_chain *other)
{
    uint32_t one = chain->first, two = other->first;
    *other = *chain = (struct sr_journal_chain){0, 0};
    while (one != 0 || two != 0) {
        uint32_t *earlier = two == 0 || (one != 0 && one < two) ? &one : &two;
        uint32_t entry = *earlier;
        *earlier = sr_journal_place_at(journal, entry - 1)->next;
        if (chain->last != 0)
            sr_journal_place_at(journal, chain->last - 1)->next = entry;
        else
            chain->first = entry;
        chain->last = entry;
    }
    if (chain->last != 0)
        sr_journal_place_at(journal, chain->last - 1)->next = 0;
}

void sr_journal_passed(struct sr_journal *journal, const struct sr_journal_pass *pass)
{
    give_back(journal, pass->next > 0 ? pass->next - 1 : 0, pass->passed);
}

bool sr_journal_next(struct sr_journal_walk *walk, struct sr_entry *entry)
{
    struct sr_journal *journal = walk->journal;
    if (walk->next == journal->order.count || sr_journal_is_stopped(journal))
        return false;
    if (walk->next > 0 && walk->next % SR_JOURNAL_GIVE_BACK_EVERY == 0)
        give_back(journal, walk->next, walk->passed);
    *entry = sr_entry_of(sr_journal_place_at(journal, walk->next++));
    walk->passed[entry->table] = entry->row + 1;
    sr_journal_will_write(journal, entry);
    return true;
}

void sr_journal_will_write(struct sr_journal *journal, const struct sr_entry *entry)
{
    const struct sr_spool *spool = table_of(journal, entry->table);
    if ((entry->row & spool->mask) == 0)
        sr_spool_will_write(spool, entry->row);
}
