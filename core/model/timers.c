/* SPDX-License-Identifier: BSD-2-Clause */
/* The timers of each path: reordering timer, PTO and T3-rtx, in the order in which one suspends the next. */
#include "timers.h"

#include <stdlib.h>

#include "crossing.h"
#include "pion.h"
#include "rack.h"
#include "send_order.h"
#include "t3.h"
#include "window_probe.h"

enum timer { REO, PTO, T3 };

struct due {
    int64_t time_ns; /* SR_NO_TIME: none runs */
    enum timer timer;
    uint8_t place;
};

static void sooner(struct due *due, int64_t deadline_ns, enum timer timer, uint8_t place)
{
    if (deadline_ns != SR_NO_TIME && (due->time_ns == SR_NO_TIME || deadline_ns < due->time_ns))
        *due = (struct due){deadline_ns, timer, place};
}

/* The timer that fires next. */
static struct due next_due(const struct sr_model *model, const struct sr_sender *sender)
{
    struct due due = {.time_ns = SR_NO_TIME};
    for (uint32_t i = 0; i < model->board.path_count; i++) {
        const struct sr_sender_path *path = &sender->paths[i];
        /* RFC 8985 section 8: one of the timers runs; pion lets PTO and T3-rtx run side by side. */
        if (sender->parameters.pion.on) {
            sooner(&due, path->pto_ns, PTO, (uint8_t)i);
            sooner(&due, path->t3_ns, T3, (uint8_t)i);
        } else if (path->reo_ns != SR_NO_TIME) {
            sooner(&due, path->reo_ns, REO, (uint8_t)i);
        } else if (path->pto_ns != SR_NO_TIME) {
            sooner(&due, path->pto_ns, PTO, (uint8_t)i);
        } else {
            sooner(&due, path->t3_ns, T3, (uint8_t)i);
        }
    }
    if (due.time_ns != SR_NO_TIME && due.time_ns < sender->now_ns)
        due.time_ns = sender->now_ns;
    return due;
}

int64_t sr_timers_next_ns(const struct sr_model *model, const struct sr_sender *sender)
{
    return next_due(model, sender).time_ns;
}

/* No timer is due before this; those that are suspended count, since they may run on at any time. */
static int64_t earliest_deadline(const struct sr_model *model, const struct sr_sender *sender)
{
    struct due due = {.time_ns = SR_NO_TIME};
    for (uint32_t i = 0; i < model->board.path_count; i++) {
        sooner(&due, sender->paths[i].reo_ns, REO, 0);
        sooner(&due, sender->paths[i].pto_ns, PTO, 0);
        sooner(&due, sender->paths[i].t3_ns, T3, 0);
    }
    return due.time_ns == SR_NO_TIME ? INT64_MAX : due.time_ns;
}

static struct sr_expectation expect(struct sr_model *model, struct sr_sender *sender, uint8_t place,
                                    enum sr_action action, int64_t armed_ns, int64_t seq)
{
    const struct sr_expectation expectation = {
        .time_ns = sender->now_ns,
        .armed_ns = armed_ns,
        .tsn = sr_tsn_at(seq),
        .sender = sender->number,
        .path = model->board.paths[place].number,
        .action = (uint8_t)action,
    };
    model->outbox->lost |= !sr_outbox_add_expectation(model->outbox, &expectation);
    return expectation;
}

static void pto_expired(struct sr_model *model, struct sr_sender *sender, uint8_t place)
{
    struct sr_sender_path *path = &sender->paths[place];
    int64_t highest = sr_board_highest(&model->board, &model->board.paths[place]);
    path->pto_ns = SR_NO_TIME;
    if (sender->parameters.pion.on) {
        /* pion: the highest un-acked chunk, unless it is marked already; T3-rtx is left alone. */
        if (!(sr_board_slot(&model->board, highest)->lost & sender->bit))
            expect(model, sender, place, SR_ACTION_PROBE, path->pto_armed_ns, highest);
        return;
    }
    if (sr_tlp_may_probe(&sender->tlp)) {
        /* RFC 8985 section 7.3: unsent data, else the highest-sequence segment.
         * ADAPTATION: the highest one outstanding; SCTP never needs a gap-acked TSN again. */
        sender->tlp.expected = expect(model, sender, place, SR_ACTION_PROBE, path->pto_armed_ns, highest);
        sender->tlp.expects = true;
    }
    /* RFC 8985 section 7.3: whether or not a probe was sent, re-arm T3-rtx, not the PTO. */
    sr_t3_start(sender, path);
}

static int by_seq(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static bool note(struct sr_seq_list *list, int64_t seq)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        int64_t *at = realloc(list->at, room * sizeof *at);
        if (!at)
            return false;
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = seq;
    return true;
}

/* What the timeout shows to be lost, in order of TSN: the oldest, as they were sent, and the earliest. False without
 * memory. */
static bool find_lost(struct sr_model *model, const struct sr_sender *sender, uint8_t place, int64_t earliest, bool all)
{
    struct sr_board *board = &model->board;
    struct sr_seq_sets *unmarked = &board->paths[place].unmarked;
    struct sr_seq_list *lost = &model->timed_out;
    /* RFC 8985 section 6.3: the first outstanding segment is lost.
     * RFC 9260 section 6.3.3 E3: the earliest outstanding chunks go out again. */
    const struct sr_chunk *first = sr_board_slot(board, earliest);
    bool with_first = !sender->parameters.t3.always_earliest || first->lost & sender->bit;
    int64_t end = board->order_next;
    lost->count = 0;
    for (int64_t at = sr_seq_set_first(unmarked, sender->number, board->order_first, end); at < end;
         at = sr_seq_set_next(unmarked, sender->number, at + 1, end)) {
        const struct sr_chunk *chunk = sr_send_order_chunk(board, at);
        board->steps++;
        if (!all && !sr_t3_marks(sender, &sender->paths[place], chunk->time_ns))
            break;
        with_first |= chunk->seq == earliest;
        if (!note(lost, chunk->seq))
            return false;
    }
    if (!with_first && !note(lost, earliest))
        return false;
    if (lost->count > 1)
        qsort(lost->at, lost->count, sizeof *lost->at, by_seq);
    return true;
}

static void mark_at_timeout(struct sr_model *model, struct sr_sender *sender, uint8_t place, int64_t earliest)
{
    const struct sr_sender_path *path = &sender->paths[place];
    int64_t window_ns = sender->parameters.rack.on ? path->rack.reo_wnd_ns : SR_NO_TIME;
    bool as_usrsctp = sender->parameters.misses.as_usrsctp, probing = as_usrsctp && sr_without_window(model, sender);
    model->outbox->lost |= !find_lost(model, sender, place, earliest, probing);
    for (size_t i = 0; i < model->timed_out.count; i++) {
        struct sr_chunk *chunk = sr_board_slot(&model->board, model->timed_out.at[i]);
        sr_sender_mark(model, sender, chunk, SR_TRIGGER_RTO, 0, window_ns);
        if (as_usrsctp)
            /* sctp_mark_all_for_resend: the count of fast retransmissions begins anew. */
            chunk->fast &= (uint8_t)~sender->bit;
    }
}

static void t3_expired(struct sr_model *model, struct sr_sender *sender, uint8_t place)
{
    struct sr_sender_path *path = &sender->paths[place];
    struct sr_board_path *outstanding = &model->board.paths[place];
    int64_t earliest = sr_board_earliest(&model->board, outstanding);
    path->t3_ns = SR_NO_TIME;
    if (outstanding->outstanding_chunks == 0) {
        /* usrsctp: a window probe kept it running. */
        path->backoff++;
        return;
    }
    mark_at_timeout(model, sender, place, earliest);
    if (sr_board_slot(&model->board, earliest)->lost & sender->bit)
        expect(model, sender, place, SR_ACTION_T3, path->t3_armed_ns, earliest);
    /* RFC 9260 section 6.3.3 E2: RTO = RTO * 2, until the next measurement. */
    path->backoff++;
    if (sender->parameters.misses.as_pion)
        sender->recovery.phase = SR_PHASE_NONE;
    else if (!sender->parameters.t3.keeps_fast_recovery || sender->recovery.phase != SR_PHASE_FAST)
        sr_enter_recovery(model, sender, SR_PHASE_RTO, sr_board_highest_outstanding(&model->board));
    bool goes_on = sender->parameters.t3.restarts_itself || sr_in_flight_on(outstanding, sender->number);
    /* RFC 8985 section 3.5: what is not marked waits for another RTO interval. */
    if (goes_on && path->backoff < SR_MODEL_TIMEOUTS)
        sr_t3_start(sender, path);
}

static void fire(struct sr_model *model, struct sr_sender *sender, struct due due)
{
    switch (due.timer) {
    case REO:
        /* RFC 8985 section 6.2 step 5: the same routine at an ACK and at the reordering timer. */
        sr_detect_by_time(model, sender, due.place, 0, sender->recovery.phase != SR_PHASE_NONE);
        break;
    case PTO: pto_expired(model, sender, due.place); break;
    case T3: t3_expired(model, sender, due.place); break;
    }
}

void sr_timers_fire(struct sr_model *model, struct sr_sender *sender, int64_t until_ns, bool inclusive)
{
    struct due due = next_due(model, sender);
    while (due.time_ns != SR_NO_TIME && due.time_ns < until_ns + inclusive) {
        sender->now_ns = due.time_ns;
        model->board.steps++;
        fire(model, sender, due);
        due = next_due(model, sender);
    }
    sender->due_ns = earliest_deadline(model, sender);
}

/* Starts the PTO unless another mechanism is at work. */
static void arm_pto(struct sr_model *model, struct sr_sender *sender, uint8_t place)
{
    struct sr_sender_path *path = &sender->paths[place];
    const struct sr_board_path *outstanding = &model->board.paths[place];
    /* RFC 8985 section 7.2: not in fast or RTO recovery, or with segments SACKed.
     * ADAPTATION: nor while the reordering timer runs, which is named there as the reason. */
    if (!sender->parameters.tlp.on || sender->recovery.phase != SR_PHASE_NONE || outstanding->sacked_chunks > 0 ||
        path->reo_ns != SR_NO_TIME || !sr_in_flight_on(outstanding, sender->number))
        return;
    int64_t due_ns = sender->now_ns + sr_tlp_pto_ns(&model->board, sender, place);
    /* RFC 8985 section 7.2: if T3-rtx would fire earlier, at that time; section 8: arming the PTO suspends T3-rtx. */
    path->pto_ns = path->t3_ns != SR_NO_TIME && path->t3_ns < due_ns ? path->t3_ns : due_ns;
    path->pto_armed_ns = sender->now_ns;
    sr_sender_wakes_at(sender, path->pto_ns);
}

static void arm_pto_of_pion(struct sr_model *model, struct sr_sender *sender, struct sr_sender_path *path)
{
    path->pto_armed_ns = sender->now_ns;
    path->pto_ns =
        sender->now_ns + sr_pion_pto_ns(&sender->parameters.pion, path->clock->rtt.srtt_ns, model->board.on_board);
    sr_sender_wakes_at(sender, path->pto_ns);
}

static void stop_idle(struct sr_sender *sender, struct sr_sender_path *path)
{
    if (!path->t3_kept)
        sr_t3_stop(sender, path);
    path->pto_ns = path->reo_ns = SR_NO_TIME;
}

void sr_timers_stop_idle(struct sr_model *model, struct sr_sender *sender)
{
    for (uint32_t i = 0; i < model->board.path_count; i++)
        if (model->board.paths[i].outstanding_chunks == 0)
            stop_idle(sender, &sender->paths[i]);
}

void sr_timers_stop_all(struct sr_model *model, struct sr_sender *sender)
{
    for (uint32_t i = 0; i < model->board.path_count; i++)
        sender->paths[i].window_probe = sender->paths[i].t3_kept = false;
    sr_timers_stop_idle(model, sender);
}

/* Whether a timeout would mark a chunk that is sent again, and no feedback has. */
static bool may_be_of_timeout(const struct sr_model *model, const struct sr_sender *sender, uint8_t place, int64_t seq,
                              bool probing)
{
    const struct sr_chunk *chunk = sr_board_find(&model->board, seq);
    return chunk && sr_outstanding(chunk) && chunk->path == place && !(chunk->lost & sender->bit) &&
           (probing || sr_t3_marks(sender, &sender->paths[place], chunk->time_ns));
}

void sr_timers_expire_early(struct sr_model *model, struct sr_sender *sender, uint8_t place,
                            const struct sr_model_sent *sent)
{
    struct sr_sender_path *path = &sender->paths[place];
    const struct sr_t3_parameters *t3 = &sender->parameters.t3;
    if (!t3->seen_by_resend || path->t3_ns == SR_NO_TIME || model->board.paths[place].outstanding_chunks == 0)
        return;
    int64_t earliest = sr_board_earliest(&model->board, &model->board.paths[place]), now_ns = sender->now_ns;
    bool probing = sr_without_window(model, sender), marked = false, with_earliest = false;
    for (size_t i = 0; i < sent->count; i++) {
        int64_t seq = sr_line_seq(&model->line, sent->chunks[i].tsn);
        bool marks = may_be_of_timeout(model, sender, place, seq, probing);
        marked |= marks;
        with_earliest |= marks && seq == earliest;
    }
    bool crossed = with_earliest && now_ns - model->feedback_ns > SR_REACTION_NS &&
                   now_ns >= path->t3_armed_ns + sr_path_rto_ns(sender, path) - t3->tick_ns - SR_REACTION_NS;
    if (marked && (path->t3_ns - now_ns <= t3->tick_ns || crossed))
        t3_expired(model, sender, place);
}

/* Lets T3-rtx take over from the zero window probe. */
static void probe_becomes_data(struct sr_model *model, struct sr_sender *sender)
{
    sender->window_probe.count = 0;
    for (uint32_t i = 0; i < model->board.path_count; i++)
        /* ADAPTATION: what was sent as a probe waits for an acknowledgement like any data. */
        if (sender->paths[i].t3_ns == SR_NO_TIME && sr_in_flight_on(&model->board.paths[i], sender->number))
            sr_t3_start(sender, &sender->paths[i]);
}

/* Whether the earliest outstanding chunk of the path was sent again in this packet, so that T3-rtx is restarted. */
static bool resends_earliest(struct sr_board *board, const struct sr_sender *sender,
                             const struct sr_packet_view *packet)
{
    uint8_t restarts = sender->parameters.t3.resend_restarts;
    if (!packet->any_resent || restarts == SR_RESEND_RESTARTS_NEVER)
        return false;
    const struct sr_chunk *chunk = sr_board_slot(board, sr_board_earliest(board, &board->paths[packet->path]));
    return chunk->packet == packet->packet && chunk->state == SR_CHUNK_STATE_REPEAT_FLIGHT &&
           (restarts == SR_RESEND_RESTARTS_EACH || chunk->fast & sender->bit);
}

void sr_timers_data_sent(struct sr_model *model, struct sr_sender *sender, const struct sr_packet_view *packet)
{
    struct sr_sender_path *path = &sender->paths[packet->path];
    struct sr_board_path *outstanding = &model->board.paths[packet->path];
    sr_timers_stop_idle(model, sender);
    if (outstanding->outstanding_chunks == 0)
        return;
    if (sender->tlp.expects && sr_tlp_claims(&sender->tlp, &sender->parameters.tlp, packet, outstanding->number)) {
        path->pto_ns = SR_NO_TIME;
        sr_tlp_sent(&sender->tlp, packet, model->board.nxt, outstanding->number, sender->number);
        /* RFC 8985 section 7.3: after a probe, T3-rtx to fire at now + RTO, and no PTO. */
        sr_t3_start(sender, path);
        return;
    }
    if (sender->parameters.misses.as_usrsctp && model->a_rwnd_bytes >= 0 && model->a_rwnd_bytes < SR_SWS_SENDER)
        path->window_probe |= sr_is_alone(model, sender, packet->packet);
    /* RFC 8985 section 8: the zero window probe timer excludes the others. */
    if (packet->window_closed && sr_is_window_probe(model, sender, packet))
        return;
    if (sender->window_probe.count > 0)
        probe_becomes_data(model, sender);
    sr_t3_data_sent(sender, path, resends_earliest(&model->board, sender, packet));
    if (!packet->any_new)
        return;
    /* RFC 8985 section 7.2: (re)start the PTO after new data that is not a probe. */
    if (sender->parameters.pion.on)
        arm_pto_of_pion(model, sender, path);
    else
        arm_pto(model, sender, packet->path);
}

static void path_acknowledged(struct sr_model *model, struct sr_sender *sender, uint8_t place)
{
    const struct sr_parameters *parameters = &sender->parameters;
    struct sr_sender_path *path = &sender->paths[place];
    const struct sr_board_path *board_path = &model->board.paths[place];
    const struct sr_path_news *news = &board_path->news;
    bool advanced = model->ack.cum_advanced, idle = board_path->outstanding_chunks == 0;
    bool outstanding = parameters->t3.stops_without_flight ? sr_in_flight_on(board_path, sender->number) : !idle;
    if ((advanced && parameters->rto.backoff_ends_at_cum_advance) ||
        (news->clean_acked && parameters->rto.backoff_ends_at_clean_ack))
        path->backoff = 0;
    if (advanced || news->earliest_acked || news->taken_back || path->window_probe || path->t3_kept || !outstanding)
        sr_t3_acknowledged(sender, path, advanced, news, outstanding);
    if (idle) {
        stop_idle(sender, path);
    } else if (outstanding && parameters->pion.on) {
        arm_pto_of_pion(model, sender, path);
    } else if (outstanding && advanced && (path->pto_ns == SR_NO_TIME || news->cum_acked)) {
        /* RFC 8985 section 7.2: (re)start the PTO when new data is cumulatively acknowledged.
         * ADAPTATION: that of another path starts the PTO, but does not put it off. */
        arm_pto(model, sender, place);
    }
}

void sr_timers_acknowledged(struct sr_model *model, struct sr_sender *sender)
{
    for (uint32_t i = 0; i < model->board.path_count; i++)
        path_acknowledged(model, sender, (uint8_t)i);
    if (sender->window_probe.count > 0 &&
        !sr_window_is_closed(model, sender->window_probe.at, sender->window_probe.count))
        probe_becomes_data(model, sender);
}
