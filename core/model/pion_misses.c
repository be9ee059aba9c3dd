/* SPDX-License-Identifier: BSD-2-Clause */
/* `missing` has what is outstanding and lacks reports, marked or not; `waiting` what is in flight, was sent once, and
 * has all of its reports. */
#include "pion_misses.h"

#include <string.h>

uint32_t sr_chunk_bytes(uint32_t bytes)
{
    enum { DATA_HEADER_BYTES = 16 };
    return DATA_HEADER_BYTES + ((bytes + 3) & ~UINT32_C(3));
}

static void note_third(struct sr_third_reports *thirds, int64_t seq, uint32_t frame)
{
    if (thirds->count > 0 && thirds->at[thirds->count - 1].frame == frame)
        return;
    if (thirds->count == SR_THIRD_REPORTS)
        memmove(thirds->at, thirds->at + 1, (size_t)--thirds->count * sizeof *thirds->at);
    thirds->at[thirds->count++] = (struct sr_third_report){seq, frame};
}

/* Reports count for all that is below a TSN: of what was sent once a lower one has its third no later. */
static uint32_t third_frame_of(const struct sr_third_reports *thirds, int64_t seq, uint32_t by_frame)
{
    uint32_t at = thirds->count;
    while (at > 1 && thirds->at[at - 1].from_seq > seq)
        at--;
    return at > 0 ? thirds->at[at - 1].frame : by_frame;
}

bool sr_pion_count_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    const struct sr_miss_parameters *misses = &sender->parameters.misses;
    struct sr_board *board = &model->board;
    bool in_recovery = sender->recovery.phase == SR_PHASE_FAST;
    if (in_recovery && !model->ack.cum_advanced)
        return false;
    bool newly = !in_recovery && misses->count_below == SR_COUNT_BELOW_HTNA;
    int64_t top = newly ? model->ack.htna : model->ack.top;
    for (int64_t at = sr_board_next_missing(board, sender->number, sr_board_first(board), top); at < top;
         at = sr_board_next_missing(board, sender->number, at + 1, top)) {
        const struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        if (++sr_board_misses(board, at)[sender->number] < misses->threshold)
            continue;
        sr_seq_set_remove(&board->paths[chunk->path].missing, sender->number, at);
        if (chunk->copy == 1 && !(chunk->lost & sender->bit)) {
            sr_seq_set_add(&board->paths[chunk->path].waiting, sender->number, at);
            note_third(&sender->third_reports, at, by_frame);
        }
        if (sender->recovery.phase != SR_PHASE_FAST)
            sender->recovery = (struct sr_recovery){top, SR_PHASE_FAST};
    }
    return sender->recovery.phase == SR_PHASE_FAST;
}

void sr_pion_mark_missed(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    struct sr_board *board = &model->board;
    /* The path's MTU is not known to an observer: the largest packet that was sent stands for it. */
    int64_t bytes_left = (int64_t)model->largest_packet_bytes - SR_COMMON_HEADER_BYTES;
    bool any = false;
    for (int64_t at = sr_board_next_waiting(board, sender->number, sr_board_first(board), board->nxt); at < board->nxt;
         at = sr_board_next_waiting(board, sender->number, at + 1, board->nxt)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        bytes_left -= sr_chunk_bytes(chunk->bytes);
        /* The first one always fits: it is no larger than the packet it was in. */
        if (any && bytes_left < 0)
            break;
        sr_sender_mark_due(model, sender, chunk, by_frame, third_frame_of(&sender->third_reports, at, by_frame));
        any = true;
    }
}

void sr_pion_misses_return(struct sr_board *board, const struct sr_chunk *chunk)
{
    const uint8_t *misses = sr_board_misses(board, chunk->seq);
    for (uint32_t sender = 0; sender < board->senders; sender++) {
        if (!(board->as_pion >> sender & 1) || misses[sender] < board->thresholds[sender])
            continue;
        sr_seq_set_remove(&board->paths[chunk->path].missing, sender, chunk->seq);
        if (chunk->copy == 1)
            sr_seq_set_add(&board->paths[chunk->path].waiting, sender, chunk->seq);
    }
}
