/* SPDX-License-Identifier: BSD-2-Clause */
/* What one side of an association was seen to send on one path: packets with the same addresses, ports and
 * verification tag. It counts; it judges nothing and pairs nothing. */
#ifndef SR_ENGINE_FLOWS_H
#define SR_ENGINE_FLOWS_H

#include "../wire/data.h"
#include "../wire/packet.h"
#include "../wire/sack.h"
#include "rows.h"

enum { SR_FLOWS_LIMIT = 4096, SR_FLOW_TSN_WINDOW = 65536, SR_CHUNK_TYPES = 256 };

struct sr_flow_key {
    struct sr_path path;
    uint16_t sport, dport;
    uint32_t vtag;
};

struct sr_flow_data {
    uint64_t chunks, bytes;
    uint64_t tsns;     /* different TSNs within the window */
    uint64_t repeated; /* chunks whose TSN was seen before */
    uint64_t below;    /* chunks more than the window below the highest TSN: seen before or not is not known */
    uint32_t first_tsn, lowest_tsn, highest_tsn;
};

struct sr_flow_sacks {
    uint64_t chunks;
    uint64_t with_gaps; /* of them, with gap or NR-gap blocks */
    uint64_t gaps, nr_gaps, dups;
    uint64_t most_blocks; /* in one of them */
    uint64_t zero_window; /* of them, with a_rwnd 0 */
    uint64_t malformed[SR_SACK_ANOMALY_COUNT];
    uint64_t malformed_first; /* frame of the first of them */
    uint32_t first_cum_tsn, highest_cum_tsn;
};

struct sr_flow {
    struct sr_flow_key key;
    uint8_t encapsulation; /* of its first packet */
    uint64_t packets;
    uint64_t first_frame, last_frame;
    int64_t first_time_ns, last_time_ns;
    uint64_t checksums[SR_CHECKSUM_COUNT];
    uint64_t checksums_first[SR_CHECKSUM_COUNT]; /* frame of the first of each kind */
    uint64_t chunks[SR_CHUNK_TYPES];
    uint64_t anomalies[SR_CHUNK_ANOMALY_COUNT];
    uint64_t anomalies_first[SR_CHUNK_ANOMALY_COUNT]; /* frame of the first of each kind */
    uint64_t blind_bytes;                             /* that the capture cut off */
    struct sr_flow_data data;
    struct sr_flow_sacks sacks;
    uint8_t *seen; /* one bit for each TSN of the window that ends at the highest */
};

struct sr_flows;

struct sr_flows *sr_flows_new(void); /* NULL when memory runs out */
void sr_flows_free(struct sr_flows *flows);

/* The flow of a packet, begun if need be; NULL when there are SR_FLOWS_LIMIT others, or memory runs out. */
struct sr_flow *sr_flows_find(struct sr_flows *flows, const struct sr_flow_key *key);

/* In the order in which they began. */
uint32_t sr_flows_count(const struct sr_flows *flows);
const struct sr_flow *sr_flows_at(const struct sr_flows *flows, uint32_t index);

/* All of one packet: it before its chunks. */
void sr_flow_count_packet(struct sr_flow *flow, const struct sr_packet *packet, enum sr_checksum checksum);
void sr_flow_count_anomaly(struct sr_flow *flow, enum sr_chunk_anomaly anomaly);
bool sr_flow_count_data(struct sr_flow *flow, const struct sr_data *data); /* false when memory runs out */
void sr_flow_count_sack(struct sr_flow *flow, const struct sr_sack *sack);

#endif
