/* SPDX-License-Identifier: BSD-2-Clause */
/* The spools of the journal, and the way through them. */
#include "journal.h"

#include <errno.h>

enum { TABLE_SHIFT = 30, GIVE_BACK_EVERY = 1 << 15 /* entries: about 3 MiB */ };

void sr_journal_init(struct sr_journal *journal, size_t memory)
{
    sr_spool_store_init(&journal->store, memory);
    sr_spool_init(&journal->transmissions, &journal->store, sizeof(struct sr_transmission_row));
    sr_spool_init(&journal->sacks, &journal->store, sizeof(struct sr_sack_row));
    sr_spool_init(&journal->controls, &journal->store, sizeof(struct sr_control_row));
    sr_spool_init(&journal->numbers, &journal->store, sizeof(uint32_t));
    sr_spool_init(&journal->judged, &journal->store, sizeof(uint32_t));
    sr_spool_init(&journal->order, &journal->store, sizeof(uint32_t));
    sr_spool_init(&journal->next, &journal->store, sizeof(uint32_t));
}

void sr_journal_free(struct sr_journal *journal)
{
    sr_spool_free(&journal->transmissions);
    sr_spool_free(&journal->sacks);
    sr_spool_free(&journal->controls);
    sr_spool_free(&journal->numbers);
    sr_spool_free(&journal->judged);
    sr_spool_free(&journal->order);
    sr_spool_free(&journal->next);
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
    uint32_t entry = (uint32_t)table << TABLE_SHIFT | (uint32_t)spool->count;
    uint32_t *place = sr_spool_append(&journal->order);
    if (!place)
        return NULL;
    *place = entry;
    uint32_t *next = sr_spool_append(&journal->next);
    if (!next) {
        journal->order.count--;
        return NULL;
    }
    *next = 0;
    void *row = sr_spool_append(spool);
    if (!row) {
        journal->order.count--;
        journal->next.count--;
    }
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
    row->trigger_frame = row->acked_frame = row->resolved_frame = row->prev_row = 0;
    row->cause = row->probe = row->verdict = row->outcome = SR_NO_WORD;
    row->cause_class = row->probe_class = row->verdict_class = row->outcome_class = 0;
}

void sr_sack_unjudged(struct sr_sack_row *row)
{
    row->rtt_ns = SR_NO_TIME;
    row->rtt_tag = SR_NO_WORD;
    row->reneged = 0;
    row->reneged_count = 0;
    row->outstanding_bytes = row->rtxq_bytes = row->rtxq_necessary_bytes = 0;
    row->stale = row->truncated = row->reneged_class = 0;
}

static void give_back(const struct sr_journal_walk *walk)
{
    struct sr_journal *journal = walk->journal;
    uint64_t sacks = walk->passed[SR_ENTRY_SACK];
    sr_spool_done_before(&journal->transmissions, walk->passed[SR_ENTRY_TRANSMISSION]);
    sr_spool_done_before(&journal->sacks, sacks);
    sr_spool_done_before(&journal->controls, walk->passed[SR_ENTRY_CONTROL]);
    sr_spool_done_before(&journal->order, walk->next);
    if (sacks > 0)
        sr_spool_done_before(&journal->numbers, sr_sack_at(journal, sacks - 1)->lists);
}

void sr_journal_link(struct sr_journal *journal, struct sr_journal_chain *chain)
{
    uint32_t entry = (uint32_t)journal->order.count;
    if (chain->last != 0)
        *(uint32_t *)sr_spool_at(&journal->next, chain->last - 1) = entry;
    else
        chain->first = entry;
    chain->last = entry;
}

bool sr_journal_follow(const struct sr_journal *journal, uint32_t *next, struct sr_entry *entry)
{
    if (*next == 0)
        return false;
    const uint32_t *order = sr_spool_at(&journal->order, *next - 1);
    entry->table = (uint8_t)(*order >> TABLE_SHIFT);
    entry->row = *order & (SR_JOURNAL_LIMIT - 1);
    *next = *(uint32_t *)sr_spool_at(&journal->next, *next - 1);
    return true;
}

bool sr_journal_pass(struct sr_journal *journal, struct sr_journal_pass *pass, struct sr_entry *entry)
{
    uint32_t at = pass->next;
    if (!sr_journal_follow(journal, &pass->next, entry))
        return false;
    if (++pass->steps % GIVE_BACK_EVERY == 0) {
        struct sr_spool *tables[] = {&journal->transmissions, &journal->sacks, &journal->controls};
        sr_spool_done_before(tables[entry->table], entry->row);
        sr_spool_done_before(&journal->order, at - 1);
        sr_spool_done_before(&journal->next, at - 1);
        if (entry->table == SR_ENTRY_SACK)
            sr_spool_done_before(&journal->numbers, sr_sack_at(journal, entry->row)->lists);
    }
    return true;
}

bool sr_journal_next(struct sr_journal_walk *walk, struct sr_entry *entry)
{
    struct sr_journal *journal = walk->journal;
    if (walk->next == journal->order.count)
        return false;
    if (walk->next > 0 && walk->next % GIVE_BACK_EVERY == 0)
        give_back(walk);
    const uint32_t *order = sr_spool_at(&journal->order, walk->next++);
    entry->table = (uint8_t)(*order >> TABLE_SHIFT);
    entry->row = *order & (SR_JOURNAL_LIMIT - 1);
    walk->passed[entry->table] = (uint64_t)entry->row + 1;
    return true;
}
