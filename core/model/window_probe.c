/* SPDX-License-Identifier: BSD-2-Clause */
/* Zero window probes. */
#include "window_probe.h"

#include <stdlib.h>
#include <string.h>

/* A chunk that is not below the cumulative ack point. */
static const struct sr_chunk *on_board(const struct sr_board *board, int64_t seq)
{
    const struct sr_chunk *chunk = sr_board_find(board, seq);
    return chunk && chunk->state != SR_CHUNK_STATE_CUM_ACKED ? chunk : NULL;
}

bool sr_window_is_closed(const struct sr_model *model, const int64_t *seqs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct sr_chunk *chunk = on_board(&model->board, seqs[i]);
        if (chunk)
            return model->a_rwnd_bytes >= 0 && model->a_rwnd_bytes < chunk->bytes;
    }
    return false;
}

static bool holds(const int64_t *seqs, size_t count, int64_t seq)
{
    for (size_t i = 0; i < count; i++)
        if (seqs[i] == seq)
            return true;
    return false;
}

/* RFC 9260 section 6.1: only when all outstanding chunks have been cumulatively acknowledged, but for those of the
 * packet itself. */
static bool settled(struct sr_board *board, const struct sr_packet_view *packet)
{
    if (board->on_board - board->abandoned > packet->count)
        return false;
    for (int64_t at = sr_board_next(board, SR_SET_WANTED, sr_board_first(board), board->nxt); at < board->nxt;
         at = sr_board_next(board, SR_SET_WANTED, at + 1, board->nxt)) {
        board->steps++;
        if (!holds(packet->seqs, packet->count, at))
            return false;
    }
    return true;
}

/* Whether all that was sent before was sent before as such a probe. */
static bool is_again(const struct sr_seq_list *probe, const struct sr_packet_view *packet)
{
    for (size_t i = 0; i < packet->count; i++)
        if (!packet->first[i] && !holds(probe->at, probe->count, packet->seqs[i]))
            return false;
    return true;
}

static bool remember(struct sr_seq_list *probe, const struct sr_packet_view *packet)
{
    if (probe->room < packet->count) {
        int64_t *at = realloc(probe->at, packet->count * sizeof *at);
        if (!at)
            return false;
        probe->at = at;
        probe->room = packet->count;
    }
    memcpy(probe->at, packet->seqs, packet->count * sizeof *probe->at);
    probe->count = packet->count;
    return true;
}

bool sr_is_window_probe(struct sr_model *model, struct sr_sender *sender, const struct sr_packet_view *packet)
{
    return !sender->parameters.t3.repeats_window_probes && settled(&model->board, packet) &&
           is_again(&sender->window_probe, packet) && remember(&sender->window_probe, packet);
}
