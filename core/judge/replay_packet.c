/* SPDX-License-Identifier: BSD-2-Clause */
/* What the model is told of a packet that was sent, and what is noted of the senders before it changes them. */
#include "../facts/senders.h"
#include "../wire/time.h"
#include "replaying.h"

enum { HOLE = 256 /* a larger hole in the TSNs is not filled */ };

/* A time of the model, SR_NO_TIME too, on the capture's clock. */
static int64_t on_capture(const struct sr_replay *replay, int64_t time_ns)
{
    return time_ns == SR_NO_TIME ? SR_NO_TIME : sr_time_after(replay->origin_ns, time_ns);
}

/* Frames of the model: twice those of the capture, so that what was not seen has a place before each. */
void sr_replay_fill_hole(struct sr_replay *replay, const struct sr_transmission_row *row, bool itself)
{
    int64_t ahead = (replay->begun ? sr_tsn_distance(sr_tsn(row->tsn), replay->highest) : 1) + itself;
    if (ahead <= 1 || ahead > HOLE) {
        if (ahead > 0)
            replay->highest = sr_tsn(row->tsn);
        return;
    }
    struct sr_model_data unseen[HOLE];
    size_t count = 0;
    for (struct sr_tsn tsn = sr_tsn_add(replay->highest, 1); count + 1 < (size_t)ahead; tsn = sr_tsn_add(tsn, 1)) {
        struct sr_ledger_slot *slot = sr_ledger_sent(&replay->half->ledger, tsn, sr_replay_leaves, replay->causes);
        if (slot) {
            sr_ledger_count(slot);
            replay->tail.open += !slot->acked;
        }
        unseen[count++] = (struct sr_model_data){tsn, row->bytes, false};
    }
    sr_model_sent(replay->model, &(struct sr_model_sent){
                                     .time_ns = sr_replay_time(replay, row->time_ns),
                                     .frame = row->frame * 2 - 1,
                                     .path = sr_replay_path(replay, row->path),
                                     .chunks = unseen,
                                     .count = count,
                                 });
    sr_replay_take(replay);
    replay->highest = sr_tsn(row->tsn);
}

static void note_probe(struct sr_replay *replay, uint32_t sender)
{
    struct sr_path_snapshot snapshot;
    bool known = sr_model_snapshot(replay->model, sender, sr_replay_path(replay, replay->path), &snapshot);
    replay->causes->history[sender].pto_ns = known ? on_capture(replay, snapshot.pto_ns) : SR_NO_TIME;
}

/* Since when each sender's T3-rtx runs for what this packet repeats, before the packet moves it. */
static void note_t3(struct sr_replay *replay)
{
    const struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, replay->rows[0]);
    uint32_t sent_to = row->prev_row ? sr_half_tx(replay->half, row->prev_row)->path : row->path;
    for (uint32_t sender = 0; sender < SR_SENDER_COUNT; sender++) {
        struct sr_mark_history *history = &replay->causes->history[sender];
        struct sr_path_snapshot snapshot;
        history->t3_started_ns = history->unclamped_rto_ns = history->rto_ns = SR_NO_TIME;
        if (!sr_model_snapshot(replay->model, sender, sr_replay_path(replay, sent_to), &snapshot))
            continue;
        history->rto_ns = snapshot.rto_ns;
        if (snapshot.t3_ns != SR_NO_TIME)
            history->t3_started_ns = on_capture(replay, snapshot.t3_started_ns);
        if (snapshot.srtt_ns != SR_NO_TIME)
            history->unclamped_rto_ns = snapshot.srtt_ns + 4 * snapshot.rttvar_ns;
    }
}

/* When each sender's next probe is due, before this packet moves it; of new data that of RFC 8985, after a silence. */
static void note_probes(struct sr_replay *replay, uint8_t kind)
{
    int64_t silent_ns;
    replay->causes->history[SR_SENDER_RFC8985].pto_ns = SR_NO_TIME;
    if (kind == SR_KIND_RETRANSMISSION)
        for (uint32_t sender = 0; sender < SR_SENDER_COUNT; sender++)
            note_probe(replay, sender);
    else if (sr_elapsed(replay->time_ns, replay->causes->data_ns, &silent_ns) &&
             silent_ns > replay->half->measured.receiver.typical_ns)
        note_probe(replay, SR_SENDER_RFC8985);
}

/* How far up the receiver has reported, as far as the sender can know: the tap may be off by what feedback takes. */
static void note_reported(struct sr_replay *replay)
{
    if (replay->newest == 0)
        return;
    struct sr_model_feedback newest = sr_feedback_of(replay->half, sr_half_sack(replay->half, replay->newest));
    replay->newest = 0;
    sr_causes_reported(replay->causes, newest.cum_tsn);
    for (size_t i = 0; i < newest.gap_count + newest.nr_gap_count; i++)
        sr_causes_reported(replay->causes, newest.gaps[i].last);
}

struct sr_tail_timers sr_replay_timers(struct sr_replay *replay, uint32_t path)
{
    static const enum sr_sender timeouts[SR_TAIL_TIMEOUTS] = {SR_SENDER_RFC9260, SR_SENDER_USRSCTP, SR_SENDER_DCSCTP,
                                                              SR_SENDER_PION};
    const struct sr_half *half = replay->half;
    enum sr_stack_family family = sr_sender_family(half);
    struct sr_path_snapshot snapshot;
    struct sr_tail_timers timers = {
        .jitter_ns = sr_jitter_of(&half->measured),
        .probes = family == SR_FAMILY_PION,
    };
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++) {
        bool known = sr_model_snapshot(replay->model, timeouts[i], path, &snapshot);
        timers.rto_ns[i] = known ? snapshot.rto_ns : SR_NO_TIME;
        timers.pto_ns[i] = SR_NO_TIME;
        if (known && sr_is_not_pion(family) && timeouts[i] == SR_SENDER_PION)
            timers.rto_ns[i] = SR_NO_TIME;
    }
    if (!sr_is_not_pion(family) && !sr_is_left_out(half, SR_PROFILE_PION) &&
        sr_model_snapshot(replay->model, SR_SENDER_PION, path, &snapshot) && snapshot.srtt_ns != SR_NO_TIME) {
        struct sr_parameters pion = sr_parameters_of(SR_PROFILE_PION);
        timers.pto_ns[0] = 2 * snapshot.srtt_ns + pion.pion.several_chunks_extra_ns;
        timers.pto_ns[1] = 2 * snapshot.srtt_ns + pion.pion.one_chunk_extra_ns;
    }
    return timers;
}

/* Skipped, and neither seen nor acknowledged since. */
static bool is_open_hole(const struct sr_ledger_slot *slot)
{
    return slot->copies > 0 && slot->last_row == 0 && !slot->acked;
}

void sr_replay_send(struct sr_replay *replay)
{
    if (replay->count == 0)
        return;
    uint8_t kind = sr_transmission_at(replay->half->journal, replay->rows[0])->kind;
    note_probes(replay, kind);
    if (kind == SR_KIND_RETRANSMISSION)
        note_t3(replay);
    sr_model_sent(replay->model, &(struct sr_model_sent){
                                     .time_ns = sr_replay_time(replay, replay->time_ns),
                                     .frame = replay->frame * 2,
                                     .path = sr_replay_path(replay, replay->path),
                                     .chunks = replay->chunks,
                                     .count = replay->count,
                                 });
    sr_replay_take(replay);
    if (kind == SR_KIND_ORIGINAL)
        sr_causes_new_data(replay->causes, replay->rows[0], replay->tail.outstanding);
    for (uint32_t i = 0; i < replay->count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, replay->rows[i]);
        struct sr_ledger_slot *slot =
            sr_ledger_sent(&replay->half->ledger, replay->chunks[i].tsn, sr_replay_leaves, replay->causes);
        if (!slot) {
            sr_causes_out_of_reach(replay->causes, replay->rows[i]);
            continue;
        }
        replay->tail.open -= is_open_hole(slot);
        sr_ledger_count(slot);
        slot->last_row = replay->rows[i] + 1;
        replay->tail.outstanding += slot->copies == 1 && !slot->acked;
        if (replay->known[i] != SR_CAUSE_COUNT)
            sr_causes_known(replay->causes, replay->rows[i], (enum sr_cause)replay->known[i], replay->known_class[i]);
        else if (row->kind == SR_KIND_RETRANSMISSION) {
            note_reported(replay);
            bool timeout = sr_causes_resent(replay->causes, replay->rows[i], slot, slot->copies);
            if (timeout && row->missing > 0 && replay->half->measured.counts_packets) {
                struct sr_tail_timers timers = sr_replay_timers(replay, sr_replay_path(replay, replay->path));
                sr_tail_timeout(&replay->tail, &timers, row->missing);
            }
        }
    }
    sr_causes_data(replay->causes, replay->time_ns);
    replay->count = 0;
}
