/* SPDX-License-Identifier: BSD-2-Clause */
/* The books of an association. */
#include "association.h"

#include <stdlib.h>
#include <string.h>

#include "../wire/init.h"
#include "kind.h"

enum { LAST_PLAIN_TYPE = SR_CHUNK_NR_SACK, OTHER = SR_SIDE_CHUNK_TYPES - 1 };

/* Another address; true where there was memory for it. `only` is where a single one is kept, NULL: nowhere. */
static bool add_address(struct sr_address **list, uint8_t *count, struct sr_address *only,
                        const struct sr_address *address)
{
    bool moves = only && *list == only;
    struct sr_address *more = only;
    if (!only || *list)
        more = realloc(moves ? NULL : *list, (*count + 1u) * sizeof *more);
    if (!more)
        return false;
    if (moves)
        memcpy(more, only, *count * sizeof *more);
    more[(*count)++] = *address;
    *list = more;
    return true;
}

unsigned sr_chunk_counter(uint8_t type)
{
    static const uint8_t later[] = {SR_CHUNK_I_DATA,    SR_CHUNK_ASCONF_ACK,   SR_CHUNK_PACKET_DROP,
                                    SR_CHUNK_RE_CONFIG, SR_CHUNK_PAD,          SR_CHUNK_FORWARD_TSN,
                                    SR_CHUNK_ASCONF,    SR_CHUNK_I_FORWARD_TSN};
    _Static_assert(LAST_PLAIN_TYPE + 1 + sizeof later == OTHER, "each type has a counter");
    if (type <= LAST_PLAIN_TYPE)
        return type;
    for (unsigned i = 0; i < sizeof later; i++)
        if (later[i] == type)
            return LAST_PLAIN_TYPE + 1 + i;
    return OTHER;
}

uint32_t sr_side_chunks(const struct sr_side *side, unsigned counter)
{
    return side->many_chunks ? side->many_chunks[counter] : side->few_chunks[counter];
}

/* Most sides send few of each type. */
void sr_side_add_chunks(struct sr_side *side, unsigned counter, uint32_t count)
{
    if (!side->many_chunks) {
        if (count <= UINT8_MAX - (uint32_t)side->few_chunks[counter]) {
            side->few_chunks[counter] += (uint8_t)count;
            return;
        }
        if (!(side->many_chunks = malloc(SR_SIDE_CHUNK_TYPES * sizeof *side->many_chunks)))
            return; /* they are not counted */
        for (unsigned i = 0; i < SR_SIDE_CHUNK_TYPES; i++)
            side->many_chunks[i] = side->few_chunks[i];
    }
    side->many_chunks[counter] += count;
}

void sr_association_asks(struct sr_association *half, uint32_t information)
{
    if (!half->question && !(half->question = malloc(SR_QUESTIONS * sizeof *half->question)))
        return;
    half->question[half->questions++ % SR_QUESTIONS] = information;
}

bool sr_side_counts_anomalies(struct sr_side *side)
{
    if (!side->anomalies && (side->anomalies = calloc(2 * SR_CHUNK_ANOMALY_COUNT, sizeof *side->anomalies)))
        side->anomalies_first = side->anomalies + SR_CHUNK_ANOMALY_COUNT;
    return side->anomalies != NULL;
}

bool sr_sacks_count_malformed(struct sr_sent_sacks *sacks)
{
    if (!sacks->malformed)
        sacks->malformed = calloc(SR_SACK_ANOMALY_COUNT, sizeof *sacks->malformed);
    return sacks->malformed != NULL;
}

void sr_association_clear(struct sr_association *association, struct sr_slot_budget *budget)
{
    for (unsigned from = 0; from < 2; from++) {
        struct sr_side *side = &association->side[from];
        sr_scoreboard_free(&side->data.board, budget);
        free(side->sacks.malformed);
        if (side->address != &side->only)
            free(side->address);
        free(side->translated);
        free(side->many_chunks);
        free(side->anomalies);
    }
    free(association->question);
    sr_errors_free(&association->errors);
}

bool sr_side_has_address(const struct sr_side *side, const struct sr_address *address)
{
    for (uint32_t i = 0; i < side->addresses; i++)
        if (sr_address_equal(&side->address[i], address))
            return true;
    return false;
}

bool sr_side_is_translated(const struct sr_side *side, const struct sr_address *address)
{
    for (uint32_t i = 0; i < side->translations; i++)
        if (sr_address_equal(&side->translated[i], address))
            return true;
    return false;
}

void sr_side_learn_address(struct sr_side *side, const struct sr_address *address)
{
    if (!sr_side_has_address(side, address) && !sr_side_is_translated(side, address) &&
        side->addresses < SR_SIDE_ADDRESSES)
        add_address(&side->address, &side->addresses, &side->only, address);
}

/* An identification that the packet before has too, with other bytes, is a constant of its sender. */
bool sr_id_tells(const struct sr_side *side, uint16_t id, uint32_t fingerprint)
{
    return id != 0 &&
           (side->packets == 0 || id != side->last_id || (fingerprint == side->last_fingerprint && side->id_tells));
}

static void note_identity(struct sr_side *side, uint16_t id, uint32_t fingerprint)
{
    side->id_tells = sr_id_tells(side, id, fingerprint);
    side->last_id = id;
    side->last_fingerprint = fingerprint;
}

/* Data to acknowledge, or a question: also before it was asked twice (RFC 9260 sections 6.2 and 8.3). */
static bool owes_answer(const struct sr_side *side, const struct sr_side *other)
{
    const struct sr_sent_data *sent = &other->data;
    const struct sr_sent_sacks *sacks = &side->sacks;
    bool data = sent->chunks > 0 &&
                (sacks->chunks == 0 || sr_tsn_after(sr_tsn(sent->highest_tsn), sr_tsn(sacks->highest_cum_tsn)));
    return data || side->loop.asked > 0;
}

void sr_association_packet(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                           enum sr_checksum checksum, uint32_t fingerprint)
{
    struct sr_side *side = &association->side[from];
    note_identity(side, packet->id, fingerprint);
    sr_unseen_packet(&side->unseen, packet->id, owes_answer(side, &association->side[1 - from]));
    if (association->packets++ == 0) {
        association->interface = packet->interface;
        association->first_frame = (uint32_t)packet->frame;
        association->first_time_ns = packet->time_ns;
    }
    association->several_interfaces |= packet->interface != association->interface;
    association->last_frame = (uint32_t)packet->frame;
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

void sr_association_repeated(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                             enum sr_kind kind)
{
    struct sr_side *side = &association->side[from];
    association->several_interfaces |= packet->interface != association->interface;
    side->repeated_late += kind == SR_KIND_NETWORK_DUPLICATE;
    if (side->repeated++ == 0)
        side->repeated_first = (uint32_t)packet->frame;
}

/* Where packets of a side were seen before it was known that a router translates its addresses, it has two. */
static void note_translated(struct sr_side *side, const struct sr_address *address)
{
    uint32_t at = 0;
    while (at < side->addresses && !sr_address_equal(&side->address[at], address))
        at++;
    if (at == 0 || sr_side_is_translated(side, address) || side->translations == SR_SIDE_TRANSLATIONS ||
        !add_address(&side->translated, &side->translations, NULL, address) || at == side->addresses)
        return;
    side->addresses--;
    memmove(&side->address[at], &side->address[at + 1], (side->addresses - at) * sizeof *side->address);
}

void sr_association_translated(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                               bool source, bool destination)
{
    if (source)
        note_translated(&association->side[from], &packet->src);
    if (destination)
        note_translated(&association->side[1 - from], &packet->dst);
    if (association->side[0].addresses <= 1 && association->side[1].addresses <= 1)
        association->features &= ~(1u << SR_FEATURE_MULTIHOMING);
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
    sr_side_add_chunks(&association->side[from], sr_chunk_counter(type), 1);
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
    if (sr_side_counts_anomalies(side) && side->anomalies[anomaly]++ == 0)
        side->anomalies_first[anomaly] = association->last_frame;
}

struct sr_packet_identity sr_association_identity(const struct sr_association *association, unsigned from,
                                                  const struct sr_packet *packet)
{
    const struct sr_side *side = &association->side[from];
    return (struct sr_packet_identity){side->last_fingerprint, side->id_tells ? packet->id : 0};
}

struct sr_copy sr_association_data(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                   struct sr_sent_chunk sent)
{
    struct sr_sent_data *data = &association->side[from].data;
    bool below = data->chunks > 0 && !sr_tsn_after(sent.tsn, sr_tsn(data->highest_tsn));
    sent.at_tap = below && !sent.loop.known && sr_is_at_tap(association, from);
    struct sr_copy copy = sr_scoreboard_sent(&data->board, budget, &sent);
    if (data->kinds[copy.kind]++ == 0 && copy.kind == SR_KIND_CONFLICTING)
        data->conflicting_frame = sent.frame;
    if (sr_is_duplicate(copy.kind))
        return copy;
    if (data->chunks == 0)
        data->first_tsn = sent.tsn.value;
    if (data->numbered_anew)
        data->span_before += (uint64_t)(data->highest_tsn - data->lowest_tsn) + 1;
    if (data->chunks++ == 0 || data->numbered_anew)
        data->lowest_tsn = data->highest_tsn = sent.tsn.value;
    data->numbered_anew = false;
    data->bytes += sent.bytes;
    if (sr_tsn_after(sent.tsn, sr_tsn(data->highest_tsn)))
        data->highest_tsn = sent.tsn.value;
    if (sr_tsn_after(sr_tsn(data->lowest_tsn), sent.tsn))
        data->lowest_tsn = sent.tsn.value;
    if (copy.copy == 1 && !sr_tells_nothing(copy.kind))
        data->tsns++;
    else
        data->repeated++;
    return copy;
}

struct sr_copy sr_association_data_repeated(struct sr_association *association, unsigned from, struct sr_tsn tsn,
                                            uint32_t frame, enum sr_kind kind)
{
    struct sr_side *side = &association->side[from];
    struct sr_copy copy = sr_scoreboard_repeated(&side->data.board, tsn, frame);
    copy.kind = kind;
    side->data.kinds[kind]++;
    return copy;
}

bool sr_association_answers(const struct sr_association *association, unsigned from, uint32_t request)
{
    const struct sr_side *other = &association->side[1 - from];
    return other->asks_reset ? other->reset_request == request : association->started == SR_STARTED_MIDDLE;
}

void sr_association_forward(struct sr_association *association, unsigned from, struct sr_tsn cum)
{
    sr_scoreboard_forward(&association->side[from].data.board, cum);
}

void sr_association_tsn_reset(struct sr_association *association, unsigned from, struct sr_tsn next)
{
    struct sr_sent_data *data = &association->side[from].data;
    if (!sr_scoreboard_reset(&data->board, next))
        return;
    data->resets++;
    data->numbered_anew = true;
}

bool sr_is_at_tap(const struct sr_association *association, unsigned from)
{
    return sr_hops_none(association->side[from].hops) && sr_hops_some(association->side[1 - from].hops);
}

bool sr_association_is_handshake(const struct sr_association *association)
{
    static const uint8_t types[] = {SR_CHUNK_INIT, SR_CHUNK_INIT_ACK, SR_CHUNK_COOKIE_ECHO, SR_CHUNK_ERROR,
                                    SR_CHUNK_ABORT};
    uint64_t others = 0;
    for (unsigned from = 0; from < 2; from++) {
        const struct sr_side *side = &association->side[from];
        for (unsigned counter = 0; counter < SR_SIDE_CHUNK_TYPES; counter++)
            others += sr_side_chunks(side, counter);
        for (unsigned i = 0; i < sizeof types; i++)
            others -= sr_side_chunks(side, sr_chunk_counter(types[i]));
    }
    return association->started != SR_STARTED_MIDDLE && others == 0;
}

unsigned sr_data_sender(const struct sr_association *association)
{
    const struct sr_side *side = association->side;
    return side[SR_SIDE_B].data.bytes > side[SR_SIDE_A].data.bytes ? SR_SIDE_B : SR_SIDE_A;
}

static void count_malformed(struct sr_sent_sacks *sacks, uint32_t anomalies, uint32_t frame)
{
    if (sacks->malformed_first == 0)
        sacks->malformed_first = frame;
    for (unsigned i = 0; anomalies >> i && sr_sacks_count_malformed(sacks); i++)
        sacks->malformed[i] += anomalies >> i & 1;
}

static void count_sack(struct sr_sent_sacks *sacks, const struct sr_sack *sack, uint32_t frame)
{
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
    if (sack->anomalies != 0)
        count_malformed(sacks, sack->anomalies, frame);
}

struct sr_newly sr_association_sack(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns, bool discarded)
{
    struct sr_side *sender = &association->side[1 - from];
    count_sack(&association->side[from].sacks, sack, association->last_frame);
    if (discarded)
        return (struct sr_newly){0};
    sr_filled_again_told(&sender->filled_again, &sender->data.board, sack);
    return sr_association_acked(association, from, budget, sack, time_ns);
}

struct sr_newly sr_association_acked(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                     const struct sr_sack *sack, int64_t time_ns)
{
    bool from_start = association->started != SR_STARTED_MIDDLE;
    struct sr_side *side = &association->side[1 - from];
    struct sr_sent_data *acked = &side->data;
    if (acked->chunks == 0 && from_start)
        return (struct sr_newly){0};
    acked->board.caught_up |= from_start;
    struct sr_newly newly = sr_scoreboard_acked(&acked->board, budget, sack, time_ns);
    side->claimed_unseen |= newly.above;
    acked->acked += newly.chunks;
    acked->acked_bytes += newly.bytes;
    return newly;
}
