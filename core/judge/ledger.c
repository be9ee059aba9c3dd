/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs. Acknowledged runs are skipped over as in association/scoreboard.c. */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

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

static bool allocate(struct sr_ledger *ledger, uint32_t capacity)
{
    ledger->capacity = capacity;
    ledger->slots = calloc(capacity, sizeof *ledger->slots);
    ledger->used = calloc(capacity / WORD, sizeof *ledger->used);
    ledger->told = calloc(capacity / WORD, sizeof *ledger->told);
    if (ledger->slots && ledger->used && ledger->told)
        return true;
    sr_ledger_free(ledger);
    return false;
}

bool sr_ledger_init(struct sr_ledger *ledger)
{
    *ledger = (struct sr_ledger){.numbering = 1};
    return allocate(ledger, SR_LEDGER_FIRST);
}

void sr_ledger_free(struct sr_ledger *ledger)
{
    free(ledger->slots);
    free(ledger->used);
    free(ledger->told);
    *ledger = (struct sr_ledger){0};
}

/* An empty slot becomes that of the TSN. */
static void occupy(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    uint32_t at = tsn.value & (ledger->capacity - 1);
    ledger->slots[at] = (struct sr_ledger_slot){.tsn = tsn, .numbering = ledger->numbering};
    ledger->used[at / WORD] |= UINT64_C(1) << (at % WORD);
}

static bool is_told(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    uint32_t at = tsn.value & (ledger->capacity - 1);
    return ledger->told[at / WORD] >> (at % WORD) & 1;
}

/* TSNs from `tsn` to before `end` were told of, or not: a step for every 64. */
static void tell(struct sr_ledger *ledger, struct sr_tsn tsn, struct sr_tsn end, bool told)
{
    for (int64_t left = sr_tsn_distance(end, tsn); left > 0;) {
        uint32_t at = tsn.value & (ledger->capacity - 1), count = WORD - at % WORD;
        if (count > left)
            count = (uint32_t)left;
        uint64_t mask = (count == WORD ? UINT64_MAX : (UINT64_C(1) << count) - 1) << (at % WORD);
        ledger->told[at / WORD] = told ? ledger->told[at / WORD] | mask : ledger->told[at / WORD] & ~mask;
        tsn = sr_tsn_add(tsn, count);
        left -= count;
    }
}

/* The next TSN from `tsn` on whose slot is in use, or `end`: a step for every 64. */
static struct sr_tsn next_used(const struct sr_ledger *ledger, struct sr_tsn tsn, struct sr_tsn end)
{
    while (sr_tsn_distance(tsn, end) < 0) {
        uint32_t at = tsn.value & (ledger->capacity - 1);
        uint64_t word = ledger->used[at / WORD] >> (at % WORD);
        tsn = sr_tsn_add(tsn, word != 0 ? (uint32_t)__builtin_ctzll(word) : WORD - at % WORD);
        if (word != 0)
            break;
    }
    return sr_tsn_distance(tsn, end) < 0 ? tsn : end;
}

static void leave(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves, void *context)
{
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (holds(ledger, slot, tsn) && slot->copies != 0)
        leaves(context, slot);
    if (holds(ledger, slot, tsn))
        slot->numbering = 0;
    uint32_t at = tsn.value & (ledger->capacity - 1);
    ledger->used[at / WORD] &= ~(UINT64_C(1) << (at % WORD));
}

/* No TSN below `base` that is kept lies from there on. */
static struct sr_tsn end_below(const struct sr_ledger *ledger, struct sr_tsn base)
{
    return sr_tsn_after(base, ledger->highest) ? sr_tsn_add(ledger->highest, 1) : base;
}

/* What lies below `base` leaves. */
static void leave_below(struct sr_ledger *ledger, struct sr_tsn base, sr_ledger_leaves *leaves, void *context)
{
    struct sr_tsn end = end_below(ledger, base);
    for (struct sr_tsn tsn = next_used(ledger, ledger->base, end); sr_tsn_distance(tsn, end) < 0;
         tsn = next_used(ledger, sr_tsn_add(tsn, 1), end))
        leave(ledger, tsn, leaves, context);
}

void sr_ledger_clear(struct sr_ledger *ledger, sr_ledger_leaves *leaves, void *context)
{
    if (ledger->begun)
        leave_below(ledger, sr_tsn_add(ledger->highest, 1), leaves, context);
    ledger->begun = ledger->has_stray = ledger->reset.done = false;
    if (++ledger->numbering == 0) {
        memset(ledger->slots, 0, ledger->capacity * sizeof *ledger->slots);
        ledger->numbering = 1;
    }
}

static bool grow(struct sr_ledger *ledger)
{
    struct sr_ledger larger = *ledger;
    if (!allocate(&larger, ledger->capacity * 2))
        return false;
    for (uint32_t i = 0; i < ledger->capacity; i++) {
        const struct sr_ledger_slot *slot = &ledger->slots[i];
        if (slot->numbering == ledger->numbering && kept(ledger, slot->tsn)) {
            occupy(&larger, slot->tsn);
            *place_of(&larger, slot->tsn) = *slot;
        }
    }
    for (uint32_t i = 0; i < larger.capacity / WORD; i++) /* both halves: one of them is of TSNs that are kept */
        larger.told[i] = ledger->told[i & (ledger->capacity / WORD - 1)];
    free(ledger->slots);
    free(ledger->used);
    free(ledger->told);
    *ledger = larger;
    return true;
}

/* The first TSN below `base` that was seen and is not acknowledged, or `base`. */
static struct sr_tsn first_open(const struct sr_ledger *ledger, struct sr_tsn base)
{
    struct sr_tsn end = end_below(ledger, base);
    for (struct sr_tsn tsn = next_used(ledger, ledger->base, end); sr_tsn_distance(tsn, end) < 0;
         tsn = next_used(ledger, sr_tsn_add(tsn, 1), end))
        if (place_of(ledger, tsn)->skip == 0)
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
    if (sr_tsn_after(ledger->base, ledger->una))
        ledger->una = ledger->base;
    struct sr_tsn above = sr_tsn_add(ledger->highest, 1);
    tell(ledger, sr_tsn_after(ledger->base, above) ? ledger->base : above, sr_tsn_add(tsn, 1), false);
    ledger->highest = tsn;
}

static void begin_at(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    /* A few below it may still be seen: the first packet captured need not be the first sent. */
    ledger->base = sr_tsn(tsn.value - SR_LEDGER_FIRST / 4);
    ledger->highest = tsn;
    ledger->una = ledger->base;
    ledger->begun = true;
    tell(ledger, ledger->base, sr_tsn_add(tsn, 1), false);
}

bool sr_ledger_resets(const struct sr_ledger *ledger, struct sr_tsn next)
{
    return ledger->begun && sr_tsn_resets(ledger->reset, ledger->highest, next);
}

void sr_ledger_reset(struct sr_ledger *ledger, struct sr_tsn next, sr_ledger_leaves *leaves, void *context)
{
    sr_ledger_clear(ledger, leaves, context);
    ledger->base = ledger->una = next;
    ledger->highest = sr_tsn_add(next, UINT32_MAX);
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
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    uint32_t above_base = tsn.value - ledger->base.value;
    if (!ledger->begun || tsn.value != ledger->highest.value + 1 || above_base > ledger->capacity)
        return NULL;
    if (above_base == ledger->capacity) {
        bool held = holds(ledger, slot, ledger->base);
        if (held && slot->skip == 0)
            return NULL; /* outstanding: there may be room for more */
        if (held && slot->copies != 0)
            leaves(context, slot);
        ledger->base = sr_tsn_add(ledger->base, 1);
        if (sr_tsn_after(ledger->base, ledger->una))
            ledger->una = ledger->base;
    }
    ledger->highest = tsn;
    tell(ledger, tsn, sr_tsn_add(tsn, 1), false);
    occupy(ledger, tsn);
    return slot;
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
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (!holds(ledger, slot, tsn)) {
        occupy(ledger, tsn);
        slot->skip = is_told(ledger, tsn);
    }
    return slot;
}

struct sr_ledger_slot *sr_ledger_at(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    if (!kept(ledger, tsn))
        return NULL;
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    return holds(ledger, slot, tsn) && slot->copies != 0 ? slot : NULL;
}

/* All from `tsn` to before `end` are acknowledged. */
static void remember(struct sr_ledger *ledger, struct sr_tsn tsn, struct sr_tsn end)
{
    struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (!holds(ledger, slot, tsn))
        occupy(ledger, tsn);
    slot->skip = end.value - tsn.value;
}

/* How far on from `tsn` the next one is that may not be acknowledged; 0 where it is not acknowledged itself. */
static uint32_t skip_at(const struct sr_ledger *ledger, struct sr_tsn tsn)
{
    const struct sr_ledger_slot *slot = place_of(ledger, tsn);
    if (holds(ledger, slot, tsn)) /* only TSNs that are kept have a slot */
        return slot->skip;
    if (!kept(ledger, tsn) || !is_told(ledger, tsn))
        return 0;
    uint32_t at = tsn.value & (ledger->capacity - 1);
    uint64_t others = ~ledger->told[at / WORD] >> (at % WORD);
    uint32_t count = others != 0 ? (uint32_t)__builtin_ctzll(others) : WORD - at % WORD;
    uint32_t above = ledger->highest.value - tsn.value + 1;
    return count < above ? count : above;
}

/* The first TSN from `tsn` on that is not acknowledged; a long way there becomes shorter for the next who comes, also
 * where nothing but the beginning of 64 that were never seen can remember it. */
static struct sr_tsn next_not_acked(struct sr_ledger *ledger, struct sr_tsn tsn)
{
    uint32_t first = skip_at(ledger, tsn), skip;
    struct sr_tsn end = sr_tsn_add(tsn, first);
    if (first == 0 || (skip = skip_at(ledger, end)) == 0)
        return end;
    for (; skip > 0; skip = skip_at(ledger, end))
        end = sr_tsn_add(end, skip);
    while (!sr_tsn_equal(tsn, end)) {
        skip = skip_at(ledger, tsn);
        remember(ledger, tsn, end);
        tsn = sr_tsn_add(tsn, skip);
    }
    return end;
}

bool sr_ledger_is_last_open(struct sr_ledger *ledger, struct sr_tsn tsn)
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

struct sr_ledger_slot *sr_ledger_ack_next(struct sr_ledger *ledger, struct sr_tsn *first, struct sr_tsn last)
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
        bool seen = holds(ledger, slot, tsn);
        struct sr_tsn end = sr_tsn_add(tsn, 1);
        if (!seen) {
            end = next_used(ledger, end, sr_tsn_add(last, 1));
            tell(ledger, tsn, end, true);
        }
        remember(ledger, *first, end);
        if (seen)
            slot->skip = 1;
        *first = end;
        if (seen && slot->last_row != 0)
            return slot;
    }
    *first = sr_tsn_add(last, 1);
    return NULL;
}
