/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiver's own rule of when it acknowledges: learned from TSNs sent once, then asked of those sent again. */
#include "reading.h"

#include <string.h>

#include "../facts/missing.h"
#include "../wire/time.h"

#define LEAST_TOLERANCE_NS INT64_C(10000000) /* timers of some stacks tick every 10 ms */

int64_t sr_reading_tolerance_ns(const struct sr_half *half)
{
    int64_t jitter_ns = half->measured.receiver.jitter_ns;
    return jitter_ns > LEAST_TOLERANCE_NS ? jitter_ns : LEAST_TOLERANCE_NS;
}

/* Before the first acknowledgement that is what lies below the lowest TSN that was seen. */
static struct sr_received received_before(const struct sr_half *half, const struct sr_acknowledgement *answer)
{
    struct sr_tsn lowest = half->ledger.base;
    if (!answer->before) {
        sr_tsn_set_next(&half->ledger.sent, &lowest, half->ledger.highest);
        return (struct sr_received){.cum = sr_tsn(lowest.value - 1)};
    }
    uint32_t blocks = (uint32_t)answer->before->gaps + answer->before->nr_gaps;
    return (struct sr_received){
        .cum = sr_tsn(answer->before->cum_tsn),
        .blocks = blocks > 0 ? sr_numbers_at(half->journal, answer->before->lists) : NULL,
        .block_count = blocks,
    };
}

/* As if it had taken a path that is as slow as the direction is measured to be; the list is in order of such times, and
 * the rows come backward. False where it is full, or nobody knows how slow its path is. */
static bool insert(const struct sr_half *half, const struct sr_transmission_row *tx,
                   struct sr_arrival list[SR_ARRIVALS], uint32_t *count)
{
    int64_t typical_ns = sr_typical_to(half, tx->path);
    if (*count == SR_ARRIVALS || typical_ns == SR_NO_TIME)
        return false;
    int64_t time_ns = tx->time_ns + typical_ns - half->measured.receiver.typical_ns;
    uint32_t at = 0;
    while (at < *count && list[at].time_ns < time_ns)
        at++;
    memmove(&list[at + 1], &list[at], (*count - at) * sizeof *list);
    list[at] = (struct sr_arrival){time_ns, tx->frame, sr_tsn(tx->tsn), (tx->flags & SR_DATA_IMMEDIATE) != 0};
    ++*count;
    return true;
}

/* What arrived between two acknowledgements if the first copy of `of` that arrived was that of `from_row`: TSNs
 * that the later one is the first to report, and what was sent again although it was reported before; and how many
 * packets of the former were lost then. False where that is too much to look at. */
static bool arrivals(const struct sr_half *half, const struct sr_acknowledgement *answer,
                     const struct sr_ledger_slot *of, uint32_t from_row, int64_t since_ns,
                     struct sr_arrival list[SR_ARRIVALS], uint32_t *count, uint32_t *lost)
{
    uint32_t lost_frame = 0;
    int64_t before_ns = answer->before ? answer->before->time_ns : INT64_MIN + 1;
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    *count = *lost = 0;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t row = half->recent[(half->recent_at - back) % SR_RECENT];
        const struct sr_transmission_row *tx = sr_half_tx(half, row);
        const struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tx->tsn));
        if (!slot || !slot->acked)
            continue;
        bool arrived;
        if (slot == of)
            arrived = row >= from_row;
        else if (slot->acked_by == answer->number)
            /* others that were sent several times shared the fate of this one */
            arrived = slot->copies == 1 ||
                      (since_ns == SR_NO_TIME ? row >= slot->first_candidate : sr_between(tx->time_ns, since_ns) > 0);
        else
            arrived = tx->prev_row != 0 && sr_between(tx->time_ns, before_ns) > -half->measured.receiver.floor_ns;
        bool is_lost = !arrived && slot->acked_by == answer->number && tx->frame != lost_frame;
        *lost += is_lost;
        lost_frame = is_lost ? tx->frame : lost_frame;
        if (!arrived)
            continue;
        if (!insert(half, tx, list, count))
            return false;
    }
    return true;
}

/* Sent once, and passed over by the answer: it is not under way any more. */
static bool is_missing(const struct sr_half *half, const struct sr_acknowledgement *answer,
                       const struct sr_transmission_row *tx)
{
    uint32_t blocks = (uint32_t)answer->row->gaps + answer->row->nr_gaps;
    const struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tx->tsn));
    return blocks > 0 && slot && !slot->acked && slot->copies == 1 && !slot->unseen_before &&
           sr_tsn_after(sr_tsn(sr_numbers_at(half->journal, answer->row->lists)[2 * blocks - 1]), sr_tsn(tx->tsn));
}

/* The packet that was sent before this copy's is lost in any case. */
static bool is_beside_a_loss(const struct sr_half *half, const struct sr_acknowledgement *answer,
                             const struct sr_sent_copy *copy)
{
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t number = half->recent[(half->recent_at - back) % SR_RECENT];
        const struct sr_transmission_row *tx = sr_half_tx(half, number);
        if (number < copy->row && tx->frame != copy->frame)
            return tx->path == copy->path && is_missing(half, answer, tx);
    }
    return false;
}

/* How many losses it took if `candidate` came first: losses come in bursts, so a copy behind a packet that was lost in
 * any case was lost with it. */
static uint32_t losses_before(const struct sr_half *half, const struct sr_acknowledgement *answer,
                              const struct sr_covered *covered, uint32_t candidate)
{
    uint32_t losses = 0;
    for (uint32_t i = 0; i < candidate; i++)
        losses += !is_beside_a_loss(half, answer, &covered->copies[covered->candidates[i]]);
    return losses;
}

/* What it takes to explain the acknowledgement: copies lost, answers lost and answers delayed. Losses come one by one
 * or in bursts (RFC 3357): all copies that were lost may be one loss, or each packet of them. */
enum counted { LOST_TOGETHER, LOST_ONE_BY_ONE, WAYS_TO_COUNT };

/* Instead of a cost. */
enum { NOTHING_EXPLAINS_IT = -1 };

/* The costs, if `candidate` came first; false where that is not known. */
static bool costs_of(const struct sr_half *half, const struct sr_acknowledgement *answer,
                     const struct sr_covered *covered, uint32_t candidate, enum sr_ack_rule rule,
                     int costs[WAYS_TO_COUNT])
{
    struct sr_arrival list[SR_ARRIVALS];
    int64_t answers_ns[SR_ANSWERS];
    uint32_t count, packets;
    const struct sr_sent_copy *copy = &covered->copies[covered->candidates[candidate]];
    struct sr_received before = received_before(half, answer);
    int64_t since_ns = SR_NO_TIME; /* nearer to this copy than to the one before */
    if (candidate > 0)
        since_ns = copy->time_ns - sr_between(copy->time_ns, copy[-1].time_ns) / 2;
    if (before.block_count > SR_ARRIVALS ||
        !arrivals(half, answer, covered->slot, copy->row, since_ns, list, &count, &packets))
        return false;
    count = sr_receiver_answers(rule, &before, list, count, half->measured.receiver.typical_ns,
                                half->measured.ack_delay_ns, answers_ns);
    int64_t tolerance_ns = sr_reading_tolerance_ns(half);
    /* The acknowledgement before should have reported it, unless that one was delayed. */
    int64_t typical_ns = sr_typical_to(half, copy->path);
    uint32_t delayed = answer->before && sr_between(answer->before->time_ns, copy->time_ns) > typical_ns + tolerance_ns;
    costs[LOST_TOGETHER] = costs[LOST_ONE_BY_ONE] = NOTHING_EXPLAINS_IT;
    uint32_t missing; /* an answer that was lost is one of those, and each was lost, whichever copy came */
    bool counted = sr_feedback_missing(half, answer->row, &missing);
    uint32_t possible = counted && missing == 0 && count > 0 ? 1 : count;
    for (uint32_t lost = 0; lost < possible; lost++) {
        int64_t off_ns = sr_between(answers_ns[lost], answer->row->time_ns);
        if (off_ns < -tolerance_ns || off_ns > tolerance_ns)
            continue;
        uint32_t answers = counted && missing > lost ? missing : lost;
        costs[LOST_TOGETHER] = (int)(losses_before(half, answer, covered, candidate) + answers + delayed);
        costs[LOST_ONE_BY_ONE] = (int)(packets + answers + delayed);
        break;
    }
    return true;
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

struct read {
    enum sr_reading reading;
    uint32_t row; /* of SR_READING_COPY: 1 + row */
};

/* The copy that takes the least. */
static struct read cheapest(const struct sr_covered *covered, int costs[SR_COPIES][WAYS_TO_COUNT], enum counted way)
{
    struct read read = {SR_READING_OUTAGE, 0};
    int best = NOTHING_EXPLAINS_IT;
    for (uint32_t i = 0; i < covered->candidate_count; i++) {
        int cost = costs[i][way];
        if (cost == NOTHING_EXPLAINS_IT || (best != NOTHING_EXPLAINS_IT && cost > best))
            continue;
        read = cost == best ? (struct read){SR_READING_TIE, 0}
                            : (struct read){SR_READING_COPY, covered->copies[covered->candidates[i]].row};
        best = cost;
    }
    return read;
}

/* What every rule that is possible says, unless another copy takes less where losses are counted one by one. */
static struct read read_all(const struct sr_half *half, const struct sr_acknowledgement *answer,
                            const struct sr_covered *covered)
{
    const struct read tie = {SR_READING_TIE, 0};
    struct read read = {SR_READING_NONE, 0};
    int costs[SR_COPIES][WAYS_TO_COUNT];
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        if (!rule_is_possible(half, (enum sr_ack_rule)rule))
            continue;
        for (uint32_t i = 0; i < covered->candidate_count; i++)
            if (!costs_of(half, answer, covered, i, (enum sr_ack_rule)rule, costs[i]))
                return tie;
        struct read other = cheapest(covered, costs, LOST_TOGETHER);
        struct read one_by_one = cheapest(covered, costs, LOST_ONE_BY_ONE);
        /* Where duplicates are reported, that none was speaks against an earlier copy, too. */
        bool disputed = one_by_one.row != 0 && one_by_one.row != other.row && !sr_tells_duplicates(half);
        if (disputed || (read.reading != SR_READING_NONE && (read.reading != other.reading || read.row != other.row)))
            return tie;
        read = other;
    }
    return read;
}

void sr_reading_of(const struct sr_half *half, const struct sr_acknowledgement *answer,
                   const struct sr_covered *covered)
{
    struct sr_ledger_slot *slot = covered->slot;
    struct read read = read_all(half, answer, covered);
    slot->reading = (uint8_t)read.reading;
    slot->read_row = read.row;
    /* Its last copy alone would explain a late answer, delayed a little more than is known. */
    if (slot->reading == SR_READING_OUTAGE && slot->in_time && sr_tells_duplicates(half))
        slot->reading = SR_READING_NONE;
}

/* A packet that was alone, with no gap about, waits for a second one: how long, or whether at all. */
static void vote_alone(struct sr_measured *measured, int64_t waited_ns)
{
    const int64_t least_ns =
        LEAST_TOLERANCE_NS > measured->receiver.jitter_ns ? LEAST_TOLERANCE_NS : measured->receiver.jitter_ns;
    if (waited_ns <= least_ns) {
        measured->rule_votes[SR_ACK_RULE_EVERY]++;
        return;
    }
    measured->waits++;
    if (waited_ns > 2 * least_ns && waited_ns <= SR_MOST_ACK_DELAY_NS)
        sr_quantiles_add(&measured->delays, waited_ns);
}

/* An acknowledgement of TSNs that were all sent once says which rule the receiver has, where the rules differ. */
void sr_reading_vote(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_ledger_slot *only)
{
    struct sr_arrival list[SR_ARRIVALS];
    int64_t answers_ns[SR_ACK_RULE_COUNT][SR_ANSWERS], off_ns[SR_ACK_RULE_COUNT];
    uint32_t count, lost;
    struct sr_measured *measured = &half->measured;
    bool gap = answer->before &&
               (answer->before->gaps + answer->before->nr_gaps + answer->row->gaps + answer->row->nr_gaps > 0);
    if (gap && measured->dups_reported) /* it is of no other use */
        return;
    if (!answer->before || !arrivals(half, answer, only, 0, SR_NO_TIME, list, &count, &lost) || count == 0)
        return;
    struct sr_received before = received_before(half, answer);
    if (before.block_count > SR_ARRIVALS)
        return;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        sr_receiver_answers((enum sr_ack_rule)rule, &before, list, count, measured->receiver.typical_ns,
                            half->measured.ack_delay_ns, answers_ns[rule]);
        off_ns[rule] = sr_between(answers_ns[rule][0], answer->row->time_ns);
        off_ns[rule] = off_ns[rule] < 0 ? -off_ns[rule] : off_ns[rule];
    }
    if (answers_ns[SR_ACK_RULE_PROMPT][0] != answers_ns[SR_ACK_RULE_PION][0])
        measured->rule_votes[off_ns[SR_ACK_RULE_PION] < off_ns[SR_ACK_RULE_PROMPT] ? SR_ACK_RULE_PION
                                                                                   : SR_ACK_RULE_PROMPT]++;
    for (uint32_t i = 0; i < count; i++)
        gap |= list[i].asks;
    if (gap) /* it did not wait, whatever the rule */
        return;
    if (list[count - 1].frame == list[0].frame)
        vote_alone(measured, sr_between(answer->row->time_ns, list[0].time_ns) - measured->receiver.typical_ns);
    else
        measured->waits++;
}

/* Only where nothing else tells the rule; so many settle it. */
bool sr_reading_wants_votes(const struct sr_half *half)
{
    enum { ENOUGH = 64 };
    const struct sr_measured *measured = &half->measured;
    const uint32_t *votes = measured->rule_votes;
    bool of_pion = sr_family_of(half, 1 - half->from) == SR_FAMILY_PION;
    return !of_pion && votes[SR_ACK_RULE_PION] + votes[SR_ACK_RULE_PROMPT] < ENOUGH &&
           votes[SR_ACK_RULE_EVERY] + measured->waits < ENOUGH;
}

/* Answers that went along with data of the other side came sooner than the delay, each at another time. */
void sr_reading_conclude(struct sr_measured *measured)
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
