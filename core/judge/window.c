/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs, its two bit maps and its sums. */
#include "window.h"

#include <stdlib.h>
#include <string.h>

#include "../association/scoreboard.h"

enum {
    FIRST_CAPACITY = 4, /* most associations of a large capture send little */
    FREE = 16,          /* entries that every window has, however many others there are */
    WORD = 64,
};

static uint32_t width_of(const struct sr_window *window)
{
    return window->capacity < WORD ? window->capacity : WORD;
}

static size_t words_of(uint32_t capacity)
{
    return (capacity + WORD - 1) / WORD;
}

static uint32_t span(struct sr_tsn first, struct sr_tsn last)
{
    return last.value - first.value + 1;
}

static bool bit(const struct sr_window *window, const uint64_t *bits, struct sr_tsn tsn)
{
    uint32_t at = tsn.value & (window->capacity - 1);
    return bits[at / WORD] >> (at % WORD) & 1;
}

static void set(const struct sr_window *window, uint64_t *bits, struct sr_tsn tsn, bool value)
{
    uint32_t at = tsn.value & (window->capacity - 1);
    uint64_t one = UINT64_C(1) << (at % WORD);
    bits[at / WORD] = value ? bits[at / WORD] | one : bits[at / WORD] & ~one;
}

/* One word of a range of bits: `mask` are those of the range, `count` how many it has room for. */
struct piece {
    uint32_t word, offset, count;
    uint64_t mask;
};

static struct piece piece_of(const struct sr_window *window, struct sr_tsn first, struct sr_tsn last)
{
    uint32_t at = first.value & (window->capacity - 1), left = span(first, last);
    struct piece piece = {.word = at / WORD, .offset = at % WORD};
    piece.count = width_of(window) - piece.offset;
    if (piece.count > left)
        piece.count = left;
    piece.mask = (piece.count == WORD ? UINT64_MAX : (UINT64_C(1) << piece.count) - 1) << piece.offset;
    return piece;
}

static void clear_range(const struct sr_window *window, uint64_t *bits, struct sr_tsn first, struct sr_tsn last)
{
    while (sr_tsn_distance(last, first) >= 0) {
        struct piece piece = piece_of(window, first, last);
        bits[piece.word] &= ~piece.mask;
        first = sr_tsn_add(first, piece.count);
    }
}

static bool next(const struct sr_window *window, const uint64_t *bits, bool value, struct sr_tsn *tsn,
                 struct sr_tsn last)
{
    while (window->capacity >= WORD && sr_tsn_distance(last, *tsn) >= 0) { /* whole words: their ends need no mask */
        uint32_t at = tsn->value & (window->capacity - 1);
        uint64_t found = (value ? bits[at / WORD] : ~bits[at / WORD]) >> (at % WORD);
        *tsn = sr_tsn_add(*tsn, found ? (uint32_t)__builtin_ctzll(found) : WORD - at % WORD);
        if (found)
            return sr_tsn_distance(last, *tsn) >= 0;
    }
    while (sr_tsn_distance(last, *tsn) >= 0) {
        struct piece piece = piece_of(window, *tsn, last);
        uint64_t found = (value ? bits[piece.word] : ~bits[piece.word]) & piece.mask;
        if (found) {
            *tsn = sr_tsn_add(*tsn, (uint32_t)__builtin_ctzll(found) - piece.offset);
            return true;
        }
        *tsn = sr_tsn_add(*tsn, piece.count);
    }
    return false;
}

bool sr_window_next_missing(const struct sr_window *window, struct sr_tsn *tsn, struct sr_tsn last)
{
    return next(window, window->received, false, tsn, last);
}

bool sr_window_next_queued(const struct sr_window *window, struct sr_tsn *tsn, struct sr_tsn last)
{
    return next(window, window->freed, false, tsn, last);
}

bool sr_window_next_received(const struct sr_window *window, struct sr_tsn *tsn, struct sr_tsn last)
{
    return next(window, window->received, true, tsn, last);
}

uint32_t sr_window_count_received(const struct sr_window *window, struct sr_tsn first, struct sr_tsn last)
{
    uint32_t count = 0;
    while (sr_tsn_distance(last, first) >= 0) {
        struct piece piece = piece_of(window, first, last);
        count += (uint32_t)__builtin_popcountll(window->received[piece.word] & piece.mask);
        first = sr_tsn_add(first, piece.count);
    }
    return count;
}

static uint32_t in_budget(uint32_t capacity)
{
    return capacity > FREE ? capacity - FREE : 0;
}

static void drop(struct sr_window *window)
{
    free(window->ring);
    free(window->received);
    free(window->freed);
    free(window->sent);
}

void sr_window_free(struct sr_window *window, struct sr_window_budget *budget)
{
    budget->left += in_budget(window->capacity);
    drop(window);
    *window = (struct sr_window){0};
}

static bool is_of(const struct sr_window *window, const struct sr_window_tsn *entry, struct sr_tsn tsn)
{
    return entry->tsn == tsn.value && entry->numbering == window->numbering;
}

static bool grow(struct sr_window *window, struct sr_window_budget *budget)
{
    struct sr_window larger = *window;
    larger.capacity = window->capacity ? window->capacity * 2 : FIRST_CAPACITY;
    uint32_t more = in_budget(larger.capacity) - in_budget(window->capacity);
    if (budget->left < more)
        return false;
    larger.ring = calloc(larger.capacity, sizeof *larger.ring);
    larger.received = calloc(words_of(larger.capacity), sizeof *larger.received);
    larger.freed = calloc(words_of(larger.capacity), sizeof *larger.freed);
    larger.sent = calloc(words_of(larger.capacity), sizeof *larger.sent);
    if (!larger.ring || !larger.received || !larger.freed || !larger.sent) {
        drop(&larger);
        return false;
    }
    larger.ring[0].tsn = 1; /* no entry may belong to the TSN of its place before it is used */
    if (window->capacity > 0) {
        uint32_t count = span(window->base, window->highest);
        for (uint32_t i = 0; i < count; i++) {
            struct sr_tsn tsn = sr_tsn_add(window->base, i);
            const struct sr_window_tsn *entry = &window->ring[tsn.value & (window->capacity - 1)];
            if (is_of(window, entry, tsn))
                larger.ring[tsn.value & (larger.capacity - 1)] = *entry;
            set(&larger, larger.received, tsn, bit(window, window->received, tsn));
            set(&larger, larger.freed, tsn, bit(window, window->freed, tsn));
            set(&larger, larger.sent, tsn, bit(window, window->sent, tsn));
        }
    }
    budget->left -= more;
    drop(window);
    *window = larger;
    return true;
}

bool sr_window_begin(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn)
{
    if (window->capacity == 0 && !grow(window, budget))
        return false;
    if (++window->numbering == 0) { /* entries of the numbering that had this number before */
        memset(window->ring, 0, window->capacity * sizeof *window->ring);
        window->numbering = 1;
    }
    window->base = window->highest = tsn;
    window->received_to = sr_tsn_add(tsn, UINT32_MAX);
    window->forgot = false;
    window->queued_bytes = window->necessary_bytes = 0;
    clear_range(window, window->received, tsn, tsn);
    clear_range(window, window->freed, tsn, tsn);
    clear_range(window, window->sent, tsn, tsn);
    return true;
}

/* Takes a TSN into the sums, or out of them. */
static void account(struct sr_window *window, struct sr_tsn tsn, bool in)
{
    const struct sr_window_tsn *entry = sr_window_at(window, tsn);
    uint64_t bytes = in ? entry->bytes : -(uint64_t)entry->bytes;
    if (entry->first_row == 0 || sr_window_freed(window, tsn))
        return;
    window->queued_bytes += bytes;
    if (!entry->abandoned && !sr_window_received(window, tsn))
        window->necessary_bytes += bytes;
}

/* TSNs below `base` leave the sums. */
static void forget_below(struct sr_window *window, struct sr_tsn base)
{
    struct sr_tsn last = sr_tsn_add(base, UINT32_MAX), tsn = window->base;
    if (sr_tsn_after(last, window->highest))
        last = window->highest;
    for (; next(window, window->sent, true, &tsn, last); tsn = sr_tsn_add(tsn, 1))
        account(window, tsn, false);
    window->base = base;
    window->forgot = true;
}

/* As in the scoreboard: rather than forget a TSN that is outstanding. */
static bool worth_growing(const struct sr_window *window, struct sr_tsn base)
{
    struct sr_tsn queued = window->base, last = sr_tsn_add(base, UINT32_MAX);
    if (sr_tsn_after(last, window->highest))
        last = window->highest;
    return window->capacity < SR_SCOREBOARD_HISTORY ||
           (window->capacity < SR_SCOREBOARD_LARGEST && sr_window_next_queued(window, &queued, last));
}

static struct sr_tsn base_for(const struct sr_window *window, struct sr_tsn highest)
{
    return sr_tsn_add(sr_tsn(highest.value - window->capacity), 1);
}

static void reach_up(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn)
{
    while (span(window->base, tsn) > window->capacity && worth_growing(window, base_for(window, tsn)) &&
           grow(window, budget))
        continue;
    struct sr_tsn above = sr_tsn_add(window->highest, 1);
    if (span(window->base, tsn) > window->capacity)
        forget_below(window, base_for(window, tsn));
    if (sr_tsn_after(window->base, above))
        above = window->base; /* all that was kept is forgotten */
    clear_range(window, window->received, above, tsn);
    clear_range(window, window->freed, above, tsn);
    clear_range(window, window->sent, above, tsn);
    window->highest = tsn;
}

static bool reach_down(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn)
{
    if (window->forgot || span(tsn, window->highest) > SR_SCOREBOARD_LARGEST)
        return false;
    while (span(tsn, window->highest) > window->capacity)
        if (!grow(window, budget))
            return false;
    struct sr_tsn below = sr_tsn_add(window->base, UINT32_MAX);
    clear_range(window, window->received, tsn, below);
    clear_range(window, window->freed, tsn, below);
    clear_range(window, window->sent, tsn, below);
    window->base = tsn;
    return true;
}

bool sr_window_holds(const struct sr_window *window, struct sr_tsn tsn)
{
    return window->capacity > 0 && sr_tsn_distance(tsn, window->base) >= 0 &&
           sr_tsn_distance(window->highest, tsn) >= 0;
}

/* Most TSNs follow the highest: then at most the lowest leaves, whose place in the ring the new one takes. False where
 * it is another case. */
static bool follow(struct sr_window *window, struct sr_tsn tsn)
{
    if (tsn.value != window->highest.value + 1)
        return false;
    if (span(window->base, tsn) > window->capacity) {
        if (window->capacity < SR_SCOREBOARD_HISTORY || !sr_window_freed(window, window->base))
            return false; /* there may be room for more */
        window->base = sr_tsn_add(window->base, 1);
        window->forgot = true;
    }
    set(window, window->received, tsn, false);
    set(window, window->freed, tsn, false);
    set(window, window->sent, tsn, false);
    window->highest = tsn;
    return true;
}

bool sr_window_reach(struct sr_window *window, struct sr_window_budget *budget, struct sr_tsn tsn)
{
    if (follow(window, tsn))
        return true;
    if (sr_tsn_after(tsn, window->highest)) {
        reach_up(window, budget, tsn);
        return true;
    }
    return sr_window_holds(window, tsn) || reach_down(window, budget, tsn);
}

struct sr_window_tsn *sr_window_at(struct sr_window *window, struct sr_tsn tsn)
{
    struct sr_window_tsn *entry = &window->ring[tsn.value & (window->capacity - 1)];
    if (!is_of(window, entry, tsn))
        *entry = (struct sr_window_tsn){.tsn = tsn.value, .numbering = window->numbering};
    return entry;
}

bool sr_window_received(const struct sr_window *window, struct sr_tsn tsn)
{
    return bit(window, window->received, tsn);
}

bool sr_window_freed(const struct sr_window *window, struct sr_tsn tsn)
{
    return bit(window, window->freed, tsn);
}

void sr_window_sent(struct sr_window *window, struct sr_tsn tsn, uint32_t row, uint16_t bytes)
{
    struct sr_window_tsn *entry = sr_window_at(window, tsn);
    account(window, tsn, false);
    if (entry->first_row == 0)
        entry->first_row = row + 1;
    set(window, window->sent, tsn, true);
    entry->last_row = row + 1;
    entry->bytes = bytes;
    account(window, tsn, true);
}

void sr_window_receive(struct sr_window *window, struct sr_tsn tsn)
{
    const struct sr_window_tsn *entry = sr_window_at(window, tsn);
    if (entry->first_row != 0 && !entry->abandoned && !sr_window_freed(window, tsn) && !sr_window_received(window, tsn))
        window->necessary_bytes -= entry->bytes;
    set(window, window->received, tsn, true);
    if (sr_tsn_after(tsn, window->received_to))
        window->received_to = tsn;
}

void sr_window_withdraw(struct sr_window *window, struct sr_tsn tsn)
{
    account(window, tsn, false);
    set(window, window->received, tsn, false);
    account(window, tsn, true);
}

void sr_window_release(struct sr_window *window, struct sr_tsn tsn)
{
    account(window, tsn, false);
    set(window, window->freed, tsn, true);
}

void sr_window_abandon(struct sr_window *window, struct sr_tsn tsn, bool abandoned)
{
    account(window, tsn, false);
    sr_window_at(window, tsn)->abandoned = abandoned;
    account(window, tsn, true);
}
