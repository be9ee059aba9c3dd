/* SPDX-License-Identifier: BSD-2-Clause */
/* The books: what is sent, marked and given up. What feedback does to them is in acknowledge.c, room for them in
 * board_room.c. */
#include "scoreboard.h"

#include <string.h>

#include "acknowledge.h"
#include "pion_misses.h"
#include "send_order.h"

int64_t sr_board_earliest(struct sr_board *board, struct sr_board_path *path)
{
    return sr_seq_set_next(&path->outstanding, 0, sr_board_first(board), board->nxt);
}

int64_t sr_board_highest(const struct sr_board *board, struct sr_board_path *path)
{
    return sr_seq_set_last(&path->outstanding, 0, sr_board_first(board), board->nxt);
}

int64_t sr_board_highest_outstanding(struct sr_board *board)
{
    int64_t highest = SR_NO_SEQ;
    for (uint32_t i = 0; i < board->path_count; i++) {
        if (board->paths[i].outstanding_chunks == 0)
            continue;
        int64_t seq = sr_board_highest(board, &board->paths[i]);
        highest = seq > highest ? seq : highest;
    }
    return highest == SR_NO_SEQ ? board->una : highest;
}

uint32_t sr_board_packet_begin(struct sr_board *board)
{
    uint32_t packet = board->free_packets[--board->free_count];
    board->packets[packet] = (struct sr_board_packet){0, 0};
    return packet;
}

void sr_board_packet_end(struct sr_board *board, uint32_t packet)
{
    if (board->packets[packet].chunks == 0)
        board->free_packets[board->free_count++] = packet;
}

void sr_board_leave_packet(struct sr_board *board, uint32_t packet)
{
    if (--board->packets[packet].chunks == 0)
        board->free_packets[board->free_count++] = packet;
}

/* Forgets the marks of all senders. */
static void unmark(struct sr_board *board, struct sr_board_path *path, struct sr_chunk *chunk)
{
    for (uint32_t sender = 0; sender < board->senders; sender++) {
        if (!(chunk->lost >> sender & 1))
            continue;
        path->lost_chunks[sender]--;
        path->lost_bytes[sender] -= chunk->bytes;
    }
    chunk->lost = 0;
}

/* Of the senders with a bit in `of`. */
static void reset_misses(struct sr_board *board, const struct sr_chunk *chunk, uint8_t of, uint8_t misses)
{
    uint8_t *counts = sr_board_misses(board, chunk->seq);
    if (of == UINT8_MAX) {
        memset(counts, misses, SR_MODEL_SENDERS);
        return;
    }
    for (uint32_t sender = 0; sender < board->senders; sender++)
        if (of >> sender & 1)
            counts[sender] = misses;
}

static void take_out(struct sr_seq_sets *sets, uint8_t of, int64_t seq)
{
    for (uint32_t sender = 0; of; sender++, of >>= 1)
        if (of & 1)
            sr_seq_set_remove(sets, sender, seq);
}

void sr_board_enter_flight(struct sr_board *board, struct sr_chunk *chunk, uint8_t state, uint8_t misses)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    chunk->state = state;
    sr_send_order_enter(board, path, chunk);
    sr_seq_set_add(&path->outstanding, 0, chunk->seq);
    sr_seq_set_add(&board->states, SR_SET_OUTSTANDING, chunk->seq);
    path->outstanding_chunks++;
    path->outstanding_bytes += chunk->bytes;
    board->outstanding_chunks++;
    board->outstanding_bytes += chunk->bytes;
    bool first = chunk->state == SR_CHUNK_STATE_FIRST_FLIGHT;
    reset_misses(board, chunk, first ? UINT8_MAX : (uint8_t)~board->as_pion, misses);
    sr_seq_sets_add(&path->missing, board->counts_misses, chunk->seq);
    if (first)
        return;
    uint8_t later = board->as_usrsctp & chunk->fast & (uint8_t)~chunk->again;
    uint8_t never = (board->never_again & chunk->fast) | (chunk->moved ? board->as_usrsctp : 0) |
                    (chunk->copy > 1 ? board->split_paths : 0);
    take_out(&path->missing, never | later, chunk->seq);
    for (uint32_t i = 0; i < board->striker_count; i++)
        if (later & (uint8_t)~never & 1u << board->strikers[i])
            sr_seq_set_add(&path->waiting, board->strikers[i], chunk->seq);
    if (board->as_pion)
        sr_pion_misses_return(board, chunk);
}

void sr_board_leave_flight(struct sr_board *board, struct sr_chunk *chunk)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    if (chunk->lost)
        unmark(board, path, chunk);
    sr_send_order_leave(path, chunk);
    sr_seq_set_remove(&path->outstanding, 0, chunk->seq);
    sr_seq_set_remove(&board->states, SR_SET_OUTSTANDING, chunk->seq);
    path->outstanding_chunks--;
    path->outstanding_bytes -= chunk->bytes;
    board->outstanding_chunks--;
    board->outstanding_bytes -= chunk->bytes;
    sr_seq_sets_remove(&path->missing, chunk->seq);
    if (board->as_usrsctp | board->as_pion)
        sr_seq_sets_remove(&path->waiting, chunk->seq);
}

/* Another copy of what was acknowledged or given up. */
static void send_in_vain(struct sr_board *board, int64_t seq)
{
    struct sr_chunk *chunk = sr_board_slot(board, seq);
    if (chunk->seq == seq && chunk->state != SR_CHUNK_STATE_NONE)
        chunk->copies++;
    else if (chunk->state == SR_CHUNK_STATE_NONE || chunk->seq < seq)
        *chunk = (struct sr_chunk){.seq = seq, .state = SR_CHUNK_STATE_CUM_ACKED, .path = SR_NO_PATH, .copies = 1};
}

static void send_first(struct sr_board *board, struct sr_chunk *chunk, const struct sr_model_data *data)
{
    if (chunk->seq >= board->nxt)
        board->nxt = chunk->seq + 1;
    chunk->bytes = data->bytes;
    chunk->ack_now = data->ack_now;
    board->lowest = chunk->seq < board->lowest ? chunk->seq : board->lowest;
    board->on_board++;
    sr_seq_set_add(&board->states, SR_SET_PRESENT, chunk->seq);
    sr_seq_set_add(&board->states, SR_SET_WANTED, chunk->seq);
}

bool sr_board_send(struct sr_board *board, const struct sr_model_data *data, int64_t seq, uint8_t path,
                   struct sr_send_time sent, uint32_t packet)
{
    if (seq < board->una && !board->acked_anything)
        board->una = seq;
    struct sr_chunk *chunk = sr_board_find(board, seq);
    if (seq < board->una || (chunk && !sr_outstanding(chunk))) {
        send_in_vain(board, seq);
        return false;
    }
    bool first = !chunk;
    if (first) {
        chunk = sr_board_slot(board, seq);
        *chunk = (struct sr_chunk){.seq = seq};
        send_first(board, chunk, data);
    } else {
        sr_board_leave_flight(board, chunk);
        sr_board_leave_packet(board, chunk->packet);
    }
    board->packets[packet].chunks++;
    chunk->packet = packet;
    chunk->moved = !first && chunk->path != path;
    chunk->path = path;
    chunk->copy = ++chunk->copies;
    /* RFC 8985 section 6.1: Segment.xmit_ts = Now(), Segment.lost = FALSE; sent again, Segment.retransmitted = TRUE. */
    chunk->time_ns = sent.time_ns;
    chunk->frame = sent.frame;
    sr_send_order_number(board, chunk);
    board->may_be_taken_back += SR_MODEL_TAKEN_BACK;
    sr_board_enter_flight(board, chunk, first ? SR_CHUNK_STATE_FIRST_FLIGHT : SR_CHUNK_STATE_REPEAT_FLIGHT, 0);
    return first;
}

void sr_board_begins_at(struct sr_board *board, int64_t seq)
{
    if (!board->acked_anything && seq < board->una)
        board->una = seq;
}

void sr_board_mark_lost(struct sr_board *board, uint32_t sender, struct sr_chunk *chunk)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    chunk->lost |= (uint8_t)(1u << sender);
    path->lost_chunks[sender]++;
    path->lost_bytes[sender] += chunk->bytes;
    if (!(board->as_pion >> sender & 1))
        sr_seq_set_remove(&path->missing, sender, chunk->seq);
    sr_seq_set_remove(&path->waiting, sender, chunk->seq);
    sr_seq_set_remove(&path->unmarked, sender, chunk->order);
    sr_seq_set_remove(&path->once, sender, chunk->order);
}

void sr_board_abandon(struct sr_board *board, int64_t seq)
{
    int64_t end = seq < board->nxt ? seq + 1 : board->nxt;
    for (int64_t at = sr_board_next(board, SR_SET_OUTSTANDING, sr_board_first(board), end); at < end;
         at = sr_board_next(board, SR_SET_OUTSTANDING, at + 1, end)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        sr_board_leave_flight(board, chunk);
        chunk->state = SR_CHUNK_STATE_ABANDONED;
        sr_seq_set_remove(&board->states, SR_SET_WANTED, at);
        board->abandoned++;
        for (uint32_t i = 0; i < board->path_count; i++)
            sr_timing_given_up(&board->paths[i].timing, at);
    }
}
