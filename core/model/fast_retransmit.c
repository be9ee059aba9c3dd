/* SPDX-License-Identifier: BSD-2-Clause */
/* Missing reports. A chunk is looked at only while a report can still count: its reports end at the threshold. */
#include "fast_retransmit.h"

#include <stdlib.h>
#include <string.h>

/* Whether a chunk that this sender marked by missing reports before may be marked so again. */
static bool may_repeat(const struct sr_model *model, const struct sr_sender *sender, const struct sr_chunk *chunk,
                       int64_t top)
{
    switch ((enum sr_repeat)sender->parameters.misses.repeat) {
    case SR_REPEAT_ALWAYS: return true;
    case SR_REPEAT_AFTER_NEWER_DATA:
        return top != SR_NO_SEQ &&
               sr_tsn_distance(sr_tsn_at(top), sr_tsn(sr_board_fast_nxt(&model->board, chunk->seq)[sender->number])) >=
                   0;
    case SR_REPEAT_NEVER: break;
    }
    /* RFC 9260 section 7.2.4 rule 5: a fast-retransmitted chunk is not eligible again. */
    return false;
}

static bool eligible(const struct sr_model *model, const struct sr_sender *sender, const struct sr_chunk *chunk,
                     int64_t top)
{
    return !(chunk->fast & sender->bit) || may_repeat(model, sender, chunk, top);
}

static bool remember(struct sr_fast_marks *marks, int64_t seq, int64_t nxt)
{
    if (marks->first > marks->room / 2) {
        memmove(marks->at, marks->at + marks->first, marks->count * sizeof *marks->at);
        marks->first = 0;
    }
    if (marks->first + marks->count == marks->room) {
        uint32_t room = marks->room ? marks->room * 2 : 16;
        struct sr_fast_mark *at = realloc(marks->at, room * sizeof *at);
        if (!at)
            return false;
        marks->at = at;
        marks->room = room;
    }
    marks->at[marks->first + marks->count++] = (struct sr_fast_mark){seq, nxt};
    return true;
}

/* Feedback up to `top` acknowledges data that was new after these marks: reports count for their chunks again. */
static void let_repeat(struct sr_board *board, struct sr_sender *sender, int64_t top)
{
    struct sr_fast_marks *marks = &sender->fast_marks;
    for (; marks->count > 0 && marks->at[marks->first].nxt <= top; marks->first++, marks->count--) {
        struct sr_chunk *chunk = sr_board_find(board, marks->at[marks->first].seq);
        board->steps++;
        if (!chunk)
            continue;
        chunk->again |= sender->bit;
        if (sr_outstanding(chunk) && !(chunk->lost & sender->bit))
            sr_seq_set_add(&board->missing, sender->number, chunk->seq);
    }
}

/* The threshold is reached. */
static bool reached(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, uint32_t by_frame)
{
    if (sender->parameters.misses.as_pion && chunk->copy > 1) {
        sr_seq_set_remove(&model->board.missing, sender->number, chunk->seq);
        return false;
    }
    /* RFC 9260 section 7.2.4: the third miss indication marks a chunk; rule 1: mark them. */
    chunk->fast |= sender->bit;
    chunk->again &= (uint8_t)~sender->bit;
    if (sender->parameters.misses.repeat == SR_REPEAT_AFTER_NEWER_DATA)
        model->outbox.lost |= !remember(&sender->fast_marks, chunk->seq, model->board.nxt);
    sr_board_fast_nxt(&model->board, chunk->seq)[sender->number] = (uint32_t)model->board.nxt;
    sr_sender_mark(model, sender, chunk, SR_TRIGGER_MISS3, by_frame, SR_NO_TIME);
    return true;
}

/* What was taken back has had its report on the scoreboard. */
static bool look_at_taken_back(struct sr_model *model, struct sr_sender *sender, int64_t top, uint32_t by_frame)
{
    bool any = false;
    for (size_t i = 0; i < model->ack.taken_back.count; i++) {
        struct sr_chunk *chunk = sr_board_slot(&model->board, model->ack.taken_back.at[i]);
        if (sender->parameters.misses.threshold == 1 && eligible(model, sender, chunk, top))
            any |= reached(model, sender, chunk, by_frame);
    }
    return any;
}

static bool was_taken_back(const struct sr_seq_list *taken_back, int64_t seq)
{
    size_t low = 0, high = taken_back->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (taken_back->at[middle] < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < taken_back->count && taken_back->at[low] == seq;
}

static bool later_on_path(const struct sr_board *board, const struct sr_chunk *chunk)
{
    const struct sr_path_news *news = &board->paths[chunk->path].news;
    return news->count > 0 && news->highest > chunk->seq;
}

/* One report for each chunk that is missing below `limit`. */
static bool count_below(struct sr_model *model, struct sr_sender *sender, int64_t limit, int64_t top, uint32_t by_frame)
{
    const struct sr_miss_parameters *misses = &sender->parameters.misses;
    struct sr_board *board = &model->board;
    bool any = false;
    for (int64_t at = sr_seq_set_next(&board->missing, sender->number, sr_board_first(board), limit); at < limit;
         at = sr_seq_set_next(&board->missing, sender->number, at + 1, limit)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        uint8_t *count = &sr_board_misses(board, at)[sender->number];
        board->steps++;
        if (was_taken_back(&model->ack.taken_back, at) || (misses->split_paths && !later_on_path(board, chunk)) ||
            !eligible(model, sender, chunk, top))
            continue;
        if (*count >= misses->threshold)
            sr_seq_set_remove(&board->missing, sender->number, at);
        else if (++*count == misses->threshold)
            any |= reached(model, sender, chunk, by_frame);
    }
    return any;
}

bool sr_count_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    const struct sr_miss_parameters *misses = &sender->parameters.misses;
    const struct sr_ack *ack = &model->ack;
    /* RFC 9260 section 7.2.4 HTNA: only missing TSNs prior to the highest one newly acknowledged. */
    int64_t top = misses->count_below == SR_COUNT_BELOW_HTNA ? ack->htna : ack->top;
    int64_t limit = top;
    let_repeat(&model->board, sender, top);
    bool any = ack->taken_back.count > 0 && look_at_taken_back(model, sender, top, by_frame);
    if (sender->recovery.phase == SR_PHASE_FAST) {
        /* RFC 9260 section 7.2.4: in Fast Recovery with the cumulative TSN advancing, for all TSNs missing. */
        if (ack->cum_advanced)
            limit = ack->top;
        else if (misses->as_pion)
            return any;
    }
    if (limit != SR_NO_SEQ && limit >= model->board.una)
        any |= count_below(model, sender, limit, top, by_frame);
    return any;
}
