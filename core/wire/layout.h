/* SPDX-License-Identifier: BSD-2-Clause */
/* Which fields every control chunk, parameter and error cause has, as data: RFC 9260 sections 3.3 and 3.2.1, RFC 3758,
 * RFC 4820, RFC 4895, RFC 5061, RFC 6525, RFC 8260, RFC 9653, draft-stewart-sctp-pktdrprep. */
#ifndef SR_WIRE_LAYOUT_H
#define SR_WIRE_LAYOUT_H

#include <stdint.h>

/* What follows the fixed fields. */
enum sr_rest {
    SR_REST_NOTHING,
    SR_REST_OPAQUE,
    SR_REST_PARAMETERS,
    SR_REST_CAUSES,
    SR_REST_BYTE_LIST,       /* chunk types */
    SR_REST_WORD_LIST,       /* 16 bit */
    SR_REST_STREAM_SSN_LIST, /* {SID, SSN} of FORWARD-TSN */
    SR_REST_STREAM_MID_LIST, /* {SID, U bit, MID} of I-FORWARD-TSN */
    SR_REST_IPV4,
    SR_REST_IPV6,
};

struct sr_field {
    const char *name;      /* NULL ends the list */
    uint8_t offset, bytes; /* from the start of the value, after the four bytes of type and length; 2 or 4 */
};

enum { SR_LAYOUT_FIELDS = 6 };

struct sr_layout {
    uint16_t type;
    const char *name; /* as the RFC writes it */
    struct sr_field fields[SR_LAYOUT_FIELDS];
    uint8_t fixed; /* bytes before the rest */
    uint8_t rest;  /* enum sr_rest */
    const char *rest_name;
};

/* NULL for a type that is not known; for chunks also where the chunk has a decoder of its own. */
const struct sr_layout *sr_chunk_layout(uint8_t type);
const struct sr_layout *sr_parameter_layout(uint16_t type);
const struct sr_layout *sr_cause_layout(uint16_t type);

#endif
