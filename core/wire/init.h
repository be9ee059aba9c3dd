/* SPDX-License-Identifier: BSD-2-Clause */
/* What an INIT or INIT ACK says of its sender (RFC 9260 sections 3.3.2 and 3.3.3): its tag, its first TSN, its
 * addresses, the chunk types that it supports. */
#ifndef SR_WIRE_INIT_H
#define SR_WIRE_INIT_H

#include "chunk.h"
#include "packet.h"
#include "tsn.h"

enum { SR_INIT_ADDRESSES = 16 };

struct sr_init {
    uint32_t tag;
    struct sr_tsn initial_tsn;
    uint32_t features; /* 1 << enum sr_feature: what it says that it supports */
    uint32_t addresses;
    struct sr_address address[SR_INIT_ADDRESSES];
};

/* False where the fixed fields are not all there. */
bool sr_init(const struct sr_chunk *chunk, struct sr_init *init);

#endif
