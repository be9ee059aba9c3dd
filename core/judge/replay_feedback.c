/* SPDX-License-Identifier: BSD-2-Clause */
/* What reaches the sender by when, and what the model is told of it. */
#include "../books/belief.h"
#include "../wire/time.h"
#include "replaying.h"

/* What RACK-TLP knows after a SACK, and what the sender does that was asked for. */
static void note_states(struct sr_replay *replay, uint32_t row_number)
{
    struct sr_judgement *tables = replay->causes->tables;
    struct sr_path_snapshot snapshot;
    uint32_t path = sr_replay_path(replay, replay->path),
             count = tables->wants_states ? sr_states_of_a_sack(tables) : 0;
    for (uint32_t i = 0; i < count && i < replay->state_count; i++) {
        if (!sr_model_snapshot(replay->model, replay->states[i].sender, path, &snapshot))
            continue;
        if (snapshot.flight_bytes > replay->states[i].most_flight_bytes)
            replay->states[i].most_flight_bytes = snapshot.flight_bytes;
        sr_state_note(tables, &(struct sr_state_note){
                                  .sack = row_number,
                                  .which = i,
                                  .profile = replay->states[i].profile,
                                  .snapshot = &snapshot,
                                  .most_flight_bytes = replay->states[i].most_flight_bytes,
                                  .origin_ns = replay->origin_ns,
                              });
    }
}

/* What is acknowledged of it is one packet more, or belongs to the one before. */
struct answered {
    struct sr_answer_seen answer;
    uint32_t frame;
    int64_t newest_ns;
    bool plain; /* all of it was sent once, and nothing but its number says when the receiver had to answer */
};

static void look_at_answered(const struct sr_half *half, const struct sr_ledger_slot *slot, struct answered *answered)
{
    if (!answered->plain)
        return;
    answered->plain = slot->copies == 1 && slot->last_row != 0;
    if (!answered->plain)
        return;
    const struct sr_transmission_row *row = sr_half_left(half, slot->last_row);
    answered->plain = !(row->flags & 8); /* the I bit asks for an answer at once (RFC 7053) */
    answered->answer.packets += row->frame != answered->frame;
    answered->frame = row->frame;
    if (answered->newest_ns == SR_NO_TIME || row->time_ns > answered->newest_ns)
        answered->newest_ns = row->time_ns;
}

static void note_habit(struct sr_replay *replay, const struct sr_sack_row *row, struct answered *answered)
{
    const struct sr_measured *measured = &replay->half->measured;
    if (!answered->plain || answered->answer.packets == 0 || measured->loop.count == 0 ||
        !sr_elapsed(row->time_ns, answered->newest_ns, &answered->answer.waited_ns))
        return;
    answered->answer.waited_ns -= measured->at_once.loop_ns;
    answered->answer.jitter_ns =
        measured->at_once.jitter_ns < SR_MOST_JITTER_NS ? measured->at_once.jitter_ns : SR_MOST_JITTER_NS;
    sr_ack_habit_add(&replay->causes->ack_habit, &answered->answer);
}

static void acknowledge(struct sr_replay *replay, const struct sr_waiting *waiting, const struct sr_sack_row *row,
                        const uint32_t *blocks)
{
    struct sr_ledger_walk walk = sr_ledger_take(&replay->half->ledger, row, blocks);
    bool gaps = (uint32_t)row->gaps + row->nr_gaps > 0;
    struct answered answered = {
        .newest_ns = SR_NO_TIME,
        .plain =
            !waiting->with_data && !gaps && !replay->had_gaps && !sr_ack_habit_is_known(&replay->causes->ack_habit),
    };
    for (const struct sr_ledger_slot *slot; (slot = sr_ledger_next_acked(&walk));) {
        replay->tail.outstanding -= replay->tail.outstanding > 0;
        if (slot->copies == 1)
            sr_timeouts_measured(&replay->causes->timeouts);
        look_at_answered(replay->half, slot, &answered);
    }
    replay->tail.open -= walk.unseen < replay->tail.open ? walk.unseen : replay->tail.open;
    note_habit(replay, row, &answered);
    replay->had_gaps = gaps;
}

static void deliver(struct sr_replay *replay, const struct sr_waiting *waiting)
{
    struct sr_half *half = replay->half;
    uint32_t row_number = waiting->row - 1;
    const struct sr_sack_row *row = sr_sack_at(half->journal, row_number);
    struct sr_model_feedback feedback = sr_feedback_of(half, row);
    int64_t time_ns = feedback.time_ns > replay->now_ns ? feedback.time_ns : replay->now_ns;

    if (!sr_is_believed(row) || !sr_ledger_follows(&half->ledger, feedback.cum_tsn)) {
        sr_ledger_pass_over(&half->ledger);
        return;
    }
    feedback.time_ns = sr_replay_time(replay, time_ns);
    sr_model_feedback(replay->model, &feedback);
    sr_replay_take(replay);
    note_states(replay, row_number);
    bool whole = feedback.gap_count + feedback.nr_gap_count > 0;
    acknowledge(replay, waiting, row, whole ? sr_numbers_at(half->journal, row->lists) : NULL);
    sr_half_taken_back(half, row);
    replay->tail.feedback_ns = time_ns;
    if (feedback.has_a_rwnd)
        replay->causes->a_rwnd = row->a_rwnd;
    sr_causes_feedback(replay->causes, time_ns, row->frame);
}

/* Whether the next feedback waits for a resend that is not before this frame. */
static bool is_late(struct sr_replay *replay, uint32_t frame)
{
    uint32_t next = replay->waiting[replay->waiting_from % SR_REPLAY_WAITING].row;
    if (!replay->crossing)
        return false;
    if (replay->asked != next) {
        replay->asked = next;
        replay->release = sr_crossing_release(replay->crossing, next);
    }
    return replay->release >= frame;
}

void sr_replay_deliver_until(struct sr_replay *replay, int64_t time_ns, uint32_t frame)
{
    while (replay->waiting_from != replay->waiting_to) {
        const struct sr_waiting *waiting = &replay->waiting[replay->waiting_from % SR_REPLAY_WAITING];
        const struct sr_sack_row *row = sr_half_sack(replay->half, waiting->row);
        if (sr_half_fed_ns(replay->half, row->time_ns) > time_ns || is_late(replay, frame))
            return;
        sr_replay_send(replay);
        deliver(replay, waiting);
        replay->waiting_from++;
    }
}
