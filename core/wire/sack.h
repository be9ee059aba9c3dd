/* SPDX-License-Identifier: BSD-2-Clause */
/* What a SACK (RFC 9260 section 3.3.4), NR-SACK (draft-natarajan-tsvwg-sctp-nrsack) or SHUTDOWN acknowledges: its
 * lists as on the wire, and what is wrong with them. Odd lists are named and kept, never dropped. */
#ifndef SR_WIRE_SACK_H
#define SR_WIRE_SACK_H

#include "chunk.h"
#include "tsn.h"

/* Of an NR-SACK. With A all that it acknowledges in gap blocks is non-renegable (NR-SACK paper section III.A: the third
 * least significant bit). */
enum sr_nr_sack_flags { SR_NR_SACK_ALL = 0x04 };

/* Blocks or TSNs in the chunk's own bytes. */
struct sr_sack_list {
    const uint8_t *bytes;
    uint32_t count;
};

struct sr_sack {
    struct sr_tsn cum_tsn;
    uint32_t a_rwnd;                   /* bytes; 0 for SHUTDOWN */
    struct sr_sack_list gaps, nr_gaps; /* four bytes each: offsets from cum_tsn of first and last */
    struct sr_sack_list dups;          /* four bytes each: a TSN */
    uint32_t anomalies;                /* 1u << enum sr_sack_anomaly */
    uint32_t told; /* so many gaps, from the first on, the one before had too, which was well-formed; 0: not compared */
    uint8_t kind;  /* enum sr_sack_kind */
    uint8_t flags;
};

enum sr_sack_step {
    SR_SACK,
    SR_SACK_SHORT, /* the length field leaves no room for the fixed fields */
    SR_SACK_CUT,   /* the capture ends before the window does */
};

/* `chunk` is of type SACK, NR-SACK or SHUTDOWN. */
enum sr_sack_step sr_sack(const struct sr_chunk *chunk, struct sr_sack *sack);

/* Block `i` of `list`, absolute. */
struct sr_tsn_range sr_sack_block(const struct sr_sack *sack, struct sr_sack_list list, uint32_t i);

/* Duplicate report `i`. */
struct sr_tsn sr_sack_dup(const struct sr_sack *sack, uint32_t i);

/* The highest TSN that it acknowledges; reversed blocks are left out. */
struct sr_tsn sr_sack_top(const struct sr_sack *sack);

/* Whether who keeps the TSNs from `base` to `highest` takes all of a SACK that reaches up to `top`: what the next one
 * has of it (`told`) need not be looked at again. */
static inline bool sr_sack_is_taken(struct sr_tsn base, struct sr_tsn highest, struct sr_tsn cum, struct sr_tsn top)
{
    return sr_tsn_distance(base, cum) <= 1 && sr_tsn_distance(top, highest) <= 0;
}

#endif
