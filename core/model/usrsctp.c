/* SPDX-License-Identifier: BSD-2-Clause */
/* `missing` has what may be struck; `waiting` what may be only in fast recovery, until newer data is acknowledged. */
#include "usrsctp.h"

#include <stdlib.h>

#include "t3.h"

enum { PEER_CHUNK_OVERHEAD = 256 }; /* sctp_peer_chkoh: what a chunk takes of the window besides */

/* Whether it says when the chunk of a mark may be struck again. */
static bool holds(const struct sr_board *board, const struct sr_sender *sender, struct sr_fast_mark mark)
{
    const struct sr_chunk *chunk = sr_board_find(board, mark.seq);
    return chunk && chunk->fast & sender->bit &&
           *sr_board_fast_nxt(board, mark.seq, sender->number) == (uint32_t)mark.nxt;
}

/* Keeps those marks that hold: at most one for each chunk on the board. */
static void tidy(const struct sr_board *board, struct sr_sender *sender)
{
    struct sr_fast_marks *marks = &sender->fast_marks;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < marks->count; i++)
        if (holds(board, sender, marks->at[marks->first + i]))
            marks->at[kept++] = marks->at[marks->first + i];
    marks->first = 0;
    marks->count = kept;
}

/* The chunk is fast-retransmitted while SND.NXT is as it is. */
static void remember(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk)
{
    struct sr_fast_marks *marks = &sender->fast_marks;
    const struct sr_fast_mark mark = {chunk->seq, model->board.nxt};
    bool is_new = !holds(&model->board, sender, mark);
    chunk->fast |= sender->bit;
    chunk->again &= (uint8_t)~sender->bit;
    *sr_board_fast_nxt(&model->board, chunk->seq, sender->number) = (uint32_t)mark.nxt;
    if (!is_new)
        return;
    if (marks->first + marks->count == marks->room)
        tidy(&model->board, sender);
    if (marks->count > marks->room / 2 || marks->room == 0) {
        uint32_t room = marks->room ? marks->room * 2 : 16;
        struct sr_fast_mark *at = realloc(marks->at, room * sizeof *at);
        model->outbox->lost |= !at;
        marks->at = at ? at : marks->at;
        marks->room = at ? room : marks->room;
    }
    if (marks->first + marks->count < marks->room)
        marks->at[marks->first + marks->count++] = mark;
}

void sr_usrsctp_sends_again(struct sr_model *model, struct sr_chunk *chunk)
{
    for (uint32_t i = 0; i < model->board.striker_count; i++) {
        struct sr_sender *sender = &model->senders[model->board.strikers[i]];
        if (chunk->fast & sender->bit)
            remember(model, sender, chunk);
    }
}

/* Data up to `newest` is acknowledged for the first time: what was fast-retransmitted before that was sent may be
 * struck again. */
static void let_repeat(struct sr_board *board, struct sr_sender *sender, int64_t newest)
{
    struct sr_fast_marks *marks = &sender->fast_marks;
    for (; marks->count > 0 && marks->at[marks->first].nxt <= newest; marks->first++, marks->count--) {
        struct sr_fast_mark mark = marks->at[marks->first];
        struct sr_chunk *chunk = sr_board_find(board, mark.seq);
        board->steps++;
        if (!holds(board, sender, mark))
            continue;
        chunk->again |= sender->bit;
        if (!sr_outstanding(chunk) || !sr_seq_set_has(&board->paths[chunk->path].waiting, sender->number, mark.seq))
            continue;
        sr_seq_set_remove(&board->paths[chunk->path].waiting, sender->number, mark.seq);
        sr_seq_set_add(&board->paths[chunk->path].missing, sender->number, mark.seq);
    }
}

/* What a SACK strikes. */
struct strike {
    int64_t newest;      /* biggest_tsn_newly_acked */
    bool everything;     /* whatever is missing in it */
    int64_t twice_below; /* CMT: what is missing below gets two strikes */
};

/* Whether the SACK strikes this chunk in flight, of those on the paths that it has news of. */
static bool strikes(const struct sr_board *board, const struct sr_sender *sender, const struct strike *strike,
                    const struct sr_chunk *chunk)
{
    /* fast_retran_tsn, the TSN next to be sent at the last fast retransmission */
    struct sr_tsn nxt = sr_tsn(*sr_board_fast_nxt(board, chunk->seq, sender->number));
    return strike->everything || !(chunk->fast & sender->bit) || sr_tsn_distance(sr_tsn_at(strike->newest), nxt) >= 0;
}

/* The next that may be struck, from `from` on and before `end`, in order of TSN over all paths. */
static int64_t next(struct sr_board *board, uint32_t sender, const struct strike *strike, int64_t from, int64_t end)
{
    int64_t none = end;
    for (uint32_t i = 0; i < board->path_count; i++) {
        struct sr_board_path *path = &board->paths[i];
        /* this_sack_highest_newack of its path */
        int64_t limit = path->news.highest_unmarked[sender] + 1;
        if (!(path->news.new_ack >> sender & 1))
            continue;
        limit = strike->everything || limit > end ? end : limit;
        int64_t at = sr_seq_set_next(&path->missing, sender, from, limit);
        if (strike->everything)
            at = sr_seq_set_next(&path->waiting, sender, from, at);
        none = at < limit && at < none ? at : none;
    }
    return none;
}

/* CMT with DAC: feedback that answers two packets or more, of one path, cumulatively nothing, says that as many came
 * behind what is missing below them (this_sack_lowest_newack, num_dests_sacked). */
static int64_t twice_below(const struct sr_model *model, const struct sr_sender *sender, uint32_t packets)
{
    const struct sr_board *board = &model->board;
    uint32_t paths = 0;
    int64_t lowest = SR_NO_SEQ;
    if (!sender->parameters.misses.split_paths || packets < 2)
        return SR_NO_SEQ;
    for (uint32_t i = 0; i < board->path_count; i++) {
        const struct sr_path_news *news = &board->paths[i].news;
        if (news->count > 0 && news->lowest <= model->ack.cum)
            return SR_NO_SEQ;
        paths += news->new_ack >> sender->number & 1;
        int64_t seq = news->lowest_unmarked[sender->number];
        lowest = seq != SR_NO_SEQ && (lowest == SR_NO_SEQ || seq < lowest) ? seq : lowest;
    }
    return paths == 1 ? lowest : SR_NO_SEQ;
}

/* Strikes what this feedback reports missing, and marks what has its last strike; a bit for each path of those. */
static uint32_t strike_all(struct sr_model *model, struct sr_sender *sender, const struct strike *strike,
                           uint32_t by_frame)
{
    struct sr_board *board = &model->board;
    int64_t end = strike->everything ? model->ack.top : strike->newest;
    uint32_t paths = 0;
    for (int64_t at = next(board, sender->number, strike, sr_board_first(board), end); at < end;
         at = next(board, sender->number, strike, at + 1, end)) {
        struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        if (!strikes(board, sender, strike, chunk))
            continue;
        uint8_t *misses = &sr_board_misses(board, at)[sender->number];
        *misses = (uint8_t)(*misses + 1 + (at < strike->twice_below));
        if (*misses < sender->parameters.misses.threshold)
            continue;
        remember(model, sender, chunk);
        sr_sender_mark(model, sender, chunk, SR_TRIGGER_MISS3, by_frame, SR_NO_TIME);
        paths |= UINT32_C(1) << chunk->path;
    }
    return paths;
}

static uint32_t strike_missing(struct sr_model *model, struct sr_sender *sender,
                               const struct sr_model_feedback *feedback)
{
    struct sr_board *board = &model->board;
    struct strike strike = {
        .newest = model->ack.cum,
        .everything = model->ack.cum_advanced && sender->recovery.phase == SR_PHASE_FAST,
        .twice_below = twice_below(model, sender, feedback->packets),
    };
    for (size_t i = 0; i < model->ack.taken_back.count; i++)
        /* sctp_check_for_revoked makes it SCTP_DATAGRAM_SENT, without a strike. */
        sr_board_misses(board, model->ack.taken_back.at[i])[sender->number] = 0;
    for (uint32_t i = 0; i < board->path_count; i++) {
        int64_t highest = board->paths[i].news.highest_unmarked[sender->number];
        strike.newest = highest > strike.newest ? highest : strike.newest;
    }
    let_repeat(board, sender, strike.newest);
    return strike_all(model, sender, &strike, feedback->frame);
}

void sr_usrsctp_detect(struct sr_model *model, struct sr_sender *sender, const struct sr_model_feedback *feedback)
{
    bool gaps = feedback->gap_count + feedback->nr_gap_count > 0;
    /* saw_sack_with_frags, saw_sack_with_nr_frags. pr_sctp_cnt: a capture shows only that something was given up. */
    sender->express = !gaps && !sender->gaps_before && model->advanced_peer_ack_point == SR_NO_SEQ;
    sender->gaps_before = gaps;
    uint32_t struck = gaps ? strike_missing(model, sender, feedback) : 0;
    bool cmt = sender->parameters.misses.split_paths;
    struct sr_recovery after = sender->recovery; /* will_exit_fast_recovery is asked before that is entered */
    bool exits = !sender->express && model->ack.cum_advanced && sr_recovery_exits_at(&after, model->ack.cum);
    if (struck && (cmt || sender->recovery.phase != SR_PHASE_FAST)) {
        /* sctp_cwnd_update_after_fr: up to the last TSN sent, and T3-rtx starts anew. With CMT each moves its end. */
        sender->recovery = (struct sr_recovery){model->board.nxt - 1, SR_PHASE_FAST};
        for (uint32_t place = 0; place < model->board.path_count; place++)
            if (struck >> place & 1)
                sr_t3_start(sender, &sender->paths[place]);
        exits &= cmt;
    }
    if (exits)
        sender->recovery.phase = SR_PHASE_NONE;
}

/* What this sender has in flight, on all paths. */
static uint64_t in_flight(const struct sr_model *model, const struct sr_sender *sender, uint64_t *bytes)
{
    const struct sr_board *board = &model->board;
    uint64_t chunks = board->outstanding_chunks;
    *bytes = board->outstanding_bytes;
    for (uint32_t i = 0; i < board->path_count; i++) {
        chunks -= board->paths[i].lost_chunks[sender->number];
        *bytes -= board->paths[i].lost_bytes[sender->number];
    }
    return chunks;
}

bool sr_without_window(const struct sr_model *model, const struct sr_sender *sender)
{
    uint64_t bytes, chunks = in_flight(model, sender, &bytes);
    if (model->a_rwnd_bytes < 0 || bytes >= model->largest_packet_bytes)
        return false;
    return model->a_rwnd_bytes - (int64_t)(bytes + chunks * PEER_CHUNK_OVERHEAD) < SR_SWS_SENDER;
}

bool sr_is_alone(const struct sr_model *model, const struct sr_sender *sender, uint32_t packet)
{
    uint64_t bytes;
    return in_flight(model, sender, &bytes) == model->board.packets[packet].chunks;
}
