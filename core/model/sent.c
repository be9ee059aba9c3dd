/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet that is sent does to the scoreboard, to what is timed, and to the senders' timers. */
#include <stdlib.h>

#include "event.h"
#include "pion_misses.h"
#include "send_order.h"
#include "timers.h"
#include "usrsctp.h"
#include "window_probe.h"

static bool room_for_packet(struct sr_model *model, size_t count)
{
    if (count <= model->packet_room)
        return true;
    int64_t *seqs = realloc(model->seqs, count * sizeof *seqs);
    if (!seqs)
        return false;
    model->seqs = seqs;
    bool *first = realloc(model->first, count * sizeof *first);
    if (!first)
        return false;
    model->first = first;
    model->packet_room = count;
    return true;
}

/* Room on the scoreboard for what the packet adds to it. */
static bool reach(struct sr_model *model, const struct sr_model_sent *sent)
{
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (size_t i = 0; i < sent->count; i++) {
        int64_t seq = sr_event_seq(model, sent->chunks[i].tsn);
        if (seq < model->board.una && model->board.acked_anything)
            continue;
        lowest = seq < lowest ? seq : lowest;
        highest = seq > highest ? seq : highest;
    }
    if (highest == INT64_MIN)
        lowest = highest = sr_board_first(&model->board);
    return sr_board_reach(&model->board, lowest, highest, sent->count);
}

/* When the oldest of what is outstanding was sent. */
static int64_t oldest_ns(struct sr_model *model)
{
    struct sr_board *board = &model->board;
    int64_t oldest = board->order_next;
    for (uint32_t i = 0; i < board->path_count; i++)
        oldest = sr_seq_set_first(&board->paths[i].sent, 0, board->order_first, oldest);
    return oldest < board->order_next ? sr_send_order_chunk(board, oldest)->time_ns : model->now_ns;
}

/* What the transmission of a TSN means for round-trip samples. */
static void time_chunk(struct sr_model *model, uint8_t place, int64_t seq, bool first)
{
    struct sr_board *board = &model->board;
    if (first) {
        struct sr_timing *timing = &board->paths[place].timing;
        timing->timed_seq = timing->timed_seq == SR_NO_SEQ ? seq : timing->timed_seq;
        if (timing->timed_through_resends == SR_NO_SEQ)
            timing->timed_through_resends = seq;
        return;
    }
    model->outbox->lost |= !sr_fence_retransmitted(&board->fence, seq, model->now_ns, oldest_ns(model), board->una);
    for (uint32_t i = 0; i < board->path_count; i++) {
        struct sr_timing *timing = &board->paths[i].timing;
        if (seq <= timing->timed_seq) /* SR_NO_SEQ is lower than all */
            timing->timed_seq = SR_NO_SEQ;
        if (seq == timing->timed_through_resends)
            timing->timed_through_resends = SR_NO_SEQ;
    }
}

/* Records the chunks of a packet on the scoreboard, and fills its view. */
static void record(struct sr_model *model, const struct sr_model_sent *sent, struct sr_packet_view *packet)
{
    struct sr_board *board = &model->board;
    const struct sr_send_time time = {sent->time_ns, sent->frame};
    packet->packet = sr_board_packet_begin(board);
    for (size_t i = 0; i < sent->count; i++) {
        int64_t seq = sr_event_seq(model, sent->chunks[i].tsn);
        struct sr_chunk *chunk = sr_board_find(board, seq);
        /* ADAPTATION: a TSN that is twice in one packet was transmitted once. */
        if (chunk && sr_outstanding(chunk) && chunk->packet == packet->packet) {
            chunk->copies++;
            continue;
        }
        if (chunk && sr_outstanding(chunk) && chunk->fast & board->as_usrsctp)
            sr_usrsctp_sends_again(model, chunk);
        bool first = sr_board_send(board, &sent->chunks[i], seq, packet->path, time, packet->packet);
        model->seqs[packet->count] = seq;
        model->first[packet->count++] = first;
        packet->highest = seq > packet->highest ? seq : packet->highest;
        packet->any_new |= first;
        packet->any_resent |= !first;
        board->steps++;
    }
    sr_board_packet_end(board, packet->packet);
    for (size_t i = 0; i < packet->count; i++)
        time_chunk(model, packet->path, model->seqs[i], model->first[i]);
}

/* What the chunks of a packet take, and its header. */
static uint32_t packet_bytes(const struct sr_model_sent *sent)
{
    uint32_t bytes = SR_COMMON_HEADER_BYTES;
    for (size_t i = 0; i < sent->count; i++)
        bytes += sr_chunk_bytes(sent->chunks[i].bytes);
    return bytes;
}

/* Whether something in a packet may have been sent before. */
static bool may_be_again(const struct sr_model *model, const struct sr_model_sent *sent)
{
    for (size_t i = 0; i < sent->count; i++)
        if (sr_line_seq(&model->line, sent->chunks[i].tsn) < model->board.nxt)
            return true;
    return false;
}

/* All that may fail of a packet. */
static bool make_room(struct sr_model *model, const struct sr_model_sent *sent, uint8_t *place)
{
    sr_event_advance(model, sent->time_ns, true);
    return reach(model, sent) && room_for_packet(model, sent->count) && sr_event_place(model, sent->path, place);
}

static void sent_packet(struct sr_model *model, const struct sr_model_sent *sent)
{
    struct sr_packet_view packet = {
        .time_ns = sent->time_ns,
        .frame = sent->frame,
        .path = model->board.place_of_path[sent->path],
        .highest = INT64_MIN,
        .seqs = model->seqs,
        .first = model->first,
    };
    uint32_t bytes = packet_bytes(sent);
    for (uint32_t i = 0; i < model->active_count && may_be_again(model, sent); i++)
        sr_timers_expire_early(model, &model->senders[model->active[i]], packet.path, sent);
    record(model, sent, &packet);
    model->largest_packet_bytes = bytes > model->largest_packet_bytes ? bytes : model->largest_packet_bytes;
    packet.window_closed = sr_window_is_closed(model, packet.seqs, packet.count);
    for (uint32_t i = 0; i < model->active_count; i++) {
        struct sr_sender *sender = &model->senders[model->active[i]];
        if (!sr_timers_run_on(model, sender, &packet))
            sr_timers_data_sent(model, sender, &packet);
    }
}

bool sr_model_sent(struct sr_model *model, const struct sr_model_sent *sent)
{
    uint8_t place;
    if (sent->count == 0 || sent->path >= SR_MODEL_PATHS || !sr_event_is_ahead(model, sent->time_ns))
        return false;
    for (struct sr_model *each = model; each; each = each->fork)
        if (!make_room(each, sent, &place))
            return false;
    for (struct sr_model *each = model; each; each = each->fork)
        sent_packet(each, sent);
    return true;
}
