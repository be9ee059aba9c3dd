/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the next and the last member of a set are. */
#include "seq_set.h"

#include <stdlib.h>
#include <string.h>

static uint32_t words_of(uint32_t capacity)
{
    return capacity / 64;
}

static uint32_t summaries_of(uint32_t capacity)
{
    return (words_of(capacity) + 63) / 64;
}

bool sr_seq_sets_grow(struct sr_seq_sets *sets, uint32_t capacity, int64_t from, int64_t end)
{
    struct sr_seq_sets larger = *sets;
    larger.capacity = capacity;
    larger.words = calloc((size_t)words_of(capacity) * sets->lanes, sizeof *larger.words);
    larger.summary = calloc((size_t)summaries_of(capacity) * sets->lanes, sizeof *larger.summary);
    if (!larger.words || !larger.summary) {
        sr_seq_sets_free(&larger);
        return false;
    }
    for (uint32_t lane = 0; lane < sets->lanes && sets->capacity > 0; lane++)
        for (int64_t seq = sr_seq_set_next(sets, lane, from, end); seq < end;
             seq = sr_seq_set_next(sets, lane, seq + 1, end))
            sr_seq_set_add(&larger, lane, seq);
    sr_seq_sets_free(sets);
    *sets = larger;
    return true;
}

bool sr_seq_sets_copy(struct sr_seq_sets *to, const struct sr_seq_sets *from)
{
    size_t words = (size_t)words_of(from->capacity) * from->lanes;
    size_t summaries = (size_t)summaries_of(from->capacity) * from->lanes;
    *to = *from;
    to->words = malloc(words * sizeof *to->words);
    to->summary = malloc(summaries * sizeof *to->summary);
    if (!to->words || !to->summary) {
        sr_seq_sets_free(to);
        return false;
    }
    memcpy(to->words, from->words, words * sizeof *to->words);
    memcpy(to->summary, from->summary, summaries * sizeof *to->summary);
    return true;
}

void sr_seq_sets_free(struct sr_seq_sets *sets)
{
    free(sets->words);
    free(sets->summary);
    sets->words = sets->summary = NULL;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t sr_seq_set_search(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end)
{
    while (from < end) {
        uint32_t place = sr_seq_word(sets, from);
        uint64_t *summary = &sets->summary[(place >> 6) * sets->lanes + lane];
        uint64_t ahead = *summary >> (place & 63);
        uint32_t left = words_of(sets->capacity) - place; /* to the end of the ring */
        if (ahead == 0) {
            from += 64 * (int64_t)(64 - (place & 63) < left ? 64 - (place & 63) : left);
            continue;
        }
        from += 64 * __builtin_ctzll(ahead);
        place = sr_seq_word(sets, from);
        uint64_t word = sets->words[place * sets->lanes + lane];
        if (word)
            return least(from + __builtin_ctzll(word), end);
        *summary &= ~(UINT64_C(1) << (place & 63));
        from += 64;
    }
    return end;
}

int64_t sr_seq_set_last(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end)
{
    int64_t seq = end - 1;
    while (seq >= from) {
        uint32_t place = sr_seq_word(sets, seq);
        uint64_t word = sets->words[place * sets->lanes + lane] << (63 - (seq & 63));
        if (word) {
            seq -= __builtin_clzll(word);
            break;
        }
        seq -= (seq & 63) + 1;
        while (seq >= from) { /* `seq` is the last of a word */
            place = sr_seq_word(sets, seq);
            uint64_t *summary = &sets->summary[(place >> 6) * sets->lanes + lane];
            uint64_t behind = *summary << (63 - (place & 63));
            if (behind == 0) {
                seq -= 64 * (int64_t)((place & 63) + 1);
                continue;
            }
            seq -= 64 * (int64_t)__builtin_clzll(behind);
            place = sr_seq_word(sets, seq);
            if (sets->words[place * sets->lanes + lane])
                break;
            *summary &= ~(UINT64_C(1) << (place & 63));
            seq -= 64;
        }
    }
    return seq < from ? from - 1 : seq;
}
