/* SPDX-License-Identifier: BSD-2-Clause */
/* One walk over the transmissions, then a row for each word that was met. */
#include "counts.h"

#include <stdlib.h>

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

static void write(struct sr_buffer *counts, const struct tally *tally, uint32_t direction)
{
    for (uint8_t what = 0; what < SR_COUNT_WHAT_COUNT; what++) {
        for (uint8_t word = 0; word < words_of[what]; word++, tally++) {
            if (tally->transmissions == 0)
                continue;
            struct sr_count_row row = {.transmissions = tally->transmissions,
                                       .tsns = tally->tsns,
                                       .bytes = tally->bytes,
                                       .assoc = direction / 2,
                                       .from = (uint8_t)(direction % 2),
                                       .what = what,
                                       .word = word};
            sr_buffer_append(counts, &row, sizeof row);
        }
    }
}

bool sr_counts(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    enum { GIVE_BACK_EVERY = 1 << 13 };
    uint32_t directions = 2 * sr_registry_count(associations);
    struct tally **tallies = calloc(directions + 1, sizeof *tallies);
    bool failed = !tallies;

    for (uint64_t i = 0; !failed && i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (i % GIVE_BACK_EVERY == 0) {
            sr_spool_done_before(&journal->transmissions, i);
            failed = sr_journal_is_stopped(journal);
        }
        if (row->assoc == SR_NO_ASSOCIATION)
            continue;
        struct tally **tally = &tallies[2 * (size_t)row->assoc + row->from];
        if (!*tally)
            *tally = calloc(WORDS, sizeof **tally);
        failed = !*tally;
        if (!failed)
            count(journal, row, *tally);
    }
    for (uint32_t i = 0; tallies && i < directions; i++) {
        if (tallies[i] && !failed)
            write(&judgement->counts, tallies[i], i);
        free(tallies[i]);
    }
    free(tallies);
    return !failed && !judgement->counts.failed;
}
