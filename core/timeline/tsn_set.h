/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TSNs of a window are members of a set: a bit for each, in a ring, and above each 64 a bit that says whether all
 * of them are. A range costs a step for every 64 TSNs, and what lies in it that all are members of one for every 4096.
 */
#ifndef SR_TIMELINE_TSN_SET_H
#define SR_TIMELINE_TSN_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"

enum { SR_TSN_WORD = 64 };

struct sr_tsn_set {
    uint64_t *words;
    uint64_t *full;    /* a bit for each word: all of it are members */
    uint32_t capacity; /* a power of two, SR_TSN_WORD or more: TSNs that are further apart share a place */
};

/* Without members; room for `capacity` TSNs at least. False when memory runs out. */
bool sr_tsn_set_init(struct sr_tsn_set *set, uint32_t capacity);
void sr_tsn_set_free(struct sr_tsn_set *set);

/* Room for more: TSNs from `first` to `last` stay members. False, and nothing changed, when memory runs out. */
bool sr_tsn_set_grow(struct sr_tsn_set *set, uint32_t capacity, struct sr_tsn first, struct sr_tsn last);

static inline uint32_t sr_tsn_set_place(const struct sr_tsn_set *set, struct sr_tsn tsn)
{
    return tsn.value & (set->capacity - 1);
}

static inline bool sr_tsn_set_has(const struct sr_tsn_set *set, struct sr_tsn tsn)
{
    uint32_t at = sr_tsn_set_place(set, tsn);
    return set->words[at / SR_TSN_WORD] >> (at % SR_TSN_WORD) & 1;
}

/* From `first` to `last`: none where the one lies before the other. */
void sr_tsn_set_add_range(struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last);
void sr_tsn_set_remove_range(struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last);

static inline void sr_tsn_set_add(struct sr_tsn_set *set, struct sr_tsn tsn)
{
    uint32_t at = sr_tsn_set_place(set, tsn), word = at / SR_TSN_WORD;
    set->words[word] |= UINT64_C(1) << (at % SR_TSN_WORD);
    set->full[word / SR_TSN_WORD] |= (uint64_t)(set->words[word] == UINT64_MAX) << (word % SR_TSN_WORD);
}

static inline void sr_tsn_set_remove(struct sr_tsn_set *set, struct sr_tsn tsn)
{
    uint32_t at = sr_tsn_set_place(set, tsn), word = at / SR_TSN_WORD;
    set->words[word] &= ~(UINT64_C(1) << (at % SR_TSN_WORD));
    set->full[word / SR_TSN_WORD] &= ~(UINT64_C(1) << (word % SR_TSN_WORD));
}

/* The next TSN from `*tsn` to `last` that is a member; false where there is none. */
bool sr_tsn_set_next(const struct sr_tsn_set *set, struct sr_tsn *tsn, struct sr_tsn last);

/* As sr_tsn_set_next_missing, where all that its first word has of the range are members. */
bool sr_tsn_set_search_missing(const struct sr_tsn_set *set, struct sr_tsn *tsn, struct sr_tsn last);

/* Likewise, that is none. */
static inline bool sr_tsn_set_next_missing(const struct sr_tsn_set *set, struct sr_tsn *tsn, struct sr_tsn last)
{
    if (sr_tsn_distance(last, *tsn) < 0)
        return false;
    uint32_t at = sr_tsn_set_place(set, *tsn);
    uint64_t found = ~set->words[at / SR_TSN_WORD] >> (at % SR_TSN_WORD);
    if (!found)
        return sr_tsn_set_search_missing(set, tsn, last);
    *tsn = sr_tsn_add(*tsn, (uint32_t)__builtin_ctzll(found));
    return sr_tsn_distance(last, *tsn) >= 0;
}

/* How many from `first` to `last` are members. */
uint32_t sr_tsn_set_count(const struct sr_tsn_set *set, struct sr_tsn first, struct sr_tsn last);

#endif
