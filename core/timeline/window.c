/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs, its sets and its sums. */
#include "window.h"

#include <stdlib.h>
#include <string.h>

#include "../association/scoreboard.h"

enum {
    FIRST_CAPACITY = 4, /* most associations of a large capture send little */
    FREE = 16,          /* entries that every window has, however many others there are */
};

static uint32_t span(struct sr_tsn first, struct sr_tsn last)
{
    return last.value - first.value + 1;
}

static uint32_t in_budget(uint32_t capacity)
{
    return capacity > FREE ? capacity - FREE : 0;
}

void sr_window_free(struct sr_window *window, struct sr_window_budget *budget)
{
    budget->left += in_budget(window->capacity);
    free(window->ring);
    sr_tsn_set_free(&window->received);
    sr_tsn_set_free(&window->freed);
    sr_tsn_set_free(&window->sent);
    *window = (struct sr_window){0};
}

static bool is_of(const struct sr_window *window, const struct sr_window_tsn *entry, struct sr_tsn tsn)
{
    return entry->tsn == tsn.value && entry->numbering == window->numbering;
}

static bool grow(struct sr_window *window, struct sr_window_budget *budget)
{
    uint32_t capacity = window->capacity ? window->capacity * 2 : FIRST_CAPACITY;
    uint32_t more = in_budget(capacity) - in_budget(window->capacity);
    struct sr_tsn base = window->base, highest = window->highest;
    if (budget->left < more)
        return false;
    struct sr_window_tsn *ring = calloc(capacity, sizeof *ring);
    if (!ring || !sr_tsn_set_grow(&window->received, capacity, base, highest) ||
        !sr_tsn_set_grow(&window->freed, capacity, base, highest) ||
        !sr_tsn_set_grow(&window->sent, capacity, base, highest)) {
        free(ring);
        return false;
    }
    uint32_t count = window->capacity > 0 ? span(base, highest) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct sr_tsn tsn = sr_tsn_add(base, i);
        const struct sr_window_tsn *entry = &window->ring[tsn.value & (window->capacity - 1)];
        if (is_of(window, entry, tsn))
            ring[tsn.value & (capacity - 1)] = *entry;
    }
    free(window->ring);
    budget->left -= more;
    window->ring = ring;
    window->capacity = capacity;
    return true;
}

/* Nothing is known of these TSNs. */
static void clear_range(struct sr_window *window, struct sr_tsn first, struct sr_tsn last)
{
    sr_tsn_set_remove_range(&window->received, first, last);
    sr_tsn_set_remove_range(&window->freed, first, last);
    sr_tsn_set_remove_range(&window->sent, first, last);
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
    window->forgot = window->took_all = false;
    window->queued_bytes = window->necessary_bytes = 0;
    clear_range(window, tsn, tsn);
    return true;
}

/* Takes a TSN into the sums, or out of them. */
static void account(struct sr_window *window, struct sr_tsn tsn, bool in)
{
    const struct sr_window_tsn *entry = sr_window_at(window, tsn);
    uint64_t bytes = in ? entry->bytes : -(uint64_t)entry->bytes;
    if (entry->first_row == 0 || sr_tsn_set_has(&window->freed, tsn))
        return;
    window->queued_bytes += bytes;
    if (!entry->abandoned && !sr_tsn_set_has(&window->received, tsn))
        window->necessary_bytes += bytes;
}

/* TSNs below `base` leave the sums. */
static void forget_below(struct sr_window *window, struct sr_tsn base)
{
    struct sr_tsn last = sr_tsn_add(base, UINT32_MAX), tsn = window->base;
    if (sr_tsn_after(last, window->highest))
        last = window->highest;
    for (; sr_tsn_set_next(&window->sent, &tsn, last); tsn = sr_tsn_add(tsn, 1))
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
           (window->capacity < SR_SCOREBOARD_LARGEST && sr_tsn_set_next_missing(&window->freed, &queued, last));
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
    clear_range(window, above, tsn);
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
    clear_range(window, tsn, below);
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
        if (window->capacity < SR_SCOREBOARD_HISTORY || !sr_tsn_set_has(&window->freed, window->base))
            return false; /* there may be room for more */
        window->base = sr_tsn_add(window->base, 1);
        window->forgot = true;
    }
    sr_tsn_set_remove(&window->received, tsn);
    sr_tsn_set_remove(&window->freed, tsn);
    sr_tsn_set_remove(&window->sent, tsn);
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

void sr_window_sent(struct sr_window *window, struct sr_tsn tsn, uint32_t row, uint16_t bytes)
{
    struct sr_window_tsn *entry = sr_window_at(window, tsn);
    account(window, tsn, false);
    if (entry->first_row == 0)
        entry->first_row = row + 1;
    sr_tsn_set_add(&window->sent, tsn);
    entry->last_row = row + 1;
    entry->bytes = bytes;
    account(window, tsn, true);
}

void sr_window_receive(struct sr_window *window, struct sr_tsn tsn)
{
    const struct sr_window_tsn *entry = sr_window_at(window, tsn);
    if (entry->first_row != 0 && !entry->abandoned && !sr_tsn_set_has(&window->freed, tsn) &&
        !sr_tsn_set_has(&window->received, tsn))
        window->necessary_bytes -= entry->bytes;
    sr_tsn_set_add(&window->received, tsn);
    if (sr_tsn_after(tsn, window->received_to))
        window->received_to = tsn;
}

void sr_window_withdraw(struct sr_window *window, struct sr_tsn tsn)
{
    account(window, tsn, false);
    sr_tsn_set_remove(&window->received, tsn);
    account(window, tsn, true);
}

void sr_window_release(struct sr_window *window, struct sr_tsn tsn)
{
    account(window, tsn, false);
    sr_tsn_set_add(&window->freed, tsn);
}

void sr_window_abandon(struct sr_window *window, struct sr_tsn tsn, bool abandoned)
{
    account(window, tsn, false);
    sr_window_at(window, tsn)->abandoned = abandoned;
    account(window, tsn, true);
}
