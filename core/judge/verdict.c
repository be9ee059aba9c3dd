/* SPDX-License-Identifier: BSD-2-Clause */
/* From the copy that came first to the columns of all copies. */
#include "verdict.h"

#include "../association/kind.h"
#include "../books/belief.h"
#include "../facts/path_loops.h"
#include "../facts/repeated.h"
#include "../wire/time.h"
#include "cause_evidence.h"
#include "first_arrival.h"
#include "reading.h"

static uint64_t bit(enum sr_evidence code)
{
    return UINT64_C(1) << code;
}

/* What the books took for final is not where nothing is known, or where a verdict rests on more. */
static void set_outcome(struct sr_transmission_row *row, enum sr_outcome outcome, uint8_t class)
{
    if (outcome == SR_OUTCOME_UNRESOLVED)
        row->resolved_frame = 0;
    row->outcome = (uint8_t)outcome;
    row->outcome_class = class;
}

/* How sure it is that the sender did send it again, and no network that repeats packets: a replay that had marked it
 * may be wrong, what only the occasion tells more often. 0: nothing that was seen moved the sender, and no timer is so
 * short. */
static uint8_t class_of_sent_again(const struct sr_half *half, const struct sr_transmission_row *row)
{
    if (!sr_comes_as_repeated(half, row, SR_LEAST_RTO_NS))
        return 5;
    bool marked = (row->evidence & SR_EVIDENCE_OF_CAUSES) != 0;
    if (row->cause == SR_CAUSE_UNKNOWN || (row->cause == SR_CAUSE_T3 && !marked))
        return 0;
    return marked ? 4 : 3;
}

/* It is never surer than that the sender did send it again. */
static void set_verdict(const struct sr_half *half, struct sr_transmission_row *row, enum sr_verdict verdict,
                        uint8_t class, uint64_t evidence)
{
    if (row->kind != SR_KIND_RETRANSMISSION)
        return;
    uint8_t most = class_of_sent_again(half, row);
    row->resolved_frame = 0;
    row->verdict = (uint8_t)(most > 0 ? verdict : SR_VERDICT_UNDETERMINED);
    row->verdict_class = most == 0 ? 2 : class < most ? class : most;
    row->evidence = (row->evidence & SR_EVIDENCE_OF_CAUSES) | evidence;
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
    bool first = !before && later && !sr_is_sent_after(later->packet_id, row->packet_id);
    bool other = before && !sr_is_sent_after(row->packet_id, before->packet_id);
    uint8_t most = first ? 3 : other ? 4 : 5;
    row->verdict_class = row->verdict_class < most ? row->verdict_class : most;
    if (other && elsewhere && row->path == half->measured.first_path && row->evidence & bit(SR_EVIDENCE_S2))
        set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, bit(SR_EVIDENCE_S11));
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
        set_verdict(half, row, SR_VERDICT_NEEDED, class, bit(SR_EVIDENCE_S14));
    else if (slot->dups >= slot->copies)
        set_verdict(half, row, SR_VERDICT_SPURIOUS, half->measured.dups_of_network ? 3 : 4,
                    bit(slot->copies == 1 ? SR_EVIDENCE_S3 : SR_EVIDENCE_S4));
    else if (sr_tells_duplicates(half) && slot->dups == 0 && slot->copies == 1 && slot->in_time)
        set_verdict(half, row, SR_VERDICT_NEEDED, 3, bit(SR_EVIDENCE_S10));
    else
        set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, bit(SR_EVIDENCE_S11));
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
        set_outcome(row, given_up ? SR_OUTCOME_ABANDONED : SR_OUTCOME_UNRESOLVED, 1);
        if (unseen && !slot->sent_before && !slot->may_be_original)
            set_verdict(half, row, SR_VERDICT_NEEDED, 3, bit(SR_EVIDENCE_S14));
        else if (row->prev_row != 0 && !given_up && !is_open(slot) && !slot->reneged &&
                 was_passed_over(half, slot, sr_half_left(half, row->prev_row)))
            set_verdict(half, row, SR_VERDICT_NEEDED, 3, 0);
        else
            set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
        number = row->prev_row;
    }
}

/* usrsctp rebuilds an acknowledgement that waits to be sent, when the list of duplicates is empty again: of what
 * arrives so close together there may be no report. */
static bool came_together(const struct sr_half *half, const struct sr_ledger_slot *slot,
                          const struct sr_transmission_row *row)
{
    const int64_t together_ns = 1000000;
    int64_t apart_ns;
    return slot->first_candidate != 0 &&
           sr_elapsed(row->time_ns, sr_half_left(half, slot->first_candidate)->time_ns, &apart_ns) &&
           apart_ns <= together_ns;
}

/* Whether feedback passed the tap when a report of this copy would have: what comes twice is reported at once (RFC 9260
 * section 6.2), with the next SACK and with no other. */
static bool report_was_due(const struct sr_half *half, const struct sr_ledger_slot *slot,
                           const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 1024 }; /* acknowledgements, also of others: a limit on what a copy costs */
    enum { FULL = 16 };        /* Linux reports no more at once (SCTP_MAX_DUP_TSNS), usrsctp and dcSCTP 20 */
    const struct sr_receiver_loop *loop = &half->measured.receiver;
    int64_t typical_ns = sr_typical_to(half, row->path),
            latest_ns = sr_time_after(typical_ns, sr_reading_tolerance_ns(half));
    if (typical_ns == SR_NO_TIME)
        return true;
    uint32_t count = (uint32_t)half->journal->sacks.count;
    for (uint32_t i = 0, number = slot->acked_by; i < LOOKED_AT; i++, number++) {
        if (number > count)
            return false;
        const struct sr_sack_row *sack = sr_half_sack(half, number);
        int64_t after_ns = sr_between(sack->time_ns, row->time_ns);
        if (after_ns > latest_ns)
            return false;
        bool may_report =
            sr_is_believed(sack) && sack->repeats == 0 && sack->kind != SR_SACK_KIND_SHUTDOWN && sack->dups < FULL;
        if (may_report && sack->assoc == row->assoc && sack->from != half->from && after_ns >= loop->floor_ns)
            return true;
    }
    return true;
}

/* At its own tap: a closed window lets the receiver throw away whatever comes, and one that says nothing any more may
 * have gone. */
static bool may_be_thrown_away(const struct sr_half *half, const struct sr_transmission_row *row)
{
    return row->met_closed || half->feedback == 0 || sr_half_sack(half, half->feedback)->frame < row->frame;
}

/* What became of a copy sent after the one that arrived first, before the acknowledgement. */
static void later_copy(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t of_later,
                       struct sr_transmission_row *row)
{
    if (sr_is_vantage(half, SR_VANTAGE_RECEIVER))
        set_outcome(row, SR_OUTCOME_ACKED,
                    may_be_thrown_away(half, row) ? sr_class_of_likely(half, 4) : sr_class_of_seen(half));
    else if (!half->measured.dups_reported)
        set_outcome(row, SR_OUTCOME_ACKED, 2); /* most do */
    else if (slot->dups == 0 && came_together(half, slot, row))
        set_outcome(row, SR_OUTCOME_ACKED, 2);
    else if (slot->dups >= of_later)
        set_outcome(row, SR_OUTCOME_ACKED, 4);
    else if (row->reported)
        set_outcome(row, SR_OUTCOME_ACKED, 3);
    else if (!report_was_due(half, slot, row))
        set_outcome(row, SR_OUTCOME_ACKED, 2); /* most do, and its report was lost */
    else
        set_outcome(row, SR_OUTCOME_LOST, 2); /* or its report was lost among others */
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
        set_outcome(row, overtaken ? SR_OUTCOME_LOST : SR_OUTCOME_ABANDONED, overtaken ? 4 : 1);
        if (before_overtaken && (!first_seen || slot->unseen_before) && !is_open(slot))
            set_verdict(half, row, SR_VERDICT_NEEDED, 4, bit(first_seen ? SR_EVIDENCE_S14 : SR_EVIDENCE_S20));
        else
            set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
        number = row->prev_row;
    }
}

/* The receiver took the TSN back before this copy was sent: the copies before were discarded there after all. Which of
 * several such copies it took then is not known. */
static void dropped(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t copy,
                    struct sr_transmission_row *row)
{
    if (copy == slot->copies_reneged + 1u)
        set_verdict(half, row, SR_VERDICT_NEEDED, 4, bit(SR_EVIDENCE_S15));
    else
        set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
    set_outcome(row, SR_OUTCOME_ACKED, 2);
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

/* One that the capture cut off may have arrived before it. */
static uint8_t needed_class(const struct sr_ledger_slot *slot, uint8_t class)
{
    uint8_t most = slot->may_be_unseen ? 3 : 4;
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
        set_verdict(half, row, SR_VERDICT_NEEDED, sr_class_of_ruled_out(half, slot), sr_evidence_of_ruled_out(slot));
    else if (one_before)
        set_verdict(half, row, SR_VERDICT_SPURIOUS, slot->clearly_early ? 4 : 3,
                    bit(slot->clearly_early ? SR_EVIDENCE_S8 : SR_EVIDENCE_S9));
    else
        set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, bit(SR_EVIDENCE_S11));
}

static void acknowledged(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    struct sr_first_arrival first = sr_first_arrival_of(half, slot);
    uint32_t number = slot->last_row, after = (uint32_t)slot->copies - slot->copies_before, of_later = 0;
    uint32_t copy = slot->copies;
    const struct sr_transmission_row *later = NULL;
    bool by_gap = sr_tsn_after(slot->tsn, sr_tsn(sr_half_sack(half, slot->acked_by)->cum_tsn));
    uint64_t of_receiver = slot->not_accepted ? bit(SR_EVIDENCE_S21) : 0;
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
        } else if (after > 0) { /* sent after the acknowledgement passed the tap */
            after--;
            bool at_sender = sr_is_vantage(half, SR_VANTAGE_SENDER);
            set_verdict(half, row, SR_VERDICT_SPURIOUS, sr_class_of_certain(half, slot),
                        bit(at_sender ? SR_EVIDENCE_S17 : SR_EVIDENCE_S2));
            later_copy(half, slot, of_later, row);
        } else if (unseen && slot->early_for_all) {
            set_verdict(half, row, SR_VERDICT_SPURIOUS, 4, bit(SR_EVIDENCE_S8)); /* the copy before was not captured */
            set_outcome(row, SR_OUTCOME_ACKED, 2);
        } else if (unseen) {
            uint8_t class = row->kind == row->seen_kind ? 4 : 3;
            unseen_before(half, slot, row);
            if (first.row == 0 || is_open(slot))
                class = 2; /* or a later one, or one before the capture */
            else if (first.row != number)
                class = 3;
            else if (sr_is_vantage(half, SR_VANTAGE_RECEIVER))
                class = sr_class_of_seen(half); /* whatever it is */
            set_outcome(row, first.row == 0 || number >= first.row ? SR_OUTCOME_ACKED : SR_OUTCOME_LOST, class);
        } else if (first.row == 0) {
            one_of_several(half, slot, row, number);
            bool possible = number >= slot->first_candidate;
            set_outcome(row, possible ? SR_OUTCOME_ACKED : SR_OUTCOME_LOST, possible ? 2 : 4);
        } else if (number > first.row && number <= slot->last_candidate && may_be_first(&first, slot, copy)) {
            set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, first.evidence);
            set_outcome(row, SR_OUTCOME_ACKED, 2);
        } else if (number > first.row) {
            bool is_certain = first.evidence & bit(SR_EVIDENCE_S8) && sr_is_told_twice(half, slot, row);
            uint8_t class = is_certain ? sr_class_of_certain(half, slot) : first.class;
            set_verdict(half, row, SR_VERDICT_SPURIOUS, class, first.evidence);
            later_copy(half, slot, of_later, row);
        } else {
            if (is_open(slot))
                set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, bit(SR_EVIDENCE_S11));
            else
                set_verdict(half, row, SR_VERDICT_NEEDED, needed_class(slot, first.class),
                            first.evidence | of_receiver);
            if (number == first.row)
                set_outcome(row, SR_OUTCOME_ACKED, may_be_first(&first, slot, 2) ? 2 : first.class);
            else
                set_outcome(row, SR_OUTCOME_LOST, first.class > 4 ? 4 : first.class);
        }
        if (slot->original_late) /* it has left, and comes to the receiver as it came to the tap */
            set_verdict(half, row, SR_VERDICT_SPURIOUS, sr_class_of_likely(half, 3), bit(SR_EVIDENCE_S1));
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
            set_verdict(half, row, SR_VERDICT_UNDETERMINED, 2, 0);
            set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
            continue;
        }
        bool may_be_late = row->prev_row == 0; /* behind a copy that was not captured */
        uint8_t class = may_be_late ? 4 : sr_class_of_certain(half, slot);
        set_verdict(half, row, SR_VERDICT_SPURIOUS, class, bit(at_sender ? SR_EVIDENCE_S17 : SR_EVIDENCE_S2));
        set_outcome(row, SR_OUTCOME_ACKED, sr_class_of_likely(half, 2));
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
        set_outcome(row, SR_OUTCOME_ACKED, class);
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

/* The transmission that it repeats: the latest or the first copy (sr_kind_of), so few rows back where nothing odd goes
 * on. The limit bounds the cost of a TSN with thousands of rows; beyond it, what was seen before stands for it. */
static const struct sr_transmission_row *repeated_by(const struct sr_half *half, const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 8 };
    uint32_t number = row->prev_row;
    for (int i = 0; i < LOOKED_AT && number != 0; i++) {
        const struct sr_transmission_row *same = sr_half_left(half, number);
        if (same->copy == row->copy)
            return same;
        number = same->prev_row;
    }
    return row->prev_row ? sr_half_left(half, row->prev_row) : NULL;
}

void sr_verdict_duplicate(const struct sr_half *half, struct sr_transmission_row *row)
{
    const struct sr_transmission_row *same = repeated_by(half, row);
    if (!same) {
        set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
        return;
    }
    bool arrived = same->outcome == SR_OUTCOME_ACKED && row->kind == SR_KIND_NETWORK_DUPLICATE;
    set_outcome(row, (enum sr_outcome)same->outcome, same->outcome_class);
    row->acked_frame = same->acked_frame;
    row->acked_time_ns = same->acked_time_ns;
    bool resolved = same->resolved_frame != 0 && row->kind == SR_KIND_CAPTURE_DUPLICATE;
    row->resolved_frame = !resolved ? 0 : same->resolved_frame > row->frame ? same->resolved_frame : row->frame;
    if (arrived)
        row->outcome_class = sr_class_of_likely(half, 2);
    else if (row->kind == SR_KIND_NETWORK_DUPLICATE && row->outcome_class > 3)
        row->outcome_class = 3; /* what says that the receiver did not have it says so of both */
}

void sr_verdict_out_of_reach(const struct sr_half *half, struct sr_transmission_row *row)
{
    set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
    set_verdict(half, row, SR_VERDICT_UNDETERMINED, 1, 0);
}
