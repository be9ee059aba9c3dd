/* SPDX-License-Identifier: BSD-2-Clause */
/* The scoreboard: a ring of TSNs. Acknowledged runs are skipped over by pointers that shorten as they are used, so
 * that a SACK which repeats what is known costs its blocks and not its TSNs. */
#include "scoreboard.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

#define NOT_PASSED INT64_MAX
#define CAPTURED_TWICE_NS INT64_C(1000000)
#define SHORTEST_RTO_NS INT64_C(200000000)

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
        *slot = (struct sr_tsn_slot){.tsn = tsn, .passed_ns = NOT_PASSED};
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
    if (slot->copies == 0 || sent->fingerprint == 0 || slot->fingerprint != sent->fingerprint ||
        slot->ip_id != sent->ip_id)
        return false;
    return sent->ip_id != 0 || sent->time_ns - slot->last_time_ns < CAPTURED_TWICE_NS;
}

/* When a higher TSN was seen, of those close by; the time now where there is none. */
static int64_t overtaken_at(const struct sr_scoreboard *board, const struct sr_sent_chunk *sent)
{
    enum { LOOKED_AT = 64 };
    for (uint32_t i = 1; i <= LOOKED_AT; i++) {
        struct sr_tsn tsn = sr_tsn_add(sent->tsn, i);
        const struct sr_tsn_slot *slot = place_of(board, tsn);
        if (sr_tsn_equal(slot->tsn, tsn) && slot->copies > 0)
            return slot->first_time_ns;
    }
    return sent->time_ns;
}

/* The first copy seen of a TSN below the highest: late, or sent again after a copy that was lost before the tap. The
 * sender sends again because of feedback that acknowledges a higher TSN, which takes its loop from the tap and back, or
 * because of a timer, which no stack sets below SHORTEST_RTO_NS. What was acknowledged before was sent before. */
static enum sr_kind kind_below_highest(const struct sr_scoreboard *board, const struct sr_tsn_slot *slot,
                                       const struct sr_sent_chunk *sent)
{
    bool again;
    if (slot->skip > 0)
        again = true;
    else if (slot->passed_ns == NOT_PASSED)
        again = sent->time_ns - overtaken_at(board, sent) >= SHORTEST_RTO_NS;
    else if (sent->loop_ns == SR_LOOP_UNKNOWN)
        again = sent->time_ns - slot->passed_ns >= CAPTURED_TWICE_NS;
    else
        again = sent->time_ns - slot->passed_ns >= sent->loop_ns - sent->loop_ns / 16;
    return again ? SR_KIND_RETRANSMISSION : SR_KIND_REORDERED;
}

static enum sr_kind kind_of(const struct sr_scoreboard *board, const struct sr_tsn_slot *slot,
                            const struct sr_sent_chunk *sent, bool is_highest)
{
    if (repeats(slot, sent))
        return sent->time_ns - slot->last_time_ns < CAPTURED_TWICE_NS ? SR_KIND_CAPTURE_DUPLICATE
                                                                      : SR_KIND_NETWORK_DUPLICATE;
    if (slot->copies > 0)
        return SR_KIND_RETRANSMISSION;
    return is_highest ? SR_KIND_ORIGINAL : kind_below_highest(board, slot, sent);
}

static struct sr_copy first_copy(const struct sr_sent_chunk *sent)
{
    return (struct sr_copy){.copy = 1, .first_frame = sent->frame, .kind = SR_KIND_ORIGINAL};
}

struct sr_copy sr_scoreboard_sent(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                  const struct sr_sent_chunk *sent)
{
    bool is_highest = true;
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
        return (struct sr_copy){.copy = 2, .kind = SR_KIND_RETRANSMISSION};
    } else {
        is_highest = ahead == 0;
    }
    struct sr_tsn_slot *slot = slot_of(board, sent->tsn);
    struct sr_copy copy = {slot->copies, slot->first_frame, slot->last_frame, kind_of(board, slot, sent, is_highest)};
    if (copy.kind != SR_KIND_CAPTURE_DUPLICATE && copy.kind != SR_KIND_NETWORK_DUPLICATE)
        copy.copy = ++slot->copies;
    if (copy.prev_frame == 0) {
        slot->first_frame = copy.first_frame = sent->frame;
        slot->first_time_ns = sent->time_ns;
    }
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

/* Feedback acknowledges `top`: every TSN below it was passed now, if it was not before. */
static void raise_top(struct sr_scoreboard *board, struct sr_tsn top, int64_t time_ns)
{
    if (sr_tsn_after(top, board->highest))
        top = board->highest;
    if (!board->acked || sr_tsn_after(board->base, board->top))
        board->top = board->base;
    board->acked = true;
    for (; sr_tsn_after(top, board->top); board->top = sr_tsn_add(board->top, 1)) {
        struct sr_tsn_slot *slot = slot_of(board, board->top);
        if (slot->passed_ns == NOT_PASSED)
            slot->passed_ns = time_ns;
    }
}

struct sr_newly sr_scoreboard_acked(struct sr_scoreboard *board, const struct sr_sack *sack, int64_t time_ns)
{
    struct sr_newly newly = {0, 0};
    struct sr_tsn top = sack->cum_tsn;
    if (board->capacity == 0)
        return newly;
    ack_range(board, board->base, sack->cum_tsn, &newly);
    const struct sr_sack_list lists[] = {sack->gaps, sack->nr_gaps};
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < lists[kind].count; i++) {
            struct sr_tsn_range range = sr_sack_block(sack, lists[kind], i);
            if (sr_tsn_distance(range.last, range.first) < 0)
                continue;
            ack_range(board, range.first, range.last, &newly);
            if (sr_tsn_after(range.last, top))
                top = range.last;
        }
    }
    raise_top(board, top, time_ns);
    return newly;
}
