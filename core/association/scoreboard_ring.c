/* SPDX-License-Identifier: BSD-2-Clause */
/* Acknowledged runs are skipped over by pointers that shorten as they are used, so that a SACK which repeats what is
 * known costs its blocks and not its TSNs. */
#include "scoreboard_ring.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 1, /* most associations of a large capture send little */
    FREE = 16,          /* slots that every scoreboard has, however many others there are */
};

static bool is_acked(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    const struct sr_tsn_slot *slot = sr_ring_place(board, tsn);
    return sr_ring_belongs(slot, board, tsn) && slot->skip > 0;
}

struct sr_tsn_slot *sr_ring_slot(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn_slot *slot = sr_ring_place(board, tsn);
    if (!sr_ring_belongs(slot, board, tsn))
        *slot = (struct sr_tsn_slot){.tsn = tsn, .numbering = board->numbering};
    return slot;
}

static uint32_t span(struct sr_tsn base, struct sr_tsn highest)
{
    return highest.value - base.value + 1;
}

/* What a capacity takes of the budget. */
static uint32_t in_budget(uint32_t capacity)
{
    return capacity > FREE ? capacity - FREE : 0;
}

void sr_scoreboard_free(struct sr_scoreboard *board, struct sr_slot_budget *budget)
{
    free(board->slots);
    free(board->stray);
    budget->left += in_budget(board->capacity);
    *board = (struct sr_scoreboard){0};
}

void sr_scoreboard_ended(struct sr_scoreboard *board, struct sr_slot_budget *budget)
{
    struct sr_scoreboard sums = {.forgotten = board->forgotten, .jumps = board->jumps};
    sr_scoreboard_free(board, budget);
    *board = sums;
}

/* Every slot belongs to a TSN that is not in its place. */
static void clear(struct sr_tsn_slot *slots, uint32_t capacity)
{
    memset(slots, 0, capacity * sizeof *slots);
    slots[0].tsn = sr_tsn(1);
}

bool sr_ring_grow(struct sr_scoreboard *board, struct sr_slot_budget *budget)
{
    uint32_t capacity = board->capacity ? board->capacity * 2 : FIRST_CAPACITY;
    uint32_t more = in_budget(capacity) - in_budget(board->capacity);
    if (budget->left < more)
        return false;
    struct sr_tsn_slot *slots = malloc(capacity * sizeof *slots);
    if (!slots)
        return false;
    clear(slots, capacity);
    for (uint32_t i = 0; i < board->capacity; i++) {
        struct sr_tsn tsn = board->slots[i].tsn;
        if (sr_ring_keeps(board, tsn) && sr_ring_place(board, tsn) == &board->slots[i] &&
            sr_ring_belongs(&board->slots[i], board, tsn))
            slots[tsn.value & (capacity - 1)] = board->slots[i];
    }
    free(board->slots);
    budget->left -= more;
    board->slots = slots;
    board->capacity = capacity;
    return true;
}

void sr_ring_begin(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    if (++board->numbering == 0)
        clear(board->slots, board->capacity);
    board->base = board->highest = tsn;
    board->acked = board->seen_below = board->took_all = board->gives_up = board->reset.done = false;
    if (board->stray)
        *board->stray = (struct sr_tsn_slot){0};
}

struct sr_tsn sr_ring_next_open(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn end = tsn;
    while (sr_ring_keeps(board, end) && is_acked(board, end))
        end = sr_tsn_add(end, sr_ring_place(board, end)->skip);
    while (!sr_tsn_equal(tsn, end)) { /* shorten the way for the next who comes */
        struct sr_tsn_slot *slot = sr_ring_place(board, tsn);
        uint32_t skip = slot->skip;
        slot->skip = end.value - tsn.value;
        tsn = sr_tsn_add(tsn, skip);
    }
    return end;
}

/* Whether the ring should become larger for `tsn`, rather than forget its oldest: where it is small, or where one of
 * those that would be forgotten is outstanding. */
static bool worth_growing(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn base = sr_tsn_add(sr_tsn(tsn.value - board->capacity), 1);
    struct sr_tsn outstanding = sr_ring_next_open(board, board->base);
    return board->capacity < SR_SCOREBOARD_HISTORY ||
           (board->capacity < SR_SCOREBOARD_LARGEST && sr_ring_keeps(board, outstanding) &&
            sr_tsn_after(base, outstanding));
}

void sr_ring_extend_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    while (span(board->base, tsn) > board->capacity && worth_growing(board, tsn) && sr_ring_grow(board, budget))
        continue;
    board->highest = tsn;
    if (span(board->base, tsn) > board->capacity) {
        board->base = sr_tsn_add(sr_tsn(tsn.value - board->capacity), 1);
        board->seen_below = true;
    }
}

bool sr_ring_extend_down_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    if (board->seen_below)
        return false;
    while (span(tsn, board->highest) > board->capacity)
        if (board->capacity >= SR_SCOREBOARD_LARGEST || !sr_ring_grow(board, budget))
            return false;
    board->base = tsn;
    return true;
}
