/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets of sequence numbers in a moving window: rings of bits, with a bit above each 64 that says where to look. A run
 * of 4096 that has no member is passed in one step. Several sets lie side by side, so that a number enters or leaves
 * all of them at once. */
#ifndef SR_MODEL_SEQ_SET_H
#define SR_MODEL_SEQ_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { SR_SEQ_LANES = 8 /* most sets side by side */ };

struct sr_seq_sets {
    uint64_t *words;             /* of all sets at one place, then of all at the next */
    uint64_t *summary;           /* a bit for each word; it may be set where the word has become empty */
    uint32_t capacity;           /* a power of two: the most that lies between two members */
    uint32_t lanes;              /* how many sets */
    int64_t floor[SR_SEQ_LANES]; /* of each set: it has no member below it that anybody asks for */
    int64_t highest_floor;       /* none is higher */
};

/* Room for a larger window, with the members between `from` and `end` kept; false, and nothing changed, without
 * memory. */
bool sr_seq_sets_grow(struct sr_seq_sets *sets, uint32_t capacity, int64_t from, int64_t end);
/* A copy of the sets in another one's place, which is not freed; false, and empty, without memory. */
bool sr_seq_sets_copy(struct sr_seq_sets *to, const struct sr_seq_sets *from);
void sr_seq_sets_free(struct sr_seq_sets *sets);

static inline uint32_t sr_seq_word(const struct sr_seq_sets *sets, int64_t seq)
{
    return ((uint32_t)seq & (sets->capacity - 1)) >> 6;
}

static inline bool sr_seq_set_has(const struct sr_seq_sets *sets, uint32_t lane, int64_t seq)
{
    return sets->words[sr_seq_word(sets, seq) * sets->lanes + lane] >> (seq & 63) & 1;
}

/* A member below the floor of a set lowers it. */
static inline void sr_seq_sets_lower(struct sr_seq_sets *sets, int64_t seq)
{
    if (seq >= sets->highest_floor)
        return;
    for (uint32_t lane = 0; lane < SR_SEQ_LANES; lane++)
        if (seq < sets->floor[lane])
            sets->floor[lane] = seq;
}

static inline void sr_seq_set_add(struct sr_seq_sets *sets, uint32_t lane, int64_t seq)
{
    sr_seq_sets_lower(sets, seq);
    uint32_t word = sr_seq_word(sets, seq);
    sets->words[word * sets->lanes + lane] |= UINT64_C(1) << (seq & 63);
    sets->summary[(word >> 6) * sets->lanes + lane] |= UINT64_C(1) << (word & 63);
}

static inline void sr_seq_set_remove(struct sr_seq_sets *sets, uint32_t lane, int64_t seq)
{
    sets->words[sr_seq_word(sets, seq) * sets->lanes + lane] &= ~(UINT64_C(1) << (seq & 63));
}

/* Of SR_SEQ_LANES sets: adds it to those whose mask is all ones, not to those whose mask is 0. */
static inline void sr_seq_sets_add(struct sr_seq_sets *sets, const uint64_t *masks, int64_t seq)
{
    sr_seq_sets_lower(sets, seq);
    uint32_t word = sr_seq_word(sets, seq);
    uint64_t *words = &sets->words[word * SR_SEQ_LANES], *summary = &sets->summary[(word >> 6) * SR_SEQ_LANES];
    for (uint32_t lane = 0; lane < SR_SEQ_LANES; lane++) {
        words[lane] |= masks[lane] & UINT64_C(1) << (seq & 63);
        summary[lane] |= masks[lane] & UINT64_C(1) << (word & 63);
    }
}

/* Likewise, from all. */
static inline void sr_seq_sets_remove(struct sr_seq_sets *sets, int64_t seq)
{
    uint64_t *words = &sets->words[sr_seq_word(sets, seq) * SR_SEQ_LANES];
    for (uint32_t lane = 0; lane < SR_SEQ_LANES; lane++)
        words[lane] &= ~(UINT64_C(1) << (seq & 63));
}

/* As sr_seq_set_next, from the first place of a word on. */
int64_t sr_seq_set_search(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end);

/* The first member from `from` on and before `end`; `end` where there is none. */
static inline int64_t sr_seq_set_next(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end)
{
    if (from >= end)
        return end;
    uint64_t word = sets->words[sr_seq_word(sets, from) * sets->lanes + lane] >> (from & 63);
    if (word == 0)
        return sr_seq_set_search(sets, lane, from + 64 - (from & 63), end);
    int64_t next = from + __builtin_ctzll(word);
    return next < end ? next : end;
}

/* Likewise, where `from` never falls: what lies below the member that was found the last time is not looked at again.
 */
static inline int64_t sr_seq_set_first(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end)
{
    int64_t *floor = &sets->floor[lane];
    if (*floor >= end)
        return end;
    *floor = sr_seq_set_next(sets, lane, from > *floor ? from : *floor, end);
    sets->highest_floor = *floor > sets->highest_floor ? *floor : sets->highest_floor;
    return *floor;
}

/* The last one; `from` - 1 where there is none. */
int64_t sr_seq_set_last(struct sr_seq_sets *sets, uint32_t lane, int64_t from, int64_t end);

#endif
