/* SPDX-License-Identifier: BSD-2-Clause */
/* pion's RACK. */
#include "pion.h"

#include "send_order.h"

void sr_pion_init(struct sr_pion *pion)
{
    *pion = (struct sr_pion){.highest_delivered = sr_tsn(0), .delivered_ns = SR_NO_TIME};
}

static void delivered(struct sr_pion *pion, int64_t time_ns, struct sr_tsn tsn)
{
    if (sr_tsn_after(tsn, pion->highest_delivered))
        pion->highest_delivered = tsn;
    else
        pion->reordering_seen = true;
    if (time_ns > pion->delivered_ns)
        pion->delivered_ns = time_ns;
}

/* The window after one feedback. pion knows no paths: the estimates of the first are those of the association. */
static void adapt(struct sr_pion *pion, const struct sr_pion_parameters *parameters, const struct sr_sender *sender,
                  bool duplicates, bool t3_running)
{
    int64_t min_rtt_ns = sr_min_rtt_of(sender, &sender->paths[0]), srtt_ns = sender->paths[0].clock->rtt.srtt_ns;
    bool measured = min_rtt_ns != SR_NO_TIME, in_fast_recovery = sender->recovery.phase == SR_PHASE_FAST;
    int64_t quarter_ns = measured ? min_rtt_ns / 4 : 0, step_ns = quarter_ns;
    if (measured && step_ns < parameters->reo_wnd_floor_ns)
        step_ns = parameters->reo_wnd_floor_ns;
    if (!pion->reordering_seen && (in_fast_recovery || t3_running))
        pion->reo_wnd_ns = 0;
    else if (pion->reo_wnd_ns == 0)
        pion->reo_wnd_ns = step_ns;
    if (duplicates && measured) {
        pion->reo_wnd_ns += step_ns;
        pion->keep_inflated = parameters->keep_inflated_sacks;
    }
    if (!in_fast_recovery && pion->keep_inflated > 0 && --pion->keep_inflated == 0 && measured)
        pion->reo_wnd_ns = quarter_ns;
    if (srtt_ns != SR_NO_TIME && pion->reo_wnd_ns > srtt_ns)
        pion->reo_wnd_ns = srtt_ns;
}

/* Marks on one path, in order of sending, what was sent long enough before the newest delivered chunk. */
static void mark(struct sr_model *model, struct sr_sender *sender, uint8_t place, uint32_t by_frame)
{
    struct sr_board *board = &model->board;
    struct sr_seq_sets *once = &board->paths[place].once;
    int64_t end = board->order_next;
    for (int64_t order = sr_seq_set_first(once, sender->number, board->order_first, end); order < end;
         order = sr_seq_set_first(once, sender->number, board->order_first, end)) {
        struct sr_chunk *chunk = sr_send_order_chunk(board, order);
        if (chunk->time_ns + sender->pion.reo_wnd_ns >= sender->pion.delivered_ns)
            break;
        sr_sender_mark(model, sender, chunk, SR_TRIGGER_ACK, by_frame, sender->pion.reo_wnd_ns);
    }
}

void sr_pion_detect(struct sr_model *model, struct sr_sender *sender, bool duplicates, uint32_t by_frame)
{
    struct sr_pion *pion = &sender->pion;
    if (model->board.path_count == 0)
        return;
    if (model->ack.newest_time_ns != SR_NO_TIME)
        delivered(pion, model->ack.newest_time_ns, sr_tsn_at(model->ack.newest_seq));
    adapt(pion, &sender->parameters.pion, sender, duplicates, model->board.on_board > 0);
    if (pion->delivered_ns == SR_NO_TIME)
        return;
    for (uint32_t i = 0; i < model->board.path_count; i++)
        mark(model, sender, (uint8_t)i, by_frame);
}

int64_t sr_pion_pto_ns(const struct sr_pion_parameters *parameters, int64_t srtt_ns, uint32_t queue_length)
{
    if (srtt_ns == SR_NO_TIME)
        return parameters->without_srtt_ns;
    return 2 * srtt_ns + (queue_length == 1 ? parameters->one_chunk_extra_ns : parameters->several_chunks_extra_ns);
}
