/* SPDX-License-Identifier: BSD-2-Clause */
/* Applies feedback to the scoreboard: RFC 9260 section 6.2.1. It is compared with what was known before, and only what
 * is different is looked at. */
#include "acknowledge.h"

#include "../wire/time.h"
#include "reneging.h"

static void note_newest(struct sr_ack *ack, const struct sr_chunk *chunk)
{
    if (chunk->time_ns > ack->newest_time_ns) {
        ack->newest_time_ns = chunk->time_ns;
        ack->newest_seq = chunk->seq;
    }
}

static void count_newly(struct sr_ack *ack, const struct sr_chunk *chunk)
{
    if (ack->newly_chunks++ == 0)
        ack->first_frame = chunk->frame;
    ack->several_packets |= chunk->frame != ack->first_frame;
    ack->newly_bytes += chunk->bytes;
    ack->ack_now |= chunk->ack_now;
    ack->htna = chunk->seq;
    note_newest(ack, chunk);
    if (chunk->copy > 1)
        ack->resent[ack->resent_count++] = (struct sr_resent){sr_sent_at(chunk), chunk->seq, chunk->path};
}

/* What a sender that counts as usrsctp hears of a chunk. */
static void tell_strikers(const struct sr_board *board, struct sr_path_news *news, const struct sr_chunk *chunk,
                          int64_t cum)
{
    bool revoked = chunk->state == SR_CHUNK_STATE_REPEAT_FLIGHT && chunk->copy == 1;
    if (chunk->seq <= cum) {
        news->new_ack = UINT8_MAX;
        return;
    }
    if (!revoked)
        news->new_ack |= (uint8_t)~chunk->lost;
    for (uint32_t i = 0; i < board->striker_count; i++) {
        uint8_t sender = board->strikers[i];
        if (chunk->lost >> sender & 1)
            continue;
        if (news->lowest_unmarked[sender] == SR_NO_SEQ)
            news->lowest_unmarked[sender] = chunk->seq;
        news->highest_unmarked[sender] = chunk->seq;
    }
}

/* What its path hears of a chunk that was sent once only. */
static void tell_of_original(const struct sr_board *board, struct sr_path_news *news, const struct sr_chunk *chunk,
                             int64_t cum)
{
    struct sr_send_time sent = sr_sent_at(chunk);
    if (news->lowest_original == SR_NO_SEQ)
        news->lowest_original = chunk->seq;
    if (news->newest_original_seq == SR_NO_SEQ || !sr_sent_before(sent, news->newest_original)) {
        news->newest_original = sent;
        news->newest_original_seq = chunk->seq;
    }
    if (chunk->time_ns > news->timed_ns[SR_SAMPLE_NEWEST] && sr_fence_clean(&board->fence, chunk->seq, chunk->time_ns))
        news->timed_ns[SR_SAMPLE_NEWEST] = chunk->time_ns;
    if (chunk->seq == cum)
        news->timed_ns[SR_SAMPLE_CUMULATIVE_WITHOUT_GAPS] = chunk->time_ns;
}

/* A chunk is acknowledged for the first time. They come in order of TSN. */
static void deliver(struct sr_board *board, struct sr_chunk *chunk, struct sr_ack *ack)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    struct sr_path_news *news = &path->news;
    /* RFC 9260 section 6.3.2 R3: the earliest outstanding TSN of its address is acknowledged. */
    if (news->count++ == 0) {
        news->lowest = chunk->seq;
        news->earliest_acked = sr_seq_set_next(&path->outstanding, 0, sr_board_first(board), chunk->seq) == chunk->seq;
    }
    news->highest = chunk->seq;
    news->clean_acked |= chunk->copy == 1;
    tell_strikers(board, news, chunk, ack->cum);
    count_newly(ack, chunk);
    sr_timing_delivered(&path->timing, news, chunk);
    if (chunk->state == SR_CHUNK_STATE_FIRST_FLIGHT)
        tell_of_original(board, news, chunk, ack->cum);
    sr_board_leave_flight(board, chunk);
}

static void enter_sacked(struct sr_board *board, struct sr_chunk *chunk)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    path->sacked_chunks++;
    if (board->packets[chunk->packet].sacked++ == 0)
        path->sacked_packets++;
    board->gap_acked_chunks++;
    board->gap_acked_bytes += chunk->bytes;
    chunk->state = SR_CHUNK_STATE_GAP_ACKED;
    sr_board_report(board, SR_SET_GAP_ACKED, chunk->seq);
}

static void leave_queue(struct sr_board *board, const struct sr_chunk *chunk)
{
    sr_seq_set_remove(&board->states, SR_SET_GAP_ACKED, chunk->seq);
    board->gap_acked_chunks--;
    board->gap_acked_bytes -= chunk->bytes;
}

void sr_board_leave_sacked(struct sr_board *board, struct sr_chunk *chunk)
{
    struct sr_board_path *path = &board->paths[chunk->path];
    path->sacked_chunks--;
    if (--board->packets[chunk->packet].sacked == 0)
        path->sacked_packets--;
    if (chunk->state == SR_CHUNK_STATE_GAP_ACKED)
        leave_queue(board, chunk);
}

/* Takes all up to `cum` off the board. */
static void acknowledge_cumulatively(struct sr_board *board, int64_t cum, struct sr_ack *ack)
{
    int64_t end = cum < board->nxt ? cum + 1 : board->nxt;
    for (int64_t at = sr_board_next(board, SR_SET_PRESENT, sr_board_first(board), end); at < end;
         at = sr_board_next(board, SR_SET_PRESENT, at + 1, end)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        if (sr_outstanding(chunk))
            deliver(board, chunk, ack);
        else if (sr_acked_out_of_order(chunk))
            sr_board_leave_sacked(board, chunk);
        else {
            board->abandoned--;
            note_newest(ack, chunk);
        }
        board->paths[chunk->path].news.cum_acked = true;
        chunk->state = SR_CHUNK_STATE_CUM_ACKED;
        sr_board_leave_packet(board, chunk->packet);
        for (uint32_t set = 0; set < SR_SET_COUNT; set++)
            sr_seq_set_remove(&board->states, set, at);
        board->on_board--;
    }
}

/* From `above` on: what is outstanding in the blocks is acknowledged now. */
static void acknowledge_out_of_order(struct sr_board *board, const struct sr_runs *gaps, int64_t above,
                                     struct sr_ack *ack)
{
    for (size_t i = 0; i < gaps->count; i++) {
        int64_t first = gaps->at[i].first > above ? gaps->at[i].first : above, end = gaps->at[i].end;
        board->steps++;
        for (int64_t at = sr_board_next(board, SR_SET_OUTSTANDING, first, end); at < end;
             at = sr_board_next(board, SR_SET_OUTSTANDING, at + 1, end)) {
            struct sr_chunk *chunk = sr_board_slot(board, at);
            board->steps++;
            deliver(board, chunk, ack);
            enter_sacked(board, chunk);
        }
    }
}

/* NR-SACK paper section III.B: what non-renegable blocks acknowledge leaves the retransmission queue. */
static void free_promised(struct sr_board *board, const struct sr_runs *non_renegable, int64_t above)
{
    for (size_t i = 0; i < non_renegable->count; i++) {
        struct sr_run run = non_renegable->at[i];
        board->steps++;
        run.first = run.first > above ? run.first : above;
        for (int64_t at = sr_board_next(board, SR_SET_GAP_ACKED, run.first, run.end); at < run.end;
             at = sr_board_next(board, SR_SET_GAP_ACKED, at + 1, run.end)) {
            struct sr_chunk *chunk = sr_board_slot(board, at);
            board->steps++;
            leave_queue(board, chunk);
            chunk->state = SR_CHUNK_STATE_NR_ACKED;
            sr_board_report(board, SR_SET_PROMISED, at);
        }
    }
}

static void begin_ack(struct sr_board *board, const struct sr_received *received, struct sr_ack *ack)
{
    ack->cum = received->cum;
    ack->top = received->top;
    ack->htna = ack->newest_seq = SR_NO_SEQ;
    ack->newest_time_ns = SR_NO_TIME;
    ack->newly_chunks = ack->newly_bytes = 0;
    ack->several_packets = ack->ack_now = false;
    ack->has_gaps = received->gaps.count > 0;
    ack->resent_count = ack->taken_back.count = ack->broken_promises.count = 0;
    for (uint32_t i = 0; i < board->path_count; i++) {
        struct sr_path_news *news = &board->paths[i].news;
        news->count = 0;
        news->earliest_acked = news->cum_acked = news->taken_back = news->clean_acked = false;
        news->new_ack = 0;
        news->lowest_original = news->newest_original_seq = SR_NO_SEQ;
        for (int rule = 0; rule < SR_SAMPLE_RULE_COUNT; rule++)
            news->timed_ns[rule] = SR_NO_TIME;
        for (uint32_t s = 0; s < board->striker_count; s++)
            news->lowest_unmarked[board->strikers[s]] = news->highest_unmarked[board->strikers[s]] = SR_NO_SEQ;
    }
}

void sr_board_acknowledge(struct sr_board *board, const struct sr_received *received, int64_t reach, struct sr_ack *ack)
{
    begin_ack(board, received, ack);
    board->acked_anything = true;
    board->may_be_taken_back += SR_MODEL_TAKEN_BACK;
    acknowledge_cumulatively(board, received->cum, ack);
    int64_t above = sr_board_above(board, received->cum);
    acknowledge_out_of_order(board, &received->gaps, above, ack);
    sr_renege(board, received, reach, ack);
    free_promised(board, &received->non_renegable, above);
    ack->cum_advanced = received->cum >= board->una;
    if (ack->cum_advanced)
        board->una = received->cum + 1;
    board->nxt = board->nxt > board->una ? board->nxt : board->una;
}
