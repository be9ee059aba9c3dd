/* SPDX-License-Identifier: BSD-2-Clause */
/* What a DATA (RFC 9260 section 3.3.1) or I-DATA chunk (RFC 8260 section 2.1) carries, as far as it was captured. */
#ifndef SR_WIRE_DATA_H
#define SR_WIRE_DATA_H

#include "../names.h"
#include "chunk.h"
#include "tsn.h"

enum sr_data_flags { SR_DATA_END = 0x01, SR_DATA_BEGIN = 0x02, SR_DATA_UNORDERED = 0x04, SR_DATA_IMMEDIATE = 0x08 };

struct sr_data {
    struct sr_tsn tsn;
    uint32_t bytes; /* user data, by the length field */
    uint32_t mid, fsn, ppid;
    uint16_t sid, ssn;
    uint8_t flags;
    uint8_t present; /* 1 << enum sr_data_field, by type of chunk, by the B bit of I-DATA, and by what was captured */
};

enum sr_data_step {
    SR_DATA,
    SR_DATA_SHORT, /* the length field leaves no room for the fixed fields */
    SR_DATA_CUT,   /* the capture ends before the TSN does */
};

/* `chunk` is of type DATA or I-DATA. */
enum sr_data_step sr_data(const struct sr_chunk *chunk, struct sr_data *data);

enum { SR_CONTENT_IN_PART = 1, SR_CONTENT_LOOKED_AT = 64 /* bytes of user data */ };

/* Equal for equal chunks: type, fragment and order flags, stream, SSN or MID and FSN, PPID, and the beginning of the
 * user data. With the bit SR_CONTENT_IN_PART only the fields, as that beginning was not captured; 0 where those were
 * not. */
uint32_t sr_data_content(const struct sr_chunk *chunk);

#endif
