/* SPDX-License-Identifier: BSD-2-Clause */
/* Room for the scoreboard: it grows with what is outstanding, up to SR_MODEL_WINDOW, and then is not enlarged again. */
#include <stdlib.h>
#include <string.h>

#include "scoreboard.h"
#include "send_order.h"

_Static_assert((int)SR_MODEL_SENDERS <= (int)SR_SEQ_LANES, "a set has a lane for each sender");

bool sr_board_init(struct sr_board *board, const struct sr_parameters *senders, uint32_t count)
{
    *board = (struct sr_board){.senders = count, .states = {.lanes = SR_SET_COUNT}};
    memset(board->place_of_path, SR_NO_PATH, sizeof board->place_of_path);
    for (uint32_t i = 0; i < count; i++) {
        board->counts_misses[i] = senders[i].misses.on ? UINT64_MAX : 0;
        if (senders[i].misses.repeat == SR_REPEAT_NEVER && !senders[i].misses.as_pion)
            board->never_again |= (uint8_t)(1u << i);
        board->thresholds[i] = senders[i].misses.threshold;
        if (senders[i].misses.as_usrsctp) {
            board->as_usrsctp |= (uint8_t)(1u << i);
            board->split_paths |= (uint8_t)(senders[i].misses.split_paths << i);
            board->strikers[board->striker_count++] = (uint8_t)i;
            board->fast_lane[i] = (uint8_t)board->fast_lanes++;
        }
        board->as_pion |= (uint8_t)(senders[i].misses.as_pion << i);
        board->active[i] = UINT64_MAX;
        board->once[i] = senders[i].pion.on ? UINT64_MAX : 0;
    }
    return sr_board_reach(board, 0, 0, 1);
}

static void free_slots(struct sr_board *board)
{
    free(board->chunks);
    free(board->misses);
    free(board->fast_nxt);
    free(board->packets);
    free(board->free_packets);
}

static void free_sets(struct sr_board_path *path)
{
    sr_seq_sets_free(&path->outstanding);
    sr_seq_sets_free(&path->missing);
    sr_seq_sets_free(&path->waiting);
}

void sr_board_free(struct sr_board *board)
{
    free_slots(board);
    sr_seq_sets_free(&board->states);
    sr_fence_free(&board->fence);
    free(board->by_order);
    for (uint32_t i = 0; i < board->path_count; i++) {
        free_sets(&board->paths[i]);
        sr_seq_sets_free(&board->paths[i].sent);
        sr_seq_sets_free(&board->paths[i].unmarked);
        sr_seq_sets_free(&board->paths[i].once);
    }
}

void sr_ack_free(struct sr_ack *ack)
{
    free(ack->resent);
    free(ack->taken_back.at);
    free(ack->broken_promises.at);
}

static bool copy_array(void *to, const void *from, size_t size)
{
    void *copy = malloc(size);
    if (copy)
        memcpy(copy, from, size);
    memcpy(to, &copy, sizeof copy);
    return copy != NULL;
}

bool sr_board_copy(struct sr_board *to, const struct sr_board *from)
{
    size_t capacity = from->capacity;
    bool ok = true;
    *to = *from;
    to->fence = (struct sr_karn_fence){0};
    ok &= copy_array(&to->chunks, from->chunks, capacity * sizeof *from->chunks);
    ok &= copy_array(&to->misses, from->misses, capacity * SR_MODEL_SENDERS * sizeof *from->misses);
    to->fast_nxt = NULL;
    if (from->fast_lanes > 0)
        ok &= copy_array(&to->fast_nxt, from->fast_nxt, capacity * from->fast_lanes * sizeof *from->fast_nxt);
    ok &= copy_array(&to->packets, from->packets, (capacity + 1) * sizeof *from->packets);
    ok &= copy_array(&to->free_packets, from->free_packets, (capacity + 1) * sizeof *from->free_packets);
    ok &= copy_array(&to->by_order, from->by_order, from->orders * sizeof *from->by_order);
    ok &= sr_seq_sets_copy(&to->states, &from->states);
    for (uint32_t i = 0; i < from->path_count; i++) {
        ok &= sr_seq_sets_copy(&to->paths[i].outstanding, &from->paths[i].outstanding);
        ok &= sr_seq_sets_copy(&to->paths[i].missing, &from->paths[i].missing);
        ok &= sr_seq_sets_copy(&to->paths[i].waiting, &from->paths[i].waiting);
        ok &= sr_seq_sets_copy(&to->paths[i].sent, &from->paths[i].sent);
        ok &= sr_seq_sets_copy(&to->paths[i].unmarked, &from->paths[i].unmarked);
        ok &= sr_seq_sets_copy(&to->paths[i].once, &from->paths[i].once);
    }
    return ok && sr_fence_copy(&to->fence, &from->fence);
}

void sr_board_keep(struct sr_board *board, uint8_t senders)
{
    uint32_t strikers = 0;
    for (uint32_t i = 0; i < board->striker_count; i++)
        if (senders >> board->strikers[i] & 1)
            board->strikers[strikers++] = board->strikers[i];
    for (uint32_t i = 0; i < board->senders; i++)
        board->counts_misses[i] = senders >> i & 1 ? board->counts_misses[i] : 0;
    for (uint32_t i = 0; i < board->senders; i++)
        if (!(senders >> i & 1))
            board->active[i] = board->once[i] = 0;
    board->striker_count = strikers;
    board->as_usrsctp &= senders;
    board->as_pion &= senders;
}

static bool grow_path(struct sr_board_path *path, uint32_t capacity, int64_t first, int64_t end)
{
    return sr_seq_sets_grow(&path->outstanding, capacity, first, end) &&
           sr_seq_sets_grow(&path->missing, capacity, first, end) &&
           sr_seq_sets_grow(&path->waiting, capacity, first, end);
}

struct sr_board_path *sr_board_path(struct sr_board *board, uint32_t number)
{
    uint8_t place = board->place_of_path[number];
    if (place != SR_NO_PATH)
        return &board->paths[place];
    struct sr_board_path *path = &board->paths[board->path_count];
    *path = (struct sr_board_path){
        .outstanding = {.lanes = 1},
        .missing = {.lanes = SR_SEQ_LANES},
        .waiting = {.lanes = SR_SEQ_LANES},
        .timing = {SR_NO_SEQ, SR_NO_SEQ, SR_NO_SEQ},
        .number = (uint8_t)number,
    };
    for (uint32_t i = 0; i < SR_MODEL_SENDERS; i++)
        path->before[i] = board->order_first - 1;
    if (!grow_path(path, board->capacity, 0, 0) || !sr_send_order_path(board, path)) {
        free_sets(path);
        return NULL;
    }
    board->place_of_path[number] = (uint8_t)board->path_count++;
    return path;
}

/* The slots of a ring of another capacity, with what this one has in them. */
static bool make_slots(const struct sr_board *board, struct sr_board *larger)
{
    uint32_t capacity = larger->capacity;
    larger->chunks = calloc(capacity, sizeof *larger->chunks);
    larger->misses = calloc(capacity, SR_MODEL_SENDERS * sizeof *larger->misses);
    if (board->fast_lanes > 0)
        larger->fast_nxt = calloc(capacity, board->fast_lanes * sizeof *larger->fast_nxt);
    larger->packets = malloc((capacity + 1) * sizeof *larger->packets);
    larger->free_packets = malloc((capacity + 1) * sizeof *larger->free_packets);
    if (!larger->chunks || !larger->misses || (board->fast_lanes > 0 && !larger->fast_nxt) || !larger->packets ||
        !larger->free_packets)
        return false;
    for (uint32_t i = 0; i < board->capacity; i++) {
        const struct sr_chunk *chunk = &board->chunks[i];
        if (chunk->state == SR_CHUNK_STATE_NONE)
            continue;
        size_t slot = (uint32_t)chunk->seq & (capacity - 1);
        larger->chunks[slot] = *chunk;
        memcpy(sr_board_misses(larger, chunk->seq), &board->misses[(size_t)i * SR_MODEL_SENDERS],
               SR_MODEL_SENDERS * sizeof *board->misses);
        if (board->fast_lanes > 0)
            memcpy(&larger->fast_nxt[slot * board->fast_lanes], &board->fast_nxt[(size_t)i * board->fast_lanes],
                   board->fast_lanes * sizeof *board->fast_nxt);
    }
    if (board->capacity > 0) {
        memcpy(larger->packets, board->packets, (board->capacity + 1) * sizeof *board->packets);
        memcpy(larger->free_packets, board->free_packets, board->free_count * sizeof *board->free_packets);
        larger->free_count = board->free_count;
    }
    for (uint32_t packet = board->capacity ? board->capacity + 1 : 0; packet <= capacity; packet++)
        larger->free_packets[larger->free_count++] = packet;
    return true;
}

static bool grow_sets(struct sr_board *board, uint32_t capacity)
{
    int64_t first = sr_board_first(board);
    bool grown = sr_seq_sets_grow(&board->states, capacity, first, board->nxt);
    for (uint32_t i = 0; i < board->path_count && grown; i++)
        grown = grow_path(&board->paths[i], capacity, first, board->nxt);
    return grown;
}

static bool grow(struct sr_board *board, uint32_t capacity)
{
    struct sr_board larger = {.capacity = capacity};
    if (!make_slots(board, &larger) || !grow_sets(board, capacity)) {
        free_slots(&larger);
        return false;
    }
    free_slots(board);
    board->chunks = larger.chunks;
    board->misses = larger.misses;
    board->fast_nxt = larger.fast_nxt;
    board->packets = larger.packets;
    board->free_packets = larger.free_packets;
    board->free_count = larger.free_count;
    board->capacity = capacity;
    return true;
}

bool sr_board_reach(struct sr_board *board, int64_t lowest, int64_t highest, size_t count)
{
    int64_t first = sr_board_first(board), end = board->nxt;
    first = lowest < first ? lowest : first;
    end = highest >= end ? highest + 1 : end;
    if (end - first > SR_MODEL_WINDOW)
        return false;
    uint32_t capacity = board->capacity ? board->capacity : 2 * SR_MODEL_HISTORY;
    while (capacity < end - first + SR_MODEL_HISTORY)
        capacity *= 2;
    return (capacity == board->capacity || grow(board, capacity)) && sr_send_order_reserve(board, count);
}

static bool list_reserve(struct sr_seq_list *list, size_t count)
{
    if (list->room >= count)
        return true;
    size_t room = list->room ? list->room : 16;
    while (room < count)
        room *= 2;
    int64_t *at = realloc(list->at, room * sizeof *at);
    if (!at)
        return false;
    list->at = at;
    list->room = room;
    return true;
}

static bool reserve_resent(struct sr_ack *ack, size_t count)
{
    if (ack->resent_room >= count)
        return true;
    size_t room = ack->resent_room ? ack->resent_room : 16;
    while (room < count)
        room *= 2;
    struct sr_resent *resent = realloc(ack->resent, room * sizeof *resent);
    if (!resent)
        return false;
    ack->resent = resent;
    ack->resent_room = room;
    return true;
}

bool sr_board_reserve(const struct sr_board *board, struct sr_ack *ack)
{
    size_t sacked = sr_board_sacked(board);
    return list_reserve(&ack->taken_back, sacked) && list_reserve(&ack->broken_promises, sacked) &&
           reserve_resent(ack, board->outstanding_chunks);
}

void sr_board_restart(struct sr_board *board, int64_t next)
{
    board->una = board->nxt = board->lowest = next;
    for (uint32_t i = 0; i < board->path_count; i++)
        board->paths[i].timing.timed_seq = board->paths[i].timing.timed_through_resends = SR_NO_SEQ;
}
