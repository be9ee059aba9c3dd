/* SPDX-License-Identifier: BSD-2-Clause */
/* What an INIT or INIT ACK says of its sender (RFC 9260 sections 3.3.2 and 3.3.3): its tag, its addresses, the
 * chunk types that it supports. */
#ifndef SR_WIRE_INIT_H
#define SR_WIRE_INIT_H

#include "chunk.h"
#include "packet.h"

enum { SR_INIT_ADDRESSES = 16, SR_INIT_PARAMETERS = 16 };

enum sr_init_parameter {
    SR_INIT_COOKIE = 7,
    SR_INIT_ADDRESS_TYPES = 12,
    SR_INIT_ECN = 0x8000,
    SR_INIT_ZERO_CHECKSUM = 0x8001,
    SR_INIT_EXTENSIONS = 0x8008,
    SR_INIT_FORWARD_TSN = 0xc000,
};

struct sr_init {
    uint32_t tag;
    uint16_t out_streams, in_streams;
    uint32_t features;                      /* 1 << enum sr_feature: what it says that it supports */
    uint8_t first_extension;                /* of its list of chunk types; 0 without */
    uint32_t parameters;                    /* that are no addresses */
    uint16_t parameter[SR_INIT_PARAMETERS]; /* the first of them, by their types, in its order */
    uint32_t addresses;
    struct sr_address address[SR_INIT_ADDRESSES];
};

/* False where not even its tag was captured. What else was not captured is left out. */
bool sr_init(const struct sr_chunk *chunk, struct sr_init *init);

/* 1 << enum sr_feature that a chunk of this type belongs to, 0 for none. */
uint32_t sr_feature_of_chunk(uint8_t type);

#endif
