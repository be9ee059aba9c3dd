/* SPDX-License-Identifier: BSD-2-Clause */
/* The detectors in their order. */
#include "detection.h"

#include "fast_retransmit.h"
#include "pion.h"
#include "pion_misses.h"
#include "rack.h"
#include "t3.h"
#include "usrsctp.h"

/* What senders that sample alike measure of one path. */
static void measured(struct sr_model *model, uint8_t place, uint32_t clock, int64_t rtt_ns, enum sr_rtt_tag tag)
{
    struct sr_clock *reading = &model->clocks[place][clock];
    bool taken = false;
    for (uint32_t i = 0; i < model->active_count; i++) {
        struct sr_sender *sender = &model->senders[model->active[i]];
        if (sender->clock != clock)
            continue;
        if (!taken) {
            sr_rtt_measured(&reading->rtt, &sender->parameters.rto, rtt_ns);
            /* RFC 8985 section 6.2 step 1: use the RTT measurements to update RACK.min_RTT. */
            sr_min_rtt_measured(&reading->min_rtt, sender->parameters.min_rtt_window_ns, model->now_ns, rtt_ns, tag);
            taken = true;
        }
        /* RFC 9260 section 6.3.3: a new measurement brings RTO down after doubling. */
        if (!sender->parameters.rto.backoff_ends_at_cum_advance)
            sender->paths[place].backoff = 0;
        sender->tlp.rtt_since_probe = true;
    }
}

void sr_measured_by_all(struct sr_model *model, uint8_t place, int64_t rtt_ns, enum sr_rtt_tag tag)
{
    for (uint32_t clock = 0; clock < model->clock_count; clock++)
        if (tag != SR_RTT_TAG_HANDSHAKE || sr_clock_rules(model, clock)->times_handshake)
            measured(model, place, clock, rtt_ns, tag);
        else
            sr_minimum_add(&model->clocks[place][clock].min_rtt.path, sr_clock_rules(model, clock)->min_rtt_window_ns,
                           model->now_ns, rtt_ns);
}

void sr_measure(struct sr_model *model, enum sr_rtt_tag tag)
{
    bool has_gaps = model->ack.has_gaps;
    for (uint32_t i = 0; i < model->board.path_count; i++) {
        struct sr_board_path *path = &model->board.paths[i];
        if (path->news.count == 0)
            continue;
        int64_t *timed_ns = path->news.timed_ns;
        if (has_gaps)
            timed_ns[SR_SAMPLE_CUMULATIVE_WITHOUT_GAPS] = SR_NO_TIME;
        if (timed_ns[SR_SAMPLE_FIRST_OF_FLIGHT] != SR_NO_TIME)
            path->timing.next_seq = model->board.nxt;
        for (uint32_t clock = 0; clock < model->clock_count; clock++) {
            int64_t sent_ns = timed_ns[sr_clock_rules(model, clock)->sample];
            if (sent_ns == SR_NO_TIME)
                continue;
            int64_t rtt_ns = model->now_ns - sent_ns;
            measured(model, (uint8_t)i, clock, rtt_ns < SR_LONGEST_RTT_NS ? rtt_ns : SR_LONGEST_RTT_NS, tag);
        }
    }
}

void sr_enter_recovery(struct sr_model *model, struct sr_sender *sender, enum sr_phase phase, int64_t exit_seq)
{
    /* RFC 9260 section 7.2.4 rule 6: the highest outstanding TSN is the exit point. */
    sender->recovery = (struct sr_recovery){exit_seq, phase};
    if (!sender->parameters.tlp.on)
        return;
    int64_t probe_seq = sender->tlp.end_seq == SR_NO_SEQ ? SR_NO_SEQ : sender->tlp.probe_seq;
    enum sr_probe_outcome outcome = SR_PROBE_OUTCOME_UNRESOLVED;
    if (probe_seq != SR_NO_SEQ) {
        const struct sr_chunk *probe = sr_board_find(&model->board, probe_seq);
        if (probe_seq < model->board.una || (probe && sr_acked_out_of_order(probe)))
            /* RFC 8985 section 7.4.1: the ack of the probe let RACK find the losses before it. */
            outcome = SR_PROBE_OUTCOME_TAIL_LOSS_REVEALED;
        else if (phase == SR_PHASE_RTO && probe && probe->lost & sender->bit)
            /* A timeout says that the probe is lost only if it marks it: not one of another path. */
            outcome = SR_PROBE_OUTCOME_PROBE_LOST;
    }
    sr_tlp_reset(model, &sender->tlp, outcome);
    for (uint32_t i = 0; i < model->board.path_count; i++)
        sender->paths[i].pto_ns = SR_NO_TIME;
}

void sr_detect_by_time(struct sr_model *model, struct sr_sender *sender, uint8_t place, uint32_t by_frame,
                       bool in_recovery)
{
    struct sr_sender_path *path = &sender->paths[place];
    /* RFC 8985 section 6.2 step 4: the window is computed anew at each detection. */
    path->rack.reo_wnd_ns =
        sr_reo_wnd_ns(&path->rack.reo_wnd, &sender->parameters.rack.reo_wnd, sr_min_rtt_of(sender, path),
                      path->clock->rtt.srtt_ns, in_recovery, sr_rack_segs_sacked(sender, &model->board.paths[place]));
    bool suspended = path->reo_ns != SR_NO_TIME, any = false;
    path->reo_ns = sr_rack_detect(model, sender, place, by_frame, &any);
    if (path->reo_ns != SR_NO_TIME) {
        /* RFC 8985 section 8: arming the reordering timer cancels the PTO; T3-rtx is suspended. */
        path->pto_ns = SR_NO_TIME;
        sr_sender_wakes_at(sender, path->reo_ns);
    } else if (suspended && path->t3_ns != SR_NO_TIME && path->t3_ns <= sender->now_ns) {
        /* ADAPTATION: T3-rtx became due while it was suspended. It is not to fire now as well: what ends the suspension
         * also says what is lost, and its resend restarts T3-rtx. */
        sr_t3_start(sender, path);
    }
    if (any && sender->recovery.phase == SR_PHASE_NONE)
        sr_enter_recovery(model, sender, SR_PHASE_FAST, sr_board_highest_outstanding(&model->board));
}

bool sr_speaks_of_a_resend(const struct sr_model *model, int64_t seq)
{
    /* ADAPTATION: a TSN that is not acknowledged, here or before, cannot have arrived twice, and one below a
     * FORWARD-TSN is a late original (RFC 3758 section 3.6). */
    if (model->advanced_peer_ack_point != SR_NO_SEQ && seq <= model->advanced_peer_ack_point)
        return false;
    if (seq < model->board.una)
        return true;
    const struct sr_chunk *chunk = sr_board_find(&model->board, seq);
    return (chunk && sr_acked_out_of_order(chunk)) || sr_runs_have(&model->received.gaps, seq);
}

static void process_probe(struct sr_model *model, struct sr_sender *sender, const struct sr_detection *detection)
{
    const struct sr_model_feedback *feedback = detection->feedback;
    struct sr_tlp_feedback news = {
        .una = model->board.una,
        .duplicate_ack = model->ack.newly_chunks == 0 && !model->ack.cum_advanced &&
                         feedback->gap_count + feedback->nr_gap_count + feedback->dup_count == 0 &&
                         feedback->kind != SR_SACK_KIND_SHUTDOWN && detection->window_unchanged,
        .reports_duplicates = detection->duplicates || model->receiver.reports_duplicates == SR_ANSWER_YES,
    };
    if (sender->tlp.end_seq != SR_NO_SEQ && sender->tlp.is_retrans && detection->duplicates)
        for (size_t i = 0; i < feedback->dup_count && !news.reports_probe; i++)
            news.reports_probe = sr_line_seq(&model->line, feedback->dups[i]) == sender->tlp.probe_seq &&
                                 sr_speaks_of_a_resend(model, sender->tlp.probe_seq);
    sr_tlp_acknowledged(model, &sender->tlp, &news);
}

static void detect_with_rack(struct sr_model *model, struct sr_sender *sender, const struct sr_detection *detection,
                             bool exiting)
{
    bool in_recovery = sender->recovery.phase != SR_PHASE_NONE;
    for (uint32_t i = 0; i < model->board.path_count; i++)
        sr_reo_wnd_adapt(&sender->paths[i].rack.reo_wnd, &sender->parameters.rack.reo_wnd, model->board.una,
                         model->board.nxt, detection->duplicates_on >> i & 1, exiting);
    for (uint32_t i = 0; i < model->board.path_count; i++)
        sr_detect_by_time(model, sender, (uint8_t)i, detection->feedback->frame, in_recovery);
}

/* Marks by missing reports; whether this feedback ends recovery. */
static bool detect_by_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame)
{
    bool exiting = sender->parameters.misses.exits_first && sr_recovery_exits_at(&sender->recovery, model->ack.cum);
    bool third = sr_count_misses(model, sender, by_frame);
    exiting |= sr_recovery_exits_at(&sender->recovery, model->ack.cum);
    /* RFC 9260 section 7.2.4 rule 6: a later Fast Retransmit does not move the exit point. */
    if (third && sender->recovery.phase != SR_PHASE_FAST)
        sr_enter_recovery(model, sender, SR_PHASE_FAST, sr_board_highest_outstanding(&model->board));
    return exiting;
}

static void detect_as_pion(struct sr_model *model, struct sr_sender *sender, const struct sr_model_feedback *feedback)
{
    /* processSelectiveAck ends fast recovery before processFastRetransmission counts. */
    sr_recovery_exits_at(&sender->recovery, model->ack.cum);
    bool fast = sr_pion_count_misses(model, sender, feedback->frame);
    if (sender->parameters.pion.on)
        /* pion looks at the number of duplicate TSNs only, whatever they are. */
        sr_pion_detect(model, sender, feedback->dup_count > 0, feedback->frame);
    /* What RACK has marked at this SACK goes out before (gatherOutbound), as a retransmission. */
    if (fast)
        sr_pion_mark_missed(model, sender, feedback->frame);
}

void sr_detect(struct sr_model *model, struct sr_sender *sender, const struct sr_detection *detection)
{
    const struct sr_parameters *parameters = &sender->parameters;
    bool exiting;
    if (parameters->misses.as_pion) {
        detect_as_pion(model, sender, detection->feedback);
        return;
    }
    if (parameters->misses.as_usrsctp) {
        sr_usrsctp_detect(model, sender, detection->feedback);
        return;
    }
    if (parameters->rack.on)
        for (uint32_t i = 0; i < model->board.path_count; i++)
            sr_rack_learn(sender, &sender->paths[i], &model->ack, &model->board.paths[i].news, (uint8_t)i);
    if (parameters->misses.on)
        exiting = detect_by_misses(model, sender, detection->feedback->frame);
    else
        exiting = sr_recovery_exits_at(&sender->recovery, model->ack.cum);
    if (parameters->tlp.on)
        process_probe(model, sender, detection);
    if (parameters->rack.on)
        detect_with_rack(model, sender, detection, exiting);
}
