/* SPDX-License-Identifier: BSD-2-Clause */
/* Associations that one finding tells of: how many, of which ends, and where to look first. */
#ifndef SR_FINDINGS_THOSE_H
#define SR_FINDINGS_THOSE_H

#include "find.h"

/* All zero before the first. */
struct sr_those {
    int64_t count, amount; /* of chunks or bytes that are counted */
    struct sr_look look;
    struct sr_buffer ends; /* struct sr_end, of who is told of */
};

/* What `address:port` says. */
struct sr_end {
    struct sr_address address; /* of family 0 where it is not known */
    uint8_t port[2];           /* in network order; without a gap before it, for they are compared as bytes */
};

void sr_those_add(struct sr_those *those, const struct sr_side *side, uint32_t frame, int64_t amount);

/* Each end once, in an order of no meaning; how many are left. */
size_t sr_those_ends(struct sr_those *those);

/* `address:port` where it is the same of all, else how many there are and the first of them as text. */
void sr_those_say(struct sr_those *those, struct sr_buffer *text);

void sr_those_free(struct sr_findings *findings, struct sr_those *those);

#endif
