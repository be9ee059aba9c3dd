/* SPDX-License-Identifier: BSD-2-Clause */
/* FORWARD-TSN (RFC 3758 section 3.2) and I-FORWARD-TSN (RFC 8260 section 2.3.1): up to where a sender gives up. */
#ifndef SR_WIRE_FORWARD_TSN_H
#define SR_WIRE_FORWARD_TSN_H

#include <stdbool.h>

#include "bytes.h"
#include "chunk.h"
#include "tsn.h"

static inline bool sr_is_forward_tsn(uint8_t type)
{
    return type == SR_CHUNK_FORWARD_TSN || type == SR_CHUNK_I_FORWARD_TSN;
}

/* The new cumulative TSN; false where the chunk is another one, or was not captured so far. */
static inline bool sr_forward_tsn(const struct sr_chunk *chunk, struct sr_tsn *cum)
{
    if (!sr_is_forward_tsn(chunk->type) || chunk->captured < SR_CHUNK_HEADER_LENGTH + 4)
        return false;
    *cum = sr_tsn(sr_be32(chunk->bytes + SR_CHUNK_HEADER_LENGTH));
    return true;
}

#endif
