/* SPDX-License-Identifier: BSD-2-Clause */
#include "after_mark.h"

/* A packet of 1500 bytes takes as long at 2.4 Mbit/s. */
#define TOGETHER_NS INT64_C(5000000)

bool sr_is_of_timeout(struct sr_mark_history *history, const struct sr_said *said)
{
    const struct sr_mark_event *event = sr_marks_event(history, said->at.event);
    return said->at.trigger == SR_TRIGGER_RTO && event && event->on_time;
}

int64_t sr_soon_after_mark_ns(const struct sr_causes *causes, unsigned sender, const struct sr_said *said,
                              bool at_feedback)
{
    const struct sr_expectation *t3 = &causes->history[sender].t3;
    bool may_be_late = causes->in_wheel >> sender & 1 && said->at.trigger == SR_TRIGGER_RTO && !at_feedback;
    int64_t timeout_ns, late_ns = 0;
    if (may_be_late && t3->time_ns == said->at.time_ns && sr_elapsed(t3->time_ns, t3->armed_ns, &timeout_ns))
        late_ns = sr_wheel_late_ns(timeout_ns);
    return late_ns > SR_REACTS_WITHIN_NS ? late_ns : SR_REACTS_WITHIN_NS;
}

bool sr_is_late_for_timeout(const struct sr_causes *causes, const struct sr_transmission_row *row, int64_t reaction_ns,
                            int64_t most_ns)
{
    const int64_t least_ns = 30000000; /* ticks of userland timers, and what a busy host takes */
    const int64_t share = 32;          /* of the timeout: 3 % */
    int64_t age_ns;
    if (!sr_is_vantage(causes->half, SR_VANTAGE_SENDER) || row->prev_row == 0 ||
        !sr_elapsed(row->time_ns, sr_half_tx(causes->half, row->prev_row)->time_ns, &age_ns))
        return false;
    return reaction_ns > most_ns && reaction_ns > least_ns && reaction_ns > age_ns / share;
}

/* The first packet that was sent again after a sender marked something, or part of it. */
static bool is_first_of_event(struct sr_mark_event *event, uint32_t frame)
{
    return event && (event->first_frame == 0 || event->first_frame == frame);
}

/* The sender has had no other feedback since, or the host took its time. */
static bool is_sent_at_feedback(const struct sr_causes *causes, const struct sr_said *said, int64_t reaction_ns)
{
    return said->at.by_frame == causes->feedback_frame || reaction_ns <= 4 * causes->half->measured.sender_loop_ns;
}

/* Behind queues the sender's reaction takes as long as they are, but what is sent together stays together. */
static bool is_in_one_run(const struct sr_mark_event *event, const struct sr_transmission_row *row)
{
    int64_t apart_ns;
    return event && (event->first_frame == 0 ||
                     (sr_elapsed(row->time_ns, event->last_ns, &apart_ns) && apart_ns <= TOGETHER_NS));
}

/* At its third missing report it did not fit in a packet. */
static bool waited_for_room(const struct sr_said *said)
{
    return said->at.due_frame != said->at.by_frame;
}

uint8_t sr_doubts_after_mark(const struct sr_causes *causes, const struct sr_said *said, enum sr_cause cause,
                             bool first)
{
    bool other_feedback = said->at.by_frame != causes->feedback_frame;
    if (waited_for_room(said))
        return 0;
    if (cause == SR_CAUSE_FAST)
        return (uint8_t)(!first + other_feedback);
    return cause == SR_CAUSE_FAST_DEFERRED && first ? 2 : 0;
}

/* pion sends one packet of what is missing at a SACK: what does not fit waits for the next
 * (gatherOutboundFastRetransmissionPackets). */
static bool sends_one_packet(const struct sr_causes *causes, unsigned sender)
{
    return sr_profile_of_sender(sender) == SR_PROFILE_PION && !sr_is_left_out(causes->half, SR_PROFILE_PION);
}

/* What did not leave at its third missing report. pion with RACK has marked that meanwhile: data sent later came
 * (onRackAfterSACK); of 2,228 that 104 runs sent again by either, none was deferred. */
static enum sr_cause deferred_by(unsigned sender)
{
    return sender == SR_SENDER_PION ? SR_CAUSE_RACK : SR_CAUSE_FAST_DEFERRED;
}

enum sr_cause sr_cause_by_mark(struct sr_causes *causes, unsigned sender, const struct sr_said *said,
                               const struct sr_transmission_row *row, int64_t reaction_ns, int64_t most_ns,
                               bool *is_first)
{
    struct sr_mark_event *event = sr_marks_event(&causes->history[sender], said->at.event);
    bool first = is_first_of_event(event, row->frame), repeated = said->copy > 1;
    *is_first = first;
    bool at_once = sr_is_vantage(causes->half, SR_VANTAGE_SENDER) ? is_sent_at_feedback(causes, said, reaction_ns)
                                                                  : is_in_one_run(event, row);
    at_once &= first || !sends_one_packet(causes, sender);
    at_once &= !waited_for_room(said);
    if (event && event->first_frame == 0) {
        event->first_frame = row->frame;
        event->on_time = reaction_ns <= most_ns;
    }
    if (event)
        event->last_ns = row->time_ns;
    switch ((enum sr_trigger)said->at.trigger) {
    case SR_TRIGGER_ACK: return repeated ? SR_CAUSE_RACK_RTX : SR_CAUSE_RACK;
    case SR_TRIGGER_TIMER: return repeated ? SR_CAUSE_RACK_RTX : SR_CAUSE_RACK_TIMER;
    case SR_TRIGGER_MISS3: return at_once ? SR_CAUSE_FAST : deferred_by(sender);
    case SR_TRIGGER_RTO: break;
    }
    if (!first)
        return SR_CAUSE_T3_GBN;
    return causes->a_rwnd < row->bytes ? SR_CAUSE_ZERO_WINDOW_PROBE : SR_CAUSE_T3;
}
