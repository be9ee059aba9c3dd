/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of RFC 8985 section 6. The walk in order of sending goes on where it ended the last time. */
#include "rack.h"

#include "send_order.h"

/* Step 2: of what was delivered and says something, the one sent last. */
static void update(struct sr_sender *sender, struct sr_sender_path *path, const struct sr_ack *ack,
                   const struct sr_path_news *news, uint8_t place)
{
    struct sr_send_time newest = news->newest_original;
    int64_t seq = news->newest_original_seq;
    int64_t floor_ns = SR_NO_TIME;
    if (ack->resent_count > 0) {
        floor_ns = sr_min_rtt_of(sender, path);
        if (sender->parameters.rack.robust) {
            int64_t path_ns =
                sr_minimum_ns(&path->clock->min_rtt.path, sender->parameters.min_rtt_window_ns, sender->now_ns);
            floor_ns = path_ns == SR_NO_TIME ? floor_ns : path_ns;
        }
    }
    for (size_t i = 0; i < ack->resent_count; i++) {
        const struct sr_resent *resent = &ack->resent[i];
        /* RFC 8985 section 6.2 step 2: last retransmitted less than min_RTT ago: ignore. */
        if (resent->path != place || (floor_ns != SR_NO_TIME && sender->now_ns - resent->sent.time_ns < floor_ns))
            continue;
        if (seq == SR_NO_SEQ || sr_sent_before(newest, resent->sent) ||
            (!sr_sent_before(resent->sent, newest) && resent->seq > seq)) {
            newest = resent->sent;
            seq = resent->seq;
        }
    }
    if (seq == SR_NO_SEQ)
        return;
    struct sr_rack *rack = &path->rack;
    rack->rtt_ns = sender->now_ns - newest.time_ns;
    /* RFC 8985 section 6.2 step 2: RACK.segment is the one sent last (RACK_sent_after). */
    if (rack->segment_seq == SR_NO_SEQ || !sr_sent_before(newest, rack->segment)) {
        rack->segment = newest;
        rack->segment_seq = seq;
    }
}

void sr_rack_learn(struct sr_sender *sender, struct sr_sender_path *path, const struct sr_ack *ack,
                   const struct sr_path_news *news, uint8_t place)
{
    if (news->count == 0)
        return;
    update(sender, path, ack, news, place);
    /* RFC 8985 section 6.2 step 3: an original delivered below RACK.fack was reordered. */
    struct sr_rack *rack = &path->rack;
    if (rack->fack != SR_NO_SEQ && news->lowest_original != SR_NO_SEQ && news->lowest_original < rack->fack)
        rack->reo_wnd.reordering_seen = true;
    rack->fack = news->highest > rack->fack ? news->highest : rack->fack;
}

uint32_t sr_rack_segs_sacked(const struct sr_sender *sender, const struct sr_board_path *path)
{
    /* ADAPTATION: RFC 8985 counts segments; SCTP bundles chunks, and a packet is the segment. */
    return sender->parameters.rack.sacked_in_packets ? path->sacked_packets : path->sacked_chunks;
}

struct sr_chunk *sr_rack_oldest(struct sr_board *board, const struct sr_sender *sender, uint8_t place)
{
    struct sr_seq_sets *unmarked = &board->paths[place].unmarked;
    int64_t order = sr_seq_set_first(unmarked, sender->number, board->order_first, board->order_next);
    return order < board->order_next ? sr_send_order_chunk(board, order) : NULL;
}

/* Likewise the newest, of those before `end`. */
static struct sr_chunk *newest_before(struct sr_board *board, const struct sr_sender *sender, uint8_t place,
                                      int64_t end)
{
    struct sr_seq_sets *unmarked = &board->paths[place].unmarked;
    int64_t order = sr_seq_set_last(unmarked, sender->number, board->order_first, end);
    return order < board->order_first ? NULL : sr_send_order_chunk(board, order);
}

struct sr_chunk *sr_rack_newest(struct sr_board *board, const struct sr_sender *sender, uint8_t place)
{
    return newest_before(board, sender, place, board->order_next);
}

/* The newest chunk in flight that was sent before RACK.segment; there is one. */
static const struct sr_chunk *newest_before_segment(struct sr_board *board, const struct sr_sender *sender,
                                                    uint8_t place)
{
    struct sr_board_path *path = &board->paths[place];
    int64_t *before = &path->before[sender->number], from = *before + 1, end = board->order_next;
    const struct sr_rack *rack = &sender->paths[place].rack;
    from = from > board->order_first ? from : board->order_first;
    for (int64_t next = sr_seq_set_next(&path->sent, 0, from, end);
         next < end && sr_sent_before(sr_sent_at(sr_send_order_chunk(board, next)), rack->segment);
         next = sr_seq_set_next(&path->sent, 0, next + 1, end)) {
        *before = next;
        board->steps++;
    }
    return newest_before(board, sender, place, *before + 1);
}

int64_t sr_rack_detect(struct sr_model *model, struct sr_sender *sender, uint8_t place, uint32_t by_frame, bool *any)
{
    struct sr_board *board = &model->board;
    struct sr_rack *rack = &sender->paths[place].rack;
    if (rack->segment_seq == SR_NO_SEQ)
        return SR_NO_TIME;
    int64_t wait_ns = rack->rtt_ns + rack->reo_wnd_ns;
    struct sr_chunk *chunk;
    while ((chunk = sr_rack_oldest(board, sender, place))) {
        /* RFC 8985 section 6.2 step 5: only if RACK.segment was sent after it. */
        if (!sr_sent_before(sr_sent_at(chunk), rack->segment))
            break;
        /* RFC 8985 section 6.2 step 5: lost if xmit_ts + RACK.rtt + RACK.reo_wnd - now <= 0; else wait for the longest
         * that remains. */
        if (chunk->time_ns + wait_ns > sender->now_ns)
            return newest_before_segment(board, sender, place)->time_ns + wait_ns;
        sr_sender_mark(model, sender, chunk, by_frame ? SR_TRIGGER_ACK : SR_TRIGGER_TIMER, by_frame, rack->reo_wnd_ns);
        *any = true;
    }
    return SR_NO_TIME;
}

bool sr_rack_lost_at_rto(const struct sr_rack *rack, int64_t sent_ns, int64_t now_ns)
{
    return sent_ns + rack->rtt_ns + rack->reo_wnd_ns <= now_ns;
}
