/* SPDX-License-Identifier: BSD-2-Clause */
/* What a DATA chunk on the wire is: an original, one sent again, one that comes late, or one that the network or the
 * capture repeats. */
#ifndef SR_ASSOCIATION_KIND_H
#define SR_ASSOCIATION_KIND_H

#include "scoreboard.h"

/* No stack's RTO.Min is lower, with room: SR_SHORTEST_RTO_NS is the shortest that is known. */
#define SR_LEAST_RTO_NS INT64_C(200000000)

/* Bridges, mirror ports and captures on several interfaces have a packet again within this time, in which no stack
 * sends the same bytes twice: its shortest timer is ten times as long (SR_SHORTEST_RTO_NS), and three missing reports
 * hardly come so soon. */
#define SR_CAPTURED_TWICE_NS INT64_C(1000000)

/* Also back in time, as where two interfaces write one file. */
bool sr_within_captured_twice(int64_t one_ns, int64_t other_ns);

/* The packet of the latest copy, seen once more. */
bool sr_repeats(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent);

/* Where a TSN stands when a copy of it is seen. */
struct sr_standing {
    bool below_highest;
    bool given_up;        /* a FORWARD-TSN has passed over it */
    int64_t overtaken_ns; /* when a higher TSN was seen; SR_NO_TIME where that is not known */
    uint16_t overtaker;   /* identification of its packet, where those count packets and it is an original; else 0 */
};

/* Whether identifications say that of two packets this was sent after the other: those of a sender that counts them. */
bool sr_is_sent_after(uint16_t id, uint16_t other);

/* `slot` is that of the chunk's TSN before this copy, here and below. Its sender's count of packets says that what was
 * seen before this was sent after it. */
bool sr_is_overtaken(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, struct sr_standing standing);

enum sr_kind sr_kind_of(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, struct sr_standing standing);

/* The sender did not send it. */
static inline bool sr_is_duplicate(enum sr_kind kind)
{
    return kind == SR_KIND_NETWORK_DUPLICATE || kind == SR_KIND_CAPTURE_DUPLICATE;
}

/* It tells nothing of what becomes of its TSN: it is there once more, or that TSN stands for several chunks. */
static inline bool sr_tells_nothing(enum sr_kind kind)
{
    return sr_is_duplicate(kind) || kind == SR_KIND_CONFLICTING;
}

#endif
