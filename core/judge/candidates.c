/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy may have come first if a loop lies between it and the acknowledgement, if the receiver had room for it, and if
 * nothing sent after it was reported before it, unless the network is known to reorder as far. */
#include "candidates.h"

#include "../facts/missing.h"
#include "../timeline/blocks.h"
#include "../wire/time.h"
#include "release.h"
#include "step.h"

#define EPSILON_NS INT64_C(20000)

static void collect(const struct sr_half *half, struct sr_covered *covered)
{
    uint32_t row = covered->slot->last_row, copy = covered->slot->copies;
    while (row != 0 && covered->count < SR_COPIES) {
        const struct sr_transmission_row *tx = sr_half_tx(half, row);
        covered->copies[covered->count++] = (struct sr_sent_copy){
            row,      tx->frame,          tx->time_ns,
            tx->path, SR_NEVER_OVERTAKEN, tx->crc == SR_CRC_BAD || copy <= covered->slot->copies_dropped};
        row = tx->prev_row;
        copy--;
    }
    for (uint32_t i = 0; i < covered->count / 2; i++) {
        struct sr_sent_copy swapped = covered->copies[i];
        covered->copies[i] = covered->copies[covered->count - 1 - i];
        covered->copies[covered->count - 1 - i] = swapped;
    }
}

/* By how much later the packet comes at most that was sent as late over the one path as over the other. What takes
 * longer than RTO.Initial (RFC 9260 section 16) would always be sent again before it is answered. */
static int64_t slower_by(const struct sr_half *half, uint32_t path, uint32_t other)
{
    const int64_t longest_ns = INT64_C(1000000000);
    if (!half->path_loops || path == other)
        return 0;
    int64_t typical_ns = sr_typical_to(half, path), other_ns = sr_typical_to(half, other);
    typical_ns = typical_ns == SR_NO_TIME ? longest_ns : typical_ns;
    other_ns = other_ns == SR_NO_TIME ? 0 : other_ns;
    return typical_ns > other_ns ? typical_ns - other_ns : 0;
}

/* What was sent later, in another packet, had arrived before; and when the acknowledgement before was sent, a typical
 * loop ago, this copy had not. What takes a slower path is overtaken by as much as that is slower. */
struct sr_overtaken sr_overtaken_by(const struct sr_half *half, const struct sr_acknowledgement *answer,
                                    const struct sr_sent_copy *copy)
{
    const struct sr_arrived *newest = &half->newest;
    int64_t typical_ns = sr_typical_to(half, copy->path);
    if (newest->row <= copy->row || newest->frame == copy->frame)
        return SR_NEVER_OVERTAKEN;
    int64_t slower_ns = slower_by(half, copy->path, newest->path);
    int64_t lead_ns = sr_between(newest->time_ns, copy->time_ns) - slower_ns;
    if (slower_ns > 0 && lead_ns <= 0)
        return SR_NEVER_OVERTAKEN;
    int64_t missed_ns = answer->before && typical_ns != SR_NO_TIME
                            ? sr_between(answer->before->time_ns, copy->time_ns) - typical_ns
                            : 0;
    return (struct sr_overtaken){lead_ns < 0 ? 0 : lead_ns, missed_ns < 0 ? 0 : missed_ns};
}

static bool is_overtaken(struct sr_overtaken overtaken)
{
    return overtaken.lead_ns >= 0;
}

/* The largest of a sample falls short of the largest there is: a quarter more. And by as much as loops vary a packet
 * may be held up alone, so where some were overtaken, others may be as much. */
static bool network_reorders_so_far(const struct sr_half *half, struct sr_overtaken overtaken)
{
    struct sr_overtaken known = half->measured.reordering;
    int64_t varies_ns = half->measured.receiver.jitter_ns;
    int64_t lead_ns = known.lead_ns + known.lead_ns / 4, late_ns = known.late_ns + known.late_ns / 4;
    return sr_reorders(half) && overtaken.lead_ns <= (lead_ns > varies_ns ? lead_ns : varies_ns) &&
           overtaken.late_ns <= (late_ns > varies_ns ? late_ns : varies_ns);
}

static bool is_of(const struct sr_transmission_row *tx, const struct sr_sent_copy *copies, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && copies[i].frame != tx->frame)
        i++;
    return i < count;
}

/* Another copy may lie in what the capture cut off: at least a loop after the first, as something told that it was
 * missing, a loop before the answer, and in no packet that has one that is seen. */
static bool may_have_come_unseen(const struct sr_half *half, const struct sr_acknowledgement *answer,
                                 const struct sr_sent_copy *copies, uint32_t count)
{
    int64_t loop_ns = half->measured.receiver.floor_ns;
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    if (half->association->side[half->from].blind_bytes == 0)
        return false;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t number = half->recent[(half->recent_at - back) % SR_RECENT];
        const struct sr_transmission_row *tx = sr_half_tx(half, number);
        if (number <= copies[0].row)
            return false;
        if (tx->hides && sr_between(tx->time_ns, copies[0].time_ns) >= loop_ns &&
            sr_between(answer->row->time_ns, tx->time_ns) >= loop_ns && !is_of(tx, copies, count))
            return true;
    }
    return looked == SR_RECENT;
}

void sr_reorders_so_far(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_sent_copy *copy)
{
    struct sr_overtaken *known = &half->measured.reordering, overtaken = copy->overtaken;
    bool may_be_again = half->measured.has_before && copy->time_ns < half->measured.settled_ns;
    half->measured.may_reorder |= half->supposed > copy->row;
    if (may_be_again || may_have_come_unseen(half, answer, copy, 1))
        return;
    known->lead_ns = overtaken.lead_ns > known->lead_ns ? overtaken.lead_ns : known->lead_ns;
    known->late_ns = overtaken.late_ns > known->late_ns ? overtaken.late_ns : known->late_ns;
}

/* The SACK before the answer, whenever it was sent, says that there was no room for it, or at the receiver's own tap
 * the SACK before the copy. A receiver may throw such a chunk away without a word (RFC 9260 section 6.2 asks for an
 * answer; dcSCTP gives none): seen is not accepted. */
static bool meets_closed_window(const struct sr_half *half, const struct sr_acknowledgement *answer,
                                const struct sr_sent_copy *copy)
{
    const struct sr_transmission_row *row = sr_half_tx(half, copy->row);
    bool when_it_came = row->met_closed && sr_is_vantage(half, SR_VANTAGE_RECEIVER);
    return when_it_came || (answer->window && answer->window->a_rwnd < row->bytes);
}

/* That SACK was sent when the copy had come, though a queue had held it up as long as most. */
static bool met_closed_window(const struct sr_half *half, const struct sr_acknowledgement *answer,
                              const struct sr_sent_copy *copy)
{
    const struct sr_receiver_loop *loop = &half->measured.receiver;
    return answer->window && answer->window->a_rwnd < sr_half_tx(half, copy->row)->bytes &&
           sr_between(answer->window->time_ns, copy->time_ns) >= loop->typical_ns + loop->jitter_ns + EPSILON_NS;
}

bool sr_has_room_for(const struct sr_half *half, const struct sr_sack_row *sack, struct sr_tsn tsn)
{
    uint32_t blocks = (uint32_t)sack->gaps + sack->nr_gaps;
    return blocks < SR_SMALLEST_CAP ||
           !sr_tsn_after(tsn, sr_tsn(sr_numbers_at(half->journal, sack->lists)[2 * blocks - 1]));
}

/* What is accepted is acknowledged within 500 ms. At its own tap nothing of what the receiver says is late: there it is
 * told by the next SACK, which says all that it has got (RFC 9260 section 6.2.1), but for what a host takes. Where a
 * duplicate is reported several copies were accepted: as many have to have come since. */
static bool was_ignored(const struct sr_half *half, const struct sr_acknowledgement *answer,
                        const struct sr_covered *covered, const struct sr_sent_copy *copy)
{
    int64_t typical_ns = sr_typical_to(half, copy->path), by_then_ns = sr_time_after(typical_ns, SR_MOST_ACK_DELAY_NS);
    uint32_t dups = covered->slot->dups, since = (uint32_t)(covered->copies + covered->count - 1 - copy);
    if (typical_ns == SR_NO_TIME)
        return false;
    bool at_receiver = sr_is_vantage(half, SR_VANTAGE_RECEIVER);
    int64_t told_by_ns = sr_time_after(typical_ns, SR_ACK_DELAY_NS * 5 / 4);
    if (at_receiver && (dups == 0 || dups < since) && answer->before &&
        sr_between(answer->before->time_ns, copy->time_ns) > told_by_ns &&
        sr_has_room_for(half, answer->before, covered->slot->tsn))
        return true;
    bool no_room_known = meets_closed_window(half, answer, copy) || (at_receiver && !answer->window);
    return dups == 0 && no_room_known && sr_between(answer->row->time_ns, copy->time_ns) > by_then_ns;
}

bool sr_is_in_time(const struct sr_half *half, const struct sr_sack_row *feedback, const struct sr_sent_copy *copy)
{
    int64_t typical_ns = sr_typical_to(half, copy->path);
    return typical_ns != SR_NO_TIME &&
           sr_between(feedback->time_ns, copy->time_ns) <= typical_ns + half->measured.ack_delay_ns * 5 / 4;
}

/* A copy sent later explains the answer, and no packet of the receiver is missing: it said nothing to this one. */
static bool went_unanswered(const struct sr_half *half, const struct sr_acknowledgement *answer,
                            const struct sr_covered *covered, const struct sr_sent_copy *copy)
{
    uint32_t missing;
    if (sr_tells_duplicates(half) || !sr_feedback_missing(half, answer->row, &missing) || missing > 0 ||
        sr_is_in_time(half, answer->row, copy))
        return false;
    for (const struct sr_sent_copy *later = copy + 1; later < covered->copies + covered->count; later++)
        if (!later->discarded && sr_is_in_time(half, answer->row, later) &&
            sr_between(answer->row->time_ns, later->time_ns) >= half->measured.receiver.early_ns - EPSILON_NS)
            return true;
    return false;
}

void sr_candidates_weigh(const struct sr_half *half, const struct sr_acknowledgement *answer,
                         struct sr_covered *covered)
{
    collect(half, covered);
    covered->may_be_unseen = half->deciding && may_have_come_unseen(half, answer, covered->copies, covered->count);
    const struct sr_receiver_loop *loop = &half->measured.receiver;
    uint32_t last_feasible = 0;
    for (uint32_t i = 0; i < covered->count; i++) {
        struct sr_sent_copy *copy = &covered->copies[i];
        int64_t answered_ns = sr_between(answer->row->time_ns, copy->time_ns);
        copy->overtaken = sr_overtaken_by(half, answer, copy);
        bool overtaken = is_overtaken(copy->overtaken);
        bool too_far =
            overtaken && (sr_is_vantage(half, SR_VANTAGE_RECEIVER) || !network_reorders_so_far(half, copy->overtaken));
        bool ruled_out = too_far || copy->discarded;
        covered->by_order |= too_far;
        if (!ruled_out && met_closed_window(half, answer, copy))
            ruled_out = covered->not_accepted = true;
        if (!ruled_out && was_ignored(half, answer, covered, copy))
            ruled_out = covered->not_accepted = covered->by_silence = true;
        if (!ruled_out && covered->on_time == 0)
            covered->on_time = copy->row;
        if (!ruled_out && half->deciding && sr_step_rules_out(half, answer, covered, copy))
            ruled_out = covered->by_step = true;
        if (!ruled_out && went_unanswered(half, answer, covered, copy))
            ruled_out = covered->unanswered = covered->not_accepted = covered->by_silence = true;
        bool is_known = sr_typical_to(half, copy->path) != SR_NO_TIME; /* else nobody knows how soon its path answers */
        if (answered_ns < loop->floor_ns - EPSILON_NS && i > 0 && is_known)
            continue;
        covered->feasible++;
        covered->likely += i == 0 || answered_ns >= loop->early_ns - EPSILON_NS;
        last_feasible = i;
        if (!ruled_out && half->deciding && i > 0 && covered->candidate_count == 1 && covered->candidates[0] == 0 &&
            sr_release_rules_out(half, answer, covered))
            ruled_out = covered->by_release = true;
        if (ruled_out)
            continue;
        covered->overtaken_candidate |= overtaken;
        covered->ignored_candidate |= meets_closed_window(half, answer, copy) && covered->slot->dups == 0;
        covered->candidates[covered->candidate_count++] = i;
    }
    if (covered->candidate_count == 0)
        covered->candidates[covered->candidate_count++] = last_feasible;
}

void sr_candidates_not_last(const struct sr_half *half, struct sr_ledger_slot *slot, uint32_t behind)
{
    const struct sr_transmission_row *last = sr_half_tx(half, slot->last_candidate), *other = sr_half_tx(half, behind);
    bool too_far = sr_is_vantage(half, SR_VANTAGE_RECEIVER) ||
                   !network_reorders_so_far(half, (struct sr_overtaken){sr_between(last->time_ns, other->time_ns), 0});
    if (last->path != other->path || last->frame == other->frame || !too_far)
        return;
    if (slot->reading == SR_READING_COPY && slot->read_row == slot->last_candidate)
        slot->reading = SR_READING_TIE;
    slot->by_order = true;
    slot->last_candidate = last->prev_row;
    slot->candidates--;
    const struct sr_transmission_row *now = sr_half_tx(half, slot->last_candidate);
    struct sr_sent_copy copy = {slot->last_candidate, now->frame, now->time_ns, now->path, SR_NEVER_OVERTAKEN, false};
    slot->in_time = sr_is_in_time(half, sr_half_sack(half, slot->acked_by), &copy);
    slot->doubtful = false; /* that was the last one */
}

void sr_candidates_learn(struct sr_half *half, const struct sr_acknowledgement *answer,
                         const struct sr_covered *covered)
{
    const struct sr_sent_copy *first = &covered->copies[0];
    if (covered->feasible == 1 && !covered->slot->unseen_before && !covered->slot->given_up)
        sr_reorders_so_far(half, answer, first);
}
