/* SPDX-License-Identifier: BSD-2-Clause */
/* How each sender explains a resend: what it had marked, or what its timers would do. Which of them is believed is in
 * decide.c. */
#include "cause.h"

#include <stdlib.h>
#include <string.h>

#include "../facts/repeated.h"
#include "after_mark.h"
#include "marks.h"

/* Rows of rack_marks that a sender may have in a direction: a limit on memory. A copy is marked by missing reports or
 * RACK, by a timeout, and again where the receiver takes it back; a hostile capture could have that any number of
 * times. Of what the tap did not see as much is marked as was lost before it, which the chunks seen do not bound. What
 * is left out is counted (marks_left_out). */
enum { MARKS_OF_A_COPY = 4, MARKS_OF_UNSEEN = 4096 };

static struct sr_explained *new_explained(struct sr_causes *causes, uint32_t row)
{
    struct sr_explained *explained = sr_spool_append(&causes->explained);
    if (!explained) {
        causes->failed = true;
        return NULL;
    }
    causes->explained_count++;
    *explained = (struct sr_explained){
        .row = row,
        .probe_armed_ns = SR_NO_TIME,
        .probe_due_ns = SR_NO_TIME,
        .top = causes->half->ledger.highest,
    };
    memset(explained->cause, SR_CAUSE_UNKNOWN, sizeof explained->cause);
    return explained;
}

void sr_causes_known(struct sr_causes *causes, uint32_t row, enum sr_cause cause, uint8_t class)
{
    struct sr_explained *explained = new_explained(causes, row);
    if (!explained)
        return;
    memset(explained->cause, (int)cause, sizeof explained->cause);
    causes->telling_count++;
    if (cause == SR_CAUSE_TLP) { /* no other stack has probes */
        causes->fit[SR_SENDER_PION].agrees++;
        causes->fit[SR_SENDER_PION].at_mark++;
    }
    explained->certain = class;
    explained->highest = true; /* it is above all that passed the tap */
}

void sr_causes_out_of_reach(const struct sr_causes *causes, uint32_t row_number)
{
    struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, row_number);
    if (row->kind != SR_KIND_RETRANSMISSION)
        return;
    row->cause = SR_CAUSE_UNKNOWN;
    row->cause_class = 1;
}

/* The timeout has just sent it, or is about to. */
static bool is_probe(const struct sr_causes *causes, const struct sr_mark_history *history,
                     const struct sr_ledger_slot *slot, int64_t time_ns)
{
    if (history->has_probe && sr_tsn_equal(history->probe.tsn, slot->tsn) &&
        sr_is_near(time_ns, history->probe.time_ns))
        return true;
    return sr_is_near(time_ns, history->pto_ns) && sr_ledger_is_last_open(&causes->half->ledger, slot->tsn);
}

/* When pion's probe of the TSN was due, or is. */
static int64_t probe_due_of(const struct sr_causes *causes, const struct sr_ledger_slot *slot)
{
    const struct sr_mark_history *pion = &causes->history[SR_SENDER_PION];
    return pion->has_probe && sr_tsn_equal(pion->probe.tsn, slot->tsn) ? pion->probe.time_ns : pion->pto_ns;
}

static void note_timer(struct sr_explained *explained, const struct sr_mark_history *history, int64_t time_ns)
{
    bool fired = history->has_probe && sr_is_near(time_ns, history->probe.time_ns);
    explained->probe_due_ns = fired ? history->probe.time_ns : history->pto_ns;
    explained->probe_armed_ns = fired ? history->probe.armed_ns : SR_NO_TIME;
}

void sr_causes_reported(struct sr_causes *causes, struct sr_tsn tsn)
{
    if (!causes->has_reported || sr_tsn_after(tsn, causes->reported))
        causes->reported = tsn;
    causes->has_reported = true;
}

void sr_causes_data(struct sr_causes *causes, int64_t time_ns)
{
    int64_t silent_ns;
    if (sr_elapsed(time_ns, causes->data_ns, &silent_ns) && silent_ns >= causes->half->measured.shortest_rto_ns) {
        causes->silence_ns = silent_ns;
        causes->silence_end_ns = time_ns;
    }
    causes->data_ns = time_ns;
}

void sr_causes_feedback(struct sr_causes *causes, int64_t time_ns, uint32_t frame)
{
    causes->feedback_ns = time_ns;
    causes->feedback_frame = frame;
}

/* The sender of the real one's family whose marks are looked at before it is chosen. */
static unsigned sender_of_family(const struct sr_half *half)
{
    unsigned sender = sr_sender_of_profile(sr_profile_of_family(sr_sender_family(half)));
    return sender < SR_SENDER_COUNT ? sender : SR_SENDER_USRSCTP;
}

static void learn_reaction(struct sr_causes *causes, int64_t reaction_ns)
{
    enum { WEIGHT = 8 };
    if (reaction_ns > SR_REACTS_WITHIN_NS)
        return;
    int64_t off_ns = reaction_ns - causes->reaction_ns;
    if (causes->reactions++ == 0) {
        causes->reaction_ns = reaction_ns;
        causes->deviation_ns = 0;
        return;
    }
    causes->reaction_ns += off_ns / WEIGHT;
    causes->deviation_ns += ((off_ns < 0 ? -off_ns : off_ns) - causes->deviation_ns) / WEIGHT;
}

/* Its acknowledgement passed the tap, and was lost before it came to the sender. */
static bool was_acknowledged(const struct sr_causes *causes, const struct sr_ledger_slot *slot)
{
    return slot->acked && !sr_is_vantage(causes->half, SR_VANTAGE_SENDER);
}

/* Of what is outstanding. Before any feedback, where the association was seen to begin, that is what was sent first. */
static bool is_earliest(const struct sr_causes *causes, struct sr_tsn tsn)
{
    const struct sr_ledger *ledger = &causes->half->ledger;
    bool first = causes->feedback_ns == SR_NO_TIME && causes->half->association->started != SR_STARTED_MIDDLE;
    return sr_tsn_equal(tsn, first ? ledger->begun_at : ledger->una);
}

/* Whatever of the feedback the sender has had: over one address of each side it comes in order, and all of it passes
 * the tap, where any does. */
static bool was_never_missed(const struct sr_causes *causes, const struct sr_transmission_row *row)
{
    const struct sr_side *side = causes->half->association->side, *receiver = &side[1 - causes->half->from];
    return row->never_missed && receiver->last_sack != 0 && side[0].addresses <= 1 && side[1].addresses <= 1;
}

static bool is_alone_again(struct sr_causes *causes, const struct sr_transmission_row *row)
{
    uint32_t count = causes->explained_count;
    if (causes->reordered)
        return false;
    return count < 2 || sr_causes_explained(causes, count - 2)->row + 1 < row->prev_row;
}

/* Whether a timeout may have sent it: it is the earliest that is outstanding, and no feedback asks for it. A probe may
 * have sent it too, where nothing says that the sender has none. */
static bool may_be_of_timeout(const struct sr_causes *causes, const struct sr_explained *explained,
                              const struct sr_transmission_row *row, const struct sr_ledger_slot *slot)
{
    bool probe =
        explained->cause[SR_SENDER_PION] == SR_CAUSE_TLP || explained->cause[SR_SENDER_RFC8985] == SR_CAUSE_TLP;
    bool earliest = is_earliest(causes, slot->tsn) || was_acknowledged(causes, slot);
    bool held_up = sr_is_within_round_trip(causes->half, row, row->time_ns); /* with the copy before */
    bool again = !held_up && !sr_comes_as_repeated(causes->half, row, SR_SHORTEST_SET_RTO_NS);
    return earliest && !explained->at_feedback && !explained->dropped && again &&
           !(probe && !sr_is_not_pion(sr_sender_family(causes->half)));
}

static void note_timeout(struct sr_causes *causes, const struct sr_transmission_row *row, uint32_t row_number,
                         uint8_t expired, bool acknowledged)
{
    struct sr_timeout timeout = {.expired = expired};
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        const struct sr_mark_history *history = &causes->history[sender];
        int64_t started_ns =
            acknowledged && row->prev_row ? sr_half_tx(causes->half, row->prev_row)->time_ns : history->t3_started_ns;
        if (!sr_elapsed(row->time_ns, started_ns, &timeout.after_ns[sender]))
            timeout.after_ns[sender] = SR_NO_TIME;
        timeout.least_ns[sender] = history->unclamped_rto_ns;
    }
    sr_timeouts_add(&causes->timeouts, timeout, row_number, row->prev_row, row->time_ns);
}

/* A timer that started with the data before may have expired. */
static bool is_silent_for_rto(const struct sr_explained *explained, const struct sr_mark_history *history)
{
    return history->rto_ns != SR_NO_TIME && explained->silent_ns != SR_NO_TIME &&
           explained->silent_ns + SR_REACTS_WITHIN_NS >= history->rto_ns;
}

bool sr_causes_resent(struct sr_causes *causes, uint32_t row_number, const struct sr_ledger_slot *slot, uint32_t copy)
{
    const struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, row_number);
    struct sr_explained *explained = new_explained(causes, row_number);
    if (!explained)
        return false;
    struct sr_tsn_marks *marks = slot->marks ? &causes->marks[slot->marks - 1] : NULL;
    uint8_t expired = 0;
    int64_t since_feedback_ns;
    if (!sr_elapsed(row->time_ns, causes->data_ns, &explained->silent_ns))
        explained->silent_ns = SR_NO_TIME;
    explained->reneged = slot->reneged;
    explained->no_room = causes->a_rwnd < row->bytes;
    explained->dropped = sr_causes_dropped_by(causes, slot->tsn, row->time_ns);
    int64_t since_silence_ns;
    explained->released =
        sr_elapsed(row->time_ns, causes->silence_end_ns, &since_silence_ns) && since_silence_ns <= causes->silence_ns;
    explained->at_feedback = sr_elapsed(row->time_ns, causes->feedback_ns, &since_feedback_ns) &&
                             since_feedback_ns <= SR_REACTS_WITHIN_NS + causes->half->measured.receiver.jitter_ns;
    explained->passed_over = causes->has_reported && sr_tsn_after(causes->reported, slot->tsn);
    explained->alone_again = is_alone_again(causes, row);
    explained->never_missed = was_never_missed(causes, row);
    explained->sent_again_before = copy > 2;
    explained->reports = (uint8_t)sr_reports_before(&causes->reports, causes->half->journal, row);
    explained->asked_for = sr_reports_ask(&causes->reports, causes->half->journal, slot->tsn, 3);
    explained->last_open = sr_ledger_is_last_open(&causes->half->ledger, slot->tsn);
    explained->highest = sr_tsn_equal(slot->tsn, causes->half->ledger.highest);
    explained->alone = explained->last_open && is_earliest(causes, slot->tsn);
    if (!sr_elapsed(row->time_ns, probe_due_of(causes, slot), &explained->probe_late_ns))
        explained->probe_late_ns = SR_NO_TIME;
    /* What was too large for the path, or named by a PACKET-DROP chunk, is sent again by any sender. */
    bool tells = !row->may_be_fragmented && explained->dropped == 0;
    causes->telling_count += tells;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        const struct sr_said said = sr_marks_said(causes, marks, sender);
        const struct sr_mark_history *history = &causes->history[sender];
        explained->silent_for_rto |= (uint8_t)(is_silent_for_rto(explained, history) << sender);
        int64_t reaction_ns = 0, most_ns = SR_REACTS_WITHIN_NS;
        bool at_mark = true;
        if (said.any && said.copy + 1 == copy) {
            sr_elapsed(row->time_ns, said.at.time_ns, &reaction_ns);
            if (said.mark_row != 0) {
                struct sr_rack_mark_row *mark = sr_spool_visit(&causes->tables->rack_marks, said.mark_row - 1);
                mark->sender_lead_ns = reaction_ns;
            }
            bool first;
            most_ns = sr_soon_after_mark_ns(causes, sender, &said, explained->at_feedback);
            enum sr_cause cause = sr_cause_by_mark(causes, sender, &said, row, reaction_ns, most_ns, &first);
            explained->cause[sender] = (uint8_t)cause;
            explained->doubts[sender] = sr_doubts_after_mark(causes, &said, cause, first);
            explained->trigger[sender] = said.at.due_frame;
            if (explained->cause[sender] == SR_CAUSE_T3 && sr_is_late_for_timeout(causes, row, reaction_ns, most_ns))
                explained->late |= (uint8_t)(1u << sender);
            if (!first) /* it waits for no timer */
                most_ns = SR_REACTS_WITHIN_NS;
            const struct sr_mark_event *event = sr_marks_event(&causes->history[sender], said.at.event);
            explained->on_time |= (uint8_t)((event && event->on_time) << sender);
            bool by_loss = said.at.trigger != SR_TRIGGER_RTO;
            if (!tells)
                sr_marks_withdrawn(&causes->fit[sender], &said);
            bool of_timeout = sr_is_of_timeout(&causes->history[sender], &said);
            causes->fit[sender].timed_out += tells && of_timeout;
            expired |= (uint8_t)(of_timeout << sender);
            causes->fit[sender].resent += tells && by_loss;
            causes->fit[sender].soon += tells && by_loss && reaction_ns <= most_ns;
            at_mark = said.at.by_frame == 0 || said.at.by_frame == causes->feedback_frame;
        } else if (is_probe(causes, history, slot, row->time_ns)) {
            explained->cause[sender] = SR_CAUSE_TLP;
            causes->fit[sender].probes += tells;
            note_timer(explained, history, row->time_ns);
        } else {
            continue;
        }
        causes->fit[sender].agrees += tells && reaction_ns <= most_ns;
        causes->fit[sender].at_mark += tells && reaction_ns <= most_ns && at_mark;
        if (sender == sender_of_family(causes->half) && said.any && said.at.by_frame != 0)
            learn_reaction(causes, reaction_ns);
    }
    if (may_be_of_timeout(causes, explained, row, slot))
        note_timeout(causes, row, row_number, expired, was_acknowledged(causes, slot));
    return memchr(explained->cause, SR_CAUSE_T3, sizeof explained->cause) != NULL;
}

bool sr_causes_expected(const struct sr_causes *causes, const struct sr_ledger_slot *slot,
                        const struct sr_transmission_row *row, int64_t tolerance_ns)
{
    enum { ENOUGH = 3 };
    const struct sr_half *half = causes->half;
    int64_t apart_ns;
    if (row->overtaken || slot->marks == 0 || sr_sender_family(half) == SR_FAMILY_UNKNOWN || causes->reactions < ENOUGH)
        return false;
    const struct sr_said said = sr_marks_said(causes, &causes->marks[slot->marks - 1], sender_of_family(half));
    if (!said.any || said.copy != slot->copies || !sr_elapsed(row->time_ns, said.at.time_ns, &apart_ns))
        return false;
    apart_ns -= causes->reaction_ns;
    tolerance_ns += 4 * causes->deviation_ns; /* as RFC 9260 section 6.3.1 allows for a round trip */
    return apart_ns >= -tolerance_ns && apart_ns <= tolerance_ns;
}

void sr_causes_free(struct sr_causes *causes)
{
    free(causes->marks);
    sr_spool_free(&causes->instants);
    sr_spool_free(&causes->explained);
    sr_spool_free(&causes->new_data_probes);
}

void sr_causes_begin_again(struct sr_causes *causes)
{
    struct sr_spool *marks = &causes->tables->rack_marks;
    sr_spool_take_back(marks, marks->count - causes->first_mark);
    sr_causes_begin(causes);
}

void sr_causes_begin(struct sr_causes *causes)
{
    causes->first_mark = causes->tables->rack_marks.count;
    causes->marks_count = causes->free = causes->explained_count = causes->telling_count = 0;
    causes->marks_left =
        SR_SENDER_COUNT *
        ((uint64_t)MARKS_OF_A_COPY * causes->half->association->side[causes->half->from].data.chunks + MARKS_OF_UNSEEN);
    causes->marks_left_out = 0;
    sr_spool_clear(&causes->instants);
    sr_spool_clear(&causes->explained);
    sr_spool_clear(&causes->new_data_probes);
    causes->most_outstanding = causes->drop_count = 0;
    for (int sender = 0; sender < SR_SENDER_COUNT; sender++)
        causes->history[sender] = (struct sr_mark_history){
            .pto_ns = SR_NO_TIME, .t3_started_ns = SR_NO_TIME, .rto_ns = SR_NO_TIME, .unclamped_rto_ns = SR_NO_TIME};
    memset(causes->fit, 0, sizeof causes->fit);
    causes->timeouts.count = causes->timeouts.row = causes->reports.at = 0;
    causes->reactions = 0;
    causes->ack_habit = (struct sr_ack_habit){0};
    memset(causes->sent_at_report, 0, sizeof causes->sent_at_report);
    causes->has_reported = causes->reordered = false;
    causes->a_rwnd = UINT32_MAX;
    causes->feedback_ns = causes->data_ns = causes->silence_end_ns = SR_NO_TIME;
}
