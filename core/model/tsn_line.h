/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives TSNs a place on an unbounded line: inside the model a TSN is its sequence number, an int64 with a plain order.
 */
#ifndef SR_MODEL_TSN_LINE_H
#define SR_MODEL_TSN_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"

/* No sequence number: they stay within 2^62 of zero. */
#define SR_NO_SEQ INT64_MIN

struct sr_tsn_line {
    int64_t reference; /* the cumulative ack point: TSNs lie within 2^31 of it */
    bool begun;
};

/* The place of a TSN: the one nearest to the reference is meant. The first TSN's place is its value. */
static inline int64_t sr_line_seq(const struct sr_tsn_line *line, struct sr_tsn tsn)
{
    return line->reference + sr_tsn_distance(tsn, sr_tsn((uint32_t)line->reference));
}

static inline struct sr_tsn sr_tsn_at(int64_t seq)
{
    return sr_tsn((uint32_t)seq);
}

#endif
