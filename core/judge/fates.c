/* SPDX-License-Identifier: BSD-2-Clause */
/* The evidence at the first acknowledgement of a TSN. A copy may have come first if a loop lies between it and the
 * acknowledgement, and if nothing sent after it was reported before it, unless the network is known to reorder as far.
 */
#include "fates.h"

#include <string.h>

#include "../association/kind.h"
#include "../wire/time.h"
#include "verdict.h"

enum { COPIES = 32 }; /* of one TSN that are looked at: the latest */

#define NEVER_OVERTAKEN (-1)
#define LEAST_TOLERANCE_NS INT64_C(10000000) /* timers of some stacks tick every 10 ms */
#define EPSILON_NS INT64_C(20000)
#define MOST_ACK_DELAY_NS INT64_C(550000000) /* RFC 9260 section 6.2: 500 ms; and what hosts take */

struct copy {
    uint32_t row; /* 1 + row */
    uint32_t frame;
    int64_t time_ns;
    int64_t overtaken_ns; /* by how much at least, or NEVER_OVERTAKEN */
    bool discarded; /* a wrong checksum (RFC 9260 section 6.8), a closed window (section 6.2), or a PACKET-DROP chunk */
};

/* One TSN at its first acknowledgement. */
struct covered {
    struct sr_ledger_slot *slot;
    struct copy copies[COPIES]; /* oldest first */
    uint32_t count;
    uint32_t candidates[COPIES]; /* index into copies */
    uint32_t candidate_count;
    uint32_t on_time;  /* 1 + row of the first copy that was not overtaken further than the network reorders; 0: none */
    uint32_t feasible; /* copies that a loop separates from the acknowledgement */
    uint32_t likely;   /* that one most likely does */
    bool overtaken_candidate;
    bool ignored_candidate; /* one met a window that was said to be closed */
    bool by_silence;        /* a copy would have been answered */
    bool by_order;          /* a copy was overtaken too far to be one */
};

/* The acknowledgement that is looked at, and the ones before. */
struct answer {
    const struct sr_sack_row *row, *before; /* `before` may be NULL */
    const struct sr_sack_row *window;       /* the last before it that tells the receiver's window; NULL: none */
    uint32_t number;                        /* 1 + row */
    bool doubtful;                          /* it claims more than was seen sent by then */
};

static const struct sr_sack_row *sack_or_none(const struct sr_half *half, uint32_t row_and_one)
{
    return row_and_one ? sr_half_sack(half, row_and_one) : NULL;
}

static int64_t saturated(int64_t a_ns, int64_t b_ns)
{
    int64_t elapsed_ns;
    return sr_elapsed(a_ns, b_ns, &elapsed_ns) ? elapsed_ns : 0;
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
            sr_verdict_out_of_reach(row);
        return;
    }
    if (row->prev_row != slot->last_row) /* bookkeeping mostly says the same: a page that stays clean costs nothing */
        row->prev_row = slot->last_row;
    sr_ledger_count(slot);
    slot->unseen_before |= slot->copies == 1 && row->kind == SR_KIND_RETRANSMISSION;
    if (slot->copies == 1 && slot->unseen_before) {
        slot->may_be_original = may_be_original(half, row) || row->copy > 1; /* or one before it is forgotten */
        slot->acked_unseen = slot->skip > 0 || (half->feedback != 0 && !sr_tsn_after(slot->tsn, half->cum));
    }
    if (slot->acked_unseen && half->deciding)
        note_feedback_before(half, row);
    slot->by_doubtful |= slot->acked_unseen && slot->copies == 1 && is_doubtful(half, slot->tsn);
    slot->sent_before =
        slot->unseen_before && half->measured.has_before && !sr_tsn_after(slot->tsn, half->measured.before);
    slot->original_late |= slot->copies > 1 && row->kind == SR_KIND_REORDERED;
    slot->last_row = row_number + 1;
    half->recent[half->recent_at++ % SR_RECENT] = row_number + 1;
}

static void collect(const struct sr_half *half, struct covered *covered)
{
    uint32_t row = covered->slot->last_row, copy = covered->slot->copies;
    covered->count = 0;
    while (row != 0 && covered->count < COPIES) {
        const struct sr_transmission_row *tx = sr_half_tx(half, row);
        covered->copies[covered->count++] =
            (struct copy){row, tx->frame, tx->time_ns, NEVER_OVERTAKEN,
                          tx->crc == SR_CRC_BAD || copy <= covered->slot->copies_dropped};
        row = tx->prev_row;
        copy--;
    }
    for (uint32_t i = 0; i < covered->count / 2; i++) {
        struct copy swapped = covered->copies[i];
        covered->copies[i] = covered->copies[covered->count - 1 - i];
        covered->copies[covered->count - 1 - i] = swapped;
    }
}

/* What was sent later, in another packet, had arrived before; and when the acknowledgement before was sent, a typical
 * loop ago, this copy had not. */
static int64_t overtaken_by(const struct sr_half *half, const struct answer *answer, const struct copy *copy)
{
    const struct sr_arrived *newest = &half->newest;
    if (newest->row <= copy->row || newest->frame == copy->frame)
        return NEVER_OVERTAKEN;
    int64_t lead_ns = saturated(newest->time_ns, copy->time_ns);
    int64_t missed_ns =
        answer->before ? saturated(answer->before->time_ns, copy->time_ns) - half->measured.typical_ns : 0;
    int64_t overtaken_ns = lead_ns > missed_ns ? lead_ns : missed_ns;
    return overtaken_ns < 0 ? 0 : overtaken_ns;
}

/* Within a quarter more than what is known: the largest of a sample falls short of the largest there is. */
static bool network_reorders_so_far(const struct sr_half *half, int64_t overtaken_ns)
{
    int64_t known_ns = half->measured.reordering_ns;
    return known_ns > 0 && overtaken_ns <= known_ns + known_ns / 4;
}

/* The SACK before, whenever it was sent, says that there was no room for it. A receiver may throw such a chunk away
 * without a word (RFC 9260 section 6.2 asks for an answer; dcSCTP gives none): seen is not accepted. */
static bool meets_closed_window(const struct sr_half *half, const struct answer *answer, const struct copy *copy)
{
    return answer->window && answer->window->a_rwnd < sr_half_tx(half, copy->row)->bytes;
}

/* That SACK was sent when the copy had come. */
static bool met_closed_window(const struct sr_half *half, const struct answer *answer, const struct copy *copy)
{
    return meets_closed_window(half, answer, copy) &&
           saturated(answer->window->time_ns, copy->time_ns) >= half->measured.floor_ns + EPSILON_NS;
}

/* Whether it could tell of the TSN: where there are blocks, there may have been no room for one more. */
static bool has_room_for(const struct sr_half *half, const struct sr_sack_row *sack, struct sr_tsn tsn)
{
    uint32_t blocks = (uint32_t)sack->gaps + sack->nr_gaps;
    return blocks == 0 || !sr_tsn_after(tsn, sr_tsn(sr_numbers_at(half->journal, sack->lists)[2 * blocks - 1]));
}

/* What is accepted is acknowledged within 500 ms, and so by all that is said later. Where a duplicate is reported
 * several copies were accepted; at its own tap nothing of what the receiver says is late. */
static bool was_ignored(const struct sr_half *half, const struct answer *answer, const struct covered *covered,
                        const struct copy *copy)
{
    int64_t by_then_ns = half->measured.typical_ns + MOST_ACK_DELAY_NS;
    if (covered->slot->dups > 0)
        return false;
    bool at_receiver = sr_is_vantage(half, SR_VANTAGE_RECEIVER);
    if (at_receiver && answer->before && saturated(answer->before->time_ns, copy->time_ns) > by_then_ns &&
        has_room_for(half, answer->before, covered->slot->tsn))
        return true;
    bool no_room_known = meets_closed_window(half, answer, copy) || (at_receiver && !answer->window);
    return no_room_known && saturated(answer->row->time_ns, copy->time_ns) > by_then_ns;
}

static void weigh(const struct sr_half *half, const struct answer *answer, struct covered *covered)
{
    collect(half, covered);
    covered->feasible = covered->likely = covered->candidate_count = covered->on_time = 0;
    covered->overtaken_candidate = covered->by_order = covered->by_silence = covered->ignored_candidate = false;
    uint32_t last_feasible = 0;
    for (uint32_t i = 0; i < covered->count; i++) {
        struct copy *copy = &covered->copies[i];
        copy->overtaken_ns = overtaken_by(half, answer, copy);
        bool overtaken = copy->overtaken_ns != NEVER_OVERTAKEN;
        bool too_far = overtaken &&
                       (sr_is_vantage(half, SR_VANTAGE_RECEIVER) || !network_reorders_so_far(half, copy->overtaken_ns));
        covered->by_order |= too_far;
        too_far |= copy->discarded || met_closed_window(half, answer, copy);
        if (!too_far && was_ignored(half, answer, covered, copy))
            too_far = covered->by_silence = true;
        if (!too_far && covered->on_time == 0)
            covered->on_time = copy->row;
        if (saturated(answer->row->time_ns, copy->time_ns) < half->measured.floor_ns - EPSILON_NS && i > 0)
            continue;
        covered->feasible++;
        covered->likely +=
            i == 0 || saturated(answer->row->time_ns, copy->time_ns) >= half->measured.early_ns - EPSILON_NS;
        last_feasible = i;
        if (too_far)
            continue;
        covered->overtaken_candidate |= overtaken;
        covered->ignored_candidate |= meets_closed_window(half, answer, copy) && covered->slot->dups == 0;
        covered->candidates[covered->candidate_count++] = i;
    }
    if (covered->candidate_count == 0)
        covered->candidates[covered->candidate_count++] = last_feasible;
}

static void learn_reordering(struct sr_half *half, const struct covered *covered)
{
    const struct copy *first = &covered->copies[0];
    if (covered->likely == 1 && first->overtaken_ns > half->measured.reordering_ns && !covered->slot->unseen_before &&
        !covered->slot->given_up)
        half->measured.reordering_ns = first->overtaken_ns;
}

/* ---- the receiver's own rule ---- */

static struct sr_received received_before(const struct sr_half *half, const struct answer *answer, struct sr_tsn lowest)
{
    if (!answer->before)
        return (struct sr_received){.cum = sr_tsn(lowest.value - 1)};
    uint32_t blocks = (uint32_t)answer->before->gaps + answer->before->nr_gaps;
    return (struct sr_received){
        .cum = sr_tsn(answer->before->cum_tsn),
        .blocks = blocks > 0 ? sr_numbers_at(half->journal, answer->before->lists) : NULL,
        .block_count = blocks,
    };
}

/* What arrived between two acknowledgements if the first copy of `of` that arrived was that of `from_row`: TSNs
 * that the later one is the first to report, and what was sent again although it was reported before. False where that
 * is too much to look at. */
static bool arrivals(const struct sr_half *half, const struct answer *answer, const struct sr_ledger_slot *of,
                     uint32_t from_row, bool first_candidate, struct sr_arrival list[SR_ARRIVALS], uint32_t *count)
{
    int64_t before_ns = answer->before ? answer->before->time_ns : INT64_MIN + 1;
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    *count = 0;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t row = half->recent[(half->recent_at - back) % SR_RECENT];
        const struct sr_transmission_row *tx = sr_half_tx(half, row);
        const struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tx->tsn));
        if (!slot || slot->skip == 0)
            continue;
        bool arrived;
        if (slot == of)
            arrived = row >= from_row;
        else if (slot->acked_by == answer->number)
            /* others that were sent several times shared the fate of this one */
            arrived = row >= (first_candidate ? slot->first_candidate : from_row) || slot->copies == 1;
        else
            arrived = tx->prev_row != 0 && saturated(tx->time_ns, before_ns) > -half->measured.floor_ns;
        if (!arrived)
            continue;
        if (*count == SR_ARRIVALS)
            return false;
        list[(*count)++] = (struct sr_arrival){tx->time_ns, tx->frame, sr_tsn(tx->tsn)};
    }
    for (uint32_t i = 0; i < *count / 2; i++) {
        struct sr_arrival swapped = list[i];
        list[i] = list[*count - 1 - i];
        list[*count - 1 - i] = swapped;
    }
    return true;
}

/* Copies lost, answers lost and answers delayed that it takes to explain the acknowledgement, if `candidate` came
 * first; -1 where nothing does. */
static int cost_of(const struct sr_half *half, const struct answer *answer, const struct covered *covered,
                   uint32_t candidate, enum sr_ack_rule rule)
{
    struct sr_arrival list[SR_ARRIVALS];
    int64_t answers_ns[SR_ANSWERS];
    uint32_t count;
    const struct copy *copy = &covered->copies[covered->candidates[candidate]];
    struct sr_received before = received_before(half, answer, half->ledger.base);
    if (before.block_count > SR_ARRIVALS ||
        !arrivals(half, answer, covered->slot, copy->row, candidate == 0, list, &count))
        return -1;
    count = sr_receiver_answers(rule, &before, list, count, half->measured.typical_ns, half->measured.ack_delay_ns,
                                answers_ns);
    int64_t tolerance_ns =
        half->measured.jitter_ns > LEAST_TOLERANCE_NS ? half->measured.jitter_ns : LEAST_TOLERANCE_NS;
    /* The acknowledgement before should have reported it, unless that one was delayed. */
    uint32_t delayed =
        answer->before && saturated(answer->before->time_ns, copy->time_ns) > half->measured.typical_ns + tolerance_ns;
    for (uint32_t lost = 0; lost < count; lost++) {
        int64_t off_ns = saturated(answers_ns[lost], answer->row->time_ns);
        if (off_ns >= -tolerance_ns && off_ns <= tolerance_ns)
            return (int)(candidate + lost + delayed);
    }
    return -1;
}

static bool rule_is_possible(const struct sr_half *half, enum sr_ack_rule rule)
{
    enum { ENOUGH = 3 };
    const struct sr_measured *measured = &half->measured;
    enum sr_stack_family family = sr_family_of(half, 1 - half->from);
    uint32_t at_once = measured->rule_votes[SR_ACK_RULE_EVERY], waits = measured->waits;
    if (rule == SR_ACK_RULE_EVERY)
        return family != SR_FAMILY_PION && at_once >= ENOUGH && at_once * 2 >= waits;
    if (at_once >= ENOUGH && at_once > waits * 2)
        return false;
    if (measured->dups_reported)
        return rule == SR_ACK_RULE_PROMPT;
    if (family != SR_FAMILY_UNKNOWN)
        return rule == (family == SR_FAMILY_PION ? SR_ACK_RULE_PION : SR_ACK_RULE_PROMPT);
    return measured->rule_votes[rule] * 2 >= measured->rule_votes[1 - rule];
}

static void read_answer(const struct sr_half *half, const struct answer *answer, const struct covered *covered)
{
    struct sr_ledger_slot *slot = covered->slot;
    slot->reading = SR_READING_NONE;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        int best = -1, best_cost = -1;
        bool tie = false;
        if (!rule_is_possible(half, (enum sr_ack_rule)rule))
            continue;
        for (uint32_t i = 0; i < covered->candidate_count; i++) {
            int cost = cost_of(half, answer, covered, i, (enum sr_ack_rule)rule);
            if (cost < 0 || (best_cost >= 0 && cost > best_cost))
                continue;
            tie = cost == best_cost;
            best = (int)i;
            best_cost = cost;
        }
        enum sr_reading reading = best < 0 ? SR_READING_OUTAGE : tie ? SR_READING_TIE : SR_READING_COPY;
        uint32_t read_row = reading == SR_READING_COPY ? covered->copies[covered->candidates[best]].row : 0;
        if (slot->reading != SR_READING_NONE && (slot->reading != reading || slot->read_row != read_row)) {
            slot->reading = SR_READING_TIE; /* the rules disagree */
            slot->read_row = 0;
            return;
        }
        slot->reading = (uint8_t)reading;
        slot->read_row = read_row;
    }
    /* Its last copy alone would explain a late answer, delayed a little more than is known. */
    if (slot->reading == SR_READING_OUTAGE && slot->in_time && half->measured.dups_reported)
        slot->reading = SR_READING_NONE;
}

/* A packet that was alone, with no gap about, waits for a second one: how long, or whether at all. */
static void vote_alone(struct sr_measured *measured, int64_t waited_ns)
{
    const int64_t least_ns = LEAST_TOLERANCE_NS > measured->jitter_ns ? LEAST_TOLERANCE_NS : measured->jitter_ns;
    if (waited_ns <= least_ns) {
        measured->rule_votes[SR_ACK_RULE_EVERY]++;
        return;
    }
    measured->waits++;
    if (waited_ns > 2 * least_ns && waited_ns <= MOST_ACK_DELAY_NS)
        sr_quantiles_add(&measured->delays, waited_ns);
}

/* An acknowledgement of TSNs that were all sent once says which rule the receiver has, where the rules differ. */
static void vote(struct sr_half *half, const struct answer *answer, const struct sr_ledger_slot *only)
{
    struct sr_arrival list[SR_ARRIVALS];
    int64_t answers_ns[SR_ACK_RULE_COUNT][SR_ANSWERS], off_ns[SR_ACK_RULE_COUNT];
    uint32_t count;
    struct sr_measured *measured = &half->measured;
    bool gap = answer->before &&
               (answer->before->gaps + answer->before->nr_gaps + answer->row->gaps + answer->row->nr_gaps > 0);
    if (gap && measured->dups_reported) /* it is of no other use */
        return;
    if (!answer->before || !arrivals(half, answer, only, 0, true, list, &count) || count == 0)
        return;
    struct sr_received before = received_before(half, answer, half->ledger.base);
    if (before.block_count > SR_ARRIVALS)
        return;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        sr_receiver_answers((enum sr_ack_rule)rule, &before, list, count, measured->typical_ns,
                            half->measured.ack_delay_ns, answers_ns[rule]);
        off_ns[rule] = saturated(answers_ns[rule][0], answer->row->time_ns);
        off_ns[rule] = off_ns[rule] < 0 ? -off_ns[rule] : off_ns[rule];
    }
    if (answers_ns[SR_ACK_RULE_PROMPT][0] != answers_ns[SR_ACK_RULE_PION][0])
        measured->rule_votes[off_ns[SR_ACK_RULE_PION] < off_ns[SR_ACK_RULE_PROMPT] ? SR_ACK_RULE_PION
                                                                                   : SR_ACK_RULE_PROMPT]++;
    if (gap)
        return;
    if (list[count - 1].frame == list[0].frame)
        vote_alone(measured, saturated(answer->row->time_ns, list[0].time_ns) - measured->typical_ns);
    else
        measured->waits++;
}

/* Only where nothing else tells the rule; so many settle it. */
static bool wants_votes(const struct sr_half *half)
{
    enum { ENOUGH = 64 };
    const struct sr_measured *measured = &half->measured;
    const uint32_t *votes = measured->rule_votes;
    bool of_pion = sr_family_of(half, 1 - half->from) == SR_FAMILY_PION;
    return !of_pion && votes[SR_ACK_RULE_PION] + votes[SR_ACK_RULE_PROMPT] < ENOUGH &&
           votes[SR_ACK_RULE_EVERY] + measured->waits < ENOUGH;
}

/* Any of a TSN that was sent again is known to have come from a copy before the last only where that would have had to
 * come sooner than it can: learn_reordering. Votes are asked for where there is a choice between copies. */
bool sr_fates_may_learn(const struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    return measured->overtaken || measured->resent_ns < measured->early_ns || (measured->resends && wants_votes(half));
}

/* ---- an acknowledgement ---- */

/* Of the TSNs that it is the first to acknowledge. */
struct newly {
    struct sr_arrived newest; /* of those that are known to have arrived with it */
    bool all_sent_once;
    const struct sr_ledger_slot *single; /* one that was sent once */
};

/* A copy that was not seen is claimed only on clear grounds. */
static bool comes_too_early(const struct sr_half *half, const struct answer *answer, const struct copy *copy)
{
    return !sr_is_vantage(half, SR_VANTAGE_RECEIVER) &&
           saturated(answer->row->time_ns, copy->time_ns) < half->measured.floor_ns / 2;
}

/* Most TSNs are sent once: there is nothing to weigh. */
static void cover_single(struct sr_half *half, const struct answer *answer, struct sr_ledger_slot *slot,
                         struct newly *newly)
{
    const struct sr_transmission_row *tx = sr_half_tx(half, slot->last_row);
    struct copy copy = {slot->last_row, tx->frame, tx->time_ns, NEVER_OVERTAKEN, false};
    slot->first_candidate = slot->last_candidate = slot->on_time = slot->last_row;
    slot->candidates = 1;
    slot->early = slot->clearly_early = slot->early_for_all = comes_too_early(half, answer, &copy);
    slot->in_time = slot->unseen_before && saturated(answer->row->time_ns, tx->time_ns) <=
                                               half->measured.typical_ns + half->measured.ack_delay_ns * 5 / 4;
    if (!half->deciding && !slot->unseen_before) {
        int64_t overtaken_ns = overtaken_by(half, answer, &copy);
        if (overtaken_ns > half->measured.reordering_ns)
            half->measured.reordering_ns = overtaken_ns;
    }
    newly->single = slot;
    if (slot->last_row > newly->newest.row)
        newly->newest = (struct sr_arrived){slot->last_row, tx->frame, tx->time_ns};
}

static void cover(struct sr_half *half, const struct answer *answer, struct sr_ledger_slot *slot, struct newly *newly)
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
    struct covered covered = {.slot = slot};
    weigh(half, answer, &covered);
    const struct copy *first = &covered.copies[covered.candidates[0]];
    slot->first_candidate = first->row;
    slot->last_candidate = covered.copies[covered.candidates[covered.candidate_count - 1]].row;
    slot->candidates = (uint8_t)covered.candidate_count;
    slot->may_be_late = covered.overtaken_candidate;
    slot->may_be_ignored = covered.ignored_candidate && covered.candidate_count > 1;
    slot->by_order = covered.by_order;
    slot->by_silence = covered.by_silence;
    slot->doubtful = covered.likely < covered.feasible;
    slot->early = covered.feasible < covered.count;
    slot->clearly_early = slot->early && comes_too_early(half, answer, &covered.copies[covered.count - 1]);
    slot->early_for_all = comes_too_early(half, answer, &covered.copies[0]);
    slot->in_time =
        saturated(answer->row->time_ns, covered.copies[covered.candidates[covered.candidate_count - 1]].time_ns) <=
        half->measured.typical_ns + half->measured.ack_delay_ns * 5 / 4;
    slot->on_time = covered.on_time;
    if (!half->deciding)
        learn_reordering(half, &covered);
    newly->all_sent_once &= slot->copies == 1;
    if (first->row > newly->newest.row)
        newly->newest = (struct sr_arrived){first->row, first->frame, first->time_ns};
}

/* Its candidates, before what it acknowledged became known: a second look at those that have several. */
static void reread(struct sr_half *half, const struct answer *answer, struct sr_tsn first, struct sr_tsn last)
{
    for (struct sr_tsn tsn = first; !sr_tsn_after(tsn, last); tsn = sr_tsn_add(tsn, 1)) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, tsn);
        if (!slot || slot->acked_by != answer->number || slot->candidates < 2)
            continue;
        struct covered covered = {.slot = slot};
        weigh(half, answer, &covered);
        read_answer(half, answer, &covered);
    }
}

static void cover_range(struct sr_half *half, const struct answer *answer, struct sr_tsn first, struct sr_tsn last,
                        struct newly *newly, struct sr_tsn_range *several)
{
    struct sr_ledger_slot *slot;
    while ((slot = sr_ledger_ack(&half->ledger, &first, last))) {
        cover(half, answer, slot, newly);
        if (slot->candidates < 2)
            continue;
        if (sr_tsn_after(several->first, several->last) || sr_tsn_after(several->first, slot->tsn))
            several->first = slot->tsn;
        if (sr_tsn_after(slot->tsn, several->last))
            several->last = slot->tsn;
    }
}

/* Of the copies after the first that arrived, which a report of a duplicate speaks of: it is made at once (RFC 9260
 * section 6.2), a typical loop after that copy. */
static void note_report(struct sr_half *half, const struct answer *answer, const struct sr_ledger_slot *slot)
{
    struct sr_transmission_row *nearest = NULL;
    int64_t nearest_ns = INT64_MAX;
    uint32_t number = slot->last_row;
    for (int i = 0; i < COPIES && number > slot->first_candidate; i++) {
        struct sr_transmission_row *row = sr_half_tx(half, number);
        int64_t off_ns = saturated(answer->row->time_ns, row->time_ns) - half->measured.typical_ns;
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

void sr_fates_feedback(struct sr_half *half, uint32_t row_number)
{
    const struct sr_sack_row *row = sr_sack_at(half->journal, row_number);
    struct answer answer = {row, sack_or_none(half, half->feedback), sack_or_none(half, half->window), row_number + 1,
                            false};
    uint32_t first_gap = sr_half_first_gap(half, row);
    half->took_all = 0;
    if (half->measured.adrift)
        sr_reports_add(&half->reports, row_number + 1);
    if (half->feedback && sr_tsn_after(half->cum, sr_tsn(row->cum_tsn)))
        return; /* overtaken: it tells nothing of the order */
    if (!sr_ledger_follows(&half->ledger, sr_tsn(row->cum_tsn)))
        return;
    uint32_t blocks = (uint32_t)row->gaps + row->nr_gaps;
    const uint32_t *lists = blocks + row->dups > 0 ? sr_numbers_at(half->journal, row->lists) : NULL;
    answer.doubtful = claims_unseen(half, row, lists, blocks);
    struct newly newly = {.newest = half->newest, .all_sent_once = true};
    struct sr_tsn_range several = {sr_tsn(row->cum_tsn + 1), sr_tsn(row->cum_tsn)}; /* empty */

    for (uint32_t i = 0; i < row->dups; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(lists[2 * blocks + i]));
        if (slot && slot->dups < UINT16_MAX)
            slot->dups++;
    }
    cover_range(half, &answer, half->ledger.una, sr_tsn(row->cum_tsn), &newly, &several);
    sr_ledger_acked_to(&half->ledger, sr_tsn(row->cum_tsn));
    for (uint32_t i = first_gap; i < blocks; i++)
        cover_range(half, &answer, sr_tsn(lists[2 * i]), sr_tsn(lists[2 * i + 1]), &newly, &several);
    sr_half_took(half, row);
    if (half->deciding && several.last.value - several.first.value < SR_RECENT)
        reread(half, &answer, several.first, several.last);
    if (!half->deciding && newly.all_sent_once && newly.single && wants_votes(half))
        vote(half, &answer, newly.single);
    for (uint32_t i = 0; half->deciding && i < row->dups; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(lists[2 * blocks + i]));
        if (slot)
            note_report(half, &answer, slot);
    }
    sr_half_taken_back(half, row);
    half->newest = newly.newest;
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
    half->feedback = half->window = 0;
}

/* Answers that went along with data of the other side came sooner than the delay, each at another time. */
static void conclude_delay(struct sr_measured *measured)
{
    enum { ENOUGH = 4, WITHIN = 8 };
    if (measured->delays.count < ENOUGH)
        return;
    int64_t median_ns = sr_quantiles_quantile(&measured->delays, 500);
    int64_t low_ns = sr_quantiles_quantile(&measured->delays, 250);
    int64_t high_ns = sr_quantiles_quantile(&measured->delays, 750);
    if (high_ns - low_ns <= median_ns / WITHIN)
        measured->ack_delay_ns = median_ns;
}

void sr_fates_end(struct sr_half *half)
{
    half->reports = (struct sr_reports){0};
    if (!half->deciding)
        conclude_delay(&half->measured);
    sr_ledger_clear(&half->ledger, sr_verdict_leaves, half);
    half->newest = (struct sr_arrived){0};
    half->feedback = half->window = 0;
    half->has_forward = half->has_vouched = half->doubtful = false;
    half->recent_at = 0;
}
