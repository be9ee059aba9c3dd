/* SPDX-License-Identifier: BSD-2-Clause */
/* Where each chunk of a packet begins and ends (RFC 9260 section 3.2). The walk is total: it gives chunks, then one
 * end, and the end says why. It reads nothing beyond the captured bytes. */
#ifndef SR_WIRE_CHUNK_H
#define SR_WIRE_CHUNK_H

#include <stddef.h>
#include <stdint.h>

enum sr_chunk_type {
    SR_CHUNK_DATA = 0,
    SR_CHUNK_INIT = 1,
    SR_CHUNK_INIT_ACK = 2,
    SR_CHUNK_SACK = 3,
    SR_CHUNK_HEARTBEAT = 4,
    SR_CHUNK_HEARTBEAT_ACK = 5,
    SR_CHUNK_ABORT = 6,
    SR_CHUNK_SHUTDOWN = 7,
    SR_CHUNK_SHUTDOWN_ACK = 8,
    SR_CHUNK_ERROR = 9,
    SR_CHUNK_COOKIE_ECHO = 10,
    SR_CHUNK_COOKIE_ACK = 11,
    SR_CHUNK_ECNE = 12,
    SR_CHUNK_CWR = 13,
    SR_CHUNK_SHUTDOWN_COMPLETE = 14,
    SR_CHUNK_AUTH = 15,           /* RFC 4895 */
    SR_CHUNK_NR_SACK = 16,        /* draft-natarajan-tsvwg-sctp-nrsack */
    SR_CHUNK_I_DATA = 64,         /* RFC 8260 */
    SR_CHUNK_ASCONF_ACK = 128,    /* RFC 5061 */
    SR_CHUNK_PACKET_DROP = 129,   /* draft-stewart-sctp-pktdrprep */
    SR_CHUNK_RE_CONFIG = 130,     /* RFC 6525 */
    SR_CHUNK_PAD = 132,           /* RFC 4820 */
    SR_CHUNK_FORWARD_TSN = 192,   /* RFC 3758 */
    SR_CHUNK_ASCONF = 193,        /* RFC 5061 */
    SR_CHUNK_I_FORWARD_TSN = 194, /* RFC 8260 */
};

enum { SR_CHUNK_HEADER_LENGTH = 4 };

/* Name as the RFCs write it, NULL for a type that none of them defines. */
const char *sr_chunk_type_name(uint8_t type);

struct sr_chunk {
    uint8_t type, flags;
    uint16_t length;      /* the length field: header included, padding not; at least 4 */
    const uint8_t *bytes; /* of its header */
    uint32_t captured;    /* bytes of `length` that are there, at least the header's 4 */
};

enum sr_chunk_step {
    SR_CHUNK,                /* a chunk; `captured` may be less than `length` where the capture is cut */
    SR_CHUNK_END,            /* every byte of the packet was read */
    SR_CHUNK_END_BLIND,      /* the capture ends here, the packet does not */
    SR_CHUNK_END_SHORT,      /* one to three bytes remain, not even a header */
    SR_CHUNK_END_BAD_LENGTH, /* `chunk` has a length below 4 */
    SR_CHUNK_END_BEYOND,     /* `chunk` runs past the end of the packet: a receiver drops it */
};

struct sr_chunk_walk {
    const uint8_t *bytes; /* next chunk */
    uint32_t captured;    /* bytes that are there from here on */
    uint32_t wire;        /* bytes that were on the wire from here on */
};

/* `bytes` starts at the common header; where less than that was captured the walk ends at once. */
void sr_chunk_walk_begin(struct sr_chunk_walk *walk, const uint8_t *bytes, uint32_t captured, uint32_t wire);

/* Fills `chunk` on SR_CHUNK, SR_CHUNK_END_BAD_LENGTH and SR_CHUNK_END_BEYOND. After an end it must not be called. */
enum sr_chunk_step sr_chunk_next(struct sr_chunk_walk *walk, struct sr_chunk *chunk);

#endif
