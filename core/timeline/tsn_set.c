/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of bits: whole words where it can be, so that most steps need no mask. */
#include "tsn_set.h"

#include <stdlib.h>

bool sr_tsn_set_init(struct sr_tsn_set *set, uint32_t capacity)
{
    set->capacity = capacity < SR_TSN_WORD ? SR_TSN_WORD : capacity;
    uint32_t words = set->capacity / SR_TSN_WORD;
    set->words = calloc(words + (words + SR_TSN_WORD - 1) / SR_TSN_WORD, sizeof *set->words);
    set->full = set->words ? set->words + words : NULL;
    return set->words;
}

void sr_tsn_set_free(struct sr_tsn_set *set)
{
    free(set->words);
    *set = (struct sr_tsn_set){0};
}

/* One word of a range of TSNs: `mask` are those in it, `count` how many. */
struct piece {
    uint32_t word, count;
    uint64_t mask;
};

static struct piece piece_of(const struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last)
{
    uint32_t at = sr_tsn_set_place(set, first), offset = at % SR_TSN_WORD;
    int64_t left = sr_tsn_distance(last, first) + 1;
    struct piece piece = {.word = at / SR_TSN_WORD, .count = SR_TSN_WORD - offset};
    if (piece.count > left)
        piece.count = (uint32_t)left;
    piece.mask = UINT64_MAX >> (SR_TSN_WORD - piece.count) << offset;
    return piece;
}

void sr_tsn_set_add_range(struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last)
{
    while (sr_tsn_distance(last, first) >= 0) {
        struct piece piece = piece_of(set, first, last);
        set->words[piece.word] |= piece.mask;
        if (set->words[piece.word] == UINT64_MAX)
            set->full[piece.word / SR_TSN_WORD] |= UINT64_C(1) << (piece.word % SR_TSN_WORD);
        first = sr_tsn_add(first, piece.count);
    }
}

void sr_tsn_set_remove_range(struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last)
{
    while (sr_tsn_distance(last, first) >= 0) {
        struct piece piece = piece_of(set, first, last);
        set->words[piece.word] &= ~piece.mask;
        set->full[piece.word / SR_TSN_WORD] &= ~(UINT64_C(1) << (piece.word % SR_TSN_WORD));
        first = sr_tsn_add(first, piece.count);
    }
}

bool sr_tsn_set_grow(struct sr_tsn_set *set, uint32_t capacity, struct sr_tsn first, struct sr_tsn last)
{
    struct sr_tsn_set larger;
    if (set->capacity >= capacity)
        return true;
    if (!sr_tsn_set_init(&larger, capacity))
        return false;
    while (set->capacity > 0 && sr_tsn_set_next(set, &first, last)) {
        struct sr_tsn end = first;
        bool ends = sr_tsn_set_next_missing(set, &end, last);
        sr_tsn_set_add_range(&larger, first, ends ? sr_tsn_add(end, UINT32_MAX) : last);
        if (!ends)
            break;
        first = end;
    }
    sr_tsn_set_free(set);
    *set = larger;
    return true;
}

bool sr_tsn_set_next(const struct sr_tsn_set *set, struct sr_tsn *tsn, struct sr_tsn last)
{
    while (sr_tsn_distance(last, *tsn) >= 0) {
        uint32_t at = sr_tsn_set_place(set, *tsn);
        uint64_t found = set->words[at / SR_TSN_WORD] >> (at % SR_TSN_WORD);
        *tsn = sr_tsn_add(*tsn, found ? (uint32_t)__builtin_ctzll(found) : SR_TSN_WORD - at % SR_TSN_WORD);
        if (found)
            return sr_tsn_distance(last, *tsn) >= 0;
    }
    return false;
}

/* Words from this one on that are full: those that the ring does not have are not. */
static uint32_t full_words(const struct sr_tsn_set *set, uint32_t word)
{
    uint64_t others = ~set->full[word / SR_TSN_WORD] >> (word % SR_TSN_WORD);
    return others ? (uint32_t)__builtin_ctzll(others) : SR_TSN_WORD - word % SR_TSN_WORD;
}

bool sr_tsn_set_search_missing(const struct sr_tsn_set *set, struct sr_tsn *tsn, struct sr_tsn last)
{
    uint32_t full = 1;
    *tsn = sr_tsn_add(*tsn, SR_TSN_WORD - sr_tsn_set_place(set, *tsn) % SR_TSN_WORD);
    while (full > 0 && sr_tsn_distance(last, *tsn) >= 0) {
        full = full_words(set, sr_tsn_set_place(set, *tsn) / SR_TSN_WORD);
        *tsn = sr_tsn_add(*tsn, full * SR_TSN_WORD);
    }
    return sr_tsn_set_next_missing(set, tsn, last);
}

uint32_t sr_tsn_set_count(const struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last)
{
    uint32_t count = 0;
    while (sr_tsn_distance(last, first) >= 0) {
        struct piece piece = piece_of(set, first, last);
        count += (uint32_t)__builtin_popcountll(set->words[piece.word] & piece.mask);
        first = sr_tsn_add(first, piece.count);
    }
    return count;
}
