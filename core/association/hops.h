/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the packets of a side pass routers on their way to the tap, by their hop limits: hosts begin with one of a
 * few values (64 by RFC 1700, also 128 and 255), and each router takes one off (RFC 8200 section 3, TTL in RFC 791). */
#ifndef SR_ASSOCIATION_HOPS_H
#define SR_ASSOCIATION_HOPS_H

#include <stdbool.h>
#include <stdint.h>

/* Packets with a hop limit that hosts begin with, and with another one. */
struct sr_hops {
    uint32_t initial, lower;
};

static inline void sr_hops_note(struct sr_hops *hops, uint8_t hop_limit)
{
    bool initial = hop_limit == 64 || hop_limit == 128 || hop_limit == 255;
    hops->initial += initial;
    hops->lower += !initial && hop_limit != 0;
}

enum {
    SR_HOPS_LOOKED_AT = 4096, /* packets of a side */
    SR_HOPS_MOSTLY = 16,      /* a few may differ, as where one address is reached over another way */
};

static inline bool sr_hops_none(struct sr_hops hops)
{
    return hops.initial > 0 && hops.lower <= hops.initial / SR_HOPS_MOSTLY;
}

static inline bool sr_hops_some(struct sr_hops hops)
{
    return hops.lower > 0 && hops.initial <= hops.lower / SR_HOPS_MOSTLY;
}

#endif
