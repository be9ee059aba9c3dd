/* SPDX-License-Identifier: BSD-2-Clause */
/* What is noted of each TSN when it is sent, when it is first acknowledged, and when a duplicate of it is reported. */
#include "fates.h"

#include "../association/kind.h"
#include "../wire/time.h"
#include "candidates.h"
#include "first_arrival.h"
#include "order.h"
#include "reading.h"
#include "release.h"
#include "step.h"
#include "unreported.h"
#include "verdict.h"

static const struct sr_sack_row *sack_or_none(const struct sr_half *half, uint32_t row_and_one)
{
    return row_and_one ? sr_half_sack(half, row_and_one) : NULL;
}

/* Whether what is taken to be sent again may as well be late: from a timer on it is not. */
static bool may_be_original(const struct sr_half *half, const struct sr_transmission_row *row)
{
    if (!half->measured.adrift)
        return false;
    int64_t first_ns = sr_reports_missed(&half->reports, half->journal, row).first_ns;
    return first_ns == SR_NO_TIME || first_ns < SR_LEAST_RTO_NS;
}

/* The cumulative TSN had passed it before it was seen: the books may have had no room for it. */
static void note_feedback_before(const struct sr_half *half, struct sr_transmission_row *row)
{
    if (row->acked_frame != 0 || half->feedback == 0 || sr_tsn_after(sr_tsn(row->tsn), half->cum))
        return;
    row->acked_frame = sr_half_sack(half, half->feedback)->frame;
    row->acked_time_ns = sr_half_sack(half, half->feedback)->time_ns;
}

/* What acknowledges it claims more than was seen sent by then: the tap missed data, or it is forged. */
static bool is_doubtful(const struct sr_half *half, struct sr_tsn tsn)
{
    bool vouched = half->has_vouched && !sr_tsn_after(tsn, half->vouched);
    return !vouched && half->doubtful;
}

void sr_fates_sent(struct sr_half *half, uint32_t row_number)
{
    struct sr_transmission_row *row = sr_transmission_at(half->journal, row_number);
    if (sr_is_duplicate(row->kind))
        return;
    struct sr_ledger_slot *slot = row->kind == SR_KIND_CONFLICTING
                                      ? NULL
                                      : sr_ledger_sent(&half->ledger, sr_tsn(row->tsn), sr_verdict_leaves, half);
    if (!slot) {
        if (half->deciding)
            sr_verdict_out_of_reach(half, row);
        return;
    }
    if (half->window != 0 && sr_half_sack(half, half->window)->a_rwnd < row->bytes && !row->met_closed)
        row->met_closed = true;
    if (row->prev_row != slot->last_row) /* bookkeeping mostly says the same: a page that stays clean costs nothing */
        row->prev_row = slot->last_row;
    sr_ledger_count(slot);
    slot->unseen_before |= slot->copies == 1 && row->kind == SR_KIND_RETRANSMISSION;
    if (slot->copies == 1 && slot->unseen_before) {
        /* What a FORWARD-TSN has passed over is acknowledged whether it arrived or not (RFC 3758 section 3.6). */
        bool passed_over = half->has_forward && !sr_tsn_after(slot->tsn, half->forward);
        bool told = slot->acked || (half->feedback != 0 && !sr_tsn_after(slot->tsn, half->cum));
        slot->acked_unseen = told && !passed_over;
        slot->may_be_original = /* or one before it is forgotten */
            may_be_original(half, row) || row->copy > 1 || (told && passed_over);
    }
    if (slot->acked_unseen && half->deciding)
        note_feedback_before(half, row);
    slot->by_doubtful |= slot->acked_unseen && slot->copies == 1 && is_doubtful(half, slot->tsn);
    slot->sent_before =
        slot->unseen_before && half->measured.has_before && !sr_tsn_after(slot->tsn, half->measured.before);
    slot->original_late |= slot->copies > 1 && row->kind == SR_KIND_REORDERED;
    slot->last_row = row_number + 1;
    half->recent[half->recent_at++ % SR_RECENT] = row_number + 1;
    if (row->kind == SR_KIND_RETRANSMISSION && sr_leaves_traces(half))
        sr_unreported_sent(half, row_number + 1);
}

/* Any of a TSN that was sent again is known to have come from a copy before the last only where that would have had to
 * come sooner than it can: sr_candidates_learn. Votes are asked for where there is a choice between copies. */
bool sr_fates_may_learn(const struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    return measured->overtaken || measured->resent_ns < measured->receiver.early_ns ||
           (measured->resends && sr_reading_wants_votes(half));
}

/* ---- an acknowledgement ---- */

/* Of the TSNs that it is the first to acknowledge. */
struct newly {
    struct sr_arrived newest; /* of those that are known to have arrived with it */
    uint32_t supposed;        /* 1 + row of the latest copy that is only supposed to have */
    uint32_t oldest;          /* 1 + row of the earliest copy that is known to have; UINT32_MAX: none */
    struct sr_step step;
    struct sr_release_told release;
    bool all_sent_once;
    const struct sr_ledger_slot *single; /* one that was sent once */
};

/* A copy that was not seen is claimed only on clear grounds. */
static bool comes_too_early(const struct sr_half *half, const struct sr_acknowledgement *answer,
                            const struct sr_sent_copy *copy)
{
    return sr_is_clearly_too_soon(half, sr_between(answer->row->time_ns, copy->time_ns), copy->path);
}

/* Most TSNs are sent once: there is nothing to weigh. */
static void cover_single(struct sr_half *half, const struct sr_acknowledgement *answer, struct sr_ledger_slot *slot,
                         struct newly *newly)
{
    const struct sr_transmission_row *tx = sr_half_tx(half, slot->last_row);
    struct sr_sent_copy copy = {slot->last_row, tx->frame, tx->time_ns, tx->path, SR_NEVER_OVERTAKEN, false};
    slot->first_candidate = slot->last_candidate = slot->on_time = slot->last_row;
    slot->candidates = 1;
    slot->early = slot->clearly_early = slot->early_for_all = comes_too_early(half, answer, &copy);
    slot->in_time = slot->unseen_before && sr_is_in_time(half, answer->row, &copy);
    slot->passed_over = half->newest.row > slot->last_row;
    if (!half->deciding && !slot->unseen_before) {
        copy.overtaken = sr_overtaken_by(half, answer, &copy);
        sr_reorders_so_far(half, answer, &copy);
    }
    newly->single = slot;
    if (!slot->unseen_before && slot->last_row < newly->oldest)
        newly->oldest = slot->last_row;
    if (slot->last_row > newly->newest.row)
        newly->newest = (struct sr_arrived){slot->last_row, tx->frame, tx->path, tx->time_ns};
}

/* Else it is not known what it overtook: on a path that holds nothing up, or on the one it was sent over first. */
static bool is_of_one_path(const struct sr_covered *covered)
{
    const struct sr_sent_copy *first = &covered->copies[covered->candidates[0]];
    uint32_t i = 1;
    while (i < covered->candidate_count && covered->copies[covered->candidates[i]].path == first->path)
        i++;
    return i == covered->candidate_count;
}

static void cover(struct sr_half *half, const struct sr_acknowledgement *answer, struct sr_ledger_slot *slot,
                  struct newly *newly)
{
    slot->acked_by = answer->number;
    slot->by_doubtful = answer->doubtful;
    slot->copies_before = slot->copies;
    slot->settled = slot->sent_before && answer->before && answer->before->time_ns >= half->measured.settled_ns;
    slot->given_up = half->has_forward && !sr_tsn_after(slot->tsn, half->forward);
    if (slot->copies == 1 && !slot->given_up) {
        cover_single(half, answer, slot, newly);
        return;
    }
    struct sr_covered covered = {.slot = slot};
    sr_candidates_weigh(half, answer, &covered);
    const struct sr_sent_copy *first = &covered.copies[covered.candidates[0]];
    slot->first_candidate = first->row;
    slot->last_candidate = covered.copies[covered.candidates[covered.candidate_count - 1]].row;
    slot->candidates = (uint8_t)covered.candidate_count;
    slot->may_be_late = covered.overtaken_candidate;
    slot->may_be_ignored = covered.ignored_candidate && covered.candidate_count > 1;
    slot->by_order = covered.by_order;
    slot->by_step = covered.by_step;
    slot->may_be_unseen = covered.may_be_unseen;
    sr_step_take(half, answer, &covered, &newly->step);
    sr_release_take(&covered, &newly->release);
    slot->by_release = covered.by_release;
    slot->by_silence = covered.by_silence;
    slot->unanswered = covered.unanswered;
    slot->not_accepted = covered.not_accepted;
    slot->doubtful = covered.likely < covered.feasible;
    slot->early = covered.feasible < covered.count;
    slot->clearly_early = slot->early && comes_too_early(half, answer, &covered.copies[covered.count - 1]);
    slot->early_for_all = comes_too_early(half, answer, &covered.copies[0]);
    slot->in_time = sr_is_in_time(half, answer->row, &covered.copies[covered.candidates[covered.candidate_count - 1]]);
    slot->on_time = covered.on_time;
    if (!half->deciding)
        sr_candidates_learn(half, answer, &covered);
    newly->all_sent_once &= slot->copies == 1;
    if (slot->candidates > 1 && slot->last_candidate > half->open_until)
        half->open_until = slot->last_candidate;
    /* What is likely is no proof of an order. */
    while ((covered.by_step || covered.unanswered) && first->row > covered.on_time)
        first--;
    /* That later copies came first is not known before it is learned how far the network reorders. */
    if (!half->deciding && covered.by_order)
        newly->supposed = first->row > newly->supposed ? first->row : newly->supposed;
    else if (first->row > newly->newest.row && is_of_one_path(&covered))
        newly->newest = (struct sr_arrived){first->row, first->frame, first->path, first->time_ns};
}

/* Its candidates, before what it acknowledged became known: a second look at those that have several. */
static void reread(struct sr_half *half, const struct sr_acknowledgement *answer, struct sr_tsn first,
                   struct sr_tsn last)
{
    for (struct sr_tsn tsn = first; !sr_tsn_after(tsn, last); tsn = sr_tsn_add(tsn, 1)) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, tsn);
        if (!slot || slot->acked_by != answer->number || slot->candidates < 2)
            continue;
        struct sr_covered covered = {.slot = slot};
        sr_candidates_weigh(half, answer, &covered);
        sr_reading_of(half, answer, &covered);
    }
}

/* From the lowest to the highest TSN that has several candidates. */
static void widen(struct sr_tsn_range *several, struct sr_tsn tsn)
{
    if (sr_tsn_after(several->first, several->last) || sr_tsn_after(several->first, tsn))
        several->first = tsn;
    if (sr_tsn_after(tsn, several->last))
        several->last = tsn;
}

/* Of the copies after the first that arrived, which a report of a duplicate speaks of: it is made at once (RFC 9260
 * section 6.2), a typical loop after that copy. */
static void note_report(struct sr_half *half, const struct sr_acknowledgement *answer,
                        const struct sr_ledger_slot *slot)
{
    struct sr_transmission_row *nearest = NULL;
    int64_t nearest_ns = INT64_MAX;
    uint32_t number = slot->last_row;
    for (int i = 0; i < SR_COPIES && number > slot->first_candidate; i++) {
        struct sr_transmission_row *row = sr_half_tx(half, number);
        int64_t typical_ns = sr_typical_to(half, row->path);
        int64_t off_ns = sr_between(answer->row->time_ns, row->time_ns) - (typical_ns == SR_NO_TIME ? 0 : typical_ns);
        off_ns = off_ns < 0 ? -off_ns : off_ns;
        if (!row->reported && off_ns < nearest_ns) {
            nearest = row;
            nearest_ns = off_ns;
        }
        number = row->prev_row;
    }
    if (nearest)
        nearest->reported = true;
}

static bool claims_unseen(const struct sr_half *half, const struct sr_sack_row *row, const uint32_t *blocks,
                          uint32_t count)
{
    const struct sr_ledger *ledger = &half->ledger;
    if (!ledger->begun || sr_tsn_after(sr_tsn(row->cum_tsn), ledger->highest))
        return true;
    for (uint32_t i = row->told; i < count; i++)
        if (sr_tsn_after(sr_tsn(blocks[2 * i + 1]), ledger->highest))
            return true;
    return half->doubtful && row->told > 0 &&
           sr_tsn_after(sr_tsn(blocks[2 * row->told - 1]), ledger->highest); /* it repeats what was doubtful */
}

/* A report names a TSN and no copy, and is made at once (RFC 9260 section 6.2): it is noted of the last copy before it.
 * Feedback that was overtaken reports as well as any. */
static void note_dup_frames(struct sr_half *half, const struct sr_sack_row *sack)
{
    const uint32_t *dups = sr_numbers_at(half->journal, sack->lists) + 2 * ((uint32_t)sack->gaps + sack->nr_gaps);
    for (uint32_t i = 0; i < sack->dups; i++) {
        const struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(dups[i]));
        struct sr_transmission_row *row = slot && slot->last_row ? sr_half_tx(half, slot->last_row) : NULL;
        if (row && row->kind == SR_KIND_RETRANSMISSION && row->dup_frame == 0)
            row->dup_frame = sack->frame;
    }
}

/* What a receiver that repeats its reports has in several SACKs in a row tells of one copy. */
static void count_report(const struct sr_half *half, struct sr_ledger_slot *slot, uint32_t sack)
{
    bool repeated = sr_repeats_reports(half) && slot->reported_by != 0 && slot->reported_by == half->feedback;
    slot->reported_by = sack;
    if (!repeated && slot->dups < UINT16_MAX)
        slot->dups++;
}

void sr_fates_feedback(struct sr_half *half, uint32_t row_number)
{
    const struct sr_sack_row *row = sr_sack_at(half->journal, row_number);
    if (half->deciding && row->dups > 0)
        note_dup_frames(half, row);
    struct sr_acknowledgement answer = {row, sack_or_none(half, half->feedback), sack_or_none(half, half->window),
                                        row_number + 1, false};
    if (half->measured.adrift)
        sr_reports_add(&half->reports, row_number + 1);
    bool overtaken = half->feedback && sr_tsn_after(half->cum, sr_tsn(row->cum_tsn));
    if (overtaken || !sr_ledger_follows(&half->ledger, sr_tsn(row->cum_tsn))) { /* it tells nothing of the order */
        sr_ledger_pass_over(&half->ledger);
        return;
    }
    uint32_t blocks = (uint32_t)row->gaps + row->nr_gaps;
    const uint32_t *lists = blocks + row->dups > 0 ? sr_numbers_at(half->journal, row->lists) : NULL;
    answer.doubtful = claims_unseen(half, row, lists, blocks);
    struct newly newly = {
        .newest = half->newest, .supposed = half->supposed, .oldest = UINT32_MAX, .all_sent_once = true};
    newly.step.broken = half->step.broken;
    struct sr_tsn_range several = {sr_tsn(row->cum_tsn + 1), sr_tsn(row->cum_tsn)}; /* empty */

    for (uint32_t i = 0; i < row->dups; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(lists[2 * blocks + i]));
        if (slot)
            count_report(half, slot, row_number + 1);
    }
    struct sr_ledger_walk walk = sr_ledger_take(&half->ledger, row, lists);
    struct sr_reported reported = {0};
    const bool leaves_traces = sr_leaves_traces(half);
    for (struct sr_ledger_slot *slot; (slot = sr_ledger_next_acked(&walk));) {
        cover(half, &answer, slot, &newly);
        if (leaves_traces)
            sr_unreported_covers(half, slot, &reported);
        if (slot->candidates > 1)
            widen(&several, slot->tsn);
    }
    if (half->deciding && several.last.value - several.first.value < SR_RECENT)
        reread(half, &answer, several.first, several.last);
    if (!half->deciding && newly.all_sent_once && newly.single && sr_reading_wants_votes(half))
        sr_reading_vote(half, &answer, newly.single);
    for (uint32_t i = 0; half->deciding && i < row->dups; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(lists[2 * blocks + i]));
        if (slot)
            note_report(half, &answer, slot);
    }
    if (half->deciding && row->dups > 0 && !half->measured.dups_of_network && !sr_repeats_reports(half))
        sr_order_reported(half, &answer, &lists[2 * blocks]);
    if (half->deciding)
        sr_order_arrived(half, &answer, newly.oldest);
    if (leaves_traces)
        sr_unreported_feedback(half, &answer, &reported);
    sr_half_taken_back(half, row);
    sr_release_end(half, &answer, &newly.release);
    half->newest = newly.newest;
    half->supposed = newly.supposed;
    if (!newly.all_sent_once || newly.single) /* else it says nothing that was not said before */
        half->step = newly.step;
    half->step.broken &= !newly.all_sent_once || !newly.single;
    half->feedback = row_number + 1;
    if (row->kind != SR_SACK_KIND_SHUTDOWN)
        half->window = row_number + 1;
    half->cum = sr_tsn(row->cum_tsn);
    half->doubtful = answer.doubtful;
    if (answer.doubtful)
        return;
    half->vouched = half->cum;
    half->has_vouched = true;
}

void sr_fates_forward(struct sr_half *half, struct sr_tsn new_cum)
{
    if (!half->has_forward || sr_tsn_after(new_cum, half->forward))
        half->forward = new_cum;
    half->has_forward = true;
}

void sr_fates_dropped(struct sr_half *half, const struct sr_control_row *row)
{
    const uint32_t *tsns = row->count > 0 ? sr_numbers_at(half->journal, row->lists) : NULL;
    for (uint32_t i = 0; i < row->count; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tsns[i]));
        if (slot)
            slot->copies_dropped = slot->copies;
    }
}

void sr_fates_reset(struct sr_half *half, struct sr_tsn next)
{
    if (!sr_ledger_resets(&half->ledger, next))
        return;
    half->forward = half->ledger.highest;
    half->has_forward = true;
    sr_ledger_reset(&half->ledger, next, sr_verdict_leaves, half);
    half->has_forward = half->has_vouched = half->doubtful = false;
    half->step.sent = (struct sr_arrived){0};
    half->release = (struct sr_release){0};
    half->feedback = half->window = 0;
}

void sr_fates_end(struct sr_half *half)
{
    half->reports = (struct sr_reports){0};
    if (!half->deciding)
        sr_reading_conclude(&half->measured);
    sr_ledger_clear(&half->ledger, sr_verdict_leaves, half);
    half->newest = (struct sr_arrived){0};
    half->supposed = 0;
    half->step = (struct sr_step){0};
    half->release = (struct sr_release){0};
    half->unreported = (struct sr_unreported){0};
    half->feedback = half->window = 0;
    half->has_forward = half->has_vouched = half->doubtful = false;
    half->recent_at = half->open_until = 0;
}
