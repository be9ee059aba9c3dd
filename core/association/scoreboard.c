/* SPDX-License-Identifier: BSD-2-Clause */
/* The scoreboard: a ring of TSNs. Acknowledged runs are skipped over by pointers that shorten as they are used, so
 * that a SACK which repeats what is known costs its blocks and not its TSNs. */
#include "scoreboard.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

static struct sr_tsn_slot *place_of(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return &board->slots[tsn.value & (board->capacity - 1)];
}

static bool is_acked(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    const struct sr_tsn_slot *slot = place_of(board, tsn);
    return sr_tsn_equal(slot->tsn, tsn) && slot->skip > 0;
}

/* Its slot, made its own. */
static struct sr_tsn_slot *slot_of(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn_slot *slot = place_of(board, tsn);
    if (!sr_tsn_equal(slot->tsn, tsn))
        *slot = (struct sr_tsn_slot){.tsn = tsn};
    return slot;
}

static bool kept(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return sr_tsn_distance(tsn, board->base) >= 0 && sr_tsn_distance(tsn, board->highest) <= 0;
}

static uint32_t span(struct sr_tsn base, struct sr_tsn highest)
{
    return highest.value - base.value + 1;
}

void sr_scoreboard_free(struct sr_scoreboard *board, struct sr_slot_budget *budget)
{
    free(board->slots);
    budget->left += board->capacity;
    *board = (struct sr_scoreboard){0};
}

/* Every slot belongs to a TSN that is not in its place. */
static void clear(struct sr_tsn_slot *slots, uint32_t capacity)
{
    memset(slots, 0, capacity * sizeof *slots);
    slots[0].tsn = sr_tsn(1);
}

static bool grow(struct sr_scoreboard *board, struct sr_slot_budget *budget)
{
    uint32_t capacity = board->capacity ? board->capacity * 2 : FIRST_CAPACITY;
    if (budget->left < capacity - board->capacity)
        return false;
    struct sr_tsn_slot *slots = malloc(capacity * sizeof *slots);
    if (!slots)
        return false;
    clear(slots, capacity);
    for (uint32_t i = 0; i < board->capacity; i++) {
        struct sr_tsn tsn = board->slots[i].tsn;
        if (kept(board, tsn) && place_of(board, tsn) == &board->slots[i])
            slots[tsn.value & (capacity - 1)] = board->slots[i];
    }
    free(board->slots);
    budget->left -= capacity - board->capacity;
    board->slots = slots;
    board->capacity = capacity;
    return true;
}

static void begin_at(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    clear(board->slots, board->capacity);
    board->base = board->highest = tsn;
    board->acked = board->stray = false;
}

/* Whether the ring should become larger, rather than forget its oldest. */
static bool worth_growing(const struct sr_scoreboard *board)
{
    return board->capacity < SR_SCOREBOARD_HISTORY ||
           (board->capacity < SR_SCOREBOARD_LARGEST && !is_acked(board, board->base));
}

/* Room for `tsn` above the highest. */
static void extend_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    while (span(board->base, tsn) > board->capacity && worth_growing(board) && grow(board, budget))
        continue;
    board->highest = tsn;
    if (span(board->base, tsn) > board->capacity)
        board->base = sr_tsn_add(sr_tsn(tsn.value - board->capacity), 1);
}

/* Room for `tsn` below the lowest, as where the first packet seen was not the first sent; false where there is none. */
static bool extend_down_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    while (span(tsn, board->highest) > board->capacity)
        if (board->capacity >= SR_SCOREBOARD_HISTORY || !grow(board, budget))
            return false;
    board->base = tsn;
    return true;
}

/* Out of reach: one such TSN may be a broken packet, a second one near it is a new numbering (RFC 6525 section
 * 5.1.3, a restart whose handshake was not captured, or a long hole in the capture). */
static bool jumps(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    int64_t from_stray = sr_tsn_distance(tsn, board->stray_tsn);
    bool confirmed = board->stray && from_stray > -SR_SCOREBOARD_REACH && from_stray < SR_SCOREBOARD_REACH;
    board->stray = true;
    board->stray_tsn = tsn;
    return confirmed;
}

/* The same packet twice: its bytes are the same, and so is its IP identification, which a sender changes with every
 * packet that it sends (RFC 6864 section 4). Where that says nothing only the capture repeats so soon. */
static bool repeats(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    enum { CAPTURED_TWICE_NS = 1000000 };
    if (slot->copies == 0 || sent->fingerprint == 0 || slot->fingerprint != sent->fingerprint)
        return false;
    if (slot->ip_id != sent->ip_id)
        return false;
    return sent->ip_id != 0 || sent->time_ns - slot->last_time_ns < CAPTURED_TWICE_NS;
}

static struct sr_copy first_copy(const struct sr_sent_chunk *sent)
{
    return (struct sr_copy){.copy = 1, .first_frame = sent->frame};
}

struct sr_copy sr_scoreboard_sent(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                  const struct sr_sent_chunk *sent)
{
    if (board->capacity == 0) {
        if (!grow(board, budget))
            return first_copy(sent);
        begin_at(board, sent->tsn);
    }
    int64_t ahead = sr_tsn_distance(sent->tsn, board->highest);
    if (ahead > SR_SCOREBOARD_REACH || ahead <= -SR_SCOREBOARD_LARGEST) {
        if (!jumps(board, sent->tsn))
            return first_copy(sent);
        board->jumps++;
        begin_at(board, sent->tsn);
    } else if (ahead > 0) {
        extend_to(board, budget, sent->tsn);
    } else if (!kept(board, sent->tsn) && !extend_down_to(board, budget, sent->tsn)) {
        board->forgotten++;
        return (struct sr_copy){.copy = 2};
    }
    struct sr_tsn_slot *slot = slot_of(board, sent->tsn);
    struct sr_copy copy = {slot->copies, slot->first_frame, slot->last_frame, repeats(slot, sent)};
    if (!copy.duplicate)
        copy.copy = ++slot->copies;
    if (slot->copies == 1 && !copy.duplicate)
        slot->first_frame = copy.first_frame = sent->frame;
    slot->bytes = sent->bytes;
    slot->last_frame = sent->frame;
    slot->last_time_ns = sent->time_ns;
    slot->fingerprint = sent->fingerprint;
    slot->ip_id = sent->ip_id;
    return copy;
}

/* The first TSN from `tsn` on that is not acknowledged; beyond the highest where all are. */
static struct sr_tsn next_not_acked(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn end = tsn;
    while (kept(board, end) && is_acked(board, end))
        end = sr_tsn_add(end, place_of(board, end)->skip);
    while (!sr_tsn_equal(tsn, end)) { /* shorten the way for the next who comes */
        struct sr_tsn_slot *slot = place_of(board, tsn);
        uint32_t skip = slot->skip;
        slot->skip = end.value - tsn.value;
        tsn = sr_tsn_add(tsn, skip);
    }
    return end;
}

static void ack_range(struct sr_scoreboard *board, struct sr_tsn first, struct sr_tsn last, struct sr_newly *newly)
{
    if (sr_tsn_distance(first, board->base) < 0)
        first = board->base;
    if (sr_tsn_distance(last, board->highest) > 0)
        last = board->highest;
    if (sr_tsn_distance(last, first) < 0)
        return;
    for (struct sr_tsn tsn = next_not_acked(board, first); sr_tsn_distance(tsn, last) <= 0;
         tsn = next_not_acked(board, tsn)) {
        struct sr_tsn_slot *slot = slot_of(board, tsn);
        slot->skip = 1;
        if (slot->copies > 0) {
            newly->chunks++;
            newly->bytes += slot->bytes;
        }
    }
}

struct sr_newly sr_scoreboard_acked(struct sr_scoreboard *board, const struct sr_sack *sack)
{
    struct sr_newly newly = {0, 0};
    if (board->capacity == 0)
        return newly;
    if (!board->acked || sr_tsn_after(sack->cum_tsn, board->cum)) {
        board->cum = sack->cum_tsn;
        board->acked = true;
    }
    ack_range(board, board->base, sack->cum_tsn, &newly);
    const struct sr_sack_list lists[] = {sack->gaps, sack->nr_gaps};
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < lists[kind].count; i++) {
            struct sr_tsn_range range = sr_sack_block(sack, lists[kind], i);
            if (sr_tsn_distance(range.last, range.first) >= 0)
                ack_range(board, range.first, range.last, &newly);
        }
    }
    return newly;
}
