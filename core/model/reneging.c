/* SPDX-License-Identifier: BSD-2-Clause */
/* RFC 9260 section 6.2.1 D.iii takes every TSN that a gap block had and now has not as possibly missing. A capture
 * shows two things that look alike and are not: a receiver that ran out of gap blocks, and lists cut by the capture. */
#include "reneging.h"

#include "acknowledge.h"

enum { GAP_BLOCK_REACH = 65535 };

/* Between the blocks of feedback. */
struct hole {
    const struct sr_runs *blocks;
    size_t next; /* block, above the hole */
    int64_t first, end;
};

/* The next hole, which begins at or above `from` and ends before `end`; false: there is none. */
static bool next_hole(struct hole *hole, int64_t from, int64_t end)
{
    while (hole->next <= hole->blocks->count) {
        size_t above = hole->next++;
        int64_t first = above > 0 ? hole->blocks->at[above - 1].end : from;
        hole->first = first > from ? first : from;
        hole->end =
            above < hole->blocks->count && hole->blocks->at[above].first < end ? hole->blocks->at[above].first : end;
        if (hole->first >= end)
            return false;
        if (hole->first < hole->end)
            return true;
    }
    return false;
}

static void take_back(struct sr_board *board, struct sr_chunk *chunk, struct sr_ack *ack)
{
    /* ADAPTATION: back in flight with the time it was sent; no longer fit for an RTT.
     * RFC 9260 section 6.2.1 D.iii: count one miss indication towards Fast Retransmit. */
    sr_board_leave_sacked(board, chunk);
    sr_board_enter_flight(board, chunk, SR_CHUNK_STATE_REPEAT_FLIGHT, 1);
    board->paths[chunk->path].news.taken_back = true;
    ack->taken_back.at[ack->taken_back.count++] = chunk->seq;
}

static int64_t by_rule(enum sr_reach reach, const struct sr_received *received)
{
    switch (reach) {
    case SR_REACH_NOWHERE: return received->cum;
    case SR_REACH_IN_ORDER:
        if (received->overtaken)
            return received->cum;
        break;
    case SR_REACH_WITHIN_THE_BLOCKS: return received->top;
    case SR_REACH_TO_THE_LAST_BLOCK:
        if (received->blocks > 0)
            return received->top;
        break;
    case SR_REACH_EVERYWHERE: break;
    }
    return received->cum + GAP_BLOCK_REACH;
}

int64_t sr_reach_of(enum sr_reach reach, const struct sr_received *received, uint32_t block_cap)
{
    if (!received->tells_gaps)
        return received->cum;
    int64_t most = by_rule(reach, received);
    return block_cap > 0 && received->blocks >= block_cap && most > received->top ? received->top : most;
}

bool sr_reneged_between(struct sr_board *board, const struct sr_received *received, int64_t from, int64_t to)
{
    int64_t above = sr_board_above(board, from > received->cum ? from : received->cum);
    int64_t end = to + 1 < board->nxt ? to + 1 : board->nxt;
    struct hole hole = {.blocks = &received->gaps, .next = sr_runs_place(&received->gaps, above)};
    while (next_hole(&hole, above, end))
        if (sr_board_next_reported(board, SR_SET_GAP_ACKED, hole.first, hole.end) < hole.end ||
            sr_board_next_reported(board, SR_SET_PROMISED, hole.first, hole.end) < hole.end)
            return true;
    return false;
}

/* What the blocks cover is acknowledged by now, where all of it is on the board and none was given up: where that is
 * all that is acknowledged out of order, they leave nothing out. */
static bool leaves_nothing_out(struct sr_board *board, const struct sr_runs *blocks, int64_t above)
{
    int64_t left = sr_board_sacked(board);
    if (left == 0)
        return true;
    if (board->abandoned > 0 || board->on_board != board->nxt - above)
        return false;
    board->steps += blocks->count;
    for (size_t i = 0; i < blocks->count; i++) {
        struct sr_run run = blocks->at[i];
        int64_t first = run.first > above ? run.first : above, end = run.end < board->nxt ? run.end : board->nxt;
        left -= end > first ? end - first : 0;
    }
    return left == 0;
}

void sr_renege(struct sr_board *board, const struct sr_received *received, int64_t reach, struct sr_ack *ack)
{
    int64_t above = sr_board_above(board, received->cum), end = reach + 1 < board->nxt ? reach + 1 : board->nxt;
    struct hole hole = {.blocks = &received->gaps};
    bool beyond = false;
    if (leaves_nothing_out(board, &received->gaps, above))
        return;
    while (next_hole(&hole, above, end)) {
        board->steps++;
        int64_t at = sr_board_next_reported(board, SR_SET_GAP_ACKED, hole.first, hole.end);
        for (; at < hole.end && board->may_be_taken_back > 0;
             at = sr_board_next_reported(board, SR_SET_GAP_ACKED, at + 1, hole.end)) {
            board->steps++;
            board->may_be_taken_back--;
            take_back(board, sr_board_slot(board, at), ack);
        }
        beyond |= at < hole.end;
        /* NR-SACK paper section III.A: an nr-gap-acked TSN stays so in all later NR-SACKs. */
        for (at = sr_board_next_reported(board, SR_SET_PROMISED, hole.first, hole.end); at < hole.end;
             at = sr_board_next_reported(board, SR_SET_PROMISED, at + 1, hole.end)) {
            board->steps++;
            sr_seq_set_remove(&board->states, SR_SET_PROMISED, at);
            ack->broken_promises.at[ack->broken_promises.count++] = at;
        }
    }
    board->beyond += beyond;
}
