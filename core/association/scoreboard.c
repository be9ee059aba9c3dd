/* SPDX-License-Identifier: BSD-2-Clause */
/* What a chunk, and what a SACK, does to the scoreboard. */
#include "scoreboard.h"

#include <stdlib.h>

#include "../wire/time.h"
#include "kind.h"
#include "scoreboard_ring.h"

const struct sr_tsn_slot *sr_scoreboard_seen(const struct sr_scoreboard *board, struct sr_tsn tsn)
{
    if (board->capacity == 0 || !sr_ring_keeps(board, tsn))
        return NULL;
    const struct sr_tsn_slot *slot = sr_ring_place(board, tsn);
    return sr_ring_belongs(slot, board, tsn) && slot->copies > 0 ? slot : NULL;
}

bool sr_scoreboard_reset(struct sr_scoreboard *board, struct sr_tsn next)
{
    if (board->capacity == 0 || !sr_tsn_resets(board->reset, board->highest, next))
        return false;
    sr_ring_begin(board, next);
    board->seen_below = true; /* what may still come from before is not of this numbering */
    board->reset = (struct sr_tsn_reset){next, true};
    return true;
}

void sr_scoreboard_forward(struct sr_scoreboard *board, struct sr_tsn cum)
{
    if (!board->gives_up || sr_tsn_after(cum, board->forward))
        board->forward = cum;
    board->gives_up = true;
}

/* What lies between `cum` and the first TSN seen was sent before: where the capture begins in the middle, or where the
 * TSN with which the data begins was lost before the tap. */
static void began_above(struct sr_scoreboard *board, struct sr_slot_budget *budget, struct sr_tsn cum)
{
    int64_t before = sr_tsn_distance(board->base, cum) - 1;
    if (!board->seen_below && before > 0 && before <= SR_SCOREBOARD_HISTORY &&
        sr_ring_extend_down_to(board, budget, sr_tsn_add(cum, 1)))
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
    struct sr_standing standing = {
        .below_highest = sr_tsn_after(board->highest, tsn),
        .given_up = board->gives_up && !sr_tsn_after(tsn, board->forward),
        .overtaken_ns = SR_NO_TIME,
    };
    bool counts = board->counted.rises >= ENOUGH;
    for (int i = 0; i < LOOKED_AT && sr_tsn_after(board->highest, tsn); i++) {
        tsn = sr_tsn_add(tsn, 1);
        const struct sr_tsn_slot *slot = sr_ring_place(board, tsn);
        if (sr_ring_belongs(slot, board, tsn) && slot->copies > 0) {
            if (standing.overtaken_ns == SR_NO_TIME)
                standing.overtaken_ns = slot->first_time_ns;
            if (!counts || slot->original) {
                standing.overtaker = counts ? slot->first.id : 0;
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
        return (struct sr_copy){1, slot->first_frame, slot->first_frame, kind, false};
    slot->last_time_ns = sent->time_ns; /* the capture may have it a third time */
    return (struct sr_copy){slot->copies, slot->first_frame, slot->last_frame, kind, false};
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
    const bool overtaken = kind == SR_KIND_REORDERED && sr_is_overtaken(slot, sent, standing);
    if (slot->copies++ == 0) {
        slot->first_frame = sent->frame;
        slot->first_time_ns = sent->time_ns;
        slot->first = sent->identity;
        slot->original = kind == SR_KIND_ORIGINAL;
        slot->content = sent->content;
    }
    struct sr_copy copy = {slot->copies, slot->first_frame, slot->last_frame, kind, overtaken};
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
    sr_ring_begin(board, stray.tsn);
    stray.numbering = board->numbering;
    *sr_ring_slot(board, stray.tsn) = stray;
    return true;
}

static void count(struct sr_packet_count *counted, uint16_t id)
{
    if (id == 0 || id == counted->last)
        return;
    bool rises = counted->last != 0 && (uint16_t)(id - counted->last - 1) < SR_PACKETS_APART;
    if (!rises)
        counted->rises = 0;
    else if (counted->rises < UINT16_MAX)
        counted->rises++;
    counted->last = id;
}

static struct sr_copy first_copy(const struct sr_sent_chunk *sent)
{
    return (struct sr_copy){.copy = 1, .first_frame = sent->frame, .kind = SR_KIND_ORIGINAL};
}

struct sr_copy sr_scoreboard_sent(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                  const struct sr_sent_chunk *sent)
{
    if (board->capacity == 0) {
        if (!sr_ring_grow(board, budget))
            return first_copy(sent);
        sr_ring_begin(board, sent->tsn);
    }
    bool reached = reaches(sent->tsn, board->highest);
    if (!reached && !board->stray && !(board->stray = calloc(1, sizeof *board->stray)))
        return first_copy(sent);
    if (!reached && !jumps(board, sent))
        return put_in(board->stray, sent, (struct sr_standing){.overtaken_ns = SR_NO_TIME});
    if (sr_tsn_after(sent->tsn, board->highest)) {
        sr_ring_extend_to(board, budget, sent->tsn);
        count(&board->counted, sent->identity.id);
    } else if (!sr_ring_keeps(board, sent->tsn) && !sr_ring_extend_down_to(board, budget, sent->tsn)) {
        bool forgotten = board->seen_below;
        board->forgotten += forgotten;
        board->seen_below = true;
        return forgotten ? (struct sr_copy){.copy = 2, .kind = SR_KIND_RETRANSMISSION} : first_copy(sent);
    }
    struct sr_tsn_slot *slot = sr_ring_slot(board, sent->tsn);
    note_told(board, slot);
    return put_in(slot, sent, standing_of(board, sent->tsn));
}

struct sr_copy sr_scoreboard_repeated(const struct sr_scoreboard *board, struct sr_tsn tsn, uint32_t frame)
{
    struct sr_copy copy = {.copy = 1, .first_frame = frame, .prev_frame = frame};
    const struct sr_tsn_slot *slot = sr_scoreboard_seen(board, tsn);
    if (!slot || slot->first_frame == frame)
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
    const struct sr_tsn_slot *known = sr_ring_place(board, first);
    if (length < 0 || (known->skip > length && sr_ring_belongs(known, board, first)))
        return; /* each SACK says much that those before it said */
    for (struct sr_tsn tsn = sr_ring_next_open(board, first); sr_tsn_distance(tsn, last) <= 0;
         tsn = sr_ring_next_open(board, sr_tsn_add(tsn, 1))) {
        struct sr_tsn_slot *slot = sr_ring_slot(board, tsn);
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
        struct sr_tsn_slot *slot = sr_ring_slot(board, board->top);
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
