/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides in which order an event reaches the model's parts, and which feedback is passed over. What is asked of the
 * model is in answers.c. */
#include "model.h"

#include <stdlib.h>

#include "event.h"
#include "fork.h"
#include "nr_sack.h"
#include "pion.h"
#include "pr_sctp.h"
#include "reneging.h"
#include "timers.h"

static bool sample_alike(const struct sr_parameters *a, const struct sr_parameters *b)
{
    return a->sample == b->sample && a->rto.granularity_ns == b->rto.granularity_ns &&
           a->rto.rttvar_floor_ns == b->rto.rttvar_floor_ns && a->min_rtt_window_ns == b->min_rtt_window_ns &&
           a->times_handshake == b->times_handshake;
}

/* Which clock it reads: that of the first sender that samples alike. */
static uint8_t clock_of(struct sr_model *model, const struct sr_parameters *parameters)
{
    for (uint32_t i = 0; i < model->sender_count; i++)
        if (sample_alike(&model->senders[i].parameters, parameters))
            return model->senders[i].clock;
    model->clock_reader[model->clock_count] = (uint8_t)model->sender_count;
    return (uint8_t)model->clock_count++;
}

static void add_sender(struct sr_model *model, const struct sr_parameters *parameters)
{
    uint8_t clock = clock_of(model, parameters);
    uint32_t number = model->sender_count++;
    struct sr_sender *sender = &model->senders[number];
    *sender = (struct sr_sender){
        .parameters = *parameters,
        .number = (uint8_t)number,
        .bit = (uint8_t)(1u << number),
        .clock = clock,
        .due_ns = INT64_MAX,
    };
    model->active[model->active_count++] = (uint8_t)number;
    sr_tlp_init(&sender->tlp);
    sr_pion_init(&sender->pion);
}

struct sr_model *sr_model_new(const struct sr_parameters *senders, size_t count, struct sr_receiver receiver)
{
    if (count < 1 || count > SR_MODEL_SENDERS)
        return NULL;
    struct sr_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->receiver = receiver;
    model->advanced_peer_ack_point = SR_NO_SEQ;
    model->a_rwnd_bytes = -1;
    model->summary.rtt_ns = SR_NO_TIME;
    for (size_t i = 0; i < count; i++)
        add_sender(model, &senders[i]);
    sr_model_note_reaches(model);
    model->outbox = calloc(1, sizeof *model->outbox);
    if (!sr_board_init(&model->board, senders, (uint32_t)count) || !model->outbox) {
        sr_model_free(model);
        return NULL;
    }
    return model;
}

void sr_model_free(struct sr_model *model)
{
    if (!model)
        return;
    struct sr_outbox *outbox = model->outbox;
    if (outbox) {
        free(outbox->marks);
        free(outbox->expectations);
        free(outbox->probes);
        free(outbox->withdrawals);
    }
    free(outbox);
    while (model) {
        struct sr_model *fork = model->fork;
        sr_fork_free(model);
        model = fork;
    }
}

/* The first TSN that is seen begins the line. */
static bool warm(struct sr_model *model, const struct sr_warm_start *start)
{
    uint8_t place;
    if (!sr_event_place(model, start->path, &place))
        return false;
    for (uint32_t clock = 0; clock < model->clock_count; clock++) {
        struct sr_clock *reading = &model->clocks[place][clock];
        reading->rtt = (struct sr_rtt_estimator){start->srtt_ns, start->rttvar_ns};
        /* At time 0, out of which no sample falls before the first event. */
        sr_min_rtt_measured(&reading->min_rtt, INT64_MAX, 0, start->min_rtt_ns, SR_RTT_TAG_DELAYED);
        sr_minimum_add(&reading->min_rtt.path, INT64_MAX, 0, start->path_min_rtt_ns);
    }
    for (uint32_t i = 0; i < model->active_count; i++) {
        struct sr_sender *sender = &model->senders[model->active[i]];
        struct sr_rack *rack = &sender->paths[place].rack;
        rack->rtt_ns = start->srtt_ns;
        rack->reo_wnd.reordering_seen = start->reordering_seen;
        rack->reo_wnd.mult = start->reo_wnd_mult;
        sender->tlp.rtt_since_probe = true;
    }
    return true;
}

bool sr_model_warm(struct sr_model *model, const struct sr_warm_start *start)
{
    bool ok = true;
    for (; model; model = model->fork)
        ok &= warm(model, start);
    return ok;
}

/* Why the receiver sent this feedback: at once for a reason, or perhaps delayed (RFC 9260 section 6.2). */
static enum sr_rtt_tag tag_of(const struct sr_ack *ack, bool duplicates)
{
    if (ack->has_gaps)
        return SR_RTT_TAG_GAP;
    if (duplicates)
        return SR_RTT_TAG_DUPLICATE;
    if (ack->ack_now)
        return SR_RTT_TAG_I_BIT;
    return ack->several_packets ? SR_RTT_TAG_SECOND_PACKET : SR_RTT_TAG_DELAYED;
}

/* On which paths the duplicates that it reports can speak of a spurious retransmission. */
static void look_at_duplicates(struct sr_model *model, struct sr_detection *detection)
{
    for (size_t i = 0; i < detection->feedback->dup_count; i++) {
        int64_t seq = sr_line_seq(&model->line, detection->feedback->dups[i]);
        model->board.steps++;
        if (!sr_speaks_of_a_resend(model, seq))
            continue;
        const struct sr_chunk *chunk = sr_board_find(&model->board, seq);
        detection->duplicates = true;
        detection->duplicates_on |= chunk && chunk->path != SR_NO_PATH ? UINT32_C(1) << chunk->path : UINT32_MAX;
    }
}

static void summarise(struct sr_model *model, enum sr_rtt_tag tag)
{
    model->summary = (struct sr_feedback_summary){
        .newly_chunks = model->ack.newly_chunks,
        .newly_bytes = model->ack.newly_bytes,
        .cum_advanced = model->ack.cum_advanced,
        .rtt_tag = (uint8_t)tag,
        .rtt_ns = SR_NO_TIME,
    };
    int64_t newest_ns = SR_NO_TIME;
    for (uint32_t i = 0; i < model->board.path_count; i++) {
        int64_t sent_ns = model->board.paths[i].news.timed_ns[SR_SAMPLE_NEWEST];
        if (sent_ns > newest_ns)
            newest_ns = sent_ns;
    }
    if (newest_ns != SR_NO_TIME)
        model->summary.rtt_ns = model->now_ns - newest_ns;
}

/* All that may fail of feedback; whoever does not agree on what it takes back parts. */
static bool prepare(struct sr_model *model, const struct sr_model_feedback *feedback)
{
    struct sr_board *board = &model->board;
    sr_event_advance(model, feedback->time_ns, false);
    int64_t cum = sr_event_seq(model, feedback->cum_tsn);
    sr_board_begins_at(board, cum + 1);
    model->feedback_ns = feedback->time_ns;
    /* RFC 9260 section 6.2.1 D.i: a cumulative TSN below the point: an out-of-order SACK: drop it. */
    model->summary = (struct sr_feedback_summary){.stale = cum < board->una - 1, .rtt_ns = SR_NO_TIME};
    return model->summary.stale || (sr_receive(&model->received, &model->scratch, feedback, &model->line, board->nxt) &&
                                    sr_board_reserve(board, &model->ack) && sr_model_part(model));
}

static void acknowledged(struct sr_model *model, const struct sr_model_feedback *feedback)
{
    sr_board_acknowledge(&model->board, &model->received, sr_model_reach(model), &model->ack);
    model->line.reference = model->received.cum;
    int64_t a_rwnd_bytes = feedback->has_a_rwnd ? (int64_t)feedback->a_rwnd_bytes : -1;
    struct sr_detection detection = {.feedback = feedback, .window_unchanged = a_rwnd_bytes == model->a_rwnd_bytes};
    look_at_duplicates(model, &detection);
    enum sr_rtt_tag tag = tag_of(&model->ack, feedback->dup_count > 0);
    sr_measure(model, tag);
    summarise(model, tag);
    if (feedback->has_a_rwnd)
        model->a_rwnd_bytes = a_rwnd_bytes;
    for (uint32_t i = 0; i < model->active_count; i++) {
        struct sr_sender *sender = &model->senders[model->active[i]];
        sr_detect(model, sender, &detection);
        sr_timers_acknowledged(model, sender);
    }
}

bool sr_model_feedback(struct sr_model *model, const struct sr_model_feedback *feedback)
{
    if (!sr_event_is_ahead(model, feedback->time_ns))
        return false;
    for (struct sr_model *each = model; each; each = each->fork)
        if (!prepare(each, feedback))
            return false;
    for (struct sr_model *each = model; each; each = each->fork)
        if (!each->summary.stale)
            acknowledged(each, feedback);
    return true;
}

bool sr_model_forward_tsn(struct sr_model *model, int64_t time_ns, struct sr_tsn new_cum)
{
    if (!sr_event_is_ahead(model, time_ns))
        return false;
    for (; model; model = model->fork) {
        sr_event_advance(model, time_ns, true);
        int64_t seq = sr_event_seq(model, new_cum);
        if (seq > model->advanced_peer_ack_point)
            model->advanced_peer_ack_point = seq;
        sr_withdraw_marks(model, seq);
        sr_board_abandon(&model->board, seq);
        for (uint32_t i = 0; i < model->active_count; i++)
            sr_timers_stop_idle(model, &model->senders[model->active[i]]);
    }
    return true;
}

bool sr_model_rtt(struct sr_model *model, int64_t time_ns, uint32_t path, int64_t rtt_ns, enum sr_rtt_tag tag)
{
    uint8_t place;
    if (rtt_ns < 0 || path >= SR_MODEL_PATHS || !sr_event_is_ahead(model, time_ns))
        return false;
    rtt_ns = rtt_ns < SR_LONGEST_RTT_NS ? rtt_ns : SR_LONGEST_RTT_NS;
    for (; model; model = model->fork) {
        sr_event_advance(model, time_ns, true);
        if (!sr_event_place(model, path, &place))
            return false;
        /* RFC 9260 section 6.3.3: a HEARTBEAT gives a new measurement too. */
        sr_measured_by_all(model, place, rtt_ns, tag);
    }
    return true;
}

static void tsn_reset(struct sr_model *model, struct sr_tsn next)
{
    struct sr_board *board = &model->board;
    int64_t nxt = board->nxt;
    /* RFC 6525 section 5.2.4, rules G3 and G4: the old range is as if acknowledged. */
    model->received.cum = model->received.top = nxt - 1;
    model->received.gaps.count = model->received.non_renegable.count = model->received.blocks = 0;
    model->received.tells_gaps = model->received.overtaken = false;
    sr_board_acknowledge(board, &model->received, nxt - 1, &model->ack);
    sr_board_restart(board, nxt + (int64_t)(uint32_t)(next.value - (uint32_t)nxt));
    model->line.reference = board->nxt;
    for (uint32_t i = 0; i < model->active_count; i++) {
        struct sr_sender *sender = &model->senders[model->active[i]];
        sender->recovery.phase = SR_PHASE_NONE;
        sr_tlp_reset(model, &sender->tlp, SR_PROBE_OUTCOME_UNRESOLVED);
        sender->window_probe.count = 0;
        for (uint32_t place = 0; place < board->path_count; place++)
            sender->paths[place].rack.fack = sender->paths[place].rack.reo_wnd.dsack_round = SR_NO_SEQ;
        sr_timers_stop_all(model, sender);
    }
}

bool sr_model_tsn_reset(struct sr_model *model, int64_t time_ns, struct sr_tsn next)
{
    if (!sr_event_is_ahead(model, time_ns))
        return false;
    for (struct sr_model *each = model; each; each = each->fork) {
        sr_event_advance(each, time_ns, true);
        sr_event_seq(each, next);
        if (!sr_board_reserve(&each->board, &each->ack))
            return false;
    }
    for (struct sr_model *each = model; each; each = each->fork)
        tsn_reset(each, next);
    return true;
}

bool sr_model_time_passed(struct sr_model *model, int64_t now_ns)
{
    if (!sr_event_is_ahead(model, now_ns))
        return false;
    for (; model; model = model->fork)
        sr_event_advance(model, now_ns, true);
    return true;
}

void sr_model_finish(struct sr_model *model)
{
    for (; model; model = model->fork)
        for (uint32_t i = 0; i < model->active_count; i++)
            sr_tlp_reset(model, &model->senders[model->active[i]].tlp, SR_PROBE_OUTCOME_UNRESOLVED);
}
