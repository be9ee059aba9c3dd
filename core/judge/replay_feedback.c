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

static void acknowledge(struct sr_replay *replay, const struct sr_sack_row *row, const uint32_t *blocks)
{
    struct sr_ledger_walk walk = sr_ledger_take(&replay->half->ledger, row, blocks);
    for (const struct sr_ledger_slot *slot; (slot = sr_ledger_next_acked(&walk));) {
        replay->tail.outstanding -= replay->tail.outstanding > 0;
        if (slot->copies == 1)
            sr_timeouts_measured(&replay->causes->timeouts);
    }
}

static void deliver(struct sr_replay *replay, uint32_t row_number)
{
    struct sr_half *half = replay->half;
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
    acknowledge(replay, row, whole ? sr_numbers_at(half->journal, row->lists) : NULL);
    sr_half_taken_back(half, row);
    replay->tail.feedback_ns = time_ns;
    if (feedback.has_a_rwnd)
        replay->causes->a_rwnd = row->a_rwnd;
    replay->causes->feedback_ns = time_ns;
    replay->causes->feedback_frame = row->frame;
}

/* Whether the next feedback waits for a resend that is not before this frame. */
static bool is_late(struct sr_replay *replay, uint32_t frame)
{
    uint32_t next = replay->waiting[replay->waiting_from % SR_REPLAY_WAITING];
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
        const struct sr_sack_row *row =
            sr_half_sack(replay->half, replay->waiting[replay->waiting_from % SR_REPLAY_WAITING]);
        if (sr_time_after(row->time_ns, replay->half->measured.feedback_ns) > time_ns || is_late(replay, frame))
            return;
        sr_replay_send(replay);
        deliver(replay, replay->waiting[replay->waiting_from % SR_REPLAY_WAITING] - 1);
        replay->waiting_from++;
    }
}
