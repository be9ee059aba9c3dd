/* SPDX-License-Identifier: BSD-2-Clause */
/* The merge of what was sent and what comes back, and what the capture does not show: a TSN that was skipped was sent
 * too, before the next one. */
#include "replay.h"

#include <stdlib.h>

#include "../association/kind.h"
#include "../books/belief.h"
#include "../timeline/numbering.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"
#include "../wire/time.h"
#include "early_pion.h"
#include "replaying.h"

enum { LOOKED_AHEAD = 64 /* entries */ };

/* What is sent at a mark passes the tap so close to it. */
#define EXPECTED_NS INT64_C(1000000)

/* Nothing is asked for of the side that sends less. */
static void choose_states(struct sr_replay *replay, const struct sr_parameters *senders)
{
    uint8_t told = replay->half->told.profile;
    replay->state_count = 1;
    replay->states[0].sender = SR_SENDER_RFC8985;
    replay->states[0].profile = SR_PROFILE_RFC8985;
    for (uint8_t sender = 0; told != 0 && replay->state_count == 1 && sender < SR_SENDER_COUNT; sender++) {
        if (senders[sender].profile != told - 1)
            continue;
        replay->states[1].sender = sender;
        replay->states[1].profile = senders[sender].profile;
        replay->state_count = 2;
    }
}

/* Nothing of this direction follows within a round trip, or before the sender has feedback. A host may answer feedback
 * faster than what measured its loop, as the handshake: grant it a sixteenth. */
static bool is_alone(const struct sr_replay *replay, const struct sr_transmission_row *row, uint32_t next,
                     int64_t round_trip_ns)
{
    const struct sr_half *half = replay->half;
    int64_t takes_ns = sr_half_feedback_ns(half), least_ns = takes_ns - takes_ns / 16;
    int64_t feedback_ns = INT64_MAX, apart_ns;
    struct sr_entry entry;
    if (replay->waiting_from != replay->waiting_to)
        feedback_ns = sr_half_sack(half, replay->waiting[replay->waiting_from % SR_REPLAY_WAITING].row)->time_ns;
    for (int i = 0; i < LOOKED_AHEAD && sr_journal_follow(half->journal, &next, &entry); i++) {
        if (entry.table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(half->journal, entry.row);
            if (sack->from != half->from && sack->time_ns < feedback_ns)
                feedback_ns = sack->time_ns;
        } else if (entry.table == SR_ENTRY_TRANSMISSION) {
            const struct sr_transmission_row *other = sr_transmission_at(half->journal, entry.row);
            bool repeated = sr_tells_nothing((enum sr_kind)other->kind);
            if (other->from == half->from && other->frame != row->frame && !repeated)
                return (sr_elapsed(other->time_ns, row->time_ns, &apart_ns) && apart_ns > round_trip_ns) ||
                       (feedback_ns != INT64_MAX && sr_time_after(feedback_ns, least_ns) <= other->time_ns);
        }
    }
    return true;
}

/* A TSN that was lost before the tap and is sent again: the model gets the one that was not seen too. The cause, and
 * its class; SR_CAUSE_COUNT where nothing says so. */
static enum sr_cause tail_of(struct sr_replay *replay, struct sr_transmission_row *row, uint32_t next)
{
    struct sr_half *half = replay->half;
    struct sr_tail *tail = &replay->tail;
    bool above = replay->begun && sr_tsn_after(sr_tsn(row->tsn), replay->highest);
    int64_t round_trip_ns = half->measured.receiver.typical_ns + half->measured.sender_loop_ns;
    enum sr_cause cause = SR_CAUSE_COUNT;
    if (above && half->measured.counts_packets) {
        struct sr_tail_timers timers = sr_replay_timers(replay, sr_replay_path(replay, row->path));
        struct sr_tail_chunk chunk = {
            .time_ns = row->time_ns,
            .frame = row->frame,
            .missing = row->missing,
            .skipped = row->tsn - replay->highest.value - 1,
            .silent = sr_silence_is_timeout(&replay->silence, half),
            .alone = is_alone(replay, row, next, round_trip_ns),
        };
        sr_tail_look(tail, &timers, &chunk);
        cause = (enum sr_cause)tail->cause;
    }
    if (cause != SR_CAUSE_COUNT)
        row->kind = SR_KIND_RETRANSMISSION;
    sr_tail_sent(tail, row->time_ns, round_trip_ns);
    return cause;
}

/* What had been sent before the capture has shown the sender round trips as those in it: a minimum, and mostly more. */
static void has_measured(struct sr_replay *replay, uint32_t path)
{
    const struct sr_measured *measured = &replay->half->measured;
    if (replay->half->association->started != SR_STARTED_MIDDLE || measured->adrift || measured->loop.count == 0)
        return;
    const int64_t loops_ns[] = {measured->receiver.typical_ns, measured->receiver.least_ns};
    for (int i = 0; i < 2; i++)
        sr_model_rtt(replay->model, replay->now_ns - replay->origin_ns, sr_replay_path(replay, path),
                     loops_ns[i] + measured->sender_loop_ns, SR_RTT_TAG_HEARTBEAT);
}

static void sent(struct sr_replay *replay, uint32_t row_number, uint32_t next)
{
    struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, row_number);
    if (sr_tells_nothing((enum sr_kind)row->kind))
        return;
    if (replay->count > 0 && (replay->frame != row->frame || replay->count == SR_REPLAY_PACKET))
        sr_replay_send(replay);
    sr_replay_deliver_until(replay, row->time_ns, row->frame);
    if (!replay->begun)
        has_measured(replay, row->path);
    enum sr_cause known = tail_of(replay, row, next);
    sr_replay_fill_hole(replay, row, known != SR_CAUSE_COUNT);
    replay->begun = true;
    struct sr_ledger_slot *slot = sr_ledger_at(&replay->half->ledger, sr_tsn(row->tsn));
    if (row->kind == SR_KIND_REORDERED && !sr_is_vantage(replay->half, SR_VANTAGE_SENDER) && slot && !slot->acked &&
        sr_causes_expected(replay->causes, slot, row, EXPECTED_NS + replay->half->measured.receiver.jitter_ns))
        row->kind = SR_KIND_RETRANSMISSION; /* it comes when it would be sent again */
    replay->causes->reordered |= row->kind == SR_KIND_REORDERED;
    if (row->kind == SR_KIND_REORDERED)
        return; /* it was sent before what overtook it, as the hole that it left was filled */
    replay->chunks[replay->count] = (struct sr_model_data){sr_tsn(row->tsn), row->bytes, row->flags & 8};
    replay->known[replay->count] = (uint8_t)known;
    replay->known_class[replay->count] = replay->tail.cause_class;
    replay->rows[replay->count++] = row_number;
    replay->frame = row->frame;
    replay->path = row->path;
    replay->time_ns = row->time_ns;
}

static void forward_tsn(struct sr_replay *replay, const struct sr_control_row *row)
{
    sr_replay_send(replay);
    sr_replay_deliver_until(replay, row->time_ns, row->frame);
    sr_model_forward_tsn(replay->model, sr_replay_time(replay, row->time_ns), sr_tsn(row->tsn));
    sr_replay_take(replay);
}

static void round_trip(struct sr_replay *replay, const struct sr_control_row *row)
{
    int64_t time_ns = sr_half_fed_ns(replay->half, row->time_ns);
    struct sr_round_trip trip;
    if (!sr_round_trip_of(&replay->trips, replay->half, row, &trip))
        return;
    sr_replay_send(replay);
    sr_replay_deliver_until(replay, time_ns, row->frame);
    sr_model_rtt(replay->model, sr_replay_time(replay, time_ns), sr_replay_path(replay, trip.path), trip.rtt_ns,
                 trip.tag);
    sr_replay_take(replay);
}

/* A sender that asked for it does so when it has the response, and sends nothing before that (RFC 6525 section 5.1.4).
 */
static void number_anew(struct sr_replay *replay, const struct sr_control_row *row, struct sr_tsn next)
{
    int64_t time_ns = row->from == replay->half->from ? row->time_ns : sr_half_fed_ns(replay->half, row->time_ns);
    struct sr_ledger *ledger = &replay->half->ledger;
    sr_replay_send(replay);
    sr_replay_deliver_until(replay, time_ns, row->frame);
    if (!sr_ledger_resets(ledger, next))
        return;
    sr_model_tsn_reset(replay->model, sr_replay_time(replay, time_ns), next);
    sr_replay_take(replay);
    sr_ledger_reset(ledger, next, sr_replay_leaves, replay->causes);
    replay->highest = sr_tsn_add(next, UINT32_MAX);
    replay->tail.outstanding = replay->tail.open = 0;
}

static void control(struct sr_replay *replay, const struct sr_control_row *row)
{
    bool forward = sr_is_forward_tsn(row->type);
    struct sr_tsn next;
    if (row->type == SR_CHUNK_PACKET_DROP && row->from != replay->half->from)
        sr_causes_dropped(replay->causes, row, sr_half_fed_ns(replay->half, row->time_ns));
    else if (sr_numbered_anew(replay->half->journal, row, replay->half->from, &next))
        number_anew(replay, row, next);
    else if (!forward)
        round_trip(replay, row);
    else if (row->whole && row->from == replay->half->from)
        forward_tsn(replay, row);
}

/* What follows is data of the same packet. */
static bool is_with_data(const struct sr_journal *journal, uint32_t next, uint32_t frame)
{
    struct sr_entry entry;
    return sr_journal_follow(journal, &next, &entry) && entry.table == SR_ENTRY_TRANSMISSION &&
           sr_transmission_at(journal, entry.row)->frame == frame;
}

/* Until so many resends have told whose loss detection sent them. */
static void walk(struct sr_replay *replay, uint32_t most)
{
    struct sr_journal *journal = replay->half->journal;
    struct sr_journal_pass pass = {.next = replay->half->association->entries.first};
    struct sr_entry entry;

    while (replay->causes->telling_count < most && sr_journal_pass(journal, &pass, &entry)) {
        if (entry.table == SR_ENTRY_TRANSMISSION) {
            const struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
            sr_silence_frame(&replay->silence, row->frame, row->time_ns);
            if (row->from == replay->half->from)
                sent(replay, entry.row, pass.next);
        } else if (entry.table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(journal, entry.row);
            sr_silence_frame(&replay->silence, sack->frame, sack->time_ns);
            if (sack->from == replay->half->from || sack->crc == SR_CRC_BAD)
                continue;
            if (replay->waiting_to - replay->waiting_from == SR_REPLAY_WAITING)
                sr_replay_deliver_until(replay, INT64_MAX, UINT32_MAX);
            replay->waiting[replay->waiting_to++ % SR_REPLAY_WAITING] =
                (struct sr_waiting){entry.row + 1, is_with_data(journal, pass.next, sack->frame)};
            if (!sr_is_believed(sack))
                continue;
            replay->newest = entry.row + 1;
            sr_reports_add(&replay->causes->reports, entry.row + 1);
        } else {
            control(replay, sr_control_at(journal, entry.row));
        }
    }
    sr_replay_send(replay);
    sr_replay_deliver_until(replay, INT64_MAX, UINT32_MAX);
}

/* Those of a stack that is known alone: elsewhere a sender whose timer may be late would explain more by that. */
static uint8_t in_wheel(const struct sr_half *half, const struct sr_parameters *senders)
{
    unsigned known = sr_profile_of_family(sr_sender_family(half)), bits = 0;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        bits |= (unsigned)(senders[sender].t3.in_wheel && senders[sender].profile == known) << sender;
    return (uint8_t)bits;
}

bool sr_replay_once(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders, uint32_t most)
{
    struct sr_replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return false;
    *replay = (struct sr_replay){
        .half = half,
        .causes = causes,
        .origin_ns = half->association->first_time_ns,
        .now_ns = half->association->first_time_ns,
    };
    causes->in_wheel = in_wheel(half, senders);
    sr_tail_begin(&replay->tail);
    sr_silence_begin(&replay->silence);
    choose_states(replay, senders);
    struct sr_receiver receiver = {.reports_duplicates =
                                       half->measured.dups_reported ? SR_ANSWER_YES : SR_ANSWER_UNKNOWN};
    replay->model = sr_model_new(senders, SR_SENDER_COUNT, receiver);
    replay->waiting = malloc(SR_REPLAY_WAITING * sizeof *replay->waiting);
    sr_round_trips_begin(&replay->trips);
    bool ok = sr_find_late(half, &replay->crossing) && replay->model && replay->waiting;
    if (ok) {
        walk(replay, most);
        sr_ledger_clear(&half->ledger, sr_replay_leaves, causes);
        causes->beyond = sr_model_beyond(replay->model);
        sr_count_unmoved(causes);
        ok = !causes->failed;
    }
    sr_model_free(replay->model);
    sr_crossing_free(replay->crossing);
    free(replay->waiting);
    free(replay);
    return ok;
}
