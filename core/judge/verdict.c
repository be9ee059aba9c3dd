/* SPDX-License-Identifier: BSD-2-Clause */
/* From the copy that came first to the columns of all copies. */
#include "verdict.h"

#include "../association/kind.h"
#include "../books/inverted.h"
#include "../facts/path_loops.h"
#include "../wire/time.h"
#include "first_arrival.h"
#include "later_copy.h"
#include "reading.h"
#include "verdict_columns.h"

/* Identifications that are no count say so of one pair in 64. */
static bool is_counted_after(const struct sr_half *half, const struct sr_transmission_row *row,
                             const struct sr_transmission_row *other)
{
    return sr_unseen_counts(&half->association->side[half->from].unseen) &&
           sr_is_sent_after(row->packet_id, other->packet_id);
}

/* On the way what was sent first may come last; and where a TSN that came for the first time below others came again,
 * or came over another path, either may be its original that was late. Only a sender that counts its packets tells. So
 * is most likely, behind its acknowledgement, what the path of new data gives back that stood still: copies take
 * another one (RFC 9260 section 6.4.1). `later` is the copy after this one; NULL: none. */
static void doubt_order(const struct sr_half *half, const struct sr_ledger_slot *slot, struct sr_transmission_row *row,
                        const struct sr_transmission_row *before, const struct sr_transmission_row *later)
{
    bool elsewhere = before && before->path != row->path, overtaken = slot->unseen_before || elsewhere;
    bool on_the_way = !sr_is_vantage(half, SR_VANTAGE_SENDER);
    if (!(overtaken || on_the_way) || row->kind != SR_KIND_RETRANSMISSION)
        return;
    bool first = !before && later && !is_counted_after(half, later, row);
    bool other = before && !is_counted_after(half, row, before);
    uint8_t most = first ? 3 : other ? 4 : 5;
    row->verdict_class = row->verdict_class < most ? row->verdict_class : most;
    if (other && elsewhere && row->path == half->measured.first_path && row->evidence & sr_bit(SR_EVIDENCE_S2))
        sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S11));
}

/* A copy before the capture may have arrived, or the first one seen is the first one sent. */
static bool is_open(const struct sr_ledger_slot *slot)
{
    return slot->may_be_original || (slot->sent_before && !slot->settled);
}

/* The first copy seen, of which there was one before: that was lost before the tap, unless it passed before the
 * capture. Duplicate reports tell whether that arrived. What no known sender would have sent again may only be late. */
static void unseen_before(const struct sr_half *half, const struct sr_ledger_slot *slot,
                          struct sr_transmission_row *row)
{
    uint8_t class = row->kind == row->seen_kind && row->cause != SR_CAUSE_UNKNOWN ? 4 : 3;
    if (!is_open(slot))
        sr_set_verdict(half, row, SR_VERDICT_NEEDED, class, sr_bit(SR_EVIDENCE_S14));
    else if (slot->dups >= slot->copies)
        sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, half->measured.dups_of_network ? 3 : 4,
                       sr_bit(slot->copies == 1 ? SR_EVIDENCE_S3 : SR_EVIDENCE_S4));
    else if (sr_tells_duplicates(half) && slot->dups == 0 && slot->copies == 1 && slot->in_time)
        sr_set_verdict(half, row, SR_VERDICT_NEEDED, 3, sr_bit(SR_EVIDENCE_S10));
    else
        sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S11));
}

/* The last feedback was sent when the copy had come, if it did, and says all that had (RFC 9260 section 6.2.1). */
static bool was_passed_over(const struct sr_half *half, const struct sr_ledger_slot *slot,
                            const struct sr_transmission_row *copy)
{
    const struct sr_sack_row *last =
        half->window ? sr_half_sack(half, half->window) : NULL; /* a SHUTDOWN has no gaps */
    int64_t typical_ns = sr_typical_to(half, copy->path);
    return last && typical_ns != SR_NO_TIME && sr_has_room_for(half, last, slot->tsn) &&
           sr_between(last->time_ns, copy->time_ns) > sr_time_after(typical_ns, sr_reading_tolerance_ns(half));
}

/* Never acknowledged while it was looked at. */
static void not_acknowledged(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    bool given_up = half->has_forward && !sr_tsn_after(slot->tsn, half->forward);
    uint32_t number = slot->last_row;
    while (number != 0) {
        struct sr_transmission_row *row = sr_half_left(half, number);
        bool unseen = row->prev_row == 0 && slot->unseen_before;
        sr_set_outcome(row, given_up ? SR_OUTCOME_ABANDONED : SR_OUTCOME_UNRESOLVED, 1);
        if (unseen && !slot->sent_before && !slot->may_be_original)
            sr_set_verdict(half, row, SR_VERDICT_NEEDED, 3, sr_bit(SR_EVIDENCE_S14));
        else if (row->prev_row != 0 && !given_up && !is_open(slot) && !slot->reneged &&
                 was_passed_over(half, slot, sr_half_left(half, row->prev_row)))
            sr_set_verdict(half, row, SR_VERDICT_NEEDED, 3, 0);
        else
            sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
        number = row->prev_row;
    }
}

/* A FORWARD-TSN moved the cumulative TSN over it: that this covers it does not say that it arrived; a block would. */
static bool only_passed_over(const struct sr_ledger_slot *slot, bool by_gap)
{
    return slot->given_up && !by_gap;
}

static void passed_over(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    uint32_t number = slot->last_row;
    while (number != 0) {
        struct sr_transmission_row *row = sr_half_left(half, number);
        bool overtaken = slot->dups == 0 && (slot->on_time == 0 || number < slot->on_time); /* reported, it was late */
        bool first_seen = row->prev_row == 0, before_overtaken = slot->on_time == 0 || row->prev_row < slot->on_time;
        sr_set_outcome(row, overtaken ? SR_OUTCOME_LOST : SR_OUTCOME_ABANDONED, overtaken ? 4 : 1);
        if (before_overtaken && (!first_seen || slot->unseen_before) && !is_open(slot))
            sr_set_verdict(half, row, SR_VERDICT_NEEDED, 4, sr_bit(first_seen ? SR_EVIDENCE_S14 : SR_EVIDENCE_S20));
        else
            sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
        number = row->prev_row;
    }
}

/* The receiver took the TSN back before this copy was sent: the copies before were discarded there after all. Which of
 * several such copies it took then is not known. */
static void dropped(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t copy,
                    struct sr_transmission_row *row)
{
    if (copy == slot->copies_reneged + 1u)
        sr_set_verdict(half, row, SR_VERDICT_NEEDED, 4, sr_bit(SR_EVIDENCE_S15));
    else
        sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
    sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
}

/* Who says that it has arrived says by which feedback, also where the books had no room for it. */
static void note_feedback(const struct sr_half *half, const struct sr_ledger_slot *slot,
                          struct sr_transmission_row *row)
{
    const struct sr_sack_row *sack = sr_half_sack(half, slot->acked_by);
    if (row->acked_frame != 0 && row->acked_frame <= sack->frame)
        return;
    row->acked_frame = sack->frame;
    row->acked_time_ns = sack->time_ns;
}

/* Of n copies, with d reports of duplicates, d + 1 arrived: one before copy k did for certain where k > n - d. Which of
 * those before it did the reports do not say (RFC 3708 section 4). */
static bool may_be_first(const struct sr_first_arrival *first, const struct sr_ledger_slot *slot, uint32_t copy)
{
    return first->counted && copy + slot->dups <= slot->copies;
}

/* If each of those that may have come first was as likely to come, it is seldom that none before this one did: of the
 * copies of which one is the first, `of_later` and one, d + 1 came, and all of them from this one on. */
static bool is_hardly_first(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t copy,
                            uint32_t of_later)
{
    const double seldom = 0.1; /* class 3 is right in 88 of 100 */
    double none_before = 1;
    for (uint32_t i = 0; i <= slot->dups && none_before > seldom; i++)
        none_before = none_before * (slot->copies - copy + 1 - i) / (of_later + 1 - i);
    return none_before <= seldom && !half->measured.dups_of_network;
}

/* pion tells of no duplicates: what comes to it later than the answer to the next copy leaves no trace, and that it was
 * lost is only more frequent. At its own tap it would be seen to come. */
static uint8_t lost_class(const struct sr_half *half, uint8_t class, uint64_t evidence)
{
    bool ruled_out = evidence & sr_bit(SR_EVIDENCE_S21);
    uint8_t most = sr_is_silent(half) && !ruled_out && !sr_is_vantage(half, SR_VANTAGE_RECEIVER) ? 3 : 4;
    return class < most ? class : most;
}

/* One that the capture cut off may have arrived before it. */
static uint8_t needed_class(const struct sr_half *half, const struct sr_ledger_slot *slot, uint8_t class,
                            uint64_t evidence)
{
    uint8_t most = slot->may_be_unseen ? 3 : 4;
    class = lost_class(half, class, evidence);
    return class < most ? class : most;
}

/* Nobody can tell which of the candidates came first. What was sent up to the first of them was needed whichever it
 * was, as nothing before it had come; what was sent after the last was not. */
static void one_of_several(const struct sr_half *half, const struct sr_ledger_slot *slot,
                           struct sr_transmission_row *row, uint32_t number)
{
    bool none_before = number <= slot->first_candidate && slot->candidates > 1 && !is_open(slot);
    bool one_before = number > slot->last_candidate && slot->candidates > 1;
    if (none_before)
        sr_set_verdict(half, row, SR_VERDICT_NEEDED, sr_class_of_ruled_out(half, slot), sr_evidence_of_ruled_out(slot));
    else if (one_before)
        sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, slot->clearly_early ? 4 : 3,
                       sr_bit(slot->clearly_early ? SR_EVIDENCE_S8 : SR_EVIDENCE_S9));
    else
        sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S11));
}

/* What a capture holds behind its acknowledgement may have passed before it, where new data is held so. */
static bool may_be_inverted(const struct sr_half *half, const struct sr_transmission_row *row)
{
    return half->measured.inverted && sr_is_inverted(row);
}

/* Of the copies behind the acknowledgement the first is the nearest. */
static bool is_any_inverted(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    const struct sr_transmission_row *row = NULL;
    uint32_t number = slot->last_row;
    for (uint32_t after = (uint32_t)slot->copies - slot->copies_before; after > 0 && number != 0; after--) {
        row = sr_half_left(half, number);
        number = row->prev_row;
    }
    return row && may_be_inverted(half, row);
}

static void acknowledged(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    struct sr_first_arrival first =
        is_any_inverted(half, slot) ? (struct sr_first_arrival){0} : sr_first_arrival_of(half, slot);
    uint32_t number = slot->last_row, after = (uint32_t)slot->copies - slot->copies_before, of_later = 0;
    uint32_t copy = slot->copies;
    const struct sr_transmission_row *later = NULL;
    bool by_gap = sr_tsn_after(slot->tsn, sr_tsn(sr_half_sack(half, slot->acked_by)->cum_tsn));
    uint64_t of_receiver = slot->not_accepted ? sr_bit(SR_EVIDENCE_S21) : 0;
    if (only_passed_over(slot, by_gap)) {
        passed_over(half, slot);
        return;
    }
    for (uint32_t at = number; at != 0 && first.row != 0 && at > first.row; at = sr_half_left(half, at)->prev_row)
        of_later++;
    while (number != 0) {
        struct sr_transmission_row *row = sr_half_left(half, number);
        bool unseen = row->prev_row == 0 && slot->unseen_before;
        row->acked_by_gap = by_gap;
        note_feedback(half, slot, row);
        if (slot->reneged && copy > slot->copies_reneged) {
            after -= after > 0;
            dropped(half, slot, copy, row);
        } else if (after > 0 && may_be_inverted(half, row)) {
            after--;
            sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S18));
            sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
        } else if (after > 0) { /* sent after the acknowledgement passed the tap */
            after--;
            bool at_sender = sr_is_vantage(half, SR_VANTAGE_SENDER);
            sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, sr_class_of_certain(half, slot),
                           sr_bit(at_sender ? SR_EVIDENCE_S17 : SR_EVIDENCE_S2));
            sr_set_outcome_of_later(half, slot, of_later, row);
        } else if (unseen && slot->early_for_all) {
            sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, 4,
                           sr_bit(SR_EVIDENCE_S8)); /* the copy before was not captured */
            sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
        } else if (unseen) {
            uint8_t class = row->kind == row->seen_kind ? 4 : 3;
            unseen_before(half, slot, row);
            if (first.row == 0 || is_open(slot))
                class = 2; /* or a later one, or one before the capture */
            else if (first.row != number)
                class = 3;
            else if (sr_is_vantage(half, SR_VANTAGE_RECEIVER))
                class = sr_class_of_seen(half); /* whatever it is */
            sr_set_outcome(row, first.row == 0 || number >= first.row ? SR_OUTCOME_ACKED : SR_OUTCOME_LOST, class);
        } else if (first.row == 0) {
            one_of_several(half, slot, row, number);
            bool possible = number >= slot->first_candidate;
            sr_set_outcome(row, possible ? SR_OUTCOME_ACKED : SR_OUTCOME_LOST, possible ? 2 : 4);
        } else if (number > first.row && number <= slot->last_candidate && may_be_first(&first, slot, copy)) {
            bool hardly = is_hardly_first(half, slot, copy, of_later);
            sr_set_verdict(half, row, hardly ? SR_VERDICT_SPURIOUS : SR_VERDICT_UNDETERMINED, hardly ? 3 : 2,
                           first.evidence);
            sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
        } else if (number > first.row) {
            bool is_certain = first.evidence & sr_bit(SR_EVIDENCE_S8) && sr_is_told_twice(half, slot, row);
            uint8_t class = is_certain ? sr_class_of_certain(half, slot) : first.class;
            sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, class, first.evidence);
            sr_set_outcome_of_later(half, slot, of_later, row);
        } else {
            if (is_open(slot))
                sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S11));
            else
                sr_set_verdict(half, row, SR_VERDICT_NEEDED,
                               needed_class(half, slot, first.class, first.evidence | of_receiver),
                               first.evidence | of_receiver);
            if (number == first.row)
                sr_set_outcome(row, SR_OUTCOME_ACKED, may_be_first(&first, slot, 2) ? 2 : first.class);
            else
                sr_set_outcome(row, SR_OUTCOME_LOST, lost_class(half, first.class, first.evidence | of_receiver));
        }
        if (slot->original_late) /* it has left, and comes to the receiver as it came to the tap */
            sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, sr_class_of_likely(half, 3), sr_bit(SR_EVIDENCE_S1));
        number = row->prev_row;
        doubt_order(half, slot, row, number ? sr_half_left(half, number) : NULL, later);
        later = row;
        copy--;
    }
}

/* What was sent before the copies that were seen has arrived: they were not needed. */
static void acked_unseen(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    bool at_sender = sr_is_vantage(half, SR_VANTAGE_SENDER);
    for (uint32_t number = slot->last_row; number != 0;) {
        struct sr_transmission_row *row = sr_half_left(half, number);
        number = row->prev_row;
        if (row->acked_frame == 0 || row->acked_frame > row->frame) { /* by which feedback is forgotten */
            sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
            sr_set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
            continue;
        }
        if (may_be_inverted(half, row)) {
            sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, sr_bit(SR_EVIDENCE_S18));
            sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
            continue;
        }
        bool may_be_late = row->prev_row == 0; /* behind a copy that was not captured */
        uint8_t class = may_be_late ? 4 : sr_class_of_certain(half, slot);
        sr_set_verdict(half, row, SR_VERDICT_SPURIOUS, class, sr_bit(at_sender ? SR_EVIDENCE_S17 : SR_EVIDENCE_S2));
        sr_set_outcome(row, SR_OUTCOME_ACKED, sr_class_of_likely(half, 2));
    }
}

/* It was missed, or its timer may have run out: it may have been sent again in a packet that the capture missed. */
static bool may_be_again(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    int64_t waited_ns =
        sr_between(sr_half_sack(half, slot->acked_by)->time_ns, sr_half_left(half, slot->last_row)->time_ns);
    return slot->passed_over ||
           waited_ns >= sr_time_after(half->measured.shortest_rto_ns, half->measured.receiver.floor_ns);
}

/* Most are. */
static bool sent_once_and_arrived(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    if (slot->copies != 1 || slot->acked_by == 0 || slot->copies_before == 0 || slot->unseen_before || slot->given_up)
        return false;
    struct sr_transmission_row *row = sr_half_left(half, slot->last_row);
    bool may_be_before = half->measured.has_before && row->time_ns < half->measured.settled_ns; /* the capture */
    uint8_t class = may_be_before || may_be_again(half, slot) ? 4 : sr_class_of_certain(half, slot);
    note_feedback(half, slot, row);
    if (row->outcome != SR_OUTCOME_ACKED || row->outcome_class != class) /* bookkeeping mostly says the same */
        sr_set_outcome(row, SR_OUTCOME_ACKED, class);
    if (row->probe != SR_NO_WORD)
        row->acked_by_gap = sr_tsn_after(slot->tsn, sr_tsn(sr_half_sack(half, slot->acked_by)->cum_tsn));
    return true;
}

bool sr_shows_loss(const struct sr_transmission_row *row)
{
    return row->outcome == SR_OUTCOME_LOST || (row->copy == 1 && row->verdict == SR_VERDICT_NEEDED);
}

static bool any_lost(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    for (uint32_t number = slot->last_row; number != 0; number = sr_half_left(half, number)->prev_row)
        if (sr_shows_loss(sr_half_left(half, number)))
            return true;
    return false;
}

void sr_verdict_leaves(void *context, const struct sr_ledger_slot *slot)
{
    struct sr_half *half = context;
    if (!half->deciding)
        return;
    if (sent_once_and_arrived(half, slot))
        return;
    if (slot->acked_unseen && !slot->reneged)
        acked_unseen(half, slot);
    else if (slot->acked_by == 0)
        not_acknowledged(half, slot);
    else
        acknowledged(half, slot);
    half->lost_tsns += any_lost(half, slot);
}

void sr_verdict_out_of_reach(const struct sr_half *half, struct sr_transmission_row *row)
{
    sr_set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
    sr_set_verdict(half, row, SR_VERDICT_UNDETERMINED, 1, 0);
}
