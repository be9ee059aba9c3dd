/* SPDX-License-Identifier: BSD-2-Clause */
/* What a judge reads: everything that was seen of loss recovery, as rows by number, and the order in which they came.
 */
#ifndef SR_JOURNAL_JOURNAL_H
#define SR_JOURNAL_JOURNAL_H

#include "../names.h"
#include "../wire/sack.h"
#include "../wire/time.h"
#include "chain.h"
#include "rows.h"
#include "spool.h"

/* Memory of the rows before they go to a file, in bytes. */
#define SR_JOURNAL_MEMORY 16777216

enum sr_entry_table { SR_ENTRY_TRANSMISSION, SR_ENTRY_SACK, SR_ENTRY_CONTROL };

/* Rows of one table that can be told apart: an entry of the order is two bits of table and 30 of row. */
#define SR_JOURNAL_LIMIT 1073741824
enum { SR_JOURNAL_TABLE_SHIFT = 30 };

struct sr_journal_place {
    uint32_t entry;
    uint32_t next; /* 1 + number of the next entry of its chain; 0 at the end */
};

struct sr_journal {
    struct sr_spool_store store;
    struct sr_spool transmissions; /* struct sr_transmission_row */
    struct sr_spool sacks;         /* struct sr_sack_row */
    struct sr_spool controls;      /* struct sr_control_row */
    struct sr_spool numbers;       /* uint32_t: lists, each side by side */
    struct sr_spool judged;        /* uint32_t: lists of a judge */
    struct sr_spool order;         /* struct sr_journal_place */
    bool stopped;                  /* sr_journal_stop */
};

void sr_journal_init(struct sr_journal *journal, size_t memory);
void sr_journal_free(struct sr_journal *journal);

/* Whoever walks through it is at its end from now on. From any thread. */
static inline void sr_journal_stop(struct sr_journal *journal)
{
    __atomic_store_n(&journal->stopped, true, __ATOMIC_RELAXED);
}

static inline bool sr_journal_is_stopped(const struct sr_journal *journal)
{
    return __atomic_load_n(&journal->stopped, __ATOMIC_RELAXED);
}

/* A row at the end, not cleared; NULL when the store has failed, which says why. */
struct sr_transmission_row *sr_journal_transmission(struct sr_journal *journal);
struct sr_sack_row *sr_journal_sack(struct sr_journal *journal);
struct sr_control_row *sr_journal_control(struct sr_journal *journal);

/* Room for `count` numbers side by side, and the index of the first; at most SR_SPOOL_LIST. NULL for none of them, and
 * when the store has failed. */
uint32_t *sr_journal_numbers(struct sr_journal *journal, uint32_t count, uint64_t *first);

/* The columns that a judge fills, all null. */
void sr_transmission_unjudged(struct sr_transmission_row *row);
void sr_sack_unjudged(struct sr_sack_row *row);

/* The frame says for certain what became of it. */
void sr_transmission_settled(struct sr_transmission_row *row, enum sr_outcome outcome, uint32_t frame);

/* Nothing says why it was sent again, and whether that was needed. */
void sr_transmission_undetermined(struct sr_transmission_row *row);

struct sr_entry {
    uint32_t row;
    uint8_t table; /* enum sr_entry_table */
};

static inline struct sr_entry sr_entry_of(const struct sr_journal_place *place)
{
    return (struct sr_entry){place->entry & (SR_JOURNAL_LIMIT - 1), (uint8_t)(place->entry >> SR_JOURNAL_TABLE_SHIFT)};
}

static inline struct sr_journal_place *sr_journal_place_at(const struct sr_journal *journal, uint64_t entry)
{
    return sr_spool_at_sized(&journal->order, entry, sizeof(struct sr_journal_place));
}

/* A way through the journal in the order of the capture, for who writes to every row; several may be under way. Rows
 * that were passed are given back from memory now and then. */
struct sr_journal_walk {
    struct sr_journal *journal;
    uint64_t next;      /* entry */
    uint32_t passed[3]; /* rows, by enum sr_entry_table */
};

/* The last entry becomes the last of a chain. */
void sr_journal_link(struct sr_journal *journal, struct sr_journal_chain *chain);

/* The entries of `other`, too, in order. */
void sr_journal_join(struct sr_journal *journal, struct sr_journal_chain *chain, struct sr_journal_chain *other);

/* A way along a whole chain; rows that were passed are given back from memory now and then. */
struct sr_journal_pass {
    uint32_t next;      /* begin with the chain's `first` */
    uint32_t passed[3]; /* 1 + the last row, by enum sr_entry_table */
    uint32_t steps;
};

/* A look along a chain: begin with its `first`, or somewhere on the way. False at the end. */
static inline bool sr_journal_follow(const struct sr_journal *journal, uint32_t *next, struct sr_entry *entry)
{
    if (*next == 0)
        return false;
    const struct sr_journal_place *place = sr_journal_place_at(journal, *next - 1);
    *entry = sr_entry_of(place);
    *next = place->next;
    return true;
}

/* False at the end, and when the journal is stopped. */
bool sr_journal_next(struct sr_journal_walk *walk, struct sr_entry *entry);

/* Rows from this one on will be written, as most are of a walk: told of each, it makes ready those that lie together.
 */
void sr_journal_will_write(struct sr_journal *journal, const struct sr_entry *entry);

enum { SR_JOURNAL_GIVE_BACK_EVERY = 1 << 13 /* entries: about 1 MiB of rows */ };

/* What a pass is done with. */
void sr_journal_passed(struct sr_journal *journal, const struct sr_journal_pass *pass);

/* False at the end, and when the journal is stopped. */
static inline bool sr_journal_pass(struct sr_journal *journal, struct sr_journal_pass *pass, struct sr_entry *entry)
{
    if (pass->steps++ % SR_JOURNAL_GIVE_BACK_EVERY == SR_JOURNAL_GIVE_BACK_EVERY - 1)
        sr_journal_passed(journal, pass);
    if (sr_journal_is_stopped(journal) || !sr_journal_follow(journal, &pass->next, entry))
        return false;
    pass->passed[entry->table] = entry->row + 1;
    return true;
}

static inline struct sr_transmission_row *sr_transmission_at(const struct sr_journal *journal, uint64_t row)
{
    return sr_spool_at_sized(&journal->transmissions, row, sizeof(struct sr_transmission_row));
}

static inline struct sr_sack_row *sr_sack_at(const struct sr_journal *journal, uint64_t row)
{
    return sr_spool_at_sized(&journal->sacks, row, sizeof(struct sr_sack_row));
}

/* Its gap blocks are non-renegable by its A bit, as one that lists none itself says it. */
static inline bool sr_sack_promises_all(const struct sr_sack_row *sack)
{
    return sack->kind == SR_SACK_KIND_NR_SACK && (sack->flags & SR_NR_SACK_ALL) && sack->nr_gaps == 0;
}

/* How many packets it answers, as far as it says: with CMT and DAC usrsctp has it in the two highest bits of the flags.
 * 0: it does not say. */
static inline uint8_t sr_sack_packets(const struct sr_sack_row *sack)
{
    return (uint8_t)(sack->flags >> 6);
}

static inline struct sr_control_row *sr_control_at(const struct sr_journal *journal, uint64_t row)
{
    return sr_spool_at_sized(&journal->controls, row, sizeof(struct sr_control_row));
}

/* A list of at least one number. */
static inline uint32_t *sr_numbers_at(const struct sr_journal *journal, uint64_t index)
{
    return sr_spool_visit(&journal->numbers, index);
}

#endif
