/* SPDX-License-Identifier: BSD-2-Clause */
/* Missing reports. A chunk is looked at only while a report can still count: its reports end at the threshold. */
#include "fast_retransmit.h"

/* RFC 9260 section 7.2.4 rule 5: a fast-retransmitted chunk is not eligible again. */
static bool eligible(const struct sr_sender *sender, const struct sr_chunk *chunk)
{
    return !(chunk->fast & sender->bit) || sender->parameters.misses.repeat == SR_REPEAT_ALWAYS;
}

/* The threshold is reached. RFC 9260 section 7.2.4: the third miss indication marks a chunk; rule 1: mark them. */
static void reached(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, uint32_t by_frame)
{
    chunk->fast |= sender->bit;
    sr_sender_mark(model, sender, chunk, SR_TRIGGER_MISS3, by_frame, SR_NO_TIME);
}

/* What was taken back has had its report on the scoreboard. */
static bool look_at_taken_back(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    bool any = false;
    for (size_t i = 0; i < model->ack.taken_back.count; i++) {
        struct sr_chunk *chunk = sr_board_slot(&model->board, model->ack.taken_back.at[i]);
        if (sender->parameters.misses.threshold > 1 || !eligible(sender, chunk))
            continue;
        reached(model, sender, chunk, by_frame);
        any = true;
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
static bool count_below(struct sr_model *model, struct sr_sender *sender, int64_t limit, uint32_t by_frame)
{
    const struct sr_miss_parameters *misses = &sender->parameters.misses;
    struct sr_board *board = &model->board;
    bool any = false;
    for (int64_t at = sr_board_next_missing(board, sender->number, sr_board_first(board), limit); at < limit;
         at = sr_board_next_missing(board, sender->number, at + 1, limit)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        if (was_taken_back(&model->ack.taken_back, at) || (misses->split_paths && !later_on_path(board, chunk)) ||
            ++sr_board_misses(board, at)[sender->number] < misses->threshold)
            continue;
        reached(model, sender, chunk, by_frame);
        any = true;
    }
    return any;
}

bool sr_count_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    const struct sr_ack *ack = &model->ack;
    /* RFC 9260 section 7.2.4 HTNA: only missing TSNs prior to the highest one newly acknowledged. */
    int64_t limit = sender->parameters.misses.count_below == SR_COUNT_BELOW_HTNA ? ack->htna : ack->top;
    bool any = ack->taken_back.count > 0 && look_at_taken_back(model, sender, by_frame);
    /* RFC 9260 section 7.2.4: in Fast Recovery with the cumulative TSN advancing, for all TSNs missing. */
    if (sender->recovery.phase == SR_PHASE_FAST && ack->cum_advanced)
        limit = ack->top;
    if (limit != SR_NO_SEQ && limit >= model->board.una)
        any |= count_below(model, sender, limit, by_frame);
    return any;
}
