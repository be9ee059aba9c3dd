/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a chunk has its place in the order of sending, and what that means for those who have walked there. */
#include "send_order.h"

/* The newest chunk on the path that was not sent after this one. Almost always it is the newest of all; after a renege
 * it is most often next to the chunk below in order of TSN, so the search begins there. */
static int64_t predecessor(struct sr_board *board, const struct sr_board_path *path, const struct sr_chunk *chunk)
{
    struct sr_send_time sent = sr_sent_at(chunk);
    if (path->newest == SR_NO_SEQ || !sr_sent_before(sent, sr_sent_at(sr_board_slot(board, path->newest))))
        return path->newest;
    int64_t first = sr_board_first(board);
    int64_t at = sr_seq_set_last(&path->outstanding, 0, first, chunk->seq);
    if (at < first)
        at = path->oldest;
    while (at != SR_NO_SEQ && sr_sent_before(sent, sr_sent_at(sr_board_slot(board, at)))) {
        at = sr_board_slot(board, at)->older;
        board->steps++;
    }
    int64_t newer = at == SR_NO_SEQ ? path->oldest : sr_board_slot(board, at)->newer;
    while (newer != SR_NO_SEQ && !sr_sent_before(sent, sr_sent_at(sr_board_slot(board, newer)))) {
        at = newer;
        newer = sr_board_slot(board, at)->newer;
        board->steps++;
    }
    return at;
}

void sr_send_order_enter(struct sr_board *board, struct sr_board_path *path, struct sr_chunk *chunk)
{
    chunk->older = predecessor(board, path, chunk);
    int64_t *from_older = chunk->older == SR_NO_SEQ ? &path->oldest : &sr_board_slot(board, chunk->older)->newer;
    chunk->newer = *from_older;
    *from_older = chunk->seq;
    if (chunk->newer == SR_NO_SEQ)
        path->newest = chunk->seq;
    else
        sr_board_slot(board, chunk->newer)->older = chunk->seq;
    for (uint32_t i = 0; i < board->walk_count; i++) {
        struct sr_cursors *cursors = &path->cursors[board->walks[i]];
        if (cursors->oldest == SR_NO_SEQ || cursors->oldest == chunk->newer ||
            sr_sent_before(sr_sent_at(chunk), sr_sent_at(sr_board_slot(board, cursors->oldest))))
            cursors->oldest = chunk->seq;
    }
}

void sr_send_order_leave(struct sr_board *board, struct sr_board_path *path, struct sr_chunk *chunk)
{
    if (chunk->older == SR_NO_SEQ)
        path->oldest = chunk->newer;
    else
        sr_board_slot(board, chunk->older)->newer = chunk->newer;
    if (chunk->newer == SR_NO_SEQ)
        path->newest = chunk->older;
    else
        sr_board_slot(board, chunk->newer)->older = chunk->older;
    for (uint32_t i = 0; i < board->walk_count; i++) {
        struct sr_cursors *cursors = &path->cursors[board->walks[i]];
        if (cursors->oldest == chunk->seq)
            cursors->oldest = chunk->newer;
        if (cursors->before == chunk->seq)
            cursors->before = chunk->older;
    }
}
