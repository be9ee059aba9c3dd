/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk over parameters and causes. */
#include "tlv.h"

#include "bytes.h"

enum { HEADER = 4 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct sr_tlv_walk sr_tlv_walk(const uint8_t *bytes, uint32_t captured, uint32_t wire)
{
    return (struct sr_tlv_walk){bytes, least(captured, wire), wire, false};
}

bool sr_tlv_next(struct sr_tlv_walk *walk, struct sr_tlv *tlv)
{
    if (walk->captured < HEADER) {
        walk->broken = walk->wire > 0 && walk->wire < HEADER; /* else the capture ends here, or the list does */
        return false;
    }
    tlv->type = sr_be16(walk->bytes);
    tlv->length = sr_be16(walk->bytes + 2);
    if (tlv->length < HEADER || tlv->length > walk->wire) {
        walk->broken = true;
        return false;
    }
    tlv->value = walk->bytes + HEADER;
    tlv->captured = least(tlv->length, walk->captured) - HEADER;

    uint32_t padded = (tlv->length + UINT32_C(3)) & ~UINT32_C(3), there = least(padded, walk->captured);
    walk->bytes += there;
    walk->captured -= there;
    walk->wire -= least(padded, walk->wire);
    return true;
}
