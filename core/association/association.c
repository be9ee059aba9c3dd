/* SPDX-License-Identifier: BSD-2-Clause */
/* The books of an association. */
#include "association.h"

#include "../wire/init.h"
#include "kind.h"

enum { LAST_PLAIN_TYPE = SR_CHUNK_NR_SACK, OTHER = SR_SIDE_CHUNK_TYPES - 1 };

unsigned sr_chunk_counter(uint8_t type)
{
    static const uint8_t later[] = {SR_CHUNK_I_DATA,    SR_CHUNK_ASCONF_ACK,   SR_CHUNK_PACKET_DROP,
                                    SR_CHUNK_RE_CONFIG, SR_CHUNK_PAD,          SR_CHUNK_FORWARD_TSN,
                                    SR_CHUNK_ASCONF,    SR_CHUNK_I_FORWARD_TSN};
    if (type <= LAST_PLAIN_TYPE)
        return type;
    for (unsigned i = 0; i < sizeof later; i++)
        if (later[i] == type)
            return LAST_PLAIN_TYPE + 1 + i;
    return OTHER;
}

bool sr_side_has_address(const struct sr_side *side, const struct sr_address *address)
{
    for (uint32_t i = 0; i < side->addresses; i++)
        if (sr_address_equal(&side->address[i], address))
            return true;
    return false;
}

void sr_side_learn_address(struct sr_side *side, const struct sr_address *address)
{
    if (!sr_side_has_address(side, address) && side->addresses < SR_SIDE_ADDRESSES)
        side->address[side->addresses++] = *address;
}

/* An identification that the packet before has too, with other bytes, is a constant of its sender. */
static void note_identity(struct sr_side *side, uint16_t ip_id, uint32_t fingerprint)
{
    side->ip_id_tells =
        ip_id != 0 && (side->packets == 0 || ip_id != side->last_ip_id || fingerprint == side->last_fingerprint);
    side->last_ip_id = ip_id;
    side->last_fingerprint = fingerprint;
}

void sr_association_packet(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                           enum sr_checksum checksum, uint32_t fingerprint)
{
    struct sr_side *side = &association->side[from];
    note_identity(side, packet->ip_id, fingerprint);
    if (association->packets++ == 0) {
        association->interface = packet->interface;
        association->first_frame = packet->frame;
        association->first_time_ns = packet->time_ns;
    }
    association->several_interfaces |= packet->interface != association->interface;
    association->last_frame = packet->frame;
    association->last_time_ns = packet->time_ns;
    if (packet->encapsulation == SR_ENCAPSULATION_UDP)
        association->features |= 1u << SR_FEATURE_UDP;
    if (association->side[0].addresses > 1 || association->side[1].addresses > 1)
        association->features |= 1u << SR_FEATURE_MULTIHOMING;
    if (side->packets++ < SR_HOPS_LOOKED_AT)
        sr_hops_note(&side->hops, packet->hop_limit);
    if (side->checksums[checksum]++ == 0)
        side->checksums_first[checksum] = (uint32_t)packet->frame;
    side->blind_bytes += packet->wire - packet->captured;
}

bool sr_association_is_open(const struct sr_association *association)
{
    return association->ended == SR_ENDED_OPEN || association->ended == SR_ENDED_UNANSWERED ||
           association->ended == SR_ENDED_SHUTTING_DOWN;
}

void sr_association_chunk(struct sr_association *association, unsigned from, uint8_t type, int64_t time_ns)
{
    struct sr_loop *const loops[2] = {&association->side[0].loop, &association->side[1].loop};
    sr_loop_chunk(loops, from, type, time_ns);
    association->side[from].chunks[sr_chunk_counter(type)]++;
    association->features |= sr_feature_of_chunk(type);
    if (!sr_association_is_open(association)) /* late packets are answered by an ABORT: RFC 9260 section 8.4 */
        return;
    switch ((enum sr_chunk_type)type) {
    case SR_CHUNK_ABORT: association->ended = SR_ENDED_ABORT; break;
    case SR_CHUNK_SHUTDOWN_COMPLETE: association->ended = SR_ENDED_SHUTDOWN; break;
    case SR_CHUNK_SHUTDOWN:
    case SR_CHUNK_SHUTDOWN_ACK: association->ended = SR_ENDED_SHUTTING_DOWN; break;
    default: break;
    }
}

void sr_association_anomaly(struct sr_association *association, unsigned from, enum sr_chunk_anomaly anomaly)
{
    struct sr_side *side = &association->side[from];
    if (side->anomalies[anomaly]++ == 0)
        side->anomalies_first[anomaly] = (uint32_t)association->last_frame;
}

struct sr_copy sr_association_data(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                   const struct sr_data *chunk, const struct sr_packet *packet, struct sr_loop loop)
{
    bool below = association->side[from].data.chunks > 0 &&
                 !sr_tsn_after(chunk->tsn, sr_tsn(association->side[from].data.highest_tsn));
    struct sr_sent_chunk sent = {
        .tsn = chunk->tsn,
        .bytes = chunk->bytes,
        .frame = (uint32_t)packet->frame,
        .time_ns = packet->time_ns,
        .identity = {association->side[from].last_fingerprint, association->side[from].ip_id_tells ? packet->ip_id : 0},
        .loop = loop,
        .at_tap = below && !loop.known && sr_is_at_tap(association, from),
    };
    struct sr_side *side = &association->side[from];
    struct sr_sent_data *data = &side->data;
    if (data->chunks == 0)
        data->first_tsn = chunk->tsn.value;
    if (data->numbered_anew)
        data->span_before += (uint64_t)(data->highest_tsn - data->lowest_tsn) + 1;
    if (data->chunks++ == 0 || data->numbered_anew)
        data->lowest_tsn = data->highest_tsn = chunk->tsn.value;
    data->numbered_anew = false;
    data->bytes += chunk->bytes;
    if (sr_tsn_after(chunk->tsn, sr_tsn(data->highest_tsn)))
        data->highest_tsn = chunk->tsn.value;
    if (sr_tsn_after(sr_tsn(data->lowest_tsn), chunk->tsn))
        data->lowest_tsn = chunk->tsn.value;
    struct sr_copy copy = sr_scoreboard_sent(&side->board, budget, &sent);
    if (copy.copy == 1 && !sr_is_duplicate(copy.kind))
        data->tsns++;
    else
        data->repeated++;
    data->kinds[copy.kind]++;
    return copy;
}

bool sr_association_answers(const struct sr_association *association, unsigned from, uint32_t request)
{
    const struct sr_side *other = &association->side[1 - from];
    return other->asks_reset ? other->reset_request == request : association->started == SR_STARTED_MIDDLE;
}

void sr_association_tsn_reset(struct sr_association *association, unsigned from, struct sr_tsn next)
{
    struct sr_sent_data *data = &association->side[from].data;
    if (!sr_scoreboard_reset(&association->side[from].board, next))
        return;
    data->resets++;
    data->numbered_anew = true;
}

bool sr_is_at_tap(const struct sr_association *association, unsigned from)
{
    return sr_hops_none(association->side[from].hops) && sr_hops_some(association->side[1 - from].hops);
}

unsigned sr_data_sender(const struct sr_association *association)
{
    const struct sr_side *side = association->side;
    return side[SR_SIDE_B].data.bytes > side[SR_SIDE_A].data.bytes ? SR_SIDE_B : SR_SIDE_A;
}

struct sr_newly sr_association_sack(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns, bool discarded)
{
    struct sr_sent_sacks *sacks = &association->side[from].sacks;
    struct sr_side *acked = &association->side[1 - from];
    uint32_t blocks = sack->gaps.count + sack->nr_gaps.count;

    if (sacks->chunks++ == 0)
        sacks->first_cum_tsn = sacks->highest_cum_tsn = sack->cum_tsn.value;
    else if (sr_tsn_after(sack->cum_tsn, sr_tsn(sacks->highest_cum_tsn)))
        sacks->highest_cum_tsn = sack->cum_tsn.value;
    sacks->with_gaps += blocks > 0;
    sacks->gaps += sack->gaps.count;
    sacks->nr_gaps += sack->nr_gaps.count;
    sacks->dups += sack->dups.count;
    if (blocks > sacks->most_blocks)
        sacks->most_blocks = blocks;
    sacks->zero_window += sack->kind != SR_SACK_KIND_SHUTDOWN && sack->a_rwnd == 0;
    if (sack->anomalies != 0 && sacks->malformed_first == 0)
        sacks->malformed_first = (uint32_t)association->last_frame;
    for (unsigned i = 0; sack->anomalies >> i; i++)
        sacks->malformed[i] += sack->anomalies >> i & 1;

    if (discarded)
        return (struct sr_newly){0};
    acked->board.caught_up |= association->started != SR_STARTED_MIDDLE;
    struct sr_newly newly = sr_scoreboard_acked(&acked->board, budget, sack, time_ns);
    acked->claimed_unseen |= newly.above;
    acked->data.acked += newly.chunks;
    acked->data.acked_bytes += newly.bytes;
    return newly;
}
