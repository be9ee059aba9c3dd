/* SPDX-License-Identifier: BSD-2-Clause */
/* The first TSN begins the line of sequence numbers; a path that is new begins with nothing measured. */
#include "event.h"

#include "timers.h"

int64_t sr_event_seq(struct sr_model *model, struct sr_tsn tsn)
{
    if (!model->line.begun) {
        model->line = (struct sr_tsn_line){tsn.value, true};
        model->board.una = model->board.nxt = model->board.lowest = tsn.value;
    }
    return sr_line_seq(&model->line, tsn);
}

bool sr_event_place(struct sr_model *model, uint32_t number, uint8_t *place)
{
    if (number >= SR_MODEL_PATHS)
        return false;
    uint32_t known = model->board.path_count;
    struct sr_board_path *path = sr_board_path(&model->board, number);
    if (!path)
        return false;
    *place = model->board.place_of_path[number];
    if (*place < known)
        return true;
    for (uint32_t clock = 0; clock < model->clock_count; clock++)
        model->clocks[*place][clock].rtt = (struct sr_rtt_estimator){SR_NO_TIME, SR_NO_TIME};
    for (uint32_t i = 0; i < model->sender_count; i++) {
        struct sr_sender *sender = &model->senders[i];
        struct sr_sender_path *own = &sender->paths[*place];
        *own = (struct sr_sender_path){
            .t3_ns = SR_NO_TIME,
            .pto_ns = SR_NO_TIME,
            .reo_ns = SR_NO_TIME,
            .t3_armed_ns = SR_NO_TIME,
            .t3_off_ns = SR_NO_TIME,
            .pto_armed_ns = SR_NO_TIME,
            .clock = &model->clocks[*place][sender->clock],
            .rack = {.segment_seq = SR_NO_SEQ, .fack = SR_NO_SEQ},
        };
        sr_reo_wnd_init(&own->rack.reo_wnd, &sender->parameters.rack.reo_wnd);
    }
    return true;
}

bool sr_event_is_ahead(const struct sr_model *model, int64_t until_ns)
{
    return until_ns >= model->now_ns && until_ns <= SR_MODEL_LAST_NS;
}

void sr_event_advance(struct sr_model *model, int64_t until_ns, bool inclusive)
{
    model->ack.taken_back.count = model->ack.broken_promises.count = 0;
    for (uint32_t i = 0; i < model->active_count; i++)
        sr_timers_advance(model, &model->senders[model->active[i]], until_ns, inclusive);
    model->now_ns = until_ns;
}
