/* SPDX-License-Identifier: BSD-2-Clause */
/* When numbers run out those that are in use are given anew, in their order: after as many transmissions as the board
 * has room for. */
#include "send_order.h"

#include <stdlib.h>

void sr_send_order_number(struct sr_board *board, struct sr_chunk *chunk)
{
    chunk->order = board->order_next++;
    board->by_order[(uint32_t)chunk->order & (board->orders - 1)] = chunk->seq;
}

void sr_send_order_enter(struct sr_board *board, struct sr_board_path *path, const struct sr_chunk *chunk)
{
    sr_seq_set_add(&path->sent, 0, chunk->order);
    sr_seq_sets_add(&path->unmarked, board->active, chunk->order);
    if (chunk->copy == 1)
        sr_seq_sets_add(&path->once, board->once, chunk->order);
}

void sr_send_order_leave(struct sr_board_path *path, const struct sr_chunk *chunk)
{
    sr_seq_set_remove(&path->sent, 0, chunk->order);
    sr_seq_sets_remove(&path->unmarked, chunk->order);
    if (chunk->copy == 1)
        sr_seq_sets_remove(&path->once, chunk->order);
}

static bool make_sets(struct sr_board_path *path, uint32_t capacity)
{
    path->sent = (struct sr_seq_sets){.lanes = 1};
    path->unmarked = path->once = (struct sr_seq_sets){.lanes = SR_SEQ_LANES};
    return sr_seq_sets_grow(&path->sent, capacity, 0, 0) && sr_seq_sets_grow(&path->unmarked, capacity, 0, 0) &&
           sr_seq_sets_grow(&path->once, capacity, 0, 0);
}

static void free_sets(struct sr_board_path *path)
{
    sr_seq_sets_free(&path->sent);
    sr_seq_sets_free(&path->unmarked);
    sr_seq_sets_free(&path->once);
}

bool sr_send_order_path(const struct sr_board *board, struct sr_board_path *path)
{
    if (make_sets(path, board->orders))
        return true;
    free_sets(path);
    return false;
}

/* Whether its number is in use: what a block acknowledged may be outstanding again. */
static struct sr_chunk *owner(const struct sr_board *board, int64_t order)
{
    struct sr_chunk *chunk = sr_send_order_chunk(board, order);
    bool here = chunk->order == order && board->by_order[(uint32_t)order & (board->orders - 1)] == chunk->seq;
    return here && (sr_outstanding(chunk) || chunk->state == SR_CHUNK_STATE_GAP_ACKED) ? chunk : NULL;
}

/* Takes the paths' sets anew, of this capacity; all or none. */
static bool renew_sets(struct sr_board *board, uint32_t capacity, struct sr_board_path *old)
{
    for (uint32_t i = 0; i < board->path_count; i++) {
        old[i].sent = board->paths[i].sent;
        old[i].unmarked = board->paths[i].unmarked;
        old[i].once = board->paths[i].once;
        if (make_sets(&board->paths[i], capacity))
            continue;
        for (uint32_t j = 0; j <= i; j++) {
            free_sets(&board->paths[j]);
            board->paths[j].sent = old[j].sent;
            board->paths[j].unmarked = old[j].unmarked;
            board->paths[j].once = old[j].once;
        }
        return false;
    }
    return true;
}

/* The chunk has another number: those who may still mark it are the same. */
static void renumber(struct sr_board *board, const struct sr_board_path *old, struct sr_chunk *chunk, int64_t order)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    board->by_order[(uint32_t)order & (board->orders - 1)] = chunk->seq;
    if (sr_outstanding(chunk)) {
        sr_seq_set_add(&path->sent, 0, order);
        for (uint32_t sender = 0; sender < board->senders; sender++) {
            if (sr_seq_set_has(&old[chunk->path].unmarked, sender, chunk->order))
                sr_seq_set_add(&path->unmarked, sender, order);
            if (sr_seq_set_has(&old[chunk->path].once, sender, chunk->order))
                sr_seq_set_add(&path->once, sender, order);
        }
    }
    chunk->order = order;
}

static bool renew(struct sr_board *board, uint32_t capacity)
{
    struct sr_board_path old[SR_MODEL_PATHS];
    struct sr_board was = {
        .by_order = board->by_order, .orders = board->orders, .chunks = board->chunks, .capacity = board->capacity};
    int64_t *by_order = malloc(capacity * sizeof *by_order);
    if (!by_order || !renew_sets(board, capacity, old)) {
        free(by_order);
        return false;
    }
    board->by_order = by_order;
    board->orders = capacity;
    int64_t next = board->order_first;
    for (int64_t order = board->order_first; order < board->order_next; order++) {
        struct sr_chunk *chunk = owner(&was, order);
        board->steps++;
        if (chunk)
            renumber(board, old, chunk, next++);
    }
    board->order_next = next;
    for (uint32_t i = 0; i < board->path_count; i++) {
        free_sets(&old[i]);
        for (uint32_t sender = 0; sender < SR_MODEL_SENDERS; sender++)
            board->paths[i].before[sender] = board->order_first - 1;
    }
    free(was.by_order);
    return true;
}

bool sr_send_order_reserve(struct sr_board *board, size_t count)
{
    if (count > board->capacity) /* no more TSNs than it has room for are outstanding */
        count = board->capacity;
    bool small = board->orders < 2 * board->capacity;
    if (!small && board->order_next - board->order_first + (int64_t)count <= board->orders)
        return true;
    for (; board->order_first < board->order_next && !owner(board, board->order_first); board->order_first++)
        board->steps++;
    if (!small && board->order_next - board->order_first + (int64_t)count <= board->orders)
        return true;
    return renew(board, small ? 2 * board->capacity : board->orders);
}
