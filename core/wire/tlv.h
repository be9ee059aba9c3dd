/* SPDX-License-Identifier: BSD-2-Clause */
/* Where each parameter of a chunk, or each cause of an ERROR or ABORT, begins and ends: both are a type, a length
 * that counts its own four bytes, a value, and padding to four (RFC 9260 sections 3.2.1 and 3.3.10). Total. */
#ifndef SR_WIRE_TLV_H
#define SR_WIRE_TLV_H

#include <stdbool.h>
#include <stdint.h>

struct sr_tlv {
    uint16_t type, length;
    const uint8_t *value;
    uint32_t captured; /* bytes of the value that are there */
};

struct sr_tlv_walk {
    const uint8_t *bytes;
    uint32_t captured, wire;
    bool broken; /* after the last element: the walk stopped at something that is not one */
};

/* Over `wire` bytes of which `captured` are there. */
struct sr_tlv_walk sr_tlv_walk(const uint8_t *bytes, uint32_t captured, uint32_t wire);

/* False at the end. */
bool sr_tlv_next(struct sr_tlv_walk *walk, struct sr_tlv *tlv);

#endif
