/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of TSNs. Acknowledged runs are skipped over as in association/scoreboard.c. */
#include "board.h"

#include <stdlib.h>
#include <string.h>

static struct sr_board_slot *place_of(const struct sr_board *board, struct sr_tsn tsn)
{
    return &board->slots[tsn.value & (board->capacity - 1)];
}

static bool holds(const struct sr_board *board, const struct sr_board_slot *slot, struct sr_tsn tsn)
{
    return slot->numbering == board->numbering && sr_tsn_equal(slot->tsn, tsn);
}

static bool kept(const struct sr_board *board, struct sr_tsn tsn)
{
    return board->begun && sr_tsn_distance(tsn, board->base) >= 0 && sr_tsn_distance(tsn, board->highest) <= 0;
}

bool sr_board_init(struct sr_board *board)
{
    *board = (struct sr_board){.capacity = SR_BOARD_FIRST, .numbering = 1};
    board->slots = calloc(board->capacity, sizeof *board->slots);
    return board->slots != NULL;
}

void sr_board_free(struct sr_board *board)
{
    free(board->slots);
    *board = (struct sr_board){0};
}

static void leave(struct sr_board *board, struct sr_tsn tsn, sr_board_leaves *leaves, void *context)
{
    struct sr_board_slot *slot = place_of(board, tsn);
    if (holds(board, slot, tsn) && slot->last_row != 0)
        leaves(context, slot);
    if (holds(board, slot, tsn))
        slot->numbering = 0;
}

void sr_board_clear(struct sr_board *board, sr_board_leaves *leaves, void *context)
{
    if (board->begun)
        for (struct sr_tsn tsn = board->base; sr_tsn_distance(tsn, board->highest) <= 0; tsn = sr_tsn_add(tsn, 1))
            leave(board, tsn, leaves, context);
    board->begun = board->has_stray = false;
    if (++board->numbering == 0) {
        memset(board->slots, 0, board->capacity * sizeof *board->slots);
        board->numbering = 1;
    }
}

static bool grow(struct sr_board *board)
{
    uint32_t capacity = board->capacity * 2;
    struct sr_board_slot *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < board->capacity; i++) {
        const struct sr_board_slot *slot = &board->slots[i];
        if (slot->numbering == board->numbering && kept(board, slot->tsn))
            slots[slot->tsn.value & (capacity - 1)] = *slot;
    }
    free(board->slots);
    board->slots = slots;
    board->capacity = capacity;
    return true;
}

/* Acknowledged, or never seen so far below the highest that nothing is waited for. */
static bool is_settled(const struct sr_board *board, struct sr_tsn tsn)
{
    const struct sr_board_slot *slot = place_of(board, tsn);
    return !holds(board, slot, tsn) || slot->skip > 0;
}

static void extend_to(struct sr_board *board, struct sr_tsn tsn, sr_board_leaves *leaves, void *context)
{
    uint32_t span = tsn.value - board->base.value + 1;
    while (span > board->capacity) {
        bool larger = board->capacity < SR_BOARD_LARGEST && !is_settled(board, board->base) && grow(board);
        if (larger)
            continue;
        leave(board, board->base, leaves, context);
        board->base = sr_tsn_add(board->base, 1);
        span--;
        if (sr_tsn_after(board->base, board->highest))
            board->highest = board->base;
    }
    board->highest = tsn;
}

static void begin_at(struct sr_board *board, struct sr_tsn tsn)
{
    /* A few below it may still be seen: the first packet captured need not be the first sent. */
    board->base = sr_tsn(tsn.value - SR_BOARD_FIRST / 4);
    board->highest = tsn;
    board->begun = true;
}

/* One TSN out of reach may be of a broken packet; a second one near it begins a new numbering. */
static bool jumps(struct sr_board *board, struct sr_tsn tsn, sr_board_leaves *leaves, void *context)
{
    int64_t apart = sr_tsn_distance(tsn, board->stray);
    if (!board->has_stray || apart > SR_BOARD_REACH || apart < -SR_BOARD_REACH) {
        board->stray = tsn;
        board->has_stray = true;
        return false;
    }
    sr_board_clear(board, leaves, context);
    begin_at(board, tsn);
    return true;
}

struct sr_board_slot *sr_board_sent(struct sr_board *board, struct sr_tsn tsn, sr_board_leaves *leaves, void *context)
{
    if (!board->begun)
        begin_at(board, tsn);
    int64_t ahead = sr_tsn_distance(tsn, board->highest);
    bool far = ahead > SR_BOARD_REACH || ahead < -2 * (int64_t)SR_BOARD_LARGEST;
    if (far && !jumps(board, tsn, leaves, context))
        return NULL;
    if (sr_tsn_after(tsn, board->highest))
        extend_to(board, tsn, leaves, context);
    if (!kept(board, tsn))
        return NULL;
    struct sr_board_slot *slot = place_of(board, tsn);
    if (!holds(board, slot, tsn))
        *slot = (struct sr_board_slot){.tsn = tsn, .numbering = board->numbering};
    return slot;
}

struct sr_board_slot *sr_board_at(const struct sr_board *board, struct sr_tsn tsn)
{
    if (!kept(board, tsn))
        return NULL;
    struct sr_board_slot *slot = place_of(board, tsn);
    return holds(board, slot, tsn) && slot->last_row != 0 ? slot : NULL;
}

/* The first TSN from `tsn` on that is not acknowledged; the way there becomes shorter for the next who comes. */
static struct sr_tsn next_not_acked(const struct sr_board *board, struct sr_tsn tsn)
{
    struct sr_tsn end = tsn;
    while (kept(board, end) && holds(board, place_of(board, end), end) && place_of(board, end)->skip > 0)
        end = sr_tsn_add(end, place_of(board, end)->skip);
    while (!sr_tsn_equal(tsn, end)) {
        struct sr_board_slot *slot = place_of(board, tsn);
        uint32_t skip = slot->skip;
        slot->skip = end.value - tsn.value;
        tsn = sr_tsn_add(tsn, skip);
    }
    return end;
}

struct sr_board_slot *sr_board_ack(struct sr_board *board, struct sr_tsn *first, struct sr_tsn last)
{
    if (!board->begun)
        return NULL;
    if (sr_tsn_distance(*first, board->base) < 0)
        *first = board->base;
    if (sr_tsn_distance(last, board->highest) > 0)
        last = board->highest;
    while (sr_tsn_distance(*first, last) <= 0) {
        struct sr_tsn tsn = next_not_acked(board, *first);
        if (sr_tsn_distance(tsn, last) > 0)
            break;
        struct sr_board_slot *slot = place_of(board, tsn);
        if (!holds(board, slot, tsn))
            *slot = (struct sr_board_slot){.tsn = tsn, .numbering = board->numbering};
        slot->skip = 1;
        *first = sr_tsn_add(tsn, 1);
        if (slot->last_row != 0)
            return slot;
    }
    *first = sr_tsn_add(last, 1);
    return NULL;
}
