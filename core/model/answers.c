/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked of the model: what grew since it was asked last, and what it knows now. It changes nothing. */
#include <stdlib.h>

#include "fork.h"
#include "timers.h"

bool sr_model_has_news(const struct sr_model *model)
{
    const struct sr_outbox *outbox = model->outbox;
    return (outbox->mark_count | outbox->expectation_count | outbox->probe_count | outbox->withdrawal_count) != 0;
}

const struct sr_mark *sr_model_take_marks(struct sr_model *model, size_t *count)
{
    *count = model->outbox->mark_count;
    model->outbox->mark_count = 0;
    return model->outbox->marks;
}

const struct sr_expectation *sr_model_take_expectations(struct sr_model *model, size_t *count)
{
    *count = model->outbox->expectation_count;
    model->outbox->expectation_count = 0;
    return model->outbox->expectations;
}

const struct sr_probe_report *sr_model_take_probes(struct sr_model *model, size_t *count)
{
    *count = model->outbox->probe_count;
    model->outbox->probe_count = 0;
    return model->outbox->probes;
}

const struct sr_withdrawal *sr_model_take_withdrawals(struct sr_model *model, size_t *count)
{
    *count = model->outbox->withdrawal_count;
    model->outbox->withdrawal_count = 0;
    return model->outbox->withdrawals;
}

const struct sr_probe_report *sr_model_last_probe(const struct sr_model *model, uint32_t sender)
{
    const struct sr_tlp *tlp = &sr_model_of(model, sender)->senders[sender].tlp;
    return tlp->reported ? &tlp->report : NULL;
}

bool sr_model_short_of_memory(const struct sr_model *model)
{
    return model->outbox->lost;
}

int64_t sr_model_next_timer_ns(const struct sr_model *model, uint32_t sender)
{
    model = sr_model_of(model, sender);
    return sr_timers_next_ns(model, &model->senders[sender]);
}

size_t sr_model_reneged(const struct sr_model *model, uint32_t sender, struct sr_tsn *tsns, size_t room)
{
    const struct sr_seq_list *list = &sr_model_of(model, sender)->ack.taken_back;
    for (size_t i = 0; i < list->count && i < room; i++)
        tsns[i] = sr_tsn_at(list->at[i]);
    return list->count;
}

size_t sr_model_broken_promises(const struct sr_model *model, uint32_t sender, struct sr_tsn *tsns, size_t room)
{
    const struct sr_seq_list *list = &sr_model_of(model, sender)->ack.broken_promises;
    for (size_t i = 0; i < list->count && i < room; i++)
        tsns[i] = sr_tsn_at(list->at[i]);
    return list->count;
}

uint64_t sr_model_beyond(const struct sr_model *model)
{
    uint64_t beyond = 0;
    for (; model; model = model->fork)
        beyond = model->board.beyond > beyond ? model->board.beyond : beyond;
    return beyond;
}

bool sr_model_snapshot(const struct sr_model *model, uint32_t sender_number, uint32_t path_number,
                       struct sr_path_snapshot *snapshot)
{
    model = sr_model_of(model, sender_number);
    uint8_t place = path_number < SR_MODEL_PATHS ? model->board.place_of_path[path_number] : SR_NO_PATH;
    if (place == SR_NO_PATH)
        return false;
    const struct sr_sender *sender = &model->senders[sender_number];
    const struct sr_sender_path *path = &sender->paths[place];
    const struct sr_board_path *outstanding = &model->board.paths[place];
    const struct sr_rack *rack = &path->rack;
    bool delivered = rack->segment_seq != SR_NO_SEQ, pion = sender->parameters.pion.on;
    *snapshot = (struct sr_path_snapshot){
        .srtt_ns = path->clock->rtt.srtt_ns,
        .rttvar_ns = path->clock->rtt.rttvar_ns,
        .rto_ns = sr_path_rto_ns(sender, path),
        .min_rtt_ns = sr_min_rtt_of(sender, path),
        .rack_rtt_ns = rack->rtt_ns,
        .rack_xmit_ns = delivered ? rack->segment.time_ns : SR_NO_TIME,
        .rack_tsn = sr_tsn_at(delivered ? rack->segment_seq : 0),
        .reo_wnd_ns = pion ? sender->pion.reo_wnd_ns : rack->reo_wnd_ns,
        .reo_wnd_mult = rack->reo_wnd.mult,
        .reordering_seen = pion ? sender->pion.reordering_seen : rack->reo_wnd.reordering_seen,
        .in_recovery = sender->recovery.phase != SR_PHASE_NONE,
        .flight_bytes = outstanding->outstanding_bytes - outstanding->lost_bytes[sender_number],
        .t3_ns = path->t3_ns,
        .t3_started_ns = path->t3_started_ns,
        .pto_ns = path->pto_ns,
        .reo_ns = path->reo_ns,
    };
    return true;
}

struct sr_feedback_summary sr_model_last_feedback(const struct sr_model *model)
{
    return model->summary;
}

struct sr_queue_step sr_model_queue(const struct sr_model *model, uint32_t sender)
{
    const struct sr_board *board = &sr_model_of(model, sender)->board;
    return (struct sr_queue_step){
        .chunks = board->outstanding_chunks + board->gap_acked_chunks,
        .necessary_chunks = board->outstanding_chunks,
        .bytes = board->outstanding_bytes + board->gap_acked_bytes,
        .necessary_bytes = board->outstanding_bytes,
    };
}

enum sr_tsn_state sr_model_state_of(const struct sr_model *model, uint32_t sender, struct sr_tsn tsn)
{
    model = sr_model_of(model, sender);
    const struct sr_chunk *chunk =
        model->line.begun ? sr_board_find(&model->board, sr_line_seq(&model->line, tsn)) : NULL;
    if (!chunk)
        return SR_TSN_NEVER_SENT;
    switch ((enum sr_chunk_state)chunk->state) {
    case SR_CHUNK_STATE_GAP_ACKED: return SR_TSN_GAP_ACKED;
    case SR_CHUNK_STATE_NR_ACKED: return SR_TSN_NR_ACKED;
    case SR_CHUNK_STATE_CUM_ACKED: return SR_TSN_CUM_ACKED;
    case SR_CHUNK_STATE_ABANDONED: return SR_TSN_ABANDONED;
    case SR_CHUNK_STATE_NONE: return SR_TSN_NEVER_SENT;
    case SR_CHUNK_STATE_FIRST_FLIGHT:
    case SR_CHUNK_STATE_REPEAT_FLIGHT: break;
    }
    return chunk->lost & model->senders[sender].bit ? SR_TSN_LOST : SR_TSN_IN_FLIGHT;
}

int sr_model_misses(const struct sr_model *model, uint32_t sender, struct sr_tsn tsn)
{
    if (sr_model_state_of(model, sender, tsn) != SR_TSN_IN_FLIGHT)
        return -1;
    return sr_board_misses(&sr_model_of(model, sender)->board, sr_line_seq(&model->line, tsn))[sender];
}

uint64_t sr_model_steps(const struct sr_model *model)
{
    uint64_t steps = 0;
    for (; model; model = model->fork)
        steps += model->board.steps;
    return steps;
}
