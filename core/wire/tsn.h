/* SPDX-License-Identifier: BSD-2-Clause */
/* Order of TSNs: serial numbers of 32 bits (RFC 9260 section 1.6, RFC 1982). A TSN has no `<`: the order is not
 * transitive, so every bound is tested on its own. */
#ifndef SR_WIRE_TSN_H
#define SR_WIRE_TSN_H

#include <stdbool.h>
#include <stdint.h>

struct sr_tsn {
    uint32_t value;
};

/* All TSNs from the first to the last. */
struct sr_tsn_range {
    struct sr_tsn first, last;
};

static inline struct sr_tsn sr_tsn(uint32_t value)
{
    return (struct sr_tsn){value};
}

static inline bool sr_tsn_equal(struct sr_tsn a, struct sr_tsn b)
{
    return a.value == b.value;
}

/* How far a lies beyond b, negative where it lies before; exactly half the circle counts as before. */
static inline int64_t sr_tsn_distance(struct sr_tsn a, struct sr_tsn b)
{
    return (int32_t)(a.value - b.value); /* two's complement, as of every compiler and of C23 */
}

static inline bool sr_tsn_after(struct sr_tsn a, struct sr_tsn b)
{
    return sr_tsn_distance(a, b) > 0;
}

static inline struct sr_tsn sr_tsn_add(struct sr_tsn a, uint32_t offset)
{
    return sr_tsn(a.value + offset);
}

#endif
