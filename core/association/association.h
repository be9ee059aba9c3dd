/* SPDX-License-Identifier: BSD-2-Clause */
/* What is kept of an association: its two sides, what each was seen to send, how it begins and ends. */
#ifndef SR_ASSOCIATION_ASSOCIATION_H
#define SR_ASSOCIATION_ASSOCIATION_H

#include "../journal/chain.h"
#include "../names.h"
#include "../wire/data.h"
#include "../wire/packet.h"
#include "../wire/sack.h"
#include "errors.h"
#include "hops.h"
#include "scoreboard.h"

enum {
    SR_SIDE_A = 0, /* sent the INIT that led to the association, or was seen first */
    SR_SIDE_B = 1,
    SR_SIDE_ADDRESSES = 8,
    SR_SIDE_CHUNK_TYPES = 32,
};

/* Chunks are counted by this: types of RFC 9260 up to NR-SACK by their number, the later ones after them, all that
 * are not known in the last. */
unsigned sr_chunk_counter(uint8_t type);

struct sr_sent_data {
    uint64_t chunks, bytes;
    uint64_t tsns;     /* different TSNs */
    uint64_t repeated; /* chunks whose TSN was seen before */
    uint64_t acked;    /* TSNs seen and acknowledged */
    uint64_t acked_bytes;
    uint64_t kinds[SR_KIND_COUNT];               /* of the chunks */
    uint32_t first_tsn, lowest_tsn, highest_tsn; /* the latter two since TSNs were last numbered anew */
    uint64_t span_before;                        /* of the TSNs before that, from the lowest to the highest */
    uint32_t resets;                             /* how often TSNs were numbered anew */
    bool numbered_anew;                          /* and nothing was sent since */
};

struct sr_sent_sacks {
    uint64_t chunks;
    uint32_t with_gaps; /* of them, with gap or NR-gap blocks */
    uint64_t gaps, nr_gaps, dups;
    uint32_t most_blocks; /* in one of them */
    uint32_t zero_window; /* of them, with a_rwnd 0 */
    uint32_t malformed[SR_SACK_ANOMALY_COUNT];
    uint32_t malformed_first; /* frame of the first of them */
    uint32_t first_cum_tsn, highest_cum_tsn;
};

/* Who wrote a side's stack, as far as its INIT or INIT ACK tells. */
enum sr_stack_family {
    SR_FAMILY_UNKNOWN, /* its handshake was not seen */
    SR_FAMILY_PION,    /* pion/sctp, or one of its ports: webrtc-rs, sctp-proto */
    SR_FAMILY_OTHER,
};

/* One end, and what it was seen to send. */
struct sr_side {
    uint32_t tag; /* its own: packets to it carry it */
    bool tag_known;
    uint8_t tags; /* how many it was seen to have: several while a handshake is repeated */
    bool sent_init;
    uint16_t port;
    uint32_t init_features; /* that its INIT or INIT ACK claims; 0 without */
    uint8_t family;         /* enum sr_stack_family: as that tells */
    uint32_t addresses;
    struct sr_address address[SR_SIDE_ADDRESSES]; /* seen or announced, in that order */
    uint64_t packets;
    struct sr_hops hops;
    uint32_t chunks[SR_SIDE_CHUNK_TYPES]; /* by sr_chunk_counter */
    uint32_t checksums[SR_CHECKSUM_COUNT];
    uint32_t checksums_first[SR_CHECKSUM_COUNT]; /* frame of the first of each kind */
    uint32_t anomalies[SR_CHUNK_ANOMALY_COUNT];
    uint32_t anomalies_first[SR_CHUNK_ANOMALY_COUNT]; /* frame of the first of each kind */
    uint64_t blind_bytes;                             /* that the capture cut off */
    struct sr_sent_data data;
    struct sr_sent_sacks sacks;
    struct sr_scoreboard board; /* of its data */
    uint32_t last_sack; /* 1 + row, in the journal, of the latest that it sent and the other side took; 0: none */
    struct sr_loop loop;
    uint32_t last_fingerprint; /* of the packet before */
    uint16_t last_ip_id;       /* of the packet before */
    bool ip_id_tells;          /* its identification tells the current packet from others */
};

struct sr_association {
    uint32_t number;
    struct sr_side side[2];
    uint64_t packets;
    uint64_t first_frame, last_frame;
    int64_t first_time_ns, last_time_ns;
    uint32_t features;               /* 1 << enum sr_feature: seen in use, or announced by both sides */
    uint8_t started;                 /* enum sr_started */
    uint8_t ended;                   /* enum sr_ended */
    uint32_t interface;              /* of its first packet */
    struct sr_journal_chain entries; /* of the journal: its own */
    struct sr_errors errors;         /* of both sides */
    bool several_interfaces;
    bool established; /* a chunk was seen that only comes after the handshake's INIT and INIT ACK */
};

/* All of one packet from `from`: it before its chunks. `fingerprint` is equal for equal bytes. */
void sr_association_packet(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                           enum sr_checksum checksum, uint32_t fingerprint);
void sr_association_chunk(struct sr_association *association, unsigned from, uint8_t type, int64_t time_ns);
void sr_association_anomaly(struct sr_association *association, unsigned from, enum sr_chunk_anomaly anomaly);
/* `loop` is that to the side and back. */
struct sr_copy sr_association_data(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                   const struct sr_data *data, const struct sr_packet *packet, struct sr_loop loop);
/* A SACK that `from` sent: it acknowledges the other side's data, unless that discards it. */
struct sr_newly sr_association_sack(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns, bool discarded);

/* The next DATA of `from` has this TSN (RFC 6525 section 5.2.4); told again it changes nothing. */
void sr_association_tsn_reset(struct sr_association *association, unsigned from, struct sr_tsn next);

/* The tap is at `from`: its packets have passed no router, those of the other side have. */
bool sr_is_at_tap(const struct sr_association *association, unsigned from);

/* Nothing was seen that ends it. */
bool sr_association_is_open(const struct sr_association *association);

/* The data sender: the side that sends more user data, so far; side a while both have sent as much. */
unsigned sr_data_sender(const struct sr_association *association);

bool sr_side_has_address(const struct sr_side *side, const struct sr_address *address);
/* Adds an address that is new to the side, if there is room. */
void sr_side_learn_address(struct sr_side *side, const struct sr_address *address);

#endif
