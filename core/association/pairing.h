/* SPDX-License-Identifier: BSD-2-Clause */
/* Which two halves of an association are one. Where no handshake was seen, packets that go one way tell the tag of the
 * side that they go to, and nothing of the other's: over other addresses the other way looks like another association.
 *
 * Two halves are one where their ports are mirrored, nothing contradicts, and
 *   - each end has an address in both: between two endpoints there is one association at a time (RFC 9260 section 1.3),
 *   - or one end has, and a HEARTBEAT of one half is answered in the other with the same information (section 8.3),
 *   - or one end has, and feedback in one half acknowledges a TSN that the other half was seen to send: initial TSNs
 * are chosen among 2^32. One common address is no proof: a server speaks with many from its port, and they may all have
 * the same port too. A proof that fits several halves is none. */
#ifndef SR_ASSOCIATION_PAIRING_H
#define SR_ASSOCIATION_PAIRING_H

#include "../journal/spool.h"
#include "association.h"
#include "clue.h"

enum { SR_PAIRING_BUCKETS = 1 << 15 };

/* Of an association that may be half of one, by its number: what tells that it is not meant, without a look at the
 * association, which may be in a file. */
struct sr_unpaired {
    uint32_t ports;  /* of both sides, either way round */
    uint32_t before; /* 1 + number of the one before it in the list; 0: none */
};

/* Halves by their ports, newest first. */
struct sr_pairing {
    uint32_t by_ports[SR_PAIRING_BUCKETS]; /* 1 + number of the newest */
    struct sr_unpaired *unpaired;
    uint32_t room;  /* for so many */
    uint32_t looks; /* at a half, that may be taken */
    const struct sr_spool *associations;
};

void sr_pairing_free(struct sr_pairing *pairing);

/* Room for an association with this number, the next one; false when memory runs out. */
bool sr_pairing_make_room(struct sr_pairing *pairing, uint32_t number);

/* An association that may be half of one, for which there is room. */
void sr_pairing_add(struct sr_pairing *pairing, const struct sr_association *association);

/* The tag of exactly one side is known. */
static inline bool sr_is_half(const struct sr_association *association)
{
    return association->side[SR_SIDE_A].tag_known != association->side[SR_SIDE_B].tag_known;
}

/* The side of a half that its packets go to. */
static inline unsigned sr_half_goes_to(const struct sr_association *half)
{
    return half->side[SR_SIDE_B].tag_known ? SR_SIDE_B : SR_SIDE_A;
}

/* Packets one way: those of a half, or a first one. */
struct sr_one_way {
    const struct sr_association *half; /* NULL: a packet that is of none yet */
    const struct sr_address *src, *dst;
    uint32_t srcs, dsts;
    uint16_t sport, dport;
};

struct sr_one_way sr_one_way_of(const struct sr_association *half);

/* A packet has come: what may be looked at for it. */
void sr_pairing_packet(struct sr_pairing *pairing);

/* The half whose packets go the other way; NULL where none is known to be. `clue` is the packet's that has just come.
 */
struct sr_association *sr_pairing_find(struct sr_pairing *pairing, const struct sr_one_way *way,
                                       const struct sr_clue *clue);

/* Feedback on data of this side cannot be of its numbering: as sr_scoreboard_acked has it. */
bool sr_contradicts(const struct sr_side *sender, struct sr_tsn cum);

#endif
