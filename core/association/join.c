/* SPDX-License-Identifier: BSD-2-Clause */
/* Two halves become one association: what is added up, and what is moved. */
#include "association.h"
#include "family.h"

#include <stdlib.h>

static void add_counts(uint32_t *counts, const uint32_t *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        counts[i] += others[i];
}

/* With the frame of the first of each. */
static void add_firsts(uint32_t *counts, uint32_t *firsts, const uint32_t *others, const uint32_t *other_firsts,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (others[i] > 0 && (counts[i] == 0 || other_firsts[i] < firsts[i]))
            firsts[i] = other_firsts[i];
    add_counts(counts, others, count);
}

static void add_sacks(struct sr_sent_sacks *sacks, const struct sr_sent_sacks *others)
{
    if (sr_tsn_after(sr_tsn(others->highest_cum_tsn), sr_tsn(sacks->highest_cum_tsn)))
        sacks->highest_cum_tsn = others->highest_cum_tsn;
    sacks->chunks += others->chunks;
    sacks->with_gaps += others->with_gaps;
    sacks->gaps += others->gaps;
    sacks->nr_gaps += others->nr_gaps;
    sacks->dups += others->dups;
    sacks->zero_window += others->zero_window;
    if (others->most_blocks > sacks->most_blocks)
        sacks->most_blocks = others->most_blocks;
    if (sacks->malformed_first == 0)
        sacks->malformed_first = others->malformed_first;
    if (others->malformed && sr_sacks_count_malformed(sacks))
        add_counts(sacks->malformed, others->malformed, SR_SACK_ANOMALY_COUNT);
}

/* Of feedback one half has all, unless addresses of both misled. */
static void take_sacks(struct sr_side *side, struct sr_side *other)
{
    if (other->sacks.chunks == 0)
        return;
    if (side->sacks.chunks > 0) {
        add_sacks(&side->sacks, &other->sacks);
        return;
    }
    side->sacks = other->sacks;
    other->sacks = (struct sr_sent_sacks){0};
}

/* Its data stays with who has sent more of it, until it is seen again. */
static void take_data(struct sr_side *side, struct sr_side *other, struct sr_slot_budget *budget)
{
    if (other->data.chunks > side->data.chunks) {
        struct sr_sent_data less = side->data;
        side->data = other->data;
        other->data = less;
    }
    sr_scoreboard_free(&other->data.board, budget);
    other->data = (struct sr_sent_data){0};
}

static void add_repeated(struct sr_side *side, const struct sr_side *other)
{
    if (other->repeated > 0 && (side->repeated == 0 || other->repeated_first < side->repeated_first))
        side->repeated_first = other->repeated_first;
    if (other->late.sure + other->late.unsure > 0 &&
        (side->late.sure + side->late.unsure == 0 || other->late.least_ns < side->late.least_ns))
        side->late.least_ns = other->late.least_ns;
    side->repeated += other->repeated;
    side->repeated_late += other->repeated_late;
    side->repeated_in_gaps += other->repeated_in_gaps;
    side->filled_again.is_sent |= other->filled_again.is_sent;
    side->alike_soon += other->alike_soon;
    side->late.sure += other->late.sure;
    side->late.unsure += other->late.unsure;
}

static void join_sides(struct sr_side *side, struct sr_side *other, struct sr_slot_budget *budget)
{
    if (other->tag_known) {
        side->tag = other->tag;
        side->tag_known = true;
        side->tags += other->tags;
    }
    side->sent_init |= other->sent_init;
    side->claimed_unseen |= other->claimed_unseen;
    side->forbids_fragments |= other->forbids_fragments;
    if (other->asks_reset)
        side->reset_request = other->reset_request;
    side->asks_reset |= other->asks_reset;
    side->init_features |= other->init_features;
    if (side->family == SR_FAMILY_UNKNOWN)
        side->family = other->family;
    for (uint32_t i = 0; i < other->addresses; i++)
        sr_side_learn_address(side, &other->address[i]);
    if (side->packets == 0) {
        side->last_fingerprint = other->last_fingerprint;
        side->last_id = other->last_id;
        side->id_tells = other->id_tells;
    }
    side->packets += other->packets;
    side->hops.initial += other->hops.initial;
    side->hops.lower += other->hops.lower;
    side->blind_bytes += other->blind_bytes;
    add_repeated(side, other);
    if (other->last_sack > side->last_sack)
        side->last_sack = other->last_sack;
    for (unsigned i = 0; i < SR_SIDE_CHUNK_TYPES; i++)
        sr_side_add_chunks(side, i, sr_side_chunks(other, i));
    add_firsts(side->checksums, side->checksums_first, other->checksums, other->checksums_first, SR_CHECKSUM_COUNT);
    if (other->anomalies && sr_side_counts_anomalies(side))
        add_firsts(side->anomalies, side->anomalies_first, other->anomalies, other->anomalies_first,
                   SR_CHUNK_ANOMALY_COUNT);
    take_sacks(side, other);
    take_data(side, other, budget);
}

static uint8_t end_of(const struct sr_association *one, const struct sr_association *other)
{
    if (!sr_association_is_open(one))
        return one->ended;
    if (!sr_association_is_open(other) || other->ended == SR_ENDED_SHUTTING_DOWN)
        return other->ended;
    return one->ended == SR_ENDED_SHUTTING_DOWN ? SR_ENDED_SHUTTING_DOWN : SR_ENDED_OPEN;
}

void sr_association_join(struct sr_association *into, struct sr_association *half, bool turned,
                         struct sr_slot_budget *budget)
{
    for (unsigned side = 0; side < 2; side++)
        join_sides(&into->side[turned ? 1 - side : side], &half->side[side], budget);
    into->packets += half->packets;
    if (half->last_frame > into->last_frame) {
        into->last_frame = half->last_frame;
        into->last_time_ns = half->last_time_ns;
    }
    into->features |= half->features;
    sr_errors_join(&into->errors, &half->errors, turned);
    into->ended = end_of(into, half);
    into->several_interfaces |= half->several_interfaces || half->interface != into->interface;
    into->established |= half->established;
    into->absorbed = half->number + 1;
    half->joined = into;
    half->turned = turned;
}

void sr_association_again(struct sr_association *association, struct sr_slot_budget *budget)
{
    for (unsigned from = 0; from < 2; from++) {
        struct sr_side *side = &association->side[from];
        sr_scoreboard_free(&side->data.board, budget);
        side->data = (struct sr_sent_data){0};
        side->loop = (struct sr_loop){0};
    }
}
