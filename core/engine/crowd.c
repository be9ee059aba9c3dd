/* SPDX-License-Identifier: BSD-2-Clause */
/* What has to be looked at by itself: whatever a finding may tell of one association. findings/find.py, behaviour.py
 * and what they call decide whether one does; here it is enough that none is left out. */
#include "crowd.h"

#include "../association/taps.h"
#include "../books/figures.h"
#include "../wire/time.h"

enum {
    MS = 1000000,
    FEW_PACKETS = 16,        /* with more a look is cheap, and they may show a habit (behaviour.py: 20) */
    LONGEST_DELAY = 500 * MS /* of an acknowledgement (RFC 9260 section 6.2) */
};

static bool has_data(const struct sr_side *side)
{
    return side->data.chunks > 0;
}

static bool delays(const struct sr_direction_figures *figures)
{
    int64_t delay_ns;
    if (figures->delay_longest_ns == SR_NO_TIME || figures->delay_base_ns == SR_NO_TIME)
        return false;
    return !sr_elapsed(figures->delay_longest_ns, figures->delay_base_ns, &delay_ns) || delay_ns > LONGEST_DELAY;
}

/* Of what became of the data of a side. */
static bool direction_tells(const struct sr_association *association, const struct sr_direction_figures *figures)
{
    bool may_go_on = association->ended == SR_ENDED_OPEN || association->ended == SR_ENDED_SHUTTING_DOWN;
    return figures->silent_paths || figures->unseen_tsns || figures->inverted || figures->clock_steps ||
           figures->truncated_sacks || figures->stale_sacks || figures->zero_windows || figures->withdrawn_tsns ||
           figures->withdrawn_beyond || figures->marks_left_out || figures->lost_tsns || delays(figures) ||
           (may_go_on && figures->necessary_bytes && figures->acked_tsns);
}

/* TSNs were not seen between the lowest and the highest, or came again, or mean nothing. */
static bool data_tells(const struct sr_sent_data *data)
{
    uint64_t span = data->span_before + (data->highest_tsn - data->lowest_tsn) + UINT64_C(1);
    return data->chunks > 0 &&
           (data->kinds[SR_KIND_RETRANSMISSION] || data->conflicting_frame || data->board.jumps || span != data->tsns);
}

/* An acknowledgement is cut, or contradicts itself. */
static bool sacks_tell(const struct sr_side *side)
{
    uint32_t sent = sr_side_chunks(side, SR_CHUNK_SACK) + sr_side_chunks(side, SR_CHUNK_NR_SACK) +
                    sr_side_chunks(side, SR_CHUNK_SHUTDOWN);
    return sent != side->sacks.chunks || side->sacks.malformed;
}

static bool side_tells(const struct sr_side *side)
{
    bool right = side->checksums[SR_CHECKSUM_CRC32C] || side->checksums[SR_CHECKSUM_ADLER32];
    return side->blind_bytes || side->anomalies || side->repeated || (side->checksums[SR_CHECKSUM_WRONG] && right) ||
           sacks_tell(side) || data_tells(&side->data);
}

/* A handshake that is not complete, whose answers were captured. */
static bool is_half_open(const struct sr_association *association)
{
    return association->ended == SR_ENDED_OPEN && association->side[0].packets > 0 &&
           association->side[1].packets > 0 && sr_association_is_handshake(association);
}

static bool tells(const struct sr_association *association, const struct sr_direction_figures *const figures[2])
{
    const struct sr_side *side = association->side;
    return association->packets > FEW_PACKETS || association->errors.kinds || association->errors.more ||
           association->several_interfaces || association->ended == SR_ENDED_ABORT || side_tells(&side[0]) ||
           side_tells(&side[1]) || direction_tells(association, figures[0]) ||
           direction_tells(association, figures[1]) || is_half_open(association) || sr_has_two_taps(association);
}

static void add_frame(struct sr_lowest *lowest, uint32_t frame)
{
    uint32_t at = lowest->count;
    if (at == SR_CROWD_FRAMES && lowest->frames[--at] <= frame)
        return;
    for (; at > 0 && lowest->frames[at - 1] > frame; at--)
        lowest->frames[at] = lowest->frames[at - 1];
    lowest->frames[at] = frame;
    lowest->count += lowest->count < SR_CROWD_FRAMES;
}

/* Numbers come in their order. */
static void add_large(struct sr_crowd *crowd, uint64_t nth, uint32_t number, uint64_t chunks)
{
    uint64_t at = nth;
    if (at >= SR_CROWD_LARGEST) {
        at = SR_CROWD_LARGEST - 1;
        if (crowd->largest_chunks[at] >= chunks)
            return;
    }
    for (; at > 0 && crowd->largest_chunks[at - 1] < chunks; at--) {
        crowd->largest[at] = crowd->largest[at - 1];
        crowd->largest_chunks[at] = crowd->largest_chunks[at - 1];
    }
    crowd->largest[at] = number;
    crowd->largest_chunks[at] = chunks;
}

static void add_packets(struct sr_crowd *crowd, const struct sr_side *side)
{
    for (unsigned kind = 0; kind < SR_CHECKSUM_COUNT; kind++)
        if (side->checksums[kind] > 0) {
            crowd->checksums[kind] += side->checksums[kind];
            add_frame(&crowd->checksum_frames[kind], side->checksums_first[kind]);
        }
}

static void add_flow(struct sr_crowd *crowd, const struct sr_direction_figures *figures)
{
    crowd->overdue_tsns += figures->overdue_tsns;
    if (figures->overdue_frame > 0)
        add_frame(&crowd->overdue_frames, figures->overdue_frame);
}

static uint64_t add_data(struct sr_crowd *crowd, const struct sr_sent_data *data)
{
    crowd->chunks += data->chunks;
    crowd->bytes += data->bytes;
    crowd->tsns += data->tsns;
    crowd->acked += data->acked;
    return data->chunks;
}

static void add(struct sr_crowd *crowd, const struct sr_association *association,
                const struct sr_direction_figures *const figures[2])
{
    const struct sr_side *a = &association->side[SR_SIDE_A], *b = &association->side[SR_SIDE_B];
    uint64_t chunks = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct sr_side *side = &association->side[i];
        add_packets(crowd, side);
        if (has_data(side)) {
            chunks += add_data(crowd, &side->data);
            add_flow(crowd, figures[i]);
        }
    }
    if (chunks == 0 && a->sacks.chunks == 0 && b->sacks.chunks == 0) {
        if (crowd->without_data < SR_CROWD_WITHOUT)
            crowd->without[crowd->without_data] = association->number;
        crowd->without_data++;
        return;
    }
    if (chunks > 0 && (a->packets == 0 || b->packets == 0)) {
        crowd->one_way++;
        add_frame(&crowd->one_way_frames, association->first_frame);
    }
    crowd->answered |= (has_data(a) && b->sacks.chunks > 0) || (has_data(b) && a->sacks.chunks > 0);
    crowd->started[association->started]++;
    crowd->ended[association->ended]++;
    add_large(crowd, crowd->with_data, association->number, chunks);
    if (crowd->with_data < SR_CROWD_FIRST)
        crowd->first[crowd->with_data] = association->number;
    crowd->with_data++;
}

void sr_engine_crowd(const struct sr_engine *engine, uint8_t *company, struct sr_crowd *crowd)
{
    const struct sr_registry *registry = sr_engine_associations(engine);
    *crowd = (struct sr_crowd){0};
    for (uint32_t number = 0; number < sr_registry_count(registry); number++) {
        const struct sr_direction_figures *figures[2];
        const struct sr_association *association = sr_registry_at(registry, number);
        for (unsigned i = 0; i < 2; i++)
            if (!(figures[i] = sr_engine_figures(engine, number, i)))
                figures[i] = &sr_no_figures;
        if (association->joined) {
            company[number] = SR_COMPANY_NONE;
        } else if (company[number] || tells(association, figures)) {
            company[number] = SR_COMPANY_ALONE;
        } else {
            company[number] = association->ended == SR_ENDED_UNANSWERED ? SR_COMPANY_UNANSWERED : SR_COMPANY_CROWD;
            add(crowd, association, figures);
        }
    }
}
