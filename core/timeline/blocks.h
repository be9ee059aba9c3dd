/* SPDX-License-Identifier: BSD-2-Clause */
/* What several rising lists of blocks cover together, and what lies between. */
#ifndef SR_TIMELINE_BLOCKS_H
#define SR_TIMELINE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"

enum {
    SR_BLOCK_LISTS = 4,
    SR_SMALLEST_CAP = 4, /* a SACK with fewer blocks is never full: no stack that is known reports fewer than 16 */
};

struct sr_blocks {
    struct {
        const uint32_t *next; /* first and last TSN of each block */
        uint32_t left;
    } lists[SR_BLOCK_LISTS];
    uint32_t count;   /* of the lists */
    struct sr_tsn at; /* up to here all was given out */
};

/* From above `cum` on. */
void sr_blocks_begin(struct sr_blocks *blocks, struct sr_tsn cum);
void sr_blocks_add(struct sr_blocks *blocks, const uint32_t *list, uint32_t count);

/* The next stretch that the lists cover, and the one before it that they do not, which may be empty: its last TSN lies
 * before its first then. False at the end: then `hole` begins after the last block. */
struct sr_stretch {
    struct sr_tsn first, last;
};
bool sr_blocks_next(struct sr_blocks *blocks, struct sr_stretch *hole, struct sr_stretch *covered);

#endif
