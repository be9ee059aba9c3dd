/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs. */
#include "ledger.h"

#include <stdlib.h>

#include "../wire/sack.h"

static struct sr_ledger_slot *place_of(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return &ledger->slots[tsn.value & (ledger->capacity - 1)];
}

static struct sr_tsn before(struct sr_tsn tsn)
{
    return sr_tsn_add(tsn, UINT32_MAX);
}

static struct sr_tsn lower(struct sr_tsn a, struct sr_tsn b)
{
    return sr_tsn_after(a, b) ? b : a;
}

static struct sr_tsn higher(struct sr_tsn a, struct sr_tsn b)
{
    return sr_tsn_after(a, b) ? a : b;
}

static bool kept(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return ledger->begun && sr_tsn_distance(tsn, ledger->base) >= 0 && sr_tsn_distance(tsn, ledger->highest) <= 0;
}

bool sr_ledger_init(struct sr_ledger *ledger)
{
    *ledger = (struct sr_ledger){.capacity = SR_LEDGER_FIRST};
    ledger->slots = calloc(SR_LEDGER_FIRST, sizeof *ledger->slots);
    if (ledger->slots && sr_tsn_set_init(&ledger->sent, SR_LEDGER_FIRST) &&
        sr_tsn_set_init(&ledger->acked, SR_LEDGER_FIRST))
        return true;
    sr_ledger_free(ledger);
    return false;
}

void sr_ledger_free(struct sr_ledger *ledger)
{
    free(ledger->slots);
    sr_tsn_set_free(&ledger->sent);
    sr_tsn_set_free(&ledger->acked);
    *ledger = (struct sr_ledger){0};
}

static struct sr_ledger_slot *occupy(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    *slot = (struct sr_ledger_slot){.tsn = tsn, .acked = sr_tsn_set_has(&ledger->acked, tsn)};
    sr_tsn_set_add(&ledger->sent, tsn);
    return slot;
}

/* What lies below `base` leaves. */
static void leave_below(struct sr_ledger *ledger, struct sr_tsn base, sr_ledger_leaves *leaves, void *context)
{
    struct sr_tsn last = lower(before(base), ledger->highest);
    for (struct sr_tsn tsn = ledger->base; sr_tsn_set_next(&ledger->sent, &tsn, last); tsn = sr_tsn_add(tsn, 1)) {
        leaves(context, place_of(ledger, tsn));
        sr_tsn_set_remove(&ledger->sent, tsn);
    }
}

void sr_ledger_clear(struct sr_ledger *ledger, sr_ledger_leaves *leaves, void *context)
{
    if (ledger->begun)
        leave_below(ledger, sr_tsn_add(ledger->highest, 1), leaves, context);
    ledger->begun = ledger->took_all = ledger->has_stray = ledger->reset.done = false;
}

static bool grow(struct sr_ledger *ledger)
{
    uint32_t capacity = ledger->capacity * 2;
    struct sr_ledger_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots || !sr_tsn_set_grow(&ledger->sent, capacity, ledger->base, ledger->highest) ||
        !sr_tsn_set_grow(&ledger->acked, capacity, ledger->base, ledger->highest)) {
        free(slots);
        return false;
    }
    struct sr_tsn tsn = ledger->base;
    for (; sr_tsn_set_next(&ledger->sent, &tsn, ledger->highest); tsn = sr_tsn_add(tsn, 1))
        slots[tsn.value & (capacity - 1)] = *place_of(ledger, tsn);
    free(ledger->slots);
    ledger->slots = slots;
    ledger->capacity = capacity;
    return true;
}

/* The first TSN below `base` that was seen and is not acknowledged, or `base`. */
static struct sr_tsn first_open(const struct sr_ledger *ledger, struct sr_tsn base)
{
    struct sr_tsn last = lower(before(base), ledger->highest);
    for (struct sr_tsn tsn = ledger->base; sr_tsn_set_next(&ledger->sent, &tsn, last); tsn = sr_tsn_add(tsn, 1))
        if (!place_of(ledger, tsn)->acked)
            return tsn;
    return base;
}

static void extend_to(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves, void *context)
{
    for (;;) {
        struct sr_tsn base = sr_tsn(tsn.value - ledger->capacity + 1); /* the lowest that there is room for */
        if (sr_tsn_distance(ledger->base, base) >= 0)
            break;
        struct sr_tsn open = first_open(ledger, base);
        bool larger = ledger->capacity < SR_LEDGER_LARGEST && sr_tsn_distance(open, base) < 0 && grow(ledger);
        leave_below(ledger, larger ? open : base, leaves, context);
        ledger->base = larger ? open : base;
    }
    ledger->una = higher(ledger->una, ledger->base);
    sr_tsn_set_remove_range(&ledger->acked, higher(ledger->base, sr_tsn_add(ledger->highest, 1)), tsn);
    ledger->highest = tsn;
}

static void begin_at(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    /* A few below it may still be seen: the first packet captured need not be the first sent. */
    ledger->base = sr_tsn(tsn.value - SR_LEDGER_FIRST / 4);
    ledger->highest = ledger->begun_at = tsn;
    ledger->una = ledger->base;
    ledger->begun = true;
    sr_tsn_set_remove_range(&ledger->acked, ledger->base, tsn);
}

bool sr_ledger_resets(const struct sr_ledger *ledger, struct sr_tsn next)
{
    return ledger->begun && sr_tsn_resets(ledger->reset, ledger->highest, next);
}

void sr_ledger_reset(struct sr_ledger *ledger, struct sr_tsn next, sr_ledger_leaves *leaves, void *context)
{
    sr_ledger_clear(ledger, leaves, context);
    ledger->base = ledger->una = ledger->begun_at = next;
    ledger->highest = before(next);
    ledger->reset = (struct sr_tsn_reset){next, true};
    ledger->begun = true;
}

bool sr_ledger_follows(const struct sr_ledger *ledger, struct sr_tsn cum)
{
    int64_t ahead = ledger->begun ? sr_tsn_distance(cum, ledger->highest) : 0;
    return ahead <= SR_LEDGER_LARGEST && ahead >= -2 * (int64_t)SR_LEDGER_LARGEST;
}

/* One TSN out of reach may be of a broken packet; a second one near it begins a new numbering. */
static bool jumps(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves, void *context)
{
    int64_t apart = sr_tsn_distance(tsn, ledger->stray);
    if (!ledger->has_stray || apart > SR_LEDGER_REACH || apart < -SR_LEDGER_REACH) {
        ledger->stray = tsn;
        ledger->has_stray = true;
        return false;
    }
    sr_ledger_clear(ledger, leaves, context);
    begin_at(ledger, tsn);
    return true;
}

/* Most TSNs follow the highest: then at most the lowest leaves, whose place in the ring the new one takes. NULL where
 * it is another case. */
static struct sr_ledger_slot *follow(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves,
                                     void *context)
{
    uint32_t above_base = tsn.value - ledger->base.value;
    if (!ledger->begun || tsn.value != ledger->highest.value + 1 || above_base > ledger->capacity)
        return NULL;
    if (above_base == ledger->capacity) {
        const struct sr_ledger_slot *lowest = place_of(ledger, tsn);
        bool held = sr_tsn_set_has(&ledger->sent, ledger->base);
        if (held && !lowest->acked)
            return NULL; /* outstanding: there may be room for more */
        if (held)
            leaves(context, lowest);
        ledger->base = sr_tsn_add(ledger->base, 1);
        ledger->una = higher(ledger->una, ledger->base);
    }
    ledger->highest = tsn;
    sr_tsn_set_remove(&ledger->acked, tsn);
    return occupy(ledger, tsn);
}

struct sr_ledger_slot *sr_ledger_sent(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves,
                                      void *context)
{
    struct sr_ledger_slot *next = follow(ledger, tsn, leaves, context);
    if (next)
        return next;
    if (!ledger->begun)
        begin_at(ledger, tsn);
    int64_t ahead = sr_tsn_distance(tsn, ledger->highest);
    bool far = ahead > SR_LEDGER_REACH || ahead < -2 * (int64_t)SR_LEDGER_LARGEST;
    if (far && !jumps(ledger, tsn, leaves, context))
        return NULL;
    if (sr_tsn_after(tsn, ledger->highest))
        extend_to(ledger, tsn, leaves, context);
    if (!kept(ledger, tsn))
        return NULL;
    return sr_tsn_set_has(&ledger->sent, tsn) ? place_of(ledger, tsn) : occupy(ledger, tsn);
}

struct sr_ledger_slot *sr_ledger_at(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return kept(ledger, tsn) && sr_tsn_set_has(&ledger->sent, tsn) ? place_of(ledger, tsn) : NULL;
}

bool sr_ledger_is_last_open(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    struct sr_tsn above = sr_tsn_add(tsn, 1);
    return ledger->begun && !sr_tsn_set_next_missing(&ledger->acked, &above, ledger->highest);
}

static void go_through(struct sr_ledger_walk *walk, struct sr_tsn first, struct sr_tsn last)
{
    walk->next = higher(first, walk->ledger->base);
    walk->last = lower(last, walk->ledger->highest);
}

struct sr_ledger_walk sr_ledger_take(struct sr_ledger *ledger, const struct sr_sack_row *row, const uint32_t *lists)
{
    struct sr_ledger_walk walk = {.ledger = ledger, .next = sr_tsn(1)}; /* to 0: nothing */
    uint32_t told = ledger->took_all ? row->told : 0;
    ledger->took_all = false;
    if (!ledger->begun)
        return walk;
    struct sr_tsn cum = sr_tsn(row->cum_tsn);
    if (lists) {
        walk.blocks = lists + 2 * told;
        walk.count = (uint32_t)row->gaps + row->nr_gaps - told;
        ledger->took_all =
            row->gaps > 0 && sr_sack_is_taken(ledger->base, ledger->highest, cum, sr_tsn(lists[2 * row->gaps - 1]));
    }
    go_through(&walk, ledger->una, cum);
    ledger->una = higher(ledger->una, sr_tsn_add(walk.last, 1));
    return walk;
}

/* TSNs from `*tsn` on that were not seen become acknowledged, up to the next that was, or that is acknowledged. */
static void ack_unseen(struct sr_ledger *ledger, struct sr_tsn *tsn, struct sr_tsn last)
{
    struct sr_tsn end = *tsn, seen = *tsn;
    if (sr_tsn_set_next(&ledger->acked, &end, last))
        last = before(end);
    if (sr_tsn_set_next(&ledger->sent, &seen, last))
        last = before(seen);
    sr_tsn_set_add_range(&ledger->acked, *tsn, last);
    *tsn = sr_tsn_add(last, 1);
}

struct sr_ledger_slot *sr_ledger_next_acked(struct sr_ledger_walk *walk)
{
    struct sr_ledger *ledger = walk->ledger;
    for (;;) {
        while (sr_tsn_set_next_missing(&ledger->acked, &walk->next, walk->last)) {
            if (!sr_tsn_set_has(&ledger->sent, walk->next)) {
                ack_unseen(ledger, &walk->next, walk->last);
                walk->passes_unseen |= sr_tsn_after(walk->next, ledger->begun_at);
                continue;
            }
            struct sr_ledger_slot *slot = place_of(ledger, walk->next);
            sr_tsn_set_add(&ledger->acked, walk->next);
            slot->acked = true;
            walk->next = sr_tsn_add(walk->next, 1);
            if (slot->last_row != 0)
                return slot;
            walk->unseen++;
        }
        if (walk->count == 0)
            return NULL;
        go_through(walk, sr_tsn(walk->blocks[0]), sr_tsn(walk->blocks[1]));
        walk->blocks += 2;
        walk->count--;
    }
}
