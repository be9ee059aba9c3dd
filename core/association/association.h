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
#include "filled_again.h"
#include "hops.h"
#include "mirror.h"
#include "scoreboard.h"
#include "taps.h"
#include "unseen.h"

enum {
    SR_SIDE_A = 0, /* sent the INIT that led to the association, or was seen first */
    SR_SIDE_B = 1,
    SR_SIDE_ADDRESSES = 8,
    SR_SIDE_TRANSLATIONS = 2,
    SR_SIDE_CHUNK_TYPES = 26,
    SR_QUESTIONS = 8, /* HEARTBEATs that wait: one for each address that is kept */
};

/* Chunks are counted by this: types of RFC 9260 up to NR-SACK by their number, the later ones after them, all that
 * are not known in the last. */
unsigned sr_chunk_counter(uint8_t type);

struct sr_sent_data {
    uint64_t bytes; /* of the chunks that it sent: not of what the capture or the network repeats */
    uint64_t acked_bytes;
    uint64_t span_before; /* of the TSNs before they were last numbered anew, from the lowest to the highest */
    uint32_t chunks;
    uint32_t tsns;                               /* different TSNs */
    uint32_t repeated;                           /* of the chunks, those whose TSN was seen before */
    uint32_t acked;                              /* TSNs seen and acknowledged */
    uint32_t kinds[SR_KIND_COUNT];               /* of the chunks, and of those repeated */
    uint32_t first_tsn, lowest_tsn, highest_tsn; /* the latter two since TSNs were last numbered anew */
    uint32_t resets;                             /* how often TSNs were numbered anew */
    uint32_t conflicting_frame;                  /* of the first chunk of kind SR_KIND_CONFLICTING; 0: none */
    bool numbered_anew;                          /* and nothing was sent since */
    struct sr_scoreboard board;                  /* of all of it */
};

struct sr_sent_sacks {
    uint64_t gaps, nr_gaps, dups;
    uint32_t chunks;
    uint32_t with_gaps;       /* of them, with gap or NR-gap blocks */
    uint32_t most_blocks;     /* in one of them */
    uint32_t zero_window;     /* of them, with a_rwnd 0 */
    uint32_t malformed_first; /* frame of the first of them with an anomaly */
    uint32_t *malformed;      /* by enum sr_sack_anomaly; NULL before the first */
    uint32_t first_cum_tsn, highest_cum_tsn;
};

/* One end, and what it was seen to send. Frames have numbers of 32 bits, and so have counts of packets and chunks. */
struct sr_side {
    uint32_t tag; /* its own: packets to it carry it */
    bool tag_known;
    uint8_t tags; /* how many it was seen to have: several while a handshake is repeated */
    bool sent_init;
    uint16_t port;
    uint32_t init_features; /* that its INIT or INIT ACK claims; 0 without */
    uint8_t family;         /* enum sr_stack_family: as that tells */
    uint8_t addresses, translations;
    struct sr_address *address;    /* seen or announced, in that order */
    struct sr_address *translated; /* what a router on the way makes of its addresses */
    struct sr_address only;        /* where `address` leads while there is one: most sides have no other */
    uint32_t packets;              /* each once */
    struct sr_hops hops;
    uint8_t few_chunks[SR_SIDE_CHUNK_TYPES]; /* by sr_chunk_counter: see sr_side_chunks */
    uint32_t *many_chunks;                   /* instead of them, once there are too many of one type */
    uint32_t checksums[SR_CHECKSUM_COUNT];
    uint32_t checksums_first[SR_CHECKSUM_COUNT]; /* frame of the first of each kind */
    uint32_t *anomalies;                         /* by enum sr_chunk_anomaly; NULL before the first */
    uint32_t *anomalies_first;                   /* frame of the first of each kind */
    uint64_t blind_bytes;                        /* that the capture cut off */
    uint32_t last_sack; /* 1 + row, in the journal, of the latest that it sent and the other side took; 0: none */
    struct sr_loop loop;
    struct sr_unseen unseen;
    bool claimed_unseen;    /* of its data, more was acknowledged than was seen by then */
    uint32_t reset_request; /* number of its latest request to number TSNs anew, where `asks_reset` is set */
    bool asks_reset;
    uint32_t last_fingerprint; /* of the packet before */
    uint16_t last_id;          /* of the packet before */
    bool id_tells;             /* its identification tells the current packet from others */
    bool forbids_fragments;    /* a packet with data was sent that may not be fragmented on its way */
    uint32_t repeated;         /* packets that the capture or the network has once more, beside `packets` */
    uint32_t repeated_late;    /* of them, those that the network may have repeated */
    uint32_t repeated_in_gaps; /* and those of a gap, which may have been sent again: sr_repeats_find */
    uint32_t repeated_first;   /* frame of the first of them */
    struct sr_filled_again filled_again;
    uint32_t alike_soon; /* packets that came again so soon, and may have been sent again */
    struct sr_late_repeats late;
    struct sr_sent_data data; /* zeroed before its first, and before any is acknowledged */
    struct sr_sent_sacks sacks;
};

/* It stays where it is. */
struct sr_association {
    uint32_t number;
    struct sr_side side[2];
    uint64_t packets;
    uint32_t first_frame, last_frame;
    int64_t first_time_ns, last_time_ns;
    uint32_t features;               /* 1 << enum sr_feature: seen in use, or announced by both sides */
    uint8_t started;                 /* enum sr_started */
    uint8_t ended;                   /* enum sr_ended */
    uint32_t interface;              /* of its first packet */
    struct sr_journal_chain entries; /* of the journal: its own */
    struct sr_errors errors;         /* of both sides */
    struct sr_mirror mirror;
    bool several_interfaces;
    bool established;              /* a chunk was seen that only comes after the handshake's INIT and INIT ACK */
    bool turned;                   /* joined: its side a is side b there */
    struct sr_association *joined; /* it was half of this one, which has all that was its; NULL: it is itself */
    uint32_t absorbed;             /* 1 + number of its other half; 0: there was none */
    uint32_t *question;            /* while it is half of one, information of its latest HEARTBEATs: a ring */
    uint32_t questions;            /* so many of them */
};

/* Both are one: `into` has all that `half` had, which keeps nothing but the way there. What the feedback of each says
 * of the data of the other is not looked at. */
void sr_association_join(struct sr_association *into, struct sr_association *half, bool turned,
                         struct sr_slot_budget *budget);

/* Frees what it keeps elsewhere. */
void sr_association_clear(struct sr_association *association, struct sr_slot_budget *budget);

/* Forgets what was made of data and feedback, but for the sums of feedback: they are seen again. */
void sr_association_again(struct sr_association *association, struct sr_slot_budget *budget);

/* All of one packet from `from`: it before its chunks. `fingerprint` is equal for equal bytes. */
void sr_association_packet(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                           enum sr_checksum checksum, uint32_t fingerprint);
/* Instead of it, where the packet was seen before: nothing but this is counted of it. */
void sr_association_repeated(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                             enum sr_kind kind);
/* A router has translated the source of a packet that was seen before, or its destination: they are no further
 * addresses of the two sides. */
void sr_association_translated(struct sr_association *association, unsigned from, const struct sr_packet *packet,
                               bool source, bool destination);
void sr_association_chunk(struct sr_association *association, unsigned from, uint8_t type, int64_t time_ns);
void sr_association_anomaly(struct sr_association *association, unsigned from, enum sr_chunk_anomaly anomaly);
/* What tells the packet of `from` that has just come from others. */
struct sr_packet_identity sr_association_identity(const struct sr_association *association, unsigned from,
                                                  const struct sr_packet *packet);
/* `sent.at_tap` is found here. */
struct sr_copy sr_association_data(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                   struct sr_sent_chunk sent);
/* Of a packet that was seen before, in `frame`. */
struct sr_copy sr_association_data_repeated(struct sr_association *association, unsigned from, struct sr_tsn tsn,
                                            uint32_t frame, enum sr_kind kind);
/* A SACK that `from` sent: it acknowledges the other side's data, unless that discards it. */
struct sr_newly sr_association_sack(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns, bool discarded);
/* Likewise, of one that was counted. */
struct sr_newly sr_association_acked(struct sr_association *association, unsigned from, struct sr_slot_budget *budget,
                                     const struct sr_sack *sack, int64_t time_ns);

/* A response of `from` answers what the other side asked for. Where the capture begins in the middle and holds no
 * request of that side, it may have asked before. */
bool sr_association_answers(const struct sr_association *association, unsigned from, uint32_t request);

/* A FORWARD-TSN of `from`: it gives up all up to `cum`. */
void sr_association_forward(struct sr_association *association, unsigned from, struct sr_tsn cum);

/* The next DATA of `from` has this TSN (RFC 6525 section 5.2.4); told again it changes nothing. */
void sr_association_tsn_reset(struct sr_association *association, unsigned from, struct sr_tsn next);

/* The tap is at `from`: its packets have passed no router, those of the other side have. */
bool sr_is_at_tap(const struct sr_association *association, unsigned from);

/* The identification tells a packet of the side, the next one, from others. */
bool sr_id_tells(const struct sr_side *side, uint16_t id, uint32_t fingerprint);

/* Nothing was seen that ends it. */
bool sr_association_is_open(const struct sr_association *association);

/* All that was seen of it is a handshake, from its beginning, with the ERROR and ABORT that may answer one. */
bool sr_association_is_handshake(const struct sr_association *association);

/* The data sender: the side that sends more user data, so far; side a while both have sent as much. */
unsigned sr_data_sender(const struct sr_association *association);

bool sr_side_has_address(const struct sr_side *side, const struct sr_address *address);
/* A router makes it of an address of the side. */
bool sr_side_is_translated(const struct sr_side *side, const struct sr_address *address);

/* How many chunks a side has sent that are counted so. */
uint32_t sr_side_chunks(const struct sr_side *side, unsigned counter);
void sr_side_add_chunks(struct sr_side *side, unsigned counter, uint32_t count);

/* Makes room for what hardly any side needs. False when memory runs out: it is not counted then. */
bool sr_side_counts_anomalies(struct sr_side *side);
bool sr_sacks_count_malformed(struct sr_sent_sacks *sacks);

/* A HEARTBEAT of half of an association. */
void sr_association_asks(struct sr_association *half, uint32_t information);

/* Adds an address that is new to the side and none of its own translated, if there is room and memory. */
void sr_side_learn_address(struct sr_side *side, const struct sr_address *address);

#endif
