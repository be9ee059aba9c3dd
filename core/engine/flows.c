/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of flows and their counters. */
#include "flows.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = SR_FLOWS_LIMIT * 2, RECENT = 4 };

struct sr_flows {
    uint32_t count;
    uint32_t next_recent;
    struct sr_flow *recent[RECENT]; /* most packets belong to the flows of the last few */
    uint16_t slots[SLOTS];          /* 1 + index of a flow, 0 where free */
    struct sr_flow *flows[SR_FLOWS_LIMIT];
};

struct sr_flows *sr_flows_new(void)
{
    return calloc(1, sizeof(struct sr_flows));
}

void sr_flows_free(struct sr_flows *flows)
{
    if (!flows)
        return;
    for (uint32_t i = 0; i < flows->count; i++) {
        free(flows->flows[i]->seen);
        free(flows->flows[i]);
    }
    free(flows);
}

static bool same_key(const struct sr_flow_key *a, const struct sr_flow_key *b)
{
    return a->vtag == b->vtag && a->sport == b->sport && a->dport == b->dport &&
           memcmp(&a->path, &b->path, sizeof a->path) == 0;
}

static uint32_t slot_of(const struct sr_flow_key *key)
{
    uint64_t hash = (uint64_t)key->vtag << 32 | (uint32_t)key->sport << 16 | key->dport;
    for (size_t i = 0; i < sizeof key->path.bytes; i++)
        hash = (hash ^ key->path.bytes[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)((hash ^ hash >> 29) % SLOTS);
}

static struct sr_flow *begin(struct sr_flows *flows, const struct sr_flow_key *key, uint32_t slot)
{
    if (flows->count == SR_FLOWS_LIMIT)
        return NULL;
    struct sr_flow *flow = calloc(1, sizeof *flow);
    if (!flow)
        return NULL;
    flow->key = *key;
    flows->flows[flows->count++] = flow;
    flows->slots[slot] = (uint16_t)flows->count;
    return flow;
}

struct sr_flow *sr_flows_find(struct sr_flows *flows, const struct sr_flow_key *key)
{
    for (int i = 0; i < RECENT; i++)
        if (flows->recent[i] && same_key(&flows->recent[i]->key, key))
            return flows->recent[i];

    struct sr_flow *flow = NULL;
    uint32_t slot = slot_of(key);
    for (; flows->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        flow = flows->flows[flows->slots[slot] - 1];
        if (same_key(&flow->key, key))
            break;
        flow = NULL;
    }
    if (!flow)
        flow = begin(flows, key, slot);
    if (flow)
        flows->recent[flows->next_recent++ % RECENT] = flow;
    return flow;
}

uint32_t sr_flows_count(const struct sr_flows *flows)
{
    return flows->count;
}

const struct sr_flow *sr_flows_at(const struct sr_flows *flows, uint32_t index)
{
    return flows->flows[index];
}

void sr_flow_count_packet(struct sr_flow *flow, const struct sr_packet *packet, enum sr_checksum checksum)
{
    if (flow->packets++ == 0) {
        flow->encapsulation = packet->encapsulation;
        flow->first_frame = packet->frame;
        flow->first_time_ns = packet->time_ns;
    }
    flow->last_frame = packet->frame;
    flow->last_time_ns = packet->time_ns;
    if (flow->checksums[checksum]++ == 0)
        flow->checksums_first[checksum] = packet->frame;
    flow->blind_bytes += packet->wire - packet->captured;
}

void sr_flow_count_anomaly(struct sr_flow *flow, enum sr_chunk_anomaly anomaly)
{
    if (flow->anomalies[anomaly]++ == 0)
        flow->anomalies_first[anomaly] = flow->last_frame;
}

static bool test_and_set(uint8_t *seen, struct sr_tsn tsn)
{
    uint32_t bit = tsn.value % SR_FLOW_TSN_WINDOW;
    bool was = seen[bit / 8] >> bit % 8 & 1;
    seen[bit / 8] |= (uint8_t)(1u << bit % 8);
    return was;
}

/* Forgets `count` TSNs from `first` on, less than the window. Whole bytes at once: a sender can make the window move by
 * almost its size with every chunk. */
static void forget(uint8_t *seen, uint32_t first, uint32_t count)
{
    enum { BYTE = 8 };
    uint32_t bit = first % SR_FLOW_TSN_WINDOW;
    while (count > 0) {
        uint32_t run = 1;
        if (bit % BYTE == 0 && count >= BYTE) {
            uint32_t to_the_end = SR_FLOW_TSN_WINDOW - bit;
            run = (count < to_the_end ? count : to_the_end) / BYTE * BYTE;
            memset(seen + bit / BYTE, 0, run / BYTE);
        } else {
            seen[bit / BYTE] &= (uint8_t) ~(1u << bit % BYTE);
        }
        bit = (bit + run) % SR_FLOW_TSN_WINDOW;
        count -= run;
    }
}

/* The window moves up to `tsn`: what falls out of it makes room for TSNs not seen yet. */
static void raise(struct sr_flow *flow, struct sr_tsn tsn, int64_t by)
{
    if (by >= SR_FLOW_TSN_WINDOW)
        memset(flow->seen, 0, SR_FLOW_TSN_WINDOW / 8);
    else
        forget(flow->seen, flow->data.highest_tsn + 1, (uint32_t)by);
    flow->data.highest_tsn = tsn.value;
}

bool sr_flow_count_data(struct sr_flow *flow, const struct sr_data *chunk)
{
    struct sr_flow_data *data = &flow->data;
    if (!flow->seen) {
        flow->seen = calloc(1, SR_FLOW_TSN_WINDOW / 8);
        if (!flow->seen)
            return false;
        data->first_tsn = data->lowest_tsn = data->highest_tsn = chunk->tsn.value;
    }
    data->chunks++;
    data->bytes += chunk->bytes;
    int64_t ahead = sr_tsn_distance(chunk->tsn, sr_tsn(data->highest_tsn));
    if (ahead > 0)
        raise(flow, chunk->tsn, ahead);
    if (sr_tsn_after(sr_tsn(data->lowest_tsn), chunk->tsn))
        data->lowest_tsn = chunk->tsn.value;
    if (ahead <= -SR_FLOW_TSN_WINDOW)
        data->below++;
    else if (test_and_set(flow->seen, chunk->tsn))
        data->repeated++;
    else
        data->tsns++;
    return true;
}

void sr_flow_count_sack(struct sr_flow *flow, const struct sr_sack *sack)
{
    struct sr_flow_sacks *sacks = &flow->sacks;
    uint64_t blocks = (uint64_t)sack->gaps.count + sack->nr_gaps.count;

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
        sacks->malformed_first = flow->last_frame;
    for (uint32_t i = 0; i < SR_SACK_ANOMALY_COUNT; i++)
        sacks->malformed[i] += sack->anomalies >> i & 1;
}
