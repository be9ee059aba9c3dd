/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of a side that the tap did not see: a sender that counts its packets in their identification (DTLS numbers
 * its records; Linux counts in the IPv4 header for each connected socket) leaves a hole for each. A host that counts
 * all that it sends together leaves holes too: whether it does, facts/missing.c asks. */
#ifndef SR_ASSOCIATION_UNSEEN_H
#define SR_ASSOCIATION_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SR_UNSEEN_MOST = 7,  /* packets, as many as a row has bits for; a wider hole is taken for another count */
    SR_UNSEEN_LATE = 64, /* a packet that comes no further behind the latest was overtaken */
    /* Packets of one counter that come so near to each other that their identifications tell their order. */
    SR_PACKETS_APART = 1024,
};

struct sr_unseen {
    uint32_t steps, of_one; /* from packet to packet; of them those without a hole */
    uint32_t of_count;      /* and those that tell the order of both, whatever else the host sends and counts */
    uint16_t last;          /* identification of the latest packet; 0: none */
    uint8_t packets;        /* not seen, since the latest packet with data */
    uint8_t since_feedback; /* likewise, since the latest packet with feedback */
};

/* Of a packet, before its chunks are looked at. `owes`: the side owed an answer, so that what is missing may have been
 * that. */
void sr_unseen_packet(struct sr_unseen *unseen, uint16_t id, bool owes);

/* At a packet's first chunk with data: how many packets are missing before it. */
static inline uint8_t sr_unseen_take(struct sr_unseen *unseen)
{
    uint8_t packets = unseen->packets;
    unseen->packets = 0;
    return packets;
}

/* At a packet's feedback: how many are missing since the feedback before; SR_UNSEEN_MOST: so many or more, or nobody
 * knows. */
static inline uint8_t sr_unseen_take_feedback(struct sr_unseen *unseen)
{
    uint8_t packets = unseen->since_feedback;
    unseen->since_feedback = 0;
    return packets;
}

/* Most packets follow the one before: the identification is no random number, and little else is counted. */
static inline bool sr_unseen_tells(const struct sr_unseen *unseen)
{
    return unseen->of_one > unseen->steps / 2;
}

/* The identification is a count, perhaps of the whole host's packets: of random numbers one step in 64 is so short. */
static inline bool sr_unseen_counts(const struct sr_unseen *unseen)
{
    return unseen->of_count > unseen->steps / 2;
}

#endif
