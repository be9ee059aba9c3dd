/* SPDX-License-Identifier: BSD-2-Clause */
/* One walk over the transmissions of each association, then a row for each word that was met. */
#include "counts.h"

#include "../association/kind.h"

enum { WORDS = SR_KIND_COUNT + SR_CAUSE_COUNT + SR_VERDICT_COUNT + SR_OUTCOME_COUNT };

static const uint8_t words_of[SR_COUNT_WHAT_COUNT] = {SR_KIND_COUNT, SR_CAUSE_COUNT, SR_VERDICT_COUNT,
                                                      SR_OUTCOME_COUNT};

struct tally {
    uint64_t transmissions, tsns, bytes;
};

/* What nobody sent has a kind and no fate of its own. */
static uint8_t word_of(const struct sr_transmission_row *row, enum sr_count_what what)
{
    if (what != SR_COUNT_WHAT_KIND && sr_is_duplicate(row->kind))
        return SR_NO_WORD;
    switch (what) {
    case SR_COUNT_WHAT_KIND: return row->kind;
    case SR_COUNT_WHAT_CAUSE: return row->cause;
    case SR_COUNT_WHAT_VERDICT: return row->verdict;
    case SR_COUNT_WHAT_OUTCOME: return row->outcome;
    }
    return SR_NO_WORD;
}

/* Its TSN has this word for the first time, as far as a hostile number of copies is looked through. */
static bool is_first(const struct sr_journal *journal, const struct sr_transmission_row *row, enum sr_count_what what)
{
    enum { LOOKED_AT = 64 };
    uint8_t word = word_of(row, what);
    for (int i = 0; i < LOOKED_AT && row->prev_row != 0; i++) {
        row = sr_transmission_at(journal, row->prev_row - 1);
        if (word_of(row, what) == word)
            return false;
    }
    return true;
}

static void count(const struct sr_journal *journal, const struct sr_transmission_row *row, struct tally *tally)
{
    for (enum sr_count_what what = 0; what < SR_COUNT_WHAT_COUNT; tally += words_of[what++]) {
        uint8_t word = word_of(row, what);
        if (word == SR_NO_WORD)
            continue;
        tally[word].transmissions++;
        tally[word].bytes += row->bytes;
        tally[word].tsns += is_first(journal, row, what);
    }
}

static bool write(struct sr_spool *counts, const struct tally *tally, uint32_t assoc, uint8_t from)
{
    for (uint8_t what = 0; what < SR_COUNT_WHAT_COUNT; what++) {
        for (uint8_t word = 0; word < words_of[what]; word++, tally++) {
            if (tally->transmissions == 0)
                continue;
            struct sr_count_row *row = sr_spool_append(counts);
            if (!row)
                return false;
            *row = (struct sr_count_row){.transmissions = tally->transmissions,
                                         .tsns = tally->tsns,
                                         .bytes = tally->bytes,
                                         .assoc = assoc,
                                         .from = from,
                                         .what = what,
                                         .word = word};
        }
    }
    return true;
}

/* The pass goes on from the association before, so that it gives back rows however short the associations are. */
static bool count_association(struct sr_journal *journal, const struct sr_association *association,
                              struct sr_journal_pass *pass, struct sr_spool *counts)
{
    struct tally tallies[2][WORDS] = {{{0}}};
    struct sr_entry entry;
    pass->next = association->entries.first;
    while (sr_journal_pass(journal, pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
        count(journal, row, tallies[row->from]);
    }
    return write(counts, tallies[0], association->number, 0) && write(counts, tallies[1], association->number, 1);
}

bool sr_counts(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    struct sr_journal_pass pass = {0};
    uint32_t number = 0, end = sr_registry_count(associations);
    for (; number < end; number++)
        if (sr_is_own(judgement->share, number) &&
            !count_association(journal, sr_registry_at(associations, number), &pass, &judgement->counts))
            break;
    sr_spool_done(&journal->transmissions);
    return number == end;
}
