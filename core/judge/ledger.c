/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs. Acknowledged runs are skipped over as in association/scoreboard.c. */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

static struct sr_ledger_slot *place_of(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return &ledger->slots[tsn.value & (ledger->capacity - 1)];
}

static bool holds(const struct sr_ledger *ledger, const struct sr_ledger_slot *slot, struct sr_tsn tsn)
{
    return slot->numbering == ledger->numbering && sr_tsn_equal(slot->tsn, tsn);
}

static bool kept(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return ledger->begun && sr_tsn_distance(tsn, ledger->base) >= 0 && sr_tsn_distance(tsn, ledger->highest) <= 0;
}

bool sr_ledger_init(struct sr_ledger *ledger)
{
    *ledger = (struct sr_ledger){.capacity = SR_LEDGER_FIRST, .numbering = 1};
    ledger->slots = calloc(ledger->capacity, sizeof *ledger->slots);
    return ledger->slots != NULL;
}

void sr_ledger_free(struct sr_ledger *ledger)
{
    free(ledger->slots);
    *ledger = (struct sr_ledger){0};
}

static void leave(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves, void *context)
{
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (holds(ledger, slot, tsn) && slot->copies != 0)
        leaves(context, slot);
    if (holds(ledger, slot, tsn))
        slot->numbering = 0;
}

void sr_ledger_clear(struct sr_ledger *ledger, sr_ledger_leaves *leaves, void *context)
{
    if (ledger->begun)
        for (struct sr_tsn tsn = ledger->base; sr_tsn_distance(tsn, ledger->highest) <= 0; tsn = sr_tsn_add(tsn, 1))
            leave(ledger, tsn, leaves, context);
    ledger->begun = ledger->has_stray = false;
    if (++ledger->numbering == 0) {
        memset(ledger->slots, 0, ledger->capacity * sizeof *ledger->slots);
        ledger->numbering = 1;
    }
}

static bool grow(struct sr_ledger *ledger)
{
    uint32_t capacity = ledger->capacity * 2;
    struct sr_ledger_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < ledger->capacity; i++) {
        const struct sr_ledger_slot *slot = &ledger->slots[i];
        if (slot->numbering == ledger->numbering && kept(ledger, slot->tsn))
            slots[slot->tsn.value & (capacity - 1)] = *slot;
    }
    free(ledger->slots);
    ledger->slots = slots;
    ledger->capacity = capacity;
    return true;
}

/* Acknowledged, or never seen so far below the highest that nothing is waited for. */
static bool is_settled(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    const struct sr_ledger_slot *slot = place_of(ledger, tsn);
    return !holds(ledger, slot, tsn) || slot->skip > 0;
}

static void extend_to(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves, void *context)
{
    uint32_t span = tsn.value - ledger->base.value + 1;
    while (span > ledger->capacity) {
        bool larger = ledger->capacity < SR_LEDGER_LARGEST && !is_settled(ledger, ledger->base) && grow(ledger);
        if (larger)
            continue;
        leave(ledger, ledger->base, leaves, context);
        ledger->base = sr_tsn_add(ledger->base, 1);
        if (sr_tsn_after(ledger->base, ledger->una))
            ledger->una = ledger->base;
        span--;
        if (sr_tsn_after(ledger->base, ledger->highest))
            ledger->highest = ledger->base;
    }
    ledger->highest = tsn;
}

static void begin_at(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    /* A few below it may still be seen: the first packet captured need not be the first sent. */
    ledger->base = sr_tsn(tsn.value - SR_LEDGER_FIRST / 4);
    ledger->highest = tsn;
    ledger->una = ledger->base;
    ledger->begun = true;
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

struct sr_ledger_slot *sr_ledger_sent(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves,
                                      void *context)
{
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
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (!holds(ledger, slot, tsn))
        *slot = (struct sr_ledger_slot){.tsn = tsn, .numbering = ledger->numbering};
    return slot;
}

struct sr_ledger_slot *sr_ledger_at(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    if (!kept(ledger, tsn))
        return NULL;
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    return holds(ledger, slot, tsn) && slot->copies != 0 ? slot : NULL;
}

/* The first TSN from `tsn` on that is not acknowledged; the way there becomes shorter for the next who comes. */
static struct sr_tsn next_not_acked(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    struct sr_tsn end = tsn;
    while (kept(ledger, end) && holds(ledger, place_of(ledger, end), end) && place_of(ledger, end)->skip > 0)
        end = sr_tsn_add(end, place_of(ledger, end)->skip);
    while (!sr_tsn_equal(tsn, end)) {
        struct sr_ledger_slot *slot = place_of(ledger, tsn);
        uint32_t skip = slot->skip;
        slot->skip = end.value - tsn.value;
        tsn = sr_tsn_add(tsn, skip);
    }
    return end;
}

bool sr_ledger_is_last_open(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    return ledger->begun && sr_tsn_after(next_not_acked(ledger, sr_tsn_add(tsn, 1)), ledger->highest);
}

void sr_ledger_acked_to(struct sr_ledger *ledger, struct sr_tsn cum)
{
    if (!ledger->begun)
        return;
    if (sr_tsn_after(cum, ledger->highest))
        cum = ledger->highest;
    if (sr_tsn_distance(cum, ledger->una) >= 0)
        ledger->una = sr_tsn_add(cum, 1);
}

struct sr_ledger_slot *sr_ledger_ack(struct sr_ledger *ledger, struct sr_tsn *first, struct sr_tsn last)
{
    if (!ledger->begun)
        return NULL;
    if (sr_tsn_distance(*first, ledger->base) < 0)
        *first = ledger->base;
    if (sr_tsn_distance(last, ledger->highest) > 0)
        last = ledger->highest;
    while (sr_tsn_distance(*first, last) <= 0) {
        struct sr_tsn tsn = next_not_acked(ledger, *first);
        if (sr_tsn_distance(tsn, last) > 0)
            break;
        struct sr_ledger_slot *slot = place_of(ledger, tsn);
        if (!holds(ledger, slot, tsn))
            *slot = (struct sr_ledger_slot){.tsn = tsn, .numbering = ledger->numbering};
        slot->skip = 1;
        *first = sr_tsn_add(tsn, 1);
        if (slot->last_row != 0)
            return slot;
    }
    *first = sr_tsn_add(last, 1);
    return NULL;
}
