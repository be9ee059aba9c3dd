/* SPDX-License-Identifier: BSD-2-Clause */
/* Which IP fragments make a datagram. Memory is bounded: a fixed number of datagrams, each as large as its fragments
 * say; the one begun longest ago makes room. */
#ifndef SR_CAPTURE_FRAGMENTS_H
#define SR_CAPTURE_FRAGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/packet.h"
#include "cursor.h"

enum { SR_FRAGMENT_DATAGRAMS = 64 };

struct sr_fragment {
    int64_t time_ns;
    struct sr_address src, dst;
    uint32_t id;
    uint8_t protocol;
    uint32_t offset; /* bytes, a multiple of eight */
    bool more;
};

enum sr_fragment_step {
    SR_FRAGMENT_KEPT,
    SR_FRAGMENT_COMPLETE, /* the payload of the datagram, valid until the next is complete */
    SR_FRAGMENT_OVERLAP,  /* it contradicts what is there; its datagram is given up (RFC 5722, RFC 8200 section 4.5) */
    SR_FRAGMENT_MALFORMED,
};

/* A set of IP protocols. */
struct sr_protocols {
    uint64_t bits[4];
};

struct sr_fragments;

struct sr_fragments *sr_fragments_new(void); /* NULL when memory runs out */
void sr_fragments_free(struct sr_fragments *fragments);

/* `payload` is whole; on SR_FRAGMENT_COMPLETE it is that of the datagram afterwards. */
enum sr_fragment_step sr_fragments_add(struct sr_fragments *fragments, const struct sr_fragment *fragment,
                                       struct sr_cursor *payload);

/* A later fragment that is cut: no datagram can be made of it. */
void sr_fragments_cut(struct sr_fragments *fragments, uint8_t protocol);

/* Fragments so far that make no datagram: of SCTP, and of the `carriers` of some. Those of other protocols are none of
 * our business. */
uint64_t sr_fragments_left_over(const struct sr_fragments *fragments, const struct sr_protocols *carriers);

#endif
