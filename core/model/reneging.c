/* SPDX-License-Identifier: BSD-2-Clause */
/* RFC 9260 section 6.2.1 D.iii takes every TSN that a gap block had and now has not as possibly missing. A capture
 * shows two things that look alike and are not: a receiver that ran out of gap blocks, and lists cut by the capture. */
#include "reneging.h"

#include "acknowledge.h"

enum { GAP_BLOCK_REACH = 65535 };

static void take_back(struct sr_board *board, struct sr_chunk *chunk, struct sr_ack *ack)
{
    if (chunk->state == SR_CHUNK_STATE_NR_ACKED) {
        /* NR-SACK paper section III.A: an nr-gap-acked TSN stays so in all later NR-SACKs. */
        ack->broken_promises.at[ack->broken_promises.count++] = chunk->seq;
    } else if (chunk->state == SR_CHUNK_STATE_GAP_ACKED) {
        /* ADAPTATION: back in flight with the time it was sent; no longer fit for an RTT.
         * RFC 9260 section 6.2.1 D.iii: count one miss indication towards Fast Retransmit. */
        sr_board_leave_sacked(board, chunk);
        sr_board_enter_flight(board, chunk, SR_CHUNK_STATE_REPEAT_FLIGHT, 1);
        board->paths[chunk->path].news.taken_back = true;
        ack->taken_back.at[ack->taken_back.count++] = chunk->seq;
    }
}

static void swap_kept(struct sr_board *board)
{
    struct sr_runs swapped = board->received;
    board->received = board->kept;
    board->kept = swapped;
}

/* Makes the board's what is acknowledged now; what lies from `beyond` on stays acknowledged. */
static void keep(struct sr_board *board, const struct sr_received *received, int64_t beyond)
{
    const struct sr_runs *was = &board->received;
    board->changed.count = 0;
    if (was->count > 0 && was->at[was->count - 1].end > beyond)
        sr_runs_subtract(&board->changed, was, &received->gaps, beyond, board->nxt);
    if (board->changed.count > 0)
        sr_runs_unite(&board->kept, &received->gaps, &board->changed);
    else
        sr_runs_copy(&board->kept, &received->gaps);
    swap_kept(board);
}

int64_t sr_reach_of(enum sr_reach reach, const struct sr_received *received, uint32_t block_cap)
{
    if (!received->tells_gaps)
        return received->cum;
    if (block_cap > 0 && received->blocks >= block_cap)
        return received->top;
    switch (reach) {
    case SR_REACH_NOWHERE: return received->cum;
    case SR_REACH_WITHIN_THE_BLOCKS: return received->top;
    case SR_REACH_TO_THE_LAST_BLOCK:
        if (received->blocks > 0)
            return received->top;
        break;
    case SR_REACH_EVERYWHERE: break;
    }
    return received->cum + GAP_BLOCK_REACH;
}

bool sr_reneged_between(struct sr_board *board, const struct sr_received *received, int64_t from, int64_t to)
{
    int64_t above = sr_board_above(board, from > received->cum ? from : received->cum);
    sr_runs_subtract(&board->changed, &board->received, &received->gaps, above, to + 1);
    for (size_t i = 0; i < board->changed.count; i++) {
        struct sr_run run = board->changed.at[i];
        for (int64_t at = sr_seq_set_next(&board->present, 0, run.first, run.end); at < run.end;
             at = sr_seq_set_next(&board->present, 0, at + 1, run.end))
            if (sr_acked_out_of_order(sr_board_slot(board, at)))
                return true;
    }
    return false;
}

void sr_renege(struct sr_board *board, struct sr_received *received, int64_t reach, struct sr_ack *ack)
{
    int64_t above = sr_board_above(board, received->cum);
    if (sr_runs_within(&board->received, &received->gaps, above)) { /* as almost always: nothing is missing */
        sr_runs_copy(&board->kept, &received->gaps);
        swap_kept(board);
        return;
    }
    sr_runs_subtract(&board->changed, &board->received, &received->gaps, above, reach + 1);
    for (size_t i = 0; i < board->changed.count; i++) {
        struct sr_run run = board->changed.at[i];
        for (int64_t at = sr_seq_set_next(&board->present, 0, run.first, run.end); at < run.end;
             at = sr_seq_set_next(&board->present, 0, at + 1, run.end)) {
            board->steps++;
            take_back(board, sr_board_slot(board, at), ack);
        }
    }
    keep(board, received, reach >= above ? reach + 1 : above);
}
