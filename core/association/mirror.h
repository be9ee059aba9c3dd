/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether all packets of an association come once more by the same time later, in their order: a mirror port or a
 * second place of the path has them, whatever their identification says. What a sender sends again it picks out. */
#ifndef SR_ASSOCIATION_MIRROR_H
#define SR_ASSOCIATION_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

/* What one packet that came once more says. */
struct sr_mirrored {
    int64_t later_ns;
    uint32_t number; /* of the packet that it repeats, among those of its association */
    uint8_t from;    /* side that sent it */
    bool asks;       /* nobody sends it again so soon: sr_waits_for_timer */
};

struct sr_mirror {
    int64_t later_ns;
    uint32_t number;   /* of the latest packet that came once more */
    uint32_t agreed;   /* so many in a row, the latest among them; 0: nothing is known */
    uint8_t from_side; /* 1 << side: who sent them */
};

/* A packet whose first chunk has this type is sent again when a timer expires, or in answer to one that is: INIT and
 * COOKIE ECHO (RFC 9260 section 5.1, T1) and their answers, HEARTBEAT (section 8.3, once an RTO) and its answer. */
bool sr_waits_for_timer(uint8_t type);

/* The packet is one of them. */
bool sr_mirror_has(const struct sr_mirror *mirror, struct sr_mirrored packet);

/* It is: the lag is learned from it. */
void sr_mirror_learn(struct sr_mirror *mirror, struct sr_mirrored packet);

#endif
