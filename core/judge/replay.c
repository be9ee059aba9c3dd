/* SPDX-License-Identifier: BSD-2-Clause */
/* The merge of what was sent and what comes back, and what the capture does not show: a TSN that was skipped was sent
 * too, before the next one. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "../association/kind.h"
#include "../wire/chunk.h"
#include "../wire/time.h"
#include "belief.h"
#include "late.h"
#include "missing.h"
#include "numbering.h"
#include "overtaken.h"
#include "rack_state.h"
#include "round_trips.h"
#include "tail.h"

enum {
    PACKET_CHUNKS = 256,
    HOLE = 256,      /* a larger hole in the TSNs is not filled */
    WAITING = 65536, /* feedback on its way to the sender */
    PATHS = 16,
    LOOKED_AHEAD = 64, /* entries */
};

/* More than hosts take is not jitter. */
#define MOST_JITTER_NS INT64_C(20000000)
/* What is sent at a mark passes the tap so close to it. */
#define EXPECTED_NS INT64_C(1000000)

struct replay {
    struct sr_half *half;
    struct sr_causes *causes;
    struct sr_model *model;
    uint32_t *waiting; /* 1 + rows of feedback, a ring */
    uint32_t waiting_from, waiting_to;
    uint32_t newest;              /* 1 + row of the feedback that passed the tap last; 0: looked at, or none */
    struct sr_crossing *crossing; /* what of it is late; null: nothing */
    uint32_t asked, release;      /* 1 + row of the feedback of which that was asked, and the frame it waits for */
    struct sr_round_trips trips;
    int64_t origin_ns; /* of the model's clock */
    int64_t now_ns;    /* of the capture */
    struct sr_tsn highest;
    bool begun;
    uint32_t paths[PATHS];
    uint32_t path_count;
    struct sr_tail tail;
    struct sr_silence silence;
    struct {
        uint64_t most_flight_bytes;
        uint8_t sender, profile;
    } states[SR_STATES_OF_A_SACK]; /* those of each SACK */
    uint32_t state_count;
    /* the packet that is being put together */
    struct sr_model_data chunks[PACKET_CHUNKS];
    uint32_t rows[PACKET_CHUNKS];
    uint8_t known[PACKET_CHUNKS]; /* enum sr_cause; SR_CAUSE_COUNT: not known */
    uint8_t known_class[PACKET_CHUNKS];
    uint32_t count;
    uint32_t frame, path;
    int64_t time_ns;
};

/* Nothing is asked for of the side that sends less. */
static void choose_states(struct replay *replay, const struct sr_parameters *senders)
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

static void leaves(void *context, const struct sr_ledger_slot *slot)
{
    sr_causes_forget(context, slot->marks);
}

/* On the model's clock, which starts with the first time that is known and does not run backwards. */
static int64_t model_time(struct replay *replay, int64_t time_ns)
{
    if (replay->origin_ns == SR_NO_TIME)
        replay->origin_ns = time_ns;
    if (time_ns > replay->now_ns)
        replay->now_ns = time_ns;
    return replay->now_ns - replay->origin_ns;
}

/* A time of the model, SR_NO_TIME too, on the capture's clock. */
static int64_t on_capture(const struct replay *replay, int64_t time_ns)
{
    return time_ns == SR_NO_TIME ? SR_NO_TIME : sr_time_after(replay->origin_ns, time_ns);
}

static void take(struct replay *replay)
{
    size_t count;
    if (!sr_model_has_news(replay->model))
        return;
    const struct sr_mark *marks = sr_model_take_marks(replay->model, &count);
    for (size_t i = 0; i < count; i++) {
        struct sr_mark mark = marks[i];
        mark.time_ns = sr_time_after(replay->origin_ns, mark.time_ns);
        sr_causes_mark(replay->causes, &mark, mark.path < replay->path_count ? replay->paths[mark.path] : UINT32_MAX);
    }
    const struct sr_expectation *expectations = sr_model_take_expectations(replay->model, &count);
    for (size_t i = 0; i < count; i++) {
        struct sr_expectation expectation = expectations[i];
        expectation.time_ns = sr_time_after(replay->origin_ns, expectation.time_ns);
        expectation.armed_ns = sr_time_after(replay->origin_ns, expectation.armed_ns);
        sr_causes_expect(replay->causes, &expectation);
    }
    const struct sr_withdrawal *withdrawals = sr_model_take_withdrawals(replay->model, &count);
    for (size_t i = 0; i < count; i++)
        sr_causes_withdraw(replay->causes, &withdrawals[i]);
    sr_model_take_probes(replay->model, &count);
}

static uint32_t path_number(struct replay *replay, uint32_t path)
{
    for (uint32_t i = 0; i < replay->path_count; i++)
        if (replay->paths[i] == path)
            return i;
    if (replay->path_count < PATHS)
        replay->paths[replay->path_count++] = path;
    return replay->path_count - 1;
}

/* Frames of the model: twice those of the capture, so that what was not seen has a place before each. */
static void fill_hole(struct replay *replay, const struct sr_transmission_row *row, bool itself)
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
        struct sr_ledger_slot *slot = sr_ledger_sent(&replay->half->ledger, tsn, leaves, replay->causes);
        if (slot) {
            sr_ledger_count(slot);
            replay->tail.open += slot->skip == 0;
        }
        unseen[count++] = (struct sr_model_data){tsn, row->bytes, false};
    }
    sr_model_sent(replay->model, &(struct sr_model_sent){
                                     .time_ns = model_time(replay, row->time_ns),
                                     .frame = row->frame * 2 - 1,
                                     .path = path_number(replay, row->path),
                                     .chunks = unseen,
                                     .count = count,
                                 });
    take(replay);
    replay->highest = sr_tsn(row->tsn);
}

static void note_probe(struct replay *replay, uint32_t sender)
{
    struct sr_path_snapshot snapshot;
    bool known = sr_model_snapshot(replay->model, sender, path_number(replay, replay->path), &snapshot);
    replay->causes->history[sender].pto_ns = known ? on_capture(replay, snapshot.pto_ns) : SR_NO_TIME;
}

/* Since when each sender's T3-rtx runs for what this packet repeats, before the packet moves it. */
static void note_t3(struct replay *replay)
{
    const struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, replay->rows[0]);
    uint32_t sent_to = row->prev_row ? sr_half_tx(replay->half, row->prev_row)->path : row->path;
    for (uint32_t sender = 0; sender < SR_SENDER_COUNT; sender++) {
        struct sr_mark_history *history = &replay->causes->history[sender];
        struct sr_path_snapshot snapshot;
        history->t3_started_ns = history->unclamped_rto_ns = SR_NO_TIME;
        if (!sr_model_snapshot(replay->model, sender, path_number(replay, sent_to), &snapshot))
            continue;
        if (snapshot.t3_ns != SR_NO_TIME)
            history->t3_started_ns = on_capture(replay, snapshot.t3_started_ns);
        if (snapshot.srtt_ns != SR_NO_TIME)
            history->unclamped_rto_ns = snapshot.srtt_ns + 4 * snapshot.rttvar_ns;
    }
}

/* When each sender's next probe is due, before this packet moves it; of new data that of RFC 8985, after a silence. */
static void note_probes(struct replay *replay, uint8_t kind)
{
    int64_t silent_ns;
    replay->causes->history[SR_SENDER_RFC8985].pto_ns = SR_NO_TIME;
    if (kind == SR_KIND_RETRANSMISSION)
        for (uint32_t sender = 0; sender < SR_SENDER_COUNT; sender++)
            note_probe(replay, sender);
    else if (replay->tail.outstanding > 0 && sr_elapsed(replay->time_ns, replay->causes->data_ns, &silent_ns) &&
             silent_ns > replay->half->measured.receiver.typical_ns)
        note_probe(replay, SR_SENDER_RFC8985);
}

/* How far up the receiver has reported, as far as the sender can know: the tap may be off by what feedback takes. */
static void note_reported(struct replay *replay)
{
    if (replay->newest == 0)
        return;
    struct sr_model_feedback newest = sr_feedback_of(replay->half, sr_half_sack(replay->half, replay->newest));
    replay->newest = 0;
    sr_causes_reported(replay->causes, newest.cum_tsn);
    for (size_t i = 0; i < newest.gap_count + newest.nr_gap_count; i++)
        sr_causes_reported(replay->causes, newest.gaps[i].last);
}

static struct sr_tail_timers timers_of(struct replay *replay, uint32_t path)
{
    static const enum sr_sender timeouts[SR_TAIL_TIMEOUTS] = {SR_SENDER_RFC9260, SR_SENDER_USRSCTP, SR_SENDER_DCSCTP,
                                                              SR_SENDER_PION};
    const struct sr_half *half = replay->half;
    enum sr_stack_family family = sr_sender_family(half);
    struct sr_path_snapshot snapshot;
    struct sr_tail_timers timers = {
        .jitter_ns =
            half->measured.receiver.jitter_ns < MOST_JITTER_NS ? half->measured.receiver.jitter_ns : MOST_JITTER_NS,
    };
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++) {
        bool known = sr_model_snapshot(replay->model, timeouts[i], path, &snapshot);
        timers.rto_ns[i] = known ? snapshot.rto_ns : SR_NO_TIME;
        timers.pto_ns[i] = SR_NO_TIME;
        if (known && family == SR_FAMILY_OTHER && timeouts[i] == SR_SENDER_PION)
            timers.rto_ns[i] = SR_NO_TIME;
    }
    if (family != SR_FAMILY_OTHER && !sr_is_left_out(half, SR_PROFILE_PION) &&
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
    return slot->copies > 0 && slot->last_row == 0 && slot->skip == 0;
}

static void send_packet(struct replay *replay)
{
    if (replay->count == 0)
        return;
    uint8_t kind = sr_transmission_at(replay->half->journal, replay->rows[0])->kind;
    note_probes(replay, kind);
    if (kind == SR_KIND_RETRANSMISSION)
        note_t3(replay);
    sr_model_sent(replay->model, &(struct sr_model_sent){
                                     .time_ns = model_time(replay, replay->time_ns),
                                     .frame = replay->frame * 2,
                                     .path = path_number(replay, replay->path),
                                     .chunks = replay->chunks,
                                     .count = replay->count,
                                 });
    take(replay);
    if (kind == SR_KIND_ORIGINAL)
        sr_causes_new_data(replay->causes, replay->rows[0], replay->tail.outstanding);
    for (uint32_t i = 0; i < replay->count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, replay->rows[i]);
        struct sr_ledger_slot *slot =
            sr_ledger_sent(&replay->half->ledger, replay->chunks[i].tsn, leaves, replay->causes);
        if (!slot) {
            sr_causes_out_of_reach(replay->causes, replay->rows[i]);
            continue;
        }
        replay->tail.open -= is_open_hole(slot);
        sr_ledger_count(slot);
        slot->last_row = replay->rows[i] + 1;
        replay->tail.outstanding += slot->copies == 1 && slot->skip == 0;
        if (replay->known[i] != SR_CAUSE_COUNT)
            sr_causes_known(replay->causes, replay->rows[i], (enum sr_cause)replay->known[i], replay->known_class[i]);
        else if (row->kind == SR_KIND_RETRANSMISSION) {
            note_reported(replay);
            bool timeout = sr_causes_resent(replay->causes, replay->rows[i], slot, slot->copies);
            if (timeout && row->missing > 0 && replay->half->measured.counts_packets) {
                struct sr_tail_timers timers = timers_of(replay, path_number(replay, replay->path));
                sr_tail_timeout(&replay->tail, &timers, row->missing);
            }
        }
    }
    sr_causes_data(replay->causes, replay->time_ns);
    replay->count = 0;
}

/* What RACK-TLP knows after a SACK, and what the sender does that was asked for. */
static void note_states(struct replay *replay, uint32_t row_number)
{
    struct sr_judgement *tables = replay->causes->tables;
    struct sr_path_snapshot snapshot;
    uint32_t path = path_number(replay, replay->path), count = tables->wants_states ? sr_states_of_a_sack(tables) : 0;
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

static void acknowledge(struct replay *replay, struct sr_tsn first, struct sr_tsn last)
{
    const struct sr_ledger_slot *slot;
    while ((slot = sr_ledger_ack(&replay->half->ledger, &first, last))) {
        replay->tail.open -= slot->last_row == 0 && replay->tail.open > 0;
        replay->tail.outstanding -= replay->tail.outstanding > 0;
        if (slot->copies == 1)
            sr_timeouts_measured(&replay->causes->timeouts);
    }
}

static void deliver(struct replay *replay, uint32_t row_number)
{
    struct sr_half *half = replay->half;
    const struct sr_sack_row *row = sr_sack_at(half->journal, row_number);
    struct sr_model_feedback feedback = sr_feedback_of(half, row);
    int64_t time_ns = feedback.time_ns > replay->now_ns ? feedback.time_ns : replay->now_ns;
    uint32_t first_gap = sr_half_first_gap(half, row);

    half->took_all = 0;
    if (!sr_is_believed(row) || !sr_ledger_follows(&half->ledger, feedback.cum_tsn))
        return;
    feedback.time_ns = model_time(replay, time_ns);
    sr_model_feedback(replay->model, &feedback);
    take(replay);
    note_states(replay, row_number);
    acknowledge(replay, half->ledger.una, feedback.cum_tsn);
    sr_ledger_acked_to(&half->ledger, feedback.cum_tsn);
    for (size_t i = first_gap; i < feedback.gap_count + feedback.nr_gap_count; i++)
        acknowledge(replay, feedback.gaps[i].first, feedback.gaps[i].last);
    if (feedback.gap_count == row->gaps)
        sr_half_took(half, row);
    sr_half_taken_back(half, row);
    replay->tail.feedback_ns = time_ns;
    if (feedback.has_a_rwnd)
        replay->causes->a_rwnd = row->a_rwnd;
    replay->causes->feedback_ns = time_ns;
    replay->causes->feedback_frame = row->frame;
}

/* Whether the next feedback waits for a resend that is not before this frame. */
static bool is_late(struct replay *replay, uint32_t frame)
{
    uint32_t next = replay->waiting[replay->waiting_from % WAITING];
    if (!replay->crossing)
        return false;
    if (replay->asked != next) {
        replay->asked = next;
        replay->release = sr_crossing_release(replay->crossing, next);
    }
    return replay->release >= frame;
}

/* All feedback that the sender has by then, before it sends this frame. */
static void deliver_until(struct replay *replay, int64_t time_ns, uint32_t frame)
{
    while (replay->waiting_from != replay->waiting_to) {
        const struct sr_sack_row *row = sr_half_sack(replay->half, replay->waiting[replay->waiting_from % WAITING]);
        if (sr_time_after(row->time_ns, replay->half->measured.feedback_ns) > time_ns || is_late(replay, frame))
            return;
        send_packet(replay);
        deliver(replay, replay->waiting[replay->waiting_from % WAITING] - 1);
        replay->waiting_from++;
    }
}

/* Nothing of this direction follows within a round trip, or before the sender has feedback. */
static bool is_alone(const struct replay *replay, const struct sr_transmission_row *row, uint32_t next,
                     int64_t round_trip_ns)
{
    const struct sr_half *half = replay->half;
    int64_t feedback_ns = INT64_MAX, apart_ns;
    struct sr_entry entry;
    if (replay->waiting_from != replay->waiting_to)
        feedback_ns = sr_half_sack(half, replay->waiting[replay->waiting_from % WAITING])->time_ns;
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
                       (feedback_ns != INT64_MAX &&
                        sr_time_after(feedback_ns, half->measured.feedback_ns) <= other->time_ns);
        }
    }
    return true;
}

/* A TSN that was lost before the tap and is sent again: the model gets the one that was not seen too. The cause, and
 * its class; SR_CAUSE_COUNT where nothing says so. */
static enum sr_cause tail_of(struct replay *replay, struct sr_transmission_row *row, uint32_t next)
{
    struct sr_half *half = replay->half;
    struct sr_tail *tail = &replay->tail;
    bool above = replay->begun && sr_tsn_after(sr_tsn(row->tsn), replay->highest);
    int64_t round_trip_ns = half->measured.receiver.typical_ns + half->measured.sender_loop_ns;
    enum sr_cause cause = SR_CAUSE_COUNT;
    if (above && half->measured.counts_packets) {
        struct sr_tail_timers timers = timers_of(replay, path_number(replay, row->path));
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
static void has_measured(struct replay *replay, uint32_t path)
{
    const struct sr_measured *measured = &replay->half->measured;
    if (replay->half->association->started != SR_STARTED_MIDDLE || measured->adrift || measured->loop.count == 0)
        return;
    const int64_t loops_ns[] = {measured->receiver.typical_ns, measured->receiver.least_ns};
    for (int i = 0; i < 2; i++)
        sr_model_rtt(replay->model, replay->now_ns - replay->origin_ns, path_number(replay, path),
                     loops_ns[i] + measured->sender_loop_ns, SR_RTT_TAG_HEARTBEAT);
}

static void sent(struct replay *replay, uint32_t row_number, uint32_t next)
{
    struct sr_transmission_row *row = sr_transmission_at(replay->half->journal, row_number);
    if (sr_tells_nothing((enum sr_kind)row->kind))
        return;
    if (replay->count > 0 && (replay->frame != row->frame || replay->count == PACKET_CHUNKS))
        send_packet(replay);
    deliver_until(replay, row->time_ns, row->frame);
    if (!replay->begun)
        has_measured(replay, row->path);
    enum sr_cause known = tail_of(replay, row, next);
    fill_hole(replay, row, known != SR_CAUSE_COUNT);
    replay->begun = true;
    struct sr_ledger_slot *slot = sr_ledger_at(&replay->half->ledger, sr_tsn(row->tsn));
    if (row->kind == SR_KIND_REORDERED && !sr_is_vantage(replay->half, SR_VANTAGE_SENDER) && slot && slot->skip == 0 &&
        sr_causes_expected(replay->causes, slot, row->time_ns, EXPECTED_NS + replay->half->measured.receiver.jitter_ns))
        row->kind = SR_KIND_RETRANSMISSION; /* it comes when it would be sent again */
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

static void forward_tsn(struct replay *replay, const struct sr_control_row *row)
{
    send_packet(replay);
    deliver_until(replay, row->time_ns, row->frame);
    sr_model_forward_tsn(replay->model, model_time(replay, row->time_ns), sr_tsn(row->tsn));
    take(replay);
}

static void round_trip(struct replay *replay, const struct sr_control_row *row)
{
    int64_t time_ns = sr_time_after(row->time_ns, replay->half->measured.feedback_ns);
    struct sr_round_trip trip;
    if (!sr_round_trip_of(&replay->trips, replay->half, row, &trip))
        return;
    send_packet(replay);
    deliver_until(replay, time_ns, row->frame);
    sr_model_rtt(replay->model, model_time(replay, time_ns), path_number(replay, trip.path), trip.rtt_ns, trip.tag);
    take(replay);
}

/* A sender that asked for it does so when it has the response, and sends nothing before that (RFC 6525 section 5.1.4).
 */
static void number_anew(struct replay *replay, const struct sr_control_row *row, struct sr_tsn next)
{
    int64_t loop_ns = row->from == replay->half->from ? 0 : replay->half->measured.feedback_ns;
    int64_t time_ns = sr_time_after(row->time_ns, loop_ns);
    struct sr_ledger *ledger = &replay->half->ledger;
    send_packet(replay);
    deliver_until(replay, time_ns, row->frame);
    if (!sr_ledger_resets(ledger, next))
        return;
    sr_model_tsn_reset(replay->model, model_time(replay, time_ns), next);
    take(replay);
    sr_ledger_reset(ledger, next, leaves, replay->causes);
    replay->highest = sr_tsn_add(next, UINT32_MAX);
    replay->tail.outstanding = replay->tail.open = 0;
}

static void control(struct replay *replay, const struct sr_control_row *row)
{
    bool forward = row->type == SR_CHUNK_FORWARD_TSN || row->type == SR_CHUNK_I_FORWARD_TSN;
    struct sr_tsn next;
    if (row->type == SR_CHUNK_PACKET_DROP && row->from != replay->half->from)
        sr_causes_dropped(replay->causes, row, sr_time_after(row->time_ns, replay->half->measured.feedback_ns));
    else if (sr_numbered_anew(replay->half->journal, row, replay->half->from, &next))
        number_anew(replay, row, next);
    else if (!forward)
        round_trip(replay, row);
    else if (row->whole && row->from == replay->half->from)
        forward_tsn(replay, row);
}

static void walk(struct replay *replay)
{
    struct sr_journal *journal = replay->half->journal;
    struct sr_journal_pass pass = {.next = replay->half->association->entries.first};
    struct sr_entry entry;

    while (sr_journal_pass(journal, &pass, &entry)) {
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
            if (replay->waiting_to - replay->waiting_from == WAITING)
                deliver_until(replay, INT64_MAX, UINT32_MAX);
            replay->waiting[replay->waiting_to++ % WAITING] = entry.row + 1;
            if (!sr_is_believed(sack))
                continue;
            replay->newest = entry.row + 1;
            sr_reports_add(&replay->causes->reports, entry.row + 1);
        } else {
            control(replay, sr_control_at(journal, entry.row));
        }
    }
    send_packet(replay);
    deliver_until(replay, INT64_MAX, UINT32_MAX);
}

static bool replay_with(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders)
{
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return false;
    *replay = (struct replay){
        .half = half,
        .causes = causes,
        .origin_ns = half->association->first_time_ns,
        .now_ns = half->association->first_time_ns,
    };
    sr_tail_begin(&replay->tail);
    sr_silence_begin(&replay->silence);
    choose_states(replay, senders);
    struct sr_receiver receiver = {.reports_duplicates =
                                       half->measured.dups_reported ? SR_ANSWER_YES : SR_ANSWER_UNKNOWN};
    replay->model = sr_model_new(senders, SR_SENDER_COUNT, receiver);
    replay->waiting = malloc(WAITING * sizeof *replay->waiting);
    sr_round_trips_begin(&replay->trips);
    bool ok = sr_find_late(half, &replay->crossing) && replay->model && replay->waiting;
    if (ok) {
        walk(replay);
        sr_ledger_clear(&half->ledger, leaves, causes);
        causes->beyond = sr_model_beyond(replay->model);
        ok = !causes->failed;
    }
    sr_model_free(replay->model);
    sr_crossing_free(replay->crossing);
    free(replay->waiting);
    free(replay);
    return ok;
}

/* Gives each sender the RTO.Min that the timeouts show; false where its profile's is right for all. What pion sends
 * before its own is a probe; where the stack is not known, one resend may be that too. */
static bool adapt(const struct sr_half *half, const struct sr_causes *causes, struct sr_parameters *senders)
{
    const struct sr_measured *measured = &half->measured;
    enum sr_stack_family family = sr_sender_family(half);
    int64_t rto_min_ns[SR_SENDER_COUNT];
    struct sr_timeout_limits limits = {
        .round_trip_ns = measured->receiver.typical_ns + measured->sender_loop_ns,
        .jitter_ns = measured->receiver.jitter_ns < MOST_JITTER_NS ? measured->receiver.jitter_ns : MOST_JITTER_NS,
        .needed = family == SR_FAMILY_OTHER ? 1 : 2,
    };
    bool other = false;
    if (family == SR_FAMILY_PION)
        return false;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        rto_min_ns[sender] = sr_timeouts_rto_min(&causes->timeouts, sender, senders, limits);
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        if (rto_min_ns[sender] == SR_NO_TIME || senders[sender].rto.min_is_fixed)
            continue;
        senders[sender].rto.min_ns = rto_min_ns[sender];
        other = true;
    }
    return other;
}

/* As it was before the replay, which may have found retransmissions. */
static void restore_kinds(struct sr_half *half)
{
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct sr_entry entry;
    while (sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
        if (row->from == half->from && row->kind == SR_KIND_RETRANSMISSION)
            row->kind = row->seen_kind;
    }
    sr_find_overtaken(half);
}

static int64_t least_rto_min(const struct sr_parameters *senders)
{
    int64_t least_ns = INT64_MAX;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        if (senders[sender].rto.min_ns < least_ns)
            least_ns = senders[sender].rto.min_ns;
    return least_ns;
}

/* Where timeouts come too soon for the profiles, a second time with the RTO.Min that they show. */
bool sr_replay(struct sr_half *half, struct sr_causes *causes)
{
    struct sr_parameters senders[SR_SENDER_COUNT];
    sr_senders(senders);
    sr_leave_out(senders, half->told.without);
    if (half->told.max_ack_delay)
        senders[SR_SENDER_RFC8985].tlp.max_ack_delay_ns = half->told.max_ack_delay_ns;
    half->measured.shortest_rto_ns = least_rto_min(senders);
    bool ok = replay_with(half, causes, senders);
    half->measured.learnt = ok && adapt(half, causes, senders);
    if (half->measured.learnt) {
        half->measured.shortest_rto_ns = least_rto_min(senders);
        restore_kinds(half);
        sr_causes_begin_again(causes);
        ok = replay_with(half, causes, senders);
    }
    if (ok)
        sr_causes_decide(causes);
    half->measured.rto_min_ns = senders[half->measured.sender].rto.min_ns;
    return ok && !causes->failed;
}
