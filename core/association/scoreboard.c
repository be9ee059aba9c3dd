/* SPDX-License-Identifier: BSD-2-Clause */
/* The scoreboard: a ring of TSNs. Acknowledged runs are skipped over by pointers that shorten as they are used, so
 * that a SACK which repeats what is known costs its blocks and not its TSNs. */
#include "scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "../wire/time.h"
#include "kind.h"

enum {
    FIRST_CAPACITY = 1, /* most associations of a large capture send little */
    FREE = 16,          /* slots that every scoreboard has, however many others there are */
};

static struct sr_tsn_slot *place_of(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return &board->slots[tsn.value & (board->capacity - 1)];
}

static bool belongs_to(const struct sr_tsn_slot *slot, const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return sr_tsn_equal(slot->tsn, tsn) && slot->numbering == board->numbering;
}

static bool is_acked(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    const struct sr_tsn_slot *slot = place_of(board, tsn);
    return belongs_to(slot, board, tsn) && slot->skip > 0;
}

/* Its slot, made its own. */
static struct sr_tsn_slot *slot_of(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn_slot *slot = place_of(board, tsn);
    if (!belongs_to(slot, board, tsn))
        *slot = (struct sr_tsn_slot){.tsn = tsn, .numbering = board->numbering};
    return slot;
}

static bool kept(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    return sr_tsn_distance(tsn, board->base) >= 0 && sr_tsn_distance(tsn, board->highest) <= 0;
}

bool sr_scoreboard_has_seen(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    if (board->capacity == 0 || !kept(board, tsn))
        return false;
    const struct sr_tsn_slot *slot = place_of(board, tsn);
    return belongs_to(slot, board, tsn) && slot->copies > 0;
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

static bool grow(struct sr_scoreboard *board, struct sr_slot_budget *budget)
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
        if (kept(board, tsn) && place_of(board, tsn) == &board->slots[i] && belongs_to(&board->slots[i], board, tsn))
            slots[tsn.value & (capacity - 1)] = board->slots[i];
    }
    free(board->slots);
    budget->left -= more;
    board->slots = slots;
    board->capacity = capacity;
    return true;
}

/* A new numbering. The slots of old ones are cleared only when their mark would be taken for a new one: jumps must not
 * cost the capacity each. */
static void begin_at(struct sr_scoreboard *board, struct sr_tsn tsn)
{
    if (++board->numbering == 0)
        clear(board->slots, board->capacity);
    board->base = board->highest = tsn;
    board->acked = board->seen_below = board->took_all = board->reset.done = false;
    if (board->stray)
        *board->stray = (struct sr_tsn_slot){0};
}

bool sr_scoreboard_reset(struct sr_scoreboard *board, struct sr_tsn next)
{
    if (board->capacity == 0 || !sr_tsn_resets(board->reset, board->highest, next))
        return false;
    begin_at(board, next);
    board->seen_below = true; /* what may still come from before is not of this numbering */
    board->reset = (struct sr_tsn_reset){next, true};
    return true;
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

/* Whether the ring should become larger for `tsn`, rather than forget its oldest: where it is small, or where one of
 * those that would be forgotten is outstanding. */
static bool worth_growing(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    struct sr_tsn base = sr_tsn_add(sr_tsn(tsn.value - board->capacity), 1);
    struct sr_tsn outstanding = next_not_acked(board, board->base);
    return board->capacity < SR_SCOREBOARD_HISTORY ||
           (board->capacity < SR_SCOREBOARD_LARGEST && kept(board, outstanding) && sr_tsn_after(base, outstanding));
}

/* Room for `tsn` above the highest. */
static void extend_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    while (span(board->base, tsn) > board->capacity && worth_growing(board, tsn) && grow(board, budget))
        continue;
    board->highest = tsn;
    if (span(board->base, tsn) > board->capacity) {
        board->base = sr_tsn_add(sr_tsn(tsn.value - board->capacity), 1);
        board->seen_below = true;
    }
}

/* Room for `tsn` below the lowest, as where the first packet seen was not the first sent; false where there is none. */
static bool extend_down_to(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn tsn)
{
    if (board->seen_below)
        return false;
    while (span(tsn, board->highest) > board->capacity)
        if (board->capacity >= SR_SCOREBOARD_LARGEST || !grow(board, budget))
            return false;
    board->base = tsn;
    return true;
}

/* What lies between `cum` and the first TSN seen was sent before: where the capture begins in the middle, or where the
 * TSN with which the data begins was lost before the tap. */
static void began_above(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn cum)
{
    int64_t before = sr_tsn_distance(board->base, cum) - 1;
    if (!board->seen_below && before > 0 && before <= SR_SCOREBOARD_HISTORY &&
        extend_down_to(board, budget, sr_tsn_add(cum, 1)))
        board->acked = false; /* what lies below was passed too */
}

/* Acknowledged before it is seen, or something above it that is not seen either: it was sent before. */
static void note_told(struct sr_scoreboard *board, struct sr_tsn_slot *slot)
{
    if (!board->has_told || slot->copies > 0 || sr_tsn_after(slot->tsn, board->told))
        return;
    slot->passed = true;
    slot->passed_ns = board->told_ns;
}

static struct sr_standing standing_of(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    enum { LOOKED_AT = 64, ENOUGH = 8 }; /* for a higher TSN that was seen; steps of a counter */
    struct sr_standing standing = {sr_tsn_after(board->highest, tsn), SR_NO_TIME, 0};
    bool counts = board->counted.rises >= ENOUGH;
    for (int i = 0; i < LOOKED_AT && sr_tsn_after(board->highest, tsn); i++) {
        tsn = sr_tsn_add(tsn, 1);
        const struct sr_tsn_slot *slot = place_of(board, tsn);
        if (belongs_to(slot, board, tsn) && slot->copies > 0) {
            if (standing.overtaken_ns == SR_NO_TIME)
                standing.overtaken_ns = slot->first_time_ns;
            if (!counts || slot->original) {
                standing.overtaker = counts ? slot->first.ip_id : 0;
                break;
            }
        }
    }
    return standing;
}

/* A packet seen once more: the number and the frame of the copy that it repeats. */
static struct sr_copy repeat(struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, enum sr_kind kind)
{
    if (!sr_repeats(slot, sent))
        return (struct sr_copy){1, slot->first_frame, slot->first_frame, kind};
    slot->last_time_ns = sent->time_ns; /* the capture may have it a third time */
    return (struct sr_copy){slot->copies, slot->first_frame, slot->last_frame, kind};
}

static void note_packet(struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    slot->last_frame = sent->frame;
    slot->last_time_ns = sent->time_ns;
    slot->latest = sent->identity;
}

/* Another chunk: it is a copy of none. */
static struct sr_copy conflict(struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    slot->conflicting = true;
    note_packet(slot, sent); /* it may be repeated */
    return (struct sr_copy){.copy = 1, .first_frame = sent->frame, .kind = SR_KIND_CONFLICTING};
}

/* Another copy in its slot. */
static struct sr_copy put_in(struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, struct sr_standing standing)
{
    enum sr_kind kind = sr_kind_of(slot, sent, standing);
    if (sr_is_duplicate(kind))
        return repeat(slot, sent, kind);
    if (kind == SR_KIND_CONFLICTING)
        return conflict(slot, sent);
    if (slot->copies++ == 0) {
        slot->first_frame = sent->frame;
        slot->first_time_ns = sent->time_ns;
        slot->first = sent->identity;
        slot->original = kind == SR_KIND_ORIGINAL;
        slot->content = sent->content;
    }
    struct sr_copy copy = {slot->copies, slot->first_frame, slot->last_frame, kind};
    slot->bytes = sent->bytes;
    note_packet(slot, sent);
    return copy;
}

/* Within reach, or of the next numbering. */
static bool reaches(struct sr_tsn tsn, struct sr_tsn highest)
{
    int64_t ahead = sr_tsn_distance(tsn, highest);
    return ahead <= SR_SCOREBOARD_REACH && ahead > -SR_SCOREBOARD_PAST;
}

/* Out of reach: one such packet may be a broken one, a second one near it is a new numbering (RFC 6525 section 5.1.3, a
 * restart whose handshake was not captured, or a long hole in the capture), in which both are. */
static bool jumps(struct sr_scoreboard *board, const struct sr_sent_chunk *sent)
{
    struct sr_tsn_slot stray = *board->stray;
    int64_t from_stray = sr_tsn_distance(sent->tsn, stray.tsn);
    if (stray.copies == 0 || from_stray < -SR_SCOREBOARD_REACH || from_stray > SR_SCOREBOARD_REACH) {
        *board->stray = (struct sr_tsn_slot){.tsn = sent->tsn};
        return false;
    }
    if (from_stray == 0 && sr_repeats(&stray, sent))
        return false;
    board->jumps++;
    begin_at(board, stray.tsn);
    stray.numbering = board->numbering;
    *slot_of(board, stray.tsn) = stray;
    return true;
}

static void count(struct sr_packet_count *counted, uint16_t ip_id)
{
    if (ip_id == 0 || ip_id == counted->last)
        return;
    bool rises = counted->last != 0 && (uint16_t)(ip_id - counted->last - 1) < SR_PACKETS_APART;
    if (!rises)
        counted->rises = 0;
    else if (counted->rises < UINT16_MAX)
        counted->rises++;
    counted->last = ip_id;
}

static struct sr_copy first_copy(const struct sr_sent_chunk *sent)
{
    return (struct sr_copy){.copy = 1, .first_frame = sent->frame, .kind = SR_KIND_ORIGINAL};
}

struct sr_copy sr_scoreboard_sent(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                  const struct sr_sent_chunk *sent)
{
    if (board->capacity == 0) {
        if (!grow(board, budget))
            return first_copy(sent);
        begin_at(board, sent->tsn);
    }
    bool reached = reaches(sent->tsn, board->highest);
    if (!reached && !board->stray && !(board->stray = calloc(1, sizeof *board->stray)))
        return first_copy(sent);
    if (!reached && !jumps(board, sent))
        return put_in(board->stray, sent, (struct sr_standing){false, SR_NO_TIME, 0});
    if (sr_tsn_after(sent->tsn, board->highest)) {
        extend_to(board, budget, sent->tsn);
        count(&board->counted, sent->identity.ip_id);
    } else if (!kept(board, sent->tsn) && !extend_down_to(board, budget, sent->tsn)) {
        bool forgotten = board->seen_below;
        board->forgotten += forgotten;
        board->seen_below = true;
        return forgotten ? (struct sr_copy){.copy = 2, .kind = SR_KIND_RETRANSMISSION} : first_copy(sent);
    }
    struct sr_tsn_slot *slot = slot_of(board, sent->tsn);
    note_told(board, slot);
    return put_in(slot, sent, standing_of(board, sent->tsn));
}

struct sr_copy sr_scoreboard_repeated(const struct sr_scoreboard *board, struct sr_tsn tsn, uint32_t frame)
{
    struct sr_copy copy = {.copy = 1, .first_frame = frame, .prev_frame = frame};
    const struct sr_tsn_slot *slot = board->capacity > 0 && kept(board, tsn) ? place_of(board, tsn) : NULL;
    if (!slot || !belongs_to(slot, board, tsn) || slot->copies == 0 || slot->first_frame == frame)
        return copy;
    copy.first_frame = slot->first_frame;
    bool before = slot->last_frame != frame && slot->copies > 1; /* of those in between, the latest */
    copy.copy = slot->copies - before;
    return copy;
}

static void ack_range(struct sr_scoreboard *board, struct sr_tsn first, struct sr_tsn last, struct sr_newly *newly)
{
    if (sr_tsn_distance(first, board->base) < 0)
        first = board->base;
    if (sr_tsn_distance(last, board->highest) > 0)
        last = board->highest;
    int64_t length = sr_tsn_distance(last, first);
    const struct sr_tsn_slot *known = place_of(board, first);
    if (length < 0 || (known->skip > length && belongs_to(known, board, first)))
        return; /* each SACK says much that those before it said */
    for (struct sr_tsn tsn = next_not_acked(board, first); sr_tsn_distance(tsn, last) <= 0;
         tsn = next_not_acked(board, sr_tsn_add(tsn, 1))) {
        struct sr_tsn_slot *slot = slot_of(board, tsn);
        slot->skip = last.value - tsn.value + 1; /* all of it is acknowledged when this loop ends */
        if (slot->copies > 0) {
            newly->chunks++;
            newly->bytes += slot->bytes;
        }
    }
}

/* Feedback acknowledges `top`: every TSN below it is passed now, if it was not before. */
static void raise_top(struct sr_scoreboard *board, struct sr_tsn top, int64_t time_ns)
{
    if (sr_tsn_after(top, board->highest))
        top = board->highest;
    if (!board->acked || sr_tsn_after(board->base, board->top))
        board->top = board->base;
    board->acked = true;
    for (; sr_tsn_after(top, board->top); board->top = sr_tsn_add(board->top, 1)) {
        struct sr_tsn_slot *slot = slot_of(board, board->top);
        if (!slot->passed) {
            slot->passed = true;
            slot->passed_ns = time_ns;
        }
    }
}

/* Until the first feedback on nothing but what was seen. */
static void look_before(struct sr_scoreboard *board, struct sr_slot_budget *budget, const struct sr_sack *sack,
                        int64_t time_ns)
{
    struct sr_tsn top = sr_sack_top(sack);
    bool begun = board->capacity > 0;
    if (begun)
        began_above(board, budget, sack->cum_tsn);
    board->caught_up = begun && !sr_tsn_after(top, board->highest);
    if (board->caught_up || (board->has_told && !sr_tsn_after(top, board->told)))
        return;
    bool more = board->has_told && (!begun || sr_tsn_after(board->told, board->highest));
    board->told_ns = more ? board->told_ns : time_ns;
    board->told = top;
    board->has_told = true;
}

struct sr_newly sr_scoreboard_acked(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns)
{
    struct sr_newly newly = {0, 0, false};
    struct sr_tsn top = sack->cum_tsn;
    uint32_t told = board->took_all ? sack->told : 0; /* they are acknowledged */
    board->took_all = false;
    int64_t ahead = board->capacity > 0 ? sr_tsn_distance(sack->cum_tsn, board->highest) : 0;
    if (ahead > SR_SCOREBOARD_LARGEST || ahead < -SR_SCOREBOARD_PAST)
        return newly;
    if (!board->caught_up)
        look_before(board, budget, sack, time_ns);
    if (board->capacity == 0)
        return newly;
    if (!board->acked)
        began_above(board, budget, sack->cum_tsn);
    ack_range(board, board->base, sack->cum_tsn, &newly);
    if (told > 0)
        top = sr_sack_block(sack, sack->gaps, told - 1).last;
    const struct sr_sack_list lists[] = {sack->gaps, sack->nr_gaps};
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = kind == 0 ? told : 0; i < lists[kind].count; i++) {
            struct sr_tsn_range range = sr_sack_block(sack, lists[kind], i);
            if (sr_tsn_distance(range.last, range.first) < 0)
                continue;
            ack_range(board, range.first, range.last, &newly);
            if (sr_tsn_after(range.last, top))
                top = range.last;
        }
    }
    newly.above = sr_tsn_after(top, board->highest);
    board->took_all = sr_sack_is_taken(board->base, board->highest, sack->cum_tsn, top);
    raise_top(board, top, time_ns);
    return newly;
}
